/*
 * exact: the rule for deterministic metrics (DESIGN 5.3), in decimal arithmetic.
 */
#ifndef EXACT_H
#define EXACT_H

#include "verdict.h"

/*
 * With d the worsening of the median in direction (not none): regressed iff d >= floor and
 * d > tolerance x |base|; improved is the mirror image; else pass.
 */
enum verdict exact_verdict(struct decimal head, struct decimal base, enum direction direction,
	struct decimal tolerance, struct decimal floor);

/* (max - min) / |median| of n values, as a share; whether it exceeds the tolerance is exact. An
 * infinite share stands for a median of 0. */
struct exact_spread {
	bool exceeds;
	double share;
};
struct exact_spread exact_spread(
	const struct num *values, size_t n, struct decimal median, struct decimal tolerance);

#endif
