/*
 * series-past: one series in the store: where it got worse, and what it was at a commit.
 */
#ifndef SERIES_PAST_H
#define SERIES_PAST_H

#include "context.h"
#include "names.h"
#include "series-pick.h"

struct series_past {
	struct context *c;
	struct names names;
	struct track *tracks; /* of runners and variants that compare */
	size_t n, cap;
	bool exact; /* the policy judges all of them without a test */
};

/* What the store has of the series that is meant. */
int series_past_init(
	struct series_past *p, struct context *c, const struct picked *meant, struct err *err);
void series_past_release(struct series_past *p);

struct series_step {
	char good[65], bad[65];
	struct decimal was, is;
	const char *unit;
	size_t measured; /* commits on the line that have the series */
};

/*
 * The newest step for the worse on the first parents of a commit: of an exact series as the gate
 * finds the last good level, of a noisy one by the session rule (history.h). Levels that the policy
 * accepts are none, unless there is no other. 1, 0 none, -1.
 */
int series_past_step(
	struct series_past *p, const char *sha, struct series_step *ret, struct err *err);

/* The median of its newest session at a commit, clean: 1, 0 not measured, -1. */
int series_past_at(struct series_past *p, const char *sha, struct decimal *ret, const char **unit,
	struct err *err);

#endif
