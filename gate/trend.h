/*
 * trend: where one series stands: its levels, the steps between them, how noisy it is, and whether
 * its newest points may be the beginning of another level. Deterministic; arrays in, a result out.
 *
 * Steps are those of changepoints() (changepoint.h), on logarithms where all values have one sign.
 * Each gets a second opinion, by ED-PELT (edpelt.h) on the 30 points of either side: where both
 * agree within AGREE points it is confirmed, else weak. In an exact series each change of value is
 * a step. Time is about linear in the number of points, since what a step is measured by is
 * bounded.
 */
#ifndef TREND_H
#define TREND_H

#include <stdbool.h>
#include <stddef.h>

#include "sink.h"

enum { AGREE = 3 };

struct trend_rule {
	bool exact; /* each change of value is a step, no noise */
	enum direction direction;
	double tolerance; /* the policy's, a share: what a step is called worse or better by */
};

enum trend_strength { STEP_EXACT, STEP_CONFIRMED, STEP_WEAK };
const char *trend_strength_name(enum trend_strength s); /* "exact", "confirmed", "weak" */

enum trend_sense { SENSE_NONE, SENSE_WORSE, SENSE_BETTER };
const char *trend_sense_name(enum trend_sense s); /* "none", "worse", "better" */

struct trend_step {
	size_t at;             /* the first point of the new level */
	size_t earliest, last; /* where that is in 95 % of all cases; both are at when exact */
	double before, after;  /* the medians of the levels on its two sides */
	double change;    /* after against before, a share, signed as measured; NAN: before is 0 */
	double low, high; /* its 95 % interval (Hodges-Lehmann); infinite where there are too few
			     points; change when exact */
	double p;         /* two-sided, of the rank test; 0 when exact */
	enum trend_strength strength;
	enum trend_sense sense;
};

/* The newest points against the present level, by winsorised FOCuS (suspect.h): at most a
 * suspicion, and of changes within the tolerance none. */
struct trend_suspect {
	bool is;
	size_t from; /* the first point that seems to be of another level */
	double before,
		after; /* the medians of the level's points before it, and of those from it */
	double change;
	enum trend_sense sense;
};

struct trend {
	struct trend_step *steps; /* ascending */
	size_t n_steps;
	bool exact;   /* it was taken as exact: by its rule, or since most of at least ten values
			 repeat and are not left for a point or two only to come back */
	size_t from;  /* the first point of the present level; its median: */
	double level; /* NAN of no points */
	double noise; /* robust standard deviation of a point round its level, a share of the
			 level (absolute where logarithms do not apply); 0 when exact */
	double autocorrelation; /* of neighbouring residuals; NAN where there are too few points */
	bool autocorrelated;    /* above 0.3 and twice its standard error: steps are less sure than
				   their p says, and their places and intervals are wider for it */
	struct trend_suspect suspect;
};

/* x: n finite values in order, one a session. Returns ret, which trend_release() releases. */
void trend_of(const double *x, size_t n, const struct trend_rule *rule, struct trend *ret);
void trend_release(struct trend *t);

#endif
