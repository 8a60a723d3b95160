/*
 * distribution: of standard normal and binomial numbers.
 */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include <stddef.h>

/* The quantile of the standard normal distribution, 0 < p < 1. */
double normal_quantile(double p);
/* One-sided: at least k successes of n at 1/2 each. */
double binomial_tail(size_t k, size_t n);

#endif
