/*
 * record: what a run of `perfgate probe` came to: the back ends with what they listed and measured,
 * and what was said meanwhile. clpeak-write.h makes the document of it.
 */
#ifndef RECORD_H
#define RECORD_H

#include "machine.h"
#include "outcome.h"
#include "plan.h"

/* One back end. Its plan's texts are its own; the arrays are as long as the plan's. */
struct probed {
	const char *name, *flag; /* "CPU", "cpu"; borrowed */
	char *unavailable;       /* why there is nothing of it; NULL: there is */
	struct plan plan;
	bool *chosen;             /* readings that were asked for */
	struct outcome *outcomes; /* of those; OK without a value: not measured */
	double *seconds;          /* that each test took */
};

/* Where a message belongs, from the outside inwards; what does not matter is NULL. */
struct scope {
	const struct probed *back_end;
	const struct device *device;
	const struct test *test;
};

struct log_entry {
	double elapsed_s;
	const char *level, *source; /* words of clpeak; source NULL: perfgate itself */
	struct scope scope;
	char *message;
};

struct record {
	int64_t started_at; /* ns since 1970 */
	int64_t began;      /* ns of CLOCK_MONOTONIC */
	double duration_s;
	bool cancelled, verbose;
	const char *version;
	struct machine_host host;
	char **argv;
	size_t n_argv, cap_argv;
	int64_t target_ns, target_cpu_ns; /* of a batch, as planned */
	bool narrowed;                    /* not all tests were asked for */
	struct probed *back_ends;
	size_t n_back_ends; /* the array stays where it is: messages point into it */
	struct log_entry *log;
	size_t n_log, cap_log;
	size_t log_bytes, log_dropped;
	/* Called with each entry that is kept; may be NULL. */
	void (*heard)(void *ctx, const struct log_entry *e);
	void *ctx;
};

/* Begins now, on this machine. */
void record_init(struct record *r, const char *version);
void record_release(struct record *r);

void record_argument(struct record *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Makes the arrays of a back end whose plan is complete. */
void probed_ready(struct probed *p);
void probed_release(struct probed *p);

double record_elapsed(const struct record *r); /* seconds */

/*
 * Keeps a message: what steers a terminal and what is no UTF-8 spelt out but for newlines, white
 * space at its end left out. Of 4 MiB of messages on, those of levels info and debug are only
 * counted, and of 8 MiB on all are.
 */
void record_log(struct record *r, const char *level, const char *source, struct scope scope,
	const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The last message, which says how many were not kept, if any. */
void record_log_end(struct record *r);

/* The median of its values; there is at least one. */
double outcome_median(const struct outcome *o);
/* From the lowest to the highest of them, as a share of the median. */
double outcome_spread(const struct outcome *o);

#endif
