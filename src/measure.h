/*
 * measure: runs benchmarks of revisions in turns, stores what they measured and judges the pairs,
 * for whichever command is asked to.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "judge.h"
#include "opt.h"

struct measure {
	const char *store, *setup, *timeout, *name, *jobs, *cpus; /* or NULL */
	int64_t pairs;                                            /* 0: as the policy says */
	bool keep, alone, exit_code;
	struct opt_rest command;
	struct judge_settings judge;
};

/* revs: "." is the work tree as it is. *status: what the gate would exit with. 0, or -1 with err
 * set. */
int measure(const struct measure *o, char **revs, int n, int *status, struct err *err);

#endif
