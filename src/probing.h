/*
 * probing: has back ends list what they can measure, and measure it. Whatever one of them does
 * costs the reading that it was at: it is ended with all that it started, and begun again for the
 * rest.
 */
#ifndef PROBING_H
#define PROBING_H

#include "back-ends.h"
#include "launch.h"
#include "record.h"
#include "term.h"

/* The caller fills what stands before path. */
struct probing {
	struct record *r;
	struct stop *stop;
	int repeat;
	bool quick;
	int64_t target_ns;  /* of a batch, at most */
	int64_t budget_ns;  /* that all readings are to take together */
	int64_t timeout_ns; /* that one reading may take; 0: by what it is to take */
	int64_t memory_max; /* bytes of a working set */

	char *path[BACK_END_COUNT]; /* of the programs of the record's back ends */
	const struct back_end_kind *kind[BACK_END_COUNT];
	size_t total, done; /* readings */
	int64_t began;      /* ns of CLOCK_MONOTONIC */
	struct progress *progress;
};

/*
 * Asks those back ends that are wanted what there is. One that cannot be asked, or has nothing, is
 * unavailable in the record. 0, or -1 with err set (ERR_CANCELLED).
 */
int probing_list(struct probing *p, const bool *wanted, struct err *err);

/* How long a batch is to take, with as many readings chosen. */
void probing_plan(struct probing *p);

/* Measures what was chosen. A signal ends it early: the record then is cancelled. */
void probing_run(struct probing *p);

void probing_release(struct probing *p);

#endif
