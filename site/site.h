/*
 * site: what the pages of `publish` know: the whole site, its commits, and of each series what
 * lists say of it. All texts are as the documents have them, hostile until they are written by the
 * functions of words.h.
 */
#ifndef SITE_H
#define SITE_H

#include <stdint.h>

#include "policy.h"
#include "series.h"
#include "slug.h"
#include "trend.h"

#define SITE_NONE UINT32_MAX /* of what is a number of something: there is none */

struct site_commit {
	const char *sha;
	int64_t at; /* ns */
};

struct site {
	const char *title;
	const char *url;                   /* of the site, ending in '/'; NULL: not known */
	const char *commit_url;            /* with {sha} in it, http or https; NULL: none */
	const char *root;                  /* the first commit of the repository; "" not known */
	const struct site_commit *commits; /* oldest first */
	size_t n_commits;
	uint32_t compare_from; /* the first that can be compared */
	int64_t newest;        /* when the newest run began, ns; TIME_UNKNOWN */
	bool uplot;            /* it is in assets/ */
	bool medians_alone;    /* so many are the points that samples are not drawn */
};

struct site_step {
	uint32_t series;         /* whose */
	uint32_t at, previous;   /* commits: the first of the new level, that of the point before */
	uint32_t earliest, last; /* where it may be instead */
	double before, after, change, low, high;
	enum trend_strength strength;
	enum trend_sense sense;
	const char *machine; /* the probe series that stepped with it; NULL none */
};

/* What a series is: worse and accepted however long, the rest of late; of those that are never
 * judged (class info) always steady. */
enum site_state {
	STATE_WORSE,
	STATE_MISSING,
	STATE_SUSPECT,
	STATE_ACCEPTED, /* worse, and meant to be */
	STATE_BETTER,
	STATE_STEADY,
	STATE_COUNT
};
const char *site_state_name(enum site_state s); /* "worse": also a class for style */

/* A series as lists have it. */
struct site_series {
	struct series_key key;
	enum direction direction; /* the policy's */
	enum gate_class class_;
	uint32_t benchmark;      /* its number in the site */
	size_t n;                /* points */
	uint32_t first, newest;  /* commits; SITE_NONE */
	double level, noise;     /* as struct trend has them */
	bool exact, logarithmic; /* logarithmic: the noise is a share */
	bool missing;
	enum site_state state;
	struct trend_suspect suspect;
	uint32_t suspect_from;  /* a commit */
	struct site_step doubt; /* of STATE_SUSPECT: the step that is not sure, or may come to be */
	struct site_step
		step; /* the last that counts: of some sense, else any; at SITE_NONE: none */
	size_t n_steps;
	double at_newest[2]; /* medians at the newest two commits, the newest first; NAN none */
	char *spark;         /* SVG; NULL */
};

struct site_benchmark {
	const char *suite, *name;
	size_t first, n; /* of series */
};

struct site_suite {
	const char *name;
	size_t first, n; /* of benchmarks */
	size_t first_series, n_series;
	size_t states[STATE_COUNT]; /* how many of its series are what */
};

/* A gate that was recorded. */
struct site_gate {
	int64_t at; /* ns */
	const char *head, *base;
	int exit_status;
	char *counts; /* "2 regressed, 40 pass" */
};

/* What the lists are made of: series by suite, benchmark, metric, variant and runner. */
struct site_lists {
	const struct site_series *series;
	size_t n_series;
	const struct site_benchmark *benchmarks;
	size_t n_benchmarks;
	const struct site_suite *suites;
	size_t n_suites;
	const struct site_step
		*steps; /* those that count, newest first, of one commit worst first */
	size_t n_steps;
	const struct site_gate *gates; /* newest first */
	size_t n_gates;
};

/* ---- what a series is said to be ---- */

/* What happened at one of the newest SITE_RECENT commits is news. */
enum { SITE_RECENT = 30 };
bool site_is_recent(const struct site *s, uint32_t commit);

/* It is neither weak nor the machine's. */
bool site_is_sure(const struct site_step *s);

/* Worst first: worse before better, what is sure before others, then by the size of the change,
 * then by series. For qsort(). */
int site_compare_worst(const void *a, const void *b);

/* ---- addresses, below the root of the site ---- */

void site_suite_path(struct buf *b, const char *suite, const char *ending); /* ".html" */
void site_benchmark_path(struct buf *b, const char *suite, const char *name);
void site_data_path(struct buf *b, const char *suite, const char *name);
void site_badge_path(struct buf *b, const char *suite);
/* "s-0123456789ab": the anchor of a series on its benchmark's page. */
void site_anchor(struct buf *b, const struct series_key *k);

#endif
