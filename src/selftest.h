/*
 * selftest: how often unchanged code is called regressed, measured on what the store holds.
 *
 * Within sessions: samples of one series in one stay are split at random and compared; the splits
 * are independent given the samples, so that this shows the test to be right and says nothing of
 * the machine. The same samples are split in the order in which they came as well: there, drift
 * within a session shows. Between sessions: two stays of one commit in different sessions are
 * compared, each session in one pair only; the pair is the unit, since all its series share the
 * weather of two sessions.
 */
#ifndef SELFTEST_H
#define SELFTEST_H

#include "context.h"
#include "interval.h"
#include "opt.h"
#include "pattern.h"

enum { SELFTEST_SIDE = 4, SELFTEST_PAIRS = 20 }; /* samples a side; pairs for an answer */

struct selftest_settings {
	uint64_t seed;
	int64_t splits; /* of one series in one stay */
	double alpha;
	struct opt_list suites;
	struct pattern *only; /* on benchmark names; NULL: all */
};

enum pool_answer { POOL_YES, POOL_NO, POOL_UNKNOWN };

struct selftest_rate {
	size_t series;                  /* different ones */
	size_t units;                   /* stays; pairs of stays */
	size_t trials;                  /* splits; series compared */
	struct interval alarms, beyond; /* p <= alpha; and the change above the tolerance */
};

/* One suite on one runner. */
struct selftest_place {
	const char *suite, *runner;
	struct selftest_rate split, order, pool;
	bool neighbours; /* the pairs are of neighbouring commits, not of one */
	enum pool_answer answer;
};

struct selftest {
	struct selftest_place *v;
	size_t n;
	struct stays *stays; /* what the strings are of */
};

/* c has a store and a policy. */
int selftest_run(struct selftest *ret, struct context *c, const struct selftest_settings *s,
	struct err *err);
void selftest_release(struct selftest *t);

/* The answer as a clause: "no: 31 % at a nominal 5 %". */
void selftest_answer(struct buf *b, const struct selftest_place *p, double alpha);

#endif
