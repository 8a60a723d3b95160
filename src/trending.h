/*
 * trending: the series of a store, in the order of commits, each with its trend.
 *
 * The line is that of a revision's first parents, as git knows them, else the store: that of the
 * base branch unless another is asked for. Commits that neither can place stand by their committer
 * time, else by when they were measured; those that are known to be on other branches are left out.
 * Only clean runs count. A series has one point for each session of a commit. What tells of
 * machines and not of commits (past_is_by_time()) has one for each session, ordered by time,
 * whatever was checked out. [rename] unites series; those of [retire] are left out.
 *
 * Samples are read for so many series at a time that memory does not grow with the store.
 */
#ifndef TRENDING_H
#define TRENDING_H

#include "context.h"
#include "series.h"
#include "trend.h"

struct trending_options {
	const char *const *patterns; /* of SUITE:BENCHMARK:METRIC, or such names; any of them */
	size_t n_patterns;           /* 0: all */
	const char *const *suites;   /* only these */
	size_t n_suites;             /* 0: all */
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
	const char *name; /* "" not known: then each run is one of its own */
	int64_t at;       /* when its first run started, ns */
};

enum { TRENDING_SAMPLES_MAX = 10000 }; /* a point; the first count */

struct trending_point {
	uint32_t commit, session; /* in trending.commits and .sessions */
	struct num value;         /* the median of its samples */
	const double *samples;    /* in the order in which they were measured */
	size_t n;
};

struct trending_series {
	struct series_key key; /* as the policy names it now */
	struct decision decision;
	bool by_time;                        /* its points are sessions, in their order */
	const struct trending_point *points; /* oldest first */
	size_t n;
	struct trend trend;
	const char *const
		*machine; /* for each step: the probe series that stepped with it; NULL none */
	bool missing;     /* the newest commit that has its suite and runner does not have it */
};

struct trending {
	const char *line; /* what its tip was called: "main", "HEAD"; NULL: all stand by time */
	const char *tip;  /* its SHA; "" as above */
	const struct trending_commit *commits; /* oldest first: those with clean runs */
	size_t n_commits;
	size_t n_by_time;   /* of these: not known to be on the line */
	size_t n_elsewhere; /* commits with clean runs that are on other branches */
	const struct trending_session *sessions;
	size_t n_sessions;
	struct trending_private *private_;
};

/* c has its policy loaded and its store open. ERR_GIT: rev names nothing; ERR_USAGE: a pattern
 * stands for no series. */
int trending_init(
	struct trending *ret, struct context *c, const struct trending_options *o, struct err *err);
void trending_release(struct trending *t);

/* How many series there are, before they are read: some may have no point on the line. */
size_t trending_count(const struct trending *t);

/*
 * Calls row once for each benchmark with all its series that were asked for and have points, by
 * suite, benchmark, metric, variant and runner. They live until row returns; what row returns below
 * 0 ends it, and is returned. progress may be NULL.
 */
int trending_each(struct trending *t,
	int (*row)(void *ctx, const struct trending_series *v, size_t n, struct err *err),
	void *ctx, void (*progress)(void *ctx, double done, double of), void *progress_ctx,
	struct err *err);

#endif
