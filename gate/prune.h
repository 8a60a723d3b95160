/*
 * prune: drops changes of level that a rank test does not bear out, or that are too small.
 */
#ifndef PRUNE_H
#define PRUNE_H

#include <stddef.h>

/* So many points on each side of a change are compared at most: in normal noise that is enough for
 * a step of a quarter of its standard deviation. */
enum { PRUNE_SIDE = 512 };

struct prune_rule {
	double p; /* two-sided, of the rank test between neighbouring segments; 1: no test */
	double inflation;  /* the deviate of the test is divided by its root */
	double min_effect; /* least difference of neighbouring medians */
};

/*
 * at: count changes of the n numbers x, ascending. Drops the weakest by p until the test bears out
 * all that are left, then the smallest, each time with its neighbours weighed anew; returns how
 * many stay. Time is that of count log count and of sorting PRUNE_SIDE numbers for each change.
 */
size_t prune_changes(
	const double *x, size_t n, const struct prune_rule *rule, size_t *at, size_t count);

#endif
