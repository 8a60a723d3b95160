/*
 * signflip: what samples measured in pairs say about a change (DESIGN 6). Each pair shares its
 * weather: what is tested is the difference within the pairs, of logarithms where all samples have
 * one sign. No random numbers.
 *
 * If nothing changed, each difference could as well have had the other sign: p is the share of all
 * 2^n patterns of signs whose sum is at least as far from 0 (Fisher, The Design of Experiments,
 * 1935, section 21). It is exact whatever the differences are distributed like.
 */
#ifndef SIGNFLIP_H
#define SIGNFLIP_H

#include "evidence.h"

enum { SIGNFLIP_MAX = 32 }; /* pairs */

/* The share of the 2^n sign patterns whose sum is at least that of d[0..n); 1 <= n <= SIGNFLIP_MAX.
 * Sums that differ by rounding alone count as equal. */
double signflip_p(const double *d, size_t n);

/*
 * Fills ret as evidence_compare() does, of n pairs head[i], base[i] of finite numbers: p by sign
 * flips; change is the Hodges-Lehmann estimate of one sample, the median of all means of two
 * differences (Walsh averages), its interval the means that Wilcoxon's signed-rank test at 5 % does
 * not refuse (Hollander and Wolfe, Nonparametric Statistical Methods, sections 3.2 and 3.3). spread
 * is the robust standard deviation of one difference.
 */
void signflip_compare(const double *head, const double *base, size_t n, struct evidence *ret);

/* What evidence_detectable() and evidence_needed() say, for pairs. The latter is SIGNFLIP_MAX + 1
 * where it takes more than there can be. */
double signflip_detectable(const struct evidence *e, double level, double tolerance);
size_t signflip_needed(const struct evidence *e, double level, double tolerance);

#endif
