/*
 * ranks: the Mann-Whitney test. U counts the pairs of a sample of each side in which x is greater,
 * equal ones by half; where both sides come from one distribution every way to divide the samples
 * among the sides is as likely as any other, and that is all the test assumes.
 *
 * The distribution of U is exact, given the ties, while one side has fewer than EXACT_SIDE samples
 * or there are at most EXACT_PAIRS pairs; the work is of the order of the square of the number of
 * pairs with ties, and of pairs times the smaller side without. Beyond that it is taken as normal,
 * with the corrections for ties and continuity.
 */
#ifndef RANKS_H
#define RANKS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	EXACT_SIDE = 20,
	EXACT_PAIRS = 900, /* thirty a side: a third of a millisecond */
};

/* How likely U is to be at least what it is, and at most. */
struct tails {
	double up, down;
};

/* How many of n are to be compared with the other side: most where that is so small that the test
 * is exact, and all else. */
size_t ranks_tested(size_t n, size_t other, size_t most);

/* x and y ascending; n, m >= 1. */
struct tails ranks_test(const double *x, size_t n, const double *y, size_t m);

/* The largest u with P(U <= u) <= level < 1/2 for sides without ties; false when even P(U = 0) is
 * more. By symmetry P(U >= n m - u) is the same. */
bool ranks_critical(size_t n, size_t m, double level, size_t *ret);

/* 1 / C(n + m, n): the share of one of the ways to divide the samples. */
double ranks_share(size_t n, size_t m);

#endif
