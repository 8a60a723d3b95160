/*
 * ranks-exact: the exact distribution of the Mann-Whitney U. The results are the caller's to free.
 * The sides have to be small enough for C(n + m, n) to be a finite double (ranks.h sees to it).
 */
#ifndef RANKS_EXACT_H
#define RANKS_EXACT_H

#include <stddef.h>

/*
 * P(U = 0), ..., P(U = last) without ties. The number of ways to reach u is the coefficient of q^u
 * in the Gaussian binomial coefficient, the product of (1 - q^(m+i)) / (1 - q^i) for i = 1 ... n
 * (Andrews, The Theory of Partitions, 1976, chapter 3). last <= n m / 2.
 */
double *ranks_distinct(size_t n, size_t m, size_t last);

/*
 * P(2 U = 0), ..., P(2 U = last), given groups of ties in ascending order of value, whose sizes sum
 * to n + m: a group that gives j of its t samples to x does so in C(t, j) ways and adds
 * j (2 b + t - j) to 2 U where b samples of y came before it.
 */
double *ranks_tied(const size_t *groups, size_t n_groups, size_t n, size_t m, size_t last);

#endif
