/*
 * back-end: the main program of a probe: perfgate-probe-cpu, -opencl, -cuda. `perfgate probe`
 * starts it, since a driver that crashes or hangs must cost one reading and not the document.
 *
 *   PROGRAM list [OPTION...]                    what could be measured
 *   PROGRAM run --readings LIST [OPTION...]     measures; LIST like 0-3,7 by the order of `list`
 *
 * Options: --fd N (default 1) where to write; --target-ns N, --repeat N, --memory BYTES, --quick
 * (outcome.h); --budget-ns N, that all readings together are to take: the target of each then is
 * what fits, at most --target-ns. It writes lines of JSON, one object a line, each written at once;
 * its first key says what a line is about:
 *
 *   {"hello": 1, "backend": "CPU"}              first; the number is the version of the protocol
 *   {"unavailable": "no driver"}                instead of all that follows
 *   {"device": {...}}                           members as in struct device; before its tests
 *   {"test": {...}}                             members as in struct test; belongs to the last
 * device
 *   {"reading": {...}}                          members as in struct reading; belongs to the last
 * test
 *   {"listed": 42}                              how many readings there are; ends `list`
 *   {"start": 7, "test": ID, "reading": ID}     run: before each reading, by its number
 *   {"done": 7, "values": [...]}                its numbers, one a batch, or
 *   {"done": 7, "status": "unsupported", "reason": "..."}
 *   {"log": "warning", "message": "...", "source": "opencl"}   at any time
 *   {"finished": true}                          ends `run`
 *
 * Standard output and error belong to drivers, which write there what they like. Exit status 0
 * unless the command line is wrong.
 */
#ifndef BACK_END_H
#define BACK_END_H

#include "outcome.h"
#include "plan.h"

struct back_end {
	const char *name; /* clpeak's: CPU OpenCL CUDA */
	/* Adds devices, tests and readings, the same ones in the same order on every call on one
	 * machine. -1 with err set: there is nothing to measure with, and why. */
	int (*list)(struct plan *plan, const struct settings *s, struct err *err);
	void (*close)(void); /* may be NULL */
};

int back_end_main(int argc, char **argv, const struct back_end *b);

/* Says something: level is error, warning, info or debug, source clpeak's word or NULL. */
void back_end_log(const char *level, const char *source, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
