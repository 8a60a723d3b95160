/*
 * fpop: the changes of level of least cost, by functional pruning with the biweight loss: R-FPOP of
 * Fearnhead and Rigaill, "Changepoint detection in the presence of outliers", JASA 2019.
 *
 * A point costs the square of its distance from its level, k^2 at most, and a change the penalty.
 * The solution is exact as long as no more than MOST_PIECES intervals of levels are in question at
 * a time; there are some dozens as a rule, whatever the length, and of the order of the length for
 * some series that only grow. Of more, those whose least cost is in the greater half are given up
 * for a level that begins anew. So time is linear in n, and memory is that of the pieces.
 */
#ifndef FPOP_H
#define FPOP_H

#include <stddef.h>

enum { MOST_PIECES = 256 };

/* z: n >= 1 numbers in standard deviations, less than 1e100 in magnitude. start has room for n: the
 * least costly last segment of z[0] ... z[i] begins at start[i]. */
void fpop_segment(const double *z, size_t n, double k, double penalty, size_t *start);

/* The changes of such a segmentation, ascending, into ret, which has room for n. */
size_t fpop_changes(const size_t *start, size_t n, size_t *ret);

#endif
