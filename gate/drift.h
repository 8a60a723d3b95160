/*
 * drift: whether the machine was as fast for head as it was for its base, as far as probes tell.
 *
 * `perfgate probe --quick --ingest` reads how fast the machine computes, reads much memory and
 * waits for single words of it, each several times, and stores that with the session. All readings
 * of the sessions that a comparison used are put together, side by side: those before a job and
 * behind it, so that what changed meanwhile is part of the spread. A machine drifted where no
 * reading of one side lies among those of the other: the ranges from the lowest to the highest do
 * not touch. With READINGS_NEEDED a side this happens once in ten by chance either way, with the
 * five of a quick probe before and after once in 90,000; but readings of one session are no
 * independent ones, which is why nothing finer than ranges is asked. By how much is the ratio of
 * the medians.
 */
#ifndef DRIFT_H
#define DRIFT_H

#include "verdict.h"

enum { READINGS_NEEDED = 3 }; /* a side */

struct drift_side {
	double low, median, high;
	size_t n; /* readings; 0: no probe */
};

enum drift_say {
	DRIFT_ALONE, /* one side has no probe */
	DRIFT_FEW,   /* too few readings to know their spread */
	DRIFT_NONE,
	DRIFT_SLOWER,
	DRIFT_FASTER
};

/* One reading that both sides have, or one of them. */
struct drift {
	enum bound bound;
	struct series_key key; /* of clpeak */
	struct drift_side base, head;
	double slower; /* log of how many times slower head's machine was; negative: faster */
	enum drift_say say;
};

const char *drift_say_name(enum drift_say s); /* "alone", "few", "none", "slower", "faster" */

/* What was read in the sessions of one comparison. */
struct drifts {
	const char *runner;
	const char *head_session, *base_session; /* the newest of each */
	size_t n_head_sessions, n_base_sessions;
	struct drift v[BOUND_NONE]; /* by bound */
	size_t n;
};

/* Whether a series is one of those that the quick probe reads on a CPU, and of what. Which part of
 * the machine it tells of follows from its quantity. */
bool drift_is_probe(const struct series_key *k, enum bound *ret);

/* Sorts v. */
void drift_side_of(double *v, size_t n, struct drift_side *ret);

/* From bound, key and sides to the rest. */
void drift_compare(struct drift *d);

/* Whether a rather than b is to be shown of one bound: what both sides have, what the quick probe
 * reads, what was read more often, the faster. */
bool drift_is_preferred(const struct drift *a, const struct drift *b);

/* The drift that may be why a noisy series is regressed or suspect: of its bound, beyond its
 * spread, and no smaller than the series' own worsening. NULL: none. */
const struct drift *drift_explains(const struct judged *j, const struct drifts *d);

/* "compute 141 -> 124 GFLOPS, 12 % slower; bandwidth ..." */
void drift_line(struct buf *b, const struct drifts *d);
/* "12 %": how much slower or faster. */
void drift_size(struct buf *b, const struct drift *d);

#endif
