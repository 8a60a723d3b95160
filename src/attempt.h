/*
 * attempt: one start of a back end's program, to list or to measure, and all that it says: what is
 * measured into the outcomes, what it and its drivers say into the log, with a deadline a reading.
 */
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include "child.h"
#include "heard.h"
#include "probing.h"

/* The caller fills what stands before child, heard by heard_begin(). */
struct attempt {
	struct probing *p;
	struct probed *of;
	const size_t *todo; /* readings to be measured; NULL: it lists */
	struct heard heard;
	struct child child;
	int64_t started; /* of the present reading, ns */
	size_t lines;    /* that drivers wrote since it started */
	bool afresh;     /* a reading was an error: the rest is for a new start */
	struct err garbage;
};

/* What the program is started with; the caller may add arguments, and frees. */
char **attempt_arguments(const struct probing *p, const char *path, const char *verb);
void attempt_argument(char **argv, char *text); /* takes over text */
void attempt_free_arguments(char **argv);

/* Runs it to its end, which is returned, with the status of waitpid(2); limit: ns until the first
 * reading starts, or for all of the list. err is set where it could not be started. */
enum child_end attempt_listen(
	struct attempt *s, char **argv, int64_t limit, int *ret_status, struct err *err);

/* How it ended where that was not as it should, as the reason of the reading that it was at. */
void attempt_reason(
	struct buf *b, const struct attempt *s, enum child_end end, int status, int64_t limit_ns);

int64_t attempt_limit(const struct probing *p); /* ns that a reading may take */
struct scope attempt_scope(const struct attempt *s);
/* The reading that was begun last is over, by itself or not. */
void attempt_end_reading(struct attempt *s);
void attempt_release(struct attempt *s);

#endif
