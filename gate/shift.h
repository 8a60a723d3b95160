/*
 * shift: by how much one group of samples lies above another, and how much single samples vary,
 * from the differences of all pairs. Large groups take time of the order of n + m and no memory.
 */
#ifndef SHIFT_H
#define SHIFT_H

#include <stddef.h>

struct shift {
	double estimate;
	double low, high;
};

/*
 * Hodges and Lehmann's (1963) estimate: the median of the differences x - y. Its 95 % interval
 * holds the shifts that a two-sided Mann-Whitney test at 5 % does not refuse (Hollander and Wolfe,
 * Nonparametric Statistical Methods, sections 4.2 and 4.3); infinite where it refuses none.
 * x and y ascending; n, m >= 1.
 */
struct shift shift_estimate(const double *x, size_t n, const double *y, size_t m);

/*
 * The standard deviation of one sample, by the median of the absolute differences within each side
 * (Shamos 1976), which for normal noise is sqrt(2) 0.6745 deviations. Up to 29 % of outliers
 * leave it finite. 0 where neither side has two samples.
 */
double shift_spread(const double *x, size_t n, const double *y, size_t m);

#endif
