/*
 * publish: a store as a site of static files. What is in the pages comes from trending.h, what they
 * look like from site/; this reads the one, gives it to the other, benchmark by benchmark, and puts
 * the texts into a folder (publish-tree.h). The same store and options give the same bytes.
 */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "publish-tree.h"
#include "trending.h"

struct publish_options {
	const char *dir;
	struct trending_options trending;
	const char *title;      /* NULL: of the folder that the repository is in */
	const char *base_url;   /* http or https; NULL */
	const char *commit_url; /* with {sha}, http or https; NULL: as the remote tells */
	const char *data_dir;   /* where uPlot's folder is; NULL: where it was installed */
	bool force;
};

struct published {
	struct tree_counts counts;
	size_t benchmarks, series, commits;
	bool uplot;
};

/* c has its policy loaded and its store open. */
int publish(struct context *c, const struct publish_options *o, struct published *ret,
	void (*progress)(void *ctx, double done, double of), void *ctx, struct err *err);

#endif
