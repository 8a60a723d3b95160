/*
 * edpelt: where the distribution of a series changed, whatever its shape: a second opinion on the
 * steps of changepoint.h, which looks at levels alone. Deterministic.
 *
 * ED-PELT: K. Haynes, P. Fearnhead and I. A. Eckley, "A computationally efficient nonparametric
 * approach for changepoint detection", Statistics and Computing 27 (2017) 1293-1305. A segment
 * costs what the likelihood of its empirical distribution says at K = 4 ln n quantiles of the
 * series, which crowd in its tails; a change costs a penalty. The least cost in all is exact, by
 * PELT (R. Killick, P. Fearnhead and I. A. Eckley, JASA 107 (2012) 1590-1598). Takes memory of n K,
 * and time of n K between changes, times n at worst.
 */
#ifndef EDPELT_H
#define EDPELT_H

#include <stddef.h>

/* x: n finite numbers in order. penalty: of a change, in ln n; 4 for about one false change in a
 * dozen unchanged series. Fills ret (room for n) with the indices at which another distribution
 * begins, ascending, and returns how many. */
size_t edpelt(const double *x, size_t n, double penalty, size_t *ret);

#endif
