/*
 * suspect: whether the newest points of a level may be the beginning of another. Deterministic.
 *
 * The newest third of the points, at most SUSPECT_NEWEST, are judged by the others, at least
 * SUSPECT_KNOWN, by FOCuS (focus.h) in both directions. Points count as their distance from the
 * median in robust standard deviations (of the median absolute deviation), at most
 * SUSPECT_FARTHEST; less the mean of what the others count so, and over its standard deviation
 * where that is above 1. Without the latter, noise that is skewed or has two modes drifts away from
 * its median and is suspect once in 50 points instead of once in thousands.
 * That mean is at most 1.4 from the median, so one point counts at most 4.2^2 / 2 = 8.8, and is
 * never suspect alone.
 */
#ifndef SUSPECT_H
#define SUSPECT_H

#include <stddef.h>

enum { SUSPECT_KNOWN = 10, SUSPECT_NEWEST = 20 };
#define SUSPECT_FARTHEST 2.8
#define SUSPECT_ABOVE 9 /* of focus_most() */

/* How many of n points are judged by the others. */
size_t suspect_newest(size_t n);

/*
 * v: n points of a level in order. least_sd: what their standard deviation is taken for at least.
 * alike: how many points in a row tell what one does, 1 where they know nothing of each other.
 * Returns 1: risen, -1: fallen, 0: nothing is suspect; ret_from: the first point that is.
 */
int suspect_of(const double *v, size_t n, double least_sd, double alike, size_t *ret_from);

#endif
