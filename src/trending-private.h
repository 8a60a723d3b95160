/*
 * trending-private: what the files of trending share. Nothing else includes it.
 */
#ifndef TRENDING_PRIVATE_H
#define TRENDING_PRIVATE_H

#include "intern.h"
#include "trending.h"

/* A commit with clean runs. */
struct trend_known {
	int64_t committed_at, measured_at; /* TIME_UNKNOWN */
	int64_t steps;                     /* from the tip, or as below */
	bool timed;  /* it has runs of what is ordered by time, which count wherever it is */
	uint32_t at; /* in trending.commits, if it is there */
};

enum { STEPS_UNKNOWN = -1, STEPS_ELSEWHERE = -2 };

struct trend_run {
	int64_t id, runner_id, at, ingested_at, samples;
	uint32_t known, session;           /* in known and sessions */
	uint32_t suite, component, branch; /* in texts */
	uint32_t document;                 /* the same of clpeak, stored for several commits */
	uint32_t point;                    /* of its suite, ascending */
	bool partial;                      /* it need not have all there is */
};

struct trend_suite {
	uint32_t name; /* in texts */
	bool by_time;
	const struct trend_run *runs; /* in the order of points */
	size_t n;
	int64_t samples;
	size_t series; /* of the store */
};

/* One series, as it is called now. */
struct trend_slot {
	struct series_key key;
	size_t suite;        /* in suites */
	int64_t last_id;     /* of the store, whose sample came last, */
	uint32_t last_point; /* and where that belongs */
	size_t first, n;     /* rows of the chunk */
};

struct trend_id {
	int64_t id; /* of the store */
	uint32_t slot;
};

/* Series to read. */
struct trend_choice {
	struct trend_slot *v; /* by suite, benchmark, metric, variant and runner */
	size_t n, cap;
	struct trend_id *ids; /* by slot, then id */
	size_t n_ids, cap_ids;
	uint32_t *by_id; /* slot + 1; 0: not wanted */
	size_t n_by_id;
};

/* A step of a probe, between the starts of two sessions. */
struct trend_shift {
	const char *runner, *name;
	enum bound bound;
	enum trend_sense sense;
	int64_t from, until;
};

struct trending_private {
	struct context *c;
	struct trending_options o;
	struct intern *texts, *shas, *sessions;
	char *line;
	char tip[65];
	struct trend_known *known; /* by number in shas */
	size_t cap_known;
	struct trending_commit *commits;
	struct trending_session *starts; /* by number in sessions */
	size_t cap_starts;
	struct trend_run *runs;
	size_t n_runs, cap_runs;
	struct trend_suite *suites; /* by name */
	size_t n_suites;
	struct intern *places; /* suite, component and runner */
	uint32_t *newest;      /* by place: the commit, or by time the point, of its last run that
				  is not partial */
	struct trend_choice choice;
	struct trend_shift *shifts;
	size_t n_shifts, cap_shifts;
	bool has_shifts; /* they were looked for */
};

static inline const char *trend_text(const struct trending_private *p, uint32_t n)
{
	return intern_get(p->texts, n, NULL);
}

/* ---- trending-line.c ---- */

/* From known to line, tip, steps and commits. */
int trend_order_commits(struct trending *t, struct err *err);

/* ---- trending-runs.c ---- */

int trend_load_runs(struct trending_private *p, struct err *err);
/* Those that count, by suite and point. */
void trend_order_runs(struct trending *t);
bool trend_is_by_time(const char *suite);
/* Whether a later run of the same suite, component and runner ought to have had what r has. */
bool trend_is_outdated(const struct trending_private *p, const struct trend_run *r);
struct trend_suite *trend_suite_of(const struct trending_private *p, const char *name);

/* ---- trending-choose.c ---- */

/* The series that were asked for. */
int trend_choose(struct trending_private *p, struct err *err);
/* Those for which wanted() says 1; -1 is an error. */
int trend_choose_by(struct trending_private *p, struct trend_choice *ret,
	int (*wanted)(void *ctx, const struct series_key *k, struct err *err), void *ctx,
	struct err *err);
void trend_choice_release(struct trend_choice *c);

/* ---- trending-read.c ---- */

typedef int trend_row_fn(void *ctx, const struct trending_series *v, size_t n, struct err *err);

/* As trending_each(), without what probes say. */
int trend_read(struct trending_private *p, struct trend_choice *choice, trend_row_fn *row,
	void *ctx, void (*progress)(void *ctx, double done, double of), void *progress_ctx,
	struct err *err);

/* ---- trending-machine.c ---- */

/* Fills machine, which has room, of the steps of a series. */
int trend_find_machine(struct trending_private *p, const struct trending_series *s,
	const char **machine, struct err *err);

#endif
