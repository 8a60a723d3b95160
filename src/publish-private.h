/*
 * publish-private: what the files of publish share. Nothing else includes it.
 */
#ifndef PUBLISH_PRIVATE_H
#define PUBLISH_PRIVATE_H

#include "intern.h"
#include "lists.h"
#include "publish.h"

/* The values of a series, for the comparison of commits. */
struct publish_row {
	uint32_t line;   /* in publishing.lines: which commits its points are of */
	size_t first, n; /* of publishing.codes */
};

/* A value that no code stands for. */
struct publish_odd {
	uint32_t series, commit;
	double value;
};

struct publishing {
	struct context *c;
	const struct publish_options *o;
	struct trending *t;
	struct tree *tree;
	struct intern *texts;
	struct buf page; /* of the file that is being made */
	struct site site;
	struct site_commit *commits;
	char *title, *url, *commit_url, *data_dir;

	struct site_series *series;
	size_t n_series, cap_series;
	struct site_benchmark *benchmarks;
	size_t n_benchmarks, cap_benchmarks;
	struct site_suite *suites;
	size_t n_suites, cap_suites;
	struct site_step *steps;
	size_t n_steps, cap_steps;
	struct site_gate *gates;
	size_t n_gates, cap_gates;

	struct intern *lines;     /* arrays of uint32_t */
	struct publish_row *rows; /* by series */
	size_t n_rows, cap_rows;
	uint32_t *codes;
	size_t n_codes, cap_codes;
	struct publish_odd *odd;
	size_t n_odd, cap_odd;
};

/* Puts what is in page, and clears it. */
int publish_put(struct publishing *p, const char *path, struct err *err);

/* For trending_each(): a benchmark's page and data, and what lists say of it. */
int publish_benchmark(void *publishing, const struct trending_series *v, size_t n, struct err *err);

/* Those that were recorded. */
int publish_gates(struct publishing *p, struct err *err);

/* What all benchmarks together give. */
int publish_lists(struct publishing *p, struct err *err);

/* ---- comparing ---- */

/* Before the first series: how many commits can be compared. */
void publish_limit(struct publishing *p);
/* The points of the series that comes next. */
void publish_remember(struct publishing *p, const struct trending_series *x);
/* data/series.json, and a file for each commit. */
int publish_comparison(struct publishing *p, struct err *err);

/* Style, script, and uPlot where it is found. */
int publish_assets(struct publishing *p, struct err *err);
/* The folder whose uplot/ it is in; NULL: nowhere. The caller frees. */
char *publish_find_uplot(const struct publish_options *o);

#endif
