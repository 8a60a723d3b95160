/*
 * focus: how much the newest of a row of numbers have risen above 0, whatever by and since when:
 * the greatest of (sum of the newest w)^2 / (2 w) over all w whose sum is above 0, which is the
 * logarithm of the likelihood ratio where they are normal with standard deviation 1. To look for a
 * fall, add the negated numbers.
 *
 * FOCuS, for a level before that is known: G. Romano, I. A. Eckley, P. Fearnhead and G. Rigaill,
 * "Fast online changepoint detection via functional pruning CUSUM statistics", Journal of Machine
 * Learning Research 24 (2023). Only corners of the lower convex hull of the sums so far can be
 * where the greatest begins; of n numbers that are noise they are of the order of log n.
 */
#ifndef FOCUS_H
#define FOCUS_H

#include <stddef.h>

struct focus_corner {
	size_t at; /* numbers before it */
	double sum;
};

struct focus { /* all zeroes: no numbers yet */
	struct focus_corner *corners;
	size_t n_corners, cap;
	size_t n;
	double sum;
};

void focus_add(struct focus *f, double z);

/* 0 where nothing rose. ret_from: the first number of those that did, from 0; untouched at 0. */
double focus_most(const struct focus *f, size_t *ret_from);

void focus_release(struct focus *f);

#endif
