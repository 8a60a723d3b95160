/*
 * trend: where one series stands: its levels, the steps between them, how noisy it is, and whether
 * its newest points may be the beginning of another level. Deterministic; arrays in, a result out.
 *
 * Steps are those of changepoints() (changepoint.h), on logarithms where all values have one sign.
 * Each gets a second opinion, by ED-PELT on a window round it: where both agree within AGREE points
 * it is confirmed, else weak. In an exact series each change of value is a step.
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
	size_t at; /* the first point of the new level */
	size_t earliest,
		last; /* where that may be instead, as noise allows; both are at when exact */
	double before, after; /* the medians of the levels on its two sides */
	double change;    /* after against before, a share, signed as measured; NAN: before is 0 */
	double low, high; /* its 95 % interval (Hodges-Lehmann); change when exact */
	double p;         /* two-sided, of the rank test; 0 when exact */
	enum trend_strength strength;
	enum trend_sense sense;
};

/* The newest points against the present level, by winsorised FOCuS: at most a suspicion. */
struct trend_suspect {
	bool is;
	size_t from; /* the first point that seems to be of another level */
	double after, change;
	enum trend_sense sense;
};

struct trend {
	struct trend_step *steps; /* ascending */
	size_t n_steps;
	bool exact;   /* it was taken as exact: by its rule, or since most values repeat */
	size_t from;  /* the first point of the present level; its median: */
	double level; /* NAN of no points */
	double noise; /* robust standard deviation of a point round its level, a share of the
			 level (absolute where logarithms do not apply); 0 when exact */
	double autocorrelation; /* of neighbouring residuals; NAN where there are too few points */
	bool autocorrelated;    /* so much that steps are less sure than their p says */
	struct trend_suspect suspect;
};

/* x: n finite values in order, one a session. Returns ret, which trend_release() releases. */
void trend_of(const double *x, size_t n, const struct trend_rule *rule, struct trend *ret);
void trend_release(struct trend *t);

#endif
