/*
 * outcome: what came of a reading: numbers, or why there are none; and the loop that most readings
 * share.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdint.h>

#include "err.h"

#define REPEAT_MAX 64

/* How to measure; from the command line. */
struct settings {
	int64_t target_ns;  /* a batch is to take that long */
	int repeat;         /* batches of a reading, 1 to REPEAT_MAX */
	int64_t memory_max; /* bytes; the largest working set */
	bool quick;
};

enum outcome_status {
	OUTCOME_OK,
	OUTCOME_UNSUPPORTED, /* the device or driver has no such thing */
	OUTCOME_SKIPPED,     /* deliberately not run */
	OUTCOME_ERROR        /* tried, and failed; or a number that cannot be true */
};

struct outcome {
	enum outcome_status status;
	char reason[256];          /* unless OK */
	double values[REPEAT_MAX]; /* one a batch, in FLOPS, OPS, B/s, Texel/s or s */
	int n;
};

/* There is no number, and why; the first reason stays. */
void outcome_refuse(struct outcome *o, enum outcome_status status, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* One more number. One that is not finite and positive makes the outcome an error. */
void outcome_add(struct outcome *o, double value);

/* Does `iterations` of the work and says how many seconds they took; -1 with err set. */
typedef int batch_fn(void *arg, int64_t iterations, double *ret_seconds, struct err *err);

/*
 * Warms up, finds how many iterations (at most max; 0: no limit) last for s->target_ns, runs
 * s->repeat batches of them and adds one number each: outcome_rate() the amount of work done in a
 * second (amount: of one iteration), outcome_time() the seconds that one of `amount` steps of an
 * iteration takes.
 */
void outcome_rate(struct outcome *o, const struct settings *s, batch_fn *batch, void *arg,
	double amount, int64_t max);
void outcome_time(struct outcome *o, const struct settings *s, batch_fn *batch, void *arg,
	double amount, int64_t max);

#endif
