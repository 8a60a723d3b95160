/*
 * trial: one commit measured against a good one, by perfgate measure itself as another process, and
 * what it says of one series.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "bisecting.h"
#include "decimal.h"
#include "launch.h"
#include "series-pick.h"

struct trials {
	const char *folder; /* for the report, and for what measure says */
	const char *good;   /* SHA */
	struct series_pick *pick;
	const struct picked *meant; /* of pick; NULL until a trial met it */
	bool exact;                 /* one pair is enough */

	/* options of perfgate measure; NULL, 0: not given */
	const char *store, *setup, *timeout, *cpus, *jobs, *name;
	int64_t pairs;
	char *const *command;
	int n_command;

	struct stop *stop;
};

struct trial {
	char sha[65];
	enum bisect_say say;
	bool failed;  /* nothing was measured of it */
	bool numbers; /* both sides have one: */
	struct decimal good, here;
	char *unit;
	char *why; /* what speaks against good and bad, a clause; NULL: nothing */
};

/* Whatever keeps the commit from being judged makes it one to skip. -1 with err set: a signal
 * (ERR_CANCELLED), a text that means several series, no perfgate. */
int trial_run(struct trials *t, const char *sha, struct trial *ret, struct err *err);
void trial_release(struct trial *t);

#endif
