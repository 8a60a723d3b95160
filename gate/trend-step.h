/*
 * trend-step: what a step between two levels is measured by: its change and interval, its place,
 * its strength. Part of trend.h.
 */
#ifndef TREND_STEP_H
#define TREND_STEP_H

#include "trend.h"

/* The levels of a series. */
struct levels {
	const double *x; /* n values in order */
	const double *v; /* x on its scale */
	size_t n;
	double by;      /* see to_level_scale() */
	size_t *from;   /* where each level begins, the first with 0 */
	double *median; /* of each, of x */
	size_t count;
	double sd;    /* of points round their level, on the scale; never 0 */
	double alike; /* so many neighbours tell what one point by itself would */
	double *room; /* n */
};

/* Where level k ends. */
size_t levels_end(const struct levels *l, size_t k);
double levels_on_scale(const struct levels *l, double x);

/* A share, signed as measured, at most DBL_MAX; NAN where before is 0. */
double step_change(double before, double after);
bool step_is_beyond(const struct trend_rule *rule, double before, double after);
enum trend_sense step_sense(const struct trend_rule *rule, double before, double after);

/* Of the step from level k - 1 to level k, whose at, before, after and change are there already:
 * earliest, last, low, high, p and strength. */
void step_measure(const struct levels *l, size_t k, struct trend_step *ret);

#endif
