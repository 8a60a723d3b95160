/*
 * changepoint: where a series of one number a session changed its level. Deterministic.
 *
 * 1. The scale: the standard deviation of the noise by the median absolute deviation of the steps.
 * 2. Levels of least cost by R-FPOP with the biweight loss (fpop.h).
 * 3. Neighbours within a level may be alike, as on a machine that drifts, or where one of several
 *    serves some runs in turn. With r for the autocorrelation of neighbours' distances from their
 *    level, clipped, V = (1 + r) / (1 - r) points say as much as one of independent ones (Bartlett,
 *    1946). Where r is more than its standard error, 2 is done again with a wider noise and changes
 *    that cost V^penalty_power as much. A series that grows at every point has neighbours that are
 *    alike, too: where that leaves no change, but far more steps go one way than the other, 2
 * holds.
 * 4. Changes that a rank test of the neighbouring segments does not bear out, or that are too
 * small, are dropped (prune.h).
 * 5. Those that are left are moved by some points to where they fit best by a looser bound: in 2, a
 *    point that is k away from a level says no more against it than one that is further, which
 *    makes for few false changes, but for vague places.
 *
 * Time is linear in n, but for sorting in prune.h: 10^5 points take a twentieth of a second, and
 * about a second at most, whatever the values.
 *
 * How well it does, in simulations and on series that people annotated, is printed by make
 * bench-accuracy (docs/HACKING.md). The defaults are the one setting that does best in simulations
 * of benchmarks. They are careful: a new level shows after about 0.9 ln n points, five of 120, but
 * one that has returned since is taken for noise unless it lasted for twice as many, however far
 * off it was. Series that follow trends, as those of economies do, ask for another setting, since
 * each level is but a part of a slope there: k = 2.5, penalty = 6, penalty_power = 0, test_power =
 * 0.5, drifts = true say less of them.
 */
#ifndef CHANGEPOINT_H
#define CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

struct changepoint_settings {
	double k;             /* loss bound in robust standard deviations */
	double penalty;       /* a change, in ln n */
	double penalty_power; /* 0: neighbours count as independent, and 2 is done once */
	double p;             /* of the rank test between neighbouring segments; 1: no test */
	double test_power;    /* the test's normal deviate is divided by V to this power */
	double min_effect;    /* least difference of neighbouring medians, in the unit of x */
	bool drifts;          /* in 1, deviations are from the median of the steps, not from 0 */
	bool settle;          /* do 5 */
};

/* K = 2, 2.75 ln n, powers 0.5 and 0, p 0.01, 0.01, and settled. Of fewer points, 2.3 ln n and
 * power 0, since from so few it is not known what neighbours have to do with each other; but no
 * less than 8.5, which two points, 2 K^2, do not pay. */
enum { CHANGEPOINT_SHORT = 60 };
struct changepoint_settings changepoint_defaults(size_t n);

/*
 * x: n finite numbers in order, as a rule logarithms. Fills ret (room for n) with the indices at
 * which a new level begins, ascending, and returns how many. The standard deviation is at least a
 * tenth of min_effect.
 *
 * A series that is constant but for some points is like any other: a tick of a coarse clock, whose
 * noise is less than that, is no change. Of series whose values are meant see trend.h.
 */
size_t changepoints(const double *x, size_t n, const struct changepoint_settings *s, size_t *ret);

#endif
