/*
 * order: sorted doubles and what stands where in them. Of sorting, runs that ascend already are
 * merged with each other, so that rows of differences, which do, cost little; n log n comparisons
 * at most, none of them through a pointer.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* A normal distribution's standard deviation over its median absolute deviation: 1 / the normal
 * quantile of 3/4. */
#define MAD_SD 1.482602218505602

/* Ascending; no NaN. */
void order_doubles(double *v, size_t n);

/* Of n sorted values; NAN of none. */
double order_median(const double *sorted, size_t n);
/* The same of values in any order, which it sorts. */
double order_and_median(double *v, size_t n);
/* The same in linear time, but in what order v is left is not said. */
double order_any_median(double *v, size_t n);
/* The same at p, 0 to 1: definition 7 of Hyndman and Fan, "Sample quantiles in statistical
 * packages", The American Statistician 1996. */
double order_quantile(const double *sorted, size_t n, double p);

/* The lowest of n sorted values that a share p of them does not exceed (definition 1 of the same);
 * NAN of none. */
double order_at_least(const double *sorted, size_t n, double p);

/* Whether all are above 0 or all below; in any order. */
bool of_one_sign(const double *v, size_t n);

#endif
