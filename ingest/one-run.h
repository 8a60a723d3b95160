/*
 * one-run: a document that is one run. The run is opened with its first number, so that a document
 * without any holds no run. Numbers that come before the head is known wait for it: at most
 * ONE_RUN_HELD of them.
 */
#ifndef ONE_RUN_H
#define ONE_RUN_H

#include "sink.h"

#define ONE_RUN_HELD (1u << 20)

struct one_run {
	struct sink *sink;
	struct run_head head; /* borrowed strings, read when the run is opened */
	bool waiting;         /* the head is not complete */
	bool open;
	int run;
	struct one_run_held *held;
	size_t n_held, cap_held;
};

void one_run_release(struct one_run *o);

int one_run_sample(struct one_run *o, int64_t series, struct num value, struct err *err);
int one_run_absence(struct one_run *o, int64_t series, enum sink_status status, const char *reason,
	struct err *err);

int one_run_go(struct one_run *o, struct err *err); /* the head is complete */

/* The end: what waits goes, and the run is completed; NULL leaves facts as they are. */
int one_run_finish(struct one_run *o, int64_t started_at, const char *facts, struct err *err);

#endif
