/*
 * evidence: what two groups of samples say about a change (DESIGN 5.4). No random numbers.
 *
 * The shift is the Hodges-Lehmann estimate: the median of all differences head - base. Where all
 * samples of both sides have one sign the differences are those of the logarithms of their
 * magnitudes, and the change is relative: exp(shift) - 1 of the magnitude, with the sign of the
 * values. Samples with zeros or of mixed signs are compared as they are, and the change is the
 * shift over the magnitude of base's median; where that is 0 there is no relative change.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where one side has fewer than EXACT_SIDE samples (ranks.h) p is exact, and of more than TESTED on
 * the other side so many of its quantiles, evenly spaced, are compared: a bound on the work, which
 * costs next to no precision as the lesser side has most of the noise. The order in which samples
 * are given never matters.
 */
enum { TESTED = 200 };

struct evidence {
	size_t n_head, n_base; /* as given */
	double p_up, p_down;   /* one-sided: that head is not greater, that it is not smaller */
	bool logs;             /* differences of logarithms: all samples had one sign */
	bool relative;    /* change, low, high and spread are shares; else in the metric's unit,
			     where base's median is 0 */
	double change;    /* of head against base, signed as measured: 0.03 is 3 % more */
	double low, high; /* 95 % confidence interval; infinite where samples are too few */
	double spread;    /* robust standard deviation of one sample, as change is; 0 where no side
			     has two samples */
};

/* Finite numbers only; n_head, n_base >= 1. Sources of the formulas are in evidence.c. */
void evidence_compare(
	const double *head, size_t n_head, const double *base, size_t n_base, struct evidence *ret);

/*
 * The smallest change (a share, positive; in the metric's unit where e is not relative, and the
 * tolerance then counts as 0) that such samples show 95 times of 100 when p has to be at most level
 * and the shift larger than tolerance; INFINITY when p cannot be that small. It takes the noise to
 * be about normal and its spread for known, so it is an estimate.
 */
double evidence_detectable(const struct evidence *e, double level, double tolerance);

enum { MOST_NEEDED = 1000 };

/*
 * How many samples a side it takes for p to be able to reach level, and to do so 95 times of 100
 * when the change is as large as the tolerance (with tolerance 0, or not relative, the former
 * alone); capped at MOST_NEEDED. With so many an unchanged series' interval lies within the
 * tolerance about as often.
 */
size_t evidence_needed(const struct evidence *e, double level, double tolerance);

/* Benjamini-Hochberg (1995): the largest p of n that is still a hit at false discovery rate q, or
 * -1 when there is none. p is sorted in place. */
double evidence_hits(double *p, size_t n, double q);

#endif
