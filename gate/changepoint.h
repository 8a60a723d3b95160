/*
 * changepoint: where a series of one number a session changed its level. Deterministic.
 *
 * R-FPOP with the biweight loss (Fearnhead and Rigaill, "Changepoint detection in the presence of
 * outliers", JASA 2019), pruned by a two-sided rank test and a minimum effect. Takes O(n x pieces)
 * time, where the pieces are the levels that are still in question: a few as a rule, O(n) at worst.
 */
#ifndef CHANGEPOINT_H
#define CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

struct changepoint_settings {
	double k;          /* loss bound in robust standard deviations */
	double penalty;    /* a change, in ln n */
	double p;          /* of the rank test between neighbouring segments; 1: no test */
	double min_effect; /* least difference of neighbouring medians, in the unit of x */
	bool exact; /* in a series of which more than half of the steps are exactly 0, each change
		       of value is one; otherwise such a series is like any other */
};

/* K = 2.5, 2 ln n, p 1e-3 (1e-2 below 60 points), 0.01, exact. */
struct changepoint_settings changepoint_defaults(size_t n);

/*
 * x: n finite numbers in order, as a rule logarithms. Fills ret (room for n) with the indices at
 * which a new level begins, ascending, and returns how many. The standard deviation is taken from
 * the median absolute deviation of the steps, and is at least a tenth of min_effect.
 */
size_t changepoints(const double *x, size_t n, const struct changepoint_settings *s, size_t *ret);

#endif
