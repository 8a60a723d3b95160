/*
 * standing: what a person wants to know first of a series: whether it got worse and stayed so.
 *
 * A step for the worse counts until a later level is again no worse than the one before the step
 * by more than the tolerance, or until the policy accepts or waives it. Weak steps, and those that
 * are the machine's, are no more than suspicions, as are the newest points; below the floor these
 * are none.
 */
#ifndef STANDING_H
#define STANDING_H

#include "trending.h"

/* Worst first: the order of lists. */
enum standing_kind {
	STANDING_WORSE, /* by a step that is sure */
	STANDING_SUSPECT,
	STANDING_MISSING,
	STANDING_ACCEPTED, /* worse, and meant to be */
	STANDING_BETTER,
	STANDING_MOVED, /* by less than the tolerance, or nobody says which way is worse */
	STANDING_FEW,   /* too few points for a step */
	STANDING_STEADY,
	STANDING_KINDS
};

const char *standing_name(enum standing_kind k); /* "worse", "few" */

enum { STANDING_POINTS_NEEDED = 10 }; /* of a noisy series */

struct standing {
	enum standing_kind kind;
	size_t step;    /* the one that tells, in trend.steps; SIZE_MAX: none, so that of what is
			   suspect or accepted trend.suspect does */
	bool sure;      /* worse by a step that is neither weak nor the machine's */
	bool suspected; /* worse otherwise: the newest points, too */
	const char *section; /* of the policy, that accepts or waives it; NULL */
	double size;         /* of the change, in logarithms where that can be: what lists go by */
};

/* Whether it is the newest points that are suspect, or accepted. */
bool standing_is_newest(const struct standing *s);

/* Of what happened at point from or later. now: when the newest commit was made, for waivers. 0, or
 * -1 with err set. */
int standing_of(struct policy *p, const struct trending_series *s, size_t from, int64_t now,
	struct standing *ret, struct err *err);

#endif
