/*
 * bisect-result: what perfgate bisect found out, and how it is told.
 */
#ifndef BISECT_RESULT_H
#define BISECT_RESULT_H

#include "series-past.h"
#include "trial.h"

enum bisect_end {
	BISECT_NONE,           /* no step is in the store, and no range was given */
	BISECT_RANGE,          /* the range is named, nothing more was asked for or possible */
	BISECT_FOUND,          /* one commit did it */
	BISECT_SEVERAL,        /* one of several, which could not be told apart */
	BISECT_NOT_REPRODUCED, /* the bad side is not worse when it is measured */
	BISECT_UNKNOWN         /* measuring the bad side told nothing */
};

struct bisect_result {
	struct git *git;
	struct bisecting *b;
	struct series_past *past; /* NULL: no store */
	const char *name;         /* of the series */
	struct git_commit good, bad;
	struct shas range; /* newest first, bad is one of them */
	bool stepped;      /* the range is a step in the store: */
	struct series_step step;

	enum bisect_end end;
	struct trial *trials; /* in their order; of the bad side first */
	size_t n, cap;
	struct shas left; /* those that may have done it; newest first */
};

/* The range, for a person. */
int bisect_result_range(const struct bisect_result *r, struct err *err);
/* A line on standard error about one commit that was measured. */
void bisect_result_trial(const struct bisect_result *r, const struct trial *t);
/* What came of it, for a person; and all of it, for programs. */
int bisect_result_end(const struct bisect_result *r, struct err *err);
int bisect_result_json(const struct bisect_result *r, struct err *err);

#endif
