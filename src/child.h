/*
 * child: a program that speaks to perfgate over a descriptor of its own, while its standard output
 * and error are whatever its drivers write there. It is the head of a process group, which ends
 * with it, and no terminal reaches it.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "launch.h"

#define CHILD_WIRE 3 /* the descriptor, in the child */

enum child_channel { CHILD_SPEAKS, CHILD_OUTPUT, CHILD_ERRORS, CHILD_CHANNELS };

struct child {
	pid_t pid;
	int fd[CHILD_CHANNELS];          /* -1: at its end */
	struct buf part[CHILD_CHANNELS]; /* of a line that is not complete */
	/*
	 * Called with each line, without its newline. That of a driver which is too long comes in
	 * parts. Not 0: there is no use in listening on.
	 */
	int (*line)(void *ctx, enum child_channel from, const char *line, size_t len);
	void *ctx;
	int64_t deadline; /* ns of CLOCK_MONOTONIC; line() may put it off */
	size_t line_max;  /* bytes of a line of CHILD_SPEAKS */
};

enum child_end {
	CHILD_ENOUGH, /* line() said so */
	CHILD_ENDED,  /* it ended, or was ended */
	CHILD_LATE,
	CHILD_STOPPED, /* a signal asked perfgate to stop */
	CHILD_GARBAGE  /* a line of CHILD_SPEAKS that is too long */
};

/* argv[0] is its path; the caller has filled line, ctx, deadline and line_max. 0, or -1 with err
 * set; to be released in any case. */
int child_start(struct child *c, char *const *argv, struct err *err);

enum child_end child_listen(struct child *c, struct stop *stop);

/* Takes half a line of a driver as a line. */
void child_flush(struct child *c);

/* Ends it and all of its group, if it has not ended. The status of waitpid(2). */
int child_finish(struct child *c);
void child_release(struct child *c);

/* "was killed by SIGSEGV", "ended with status 3". */
void child_status_text(struct buf *ret, int status);

#endif
