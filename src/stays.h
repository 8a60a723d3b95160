/*
 * stays: what the store holds, as stays: the runs of one suite and one commit (in one state of the
 * work tree) in one session on one runner. What is measured of noise is measured between and within
 * them: samples of one session are no independent sessions.
 */
#ifndef STAYS_H
#define STAYS_H

#include "store.h"

struct stay {
	const struct store_run *runs; /* in stays.runs */
	size_t n_runs;
	int64_t at; /* ns: when its first run started */
};

struct stays {
	struct store_runs runs;
	struct stay *v; /* by suite, runner, then time */
	size_t n;
};

enum { STAYS_RUNS_MAX = 100000 }; /* the newest are looked at */

int stays_load(struct stays *ret, struct store *s, struct err *err);
void stays_release(struct stays *st);

bool stays_same_commit(const struct stay *a, const struct stay *b); /* and state of the tree */
bool stays_same_session(const struct stay *a, const struct stay *b);
/* How many from v[0] on are of its suite and runner. */
size_t stays_in_place(const struct stay *v, size_t n);

/* The samples of one series in a stay. */
struct stay_series {
	int64_t series;
	const double *values; /* in the order in which they were measured, run by run */
	size_t n;
};

/* Samples of one series and of all in a stay; more are passed over. */
enum { STAY_SAMPLES_MAX = 1000, STAY_TOTAL_MAX = 4 << 20 };

struct stay_samples {
	struct stay_series *v; /* by number */
	size_t n;
	double *values;
};

/* Those series for which wanted says yes. */
int stay_samples_load(struct stay_samples *ret, struct store *s, const struct stay *stay,
	bool (*wanted)(void *ctx, int64_t series), void *ctx, struct err *err);
void stay_samples_release(struct stay_samples *m);

#endif
