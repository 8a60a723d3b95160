/*
 * series-log: what series were, point by point, and what was another of the machine at each: the
 * driver, the kernel, the microcode, the firmware, the tool that measured.
 *
 * A point is one session of one commit; of clpeak, which tells of machines and not of commits, one
 * session whatever was checked out. Points are ordered by time, when the first run of each started.
 */
#ifndef SERIES_LOG_H
#define SERIES_LOG_H

#include "context.h"

struct series_log {
	const char *series; /* SUITE:BENCHMARK:METRIC, or a pattern */
	const char *suite;  /* NULL: any */
	const char *commit; /* a full SHA: only points of it; NULL: any */
	int64_t limit;      /* of points a series; 0: all */
	bool json;
};

/* Prints them. The store of c is open, its policy is loaded. */
int series_log(struct context *c, const struct series_log *o, struct err *err);

#endif
