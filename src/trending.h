/*
 * trending: the series of a store, in the order of commits, each with its trend.
 *
 * The line is that of a revision's first parents, as git knows them, else the store; commits that
 * neither can place stand by their committer time. Only clean runs count. A series has one point
 * for each session of a commit; of commits with the same runs the oldest counts. What tells of
 * machines and not of commits (past_is_by_time()) is ordered by time, whatever was checked out.
 *
 * Samples are read for some hundred series at a time, so that memory does not grow with the store.
 */
#ifndef TRENDING_H
#define TRENDING_H

#include "context.h"
#include "series.h"
#include "trend.h"

struct trending_options {
	const char *const *patterns; /* of SUITE:BENCHMARK:METRIC, or such names; any of them */
	size_t n_patterns;           /* 0: all */
	const char *rev;             /* whose line; NULL: the base branch, else HEAD */
	int64_t since;               /* ns; nothing older; TIME_UNKNOWN: all */
	int64_t last;                /* at most so many points a series, the newest; 0: all */
};

struct trending_commit {
	const char *sha;
	int64_t at;   /* committer time in ns, else when it was measured first */
	bool on_line; /* false: only its time tells where it stands */
};

struct trending_session {
	const char *name; /* "" not known */
	int64_t at;       /* when its first run started, ns */
};

struct trending_point {
	uint32_t commit, session; /* in trending.commits and .sessions */
	struct num value;         /* the median of its samples */
	const double *samples;    /* in the order in which they were measured */
	size_t n;
};

struct trending_series {
	struct series_key key; /* as the policy names it now */
	struct decision decision;
	const struct trending_point *points; /* oldest first */
	size_t n;
	struct trend trend;
	const char *const
		*machine; /* for each step: the probe series that stepped with it; NULL none */
	bool missing;     /* the newest commit that has its suite and runner does not have it */
};

struct trending {
	const struct trending_commit *commits; /* oldest first: those with clean runs */
	size_t n_commits;
	const struct trending_session *sessions;
	size_t n_sessions;
	struct trending_private *private_;
};

/* c has its policy loaded and its store open. */
int trending_init(
	struct trending *ret, struct context *c, const struct trending_options *o, struct err *err);
void trending_release(struct trending *t);

/* How many series there are, before they are read. */
size_t trending_count(const struct trending *t);

/*
 * Calls row once for each benchmark with all its series that were asked for, by suite, benchmark,
 * metric, variant and runner. They live until row returns; what row returns below 0 ends it, and is
 * returned. progress may be NULL.
 */
int trending_each(struct trending *t,
	int (*row)(void *ctx, const struct trending_series *v, size_t n, struct err *err),
	void *ctx, void (*progress)(void *ctx, double done, double of), void *progress_ctx,
	struct err *err);

#endif
