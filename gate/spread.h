/*
 * spread: how much values vary that follow each other in time.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stddef.h>

/*
 * The spread of n >= 2 finite values of one sign, as a share: a robust standard deviation of one of
 * them, from the median absolute deviation of the steps between their logarithms, each of which has
 * the variance of two. A level that changes now and then adds little.
 */
double spread_of_steps(const double *v, size_t n);

#endif
