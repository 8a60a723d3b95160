/*
 * trend-view: what the outputs of `perfgate trend` share.
 */
#ifndef TREND_VIEW_H
#define TREND_VIEW_H

#include "standing.h"

struct trend_view {
	struct context *c;
	struct trending t;
	bool all;               /* the table lists every series */
	int64_t last;           /* points that are looked at; 0: all */
	int64_t since;          /* ns; TIME_UNKNOWN: whenever */
	const char *since_sha;  /* ... and what is after this commit, where it is known; NULL */
	size_t sure, suspected; /* judged series for the worse, counted as they go by */
	struct progress *progress;
};

/* A series, and from which point on it is looked at: n where there is none. */
struct trend_seen {
	const struct trending_series *s;
	size_t from;
	struct standing standing;
};

/* Calls row for each series that has points to look at. */
int trend_view_each(struct trend_view *v,
	int (*row)(void *ctx, const struct trend_seen *x, struct err *err), void *ctx,
	struct err *err);

/* When a point was: its commit, or of what is ordered by time its session. */
int64_t trend_point_time(const struct trend_view *v, const struct trending_series *s, size_t i);
const char *trend_point_sha(const struct trend_view *v, const struct trending_series *s, size_t i);
/* Whether the noise of a series is a share of its level. */
bool trend_is_relative(const struct trending_series *s);

/* ---- the outputs: to standard output ---- */

int trend_table(struct trend_view *v, struct err *err);
int trend_json(struct trend_view *v, struct err *err);
int trend_csv(struct trend_view *v, struct err *err);

#endif
