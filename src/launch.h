/*
 * launch: runs somebody's command once and measures it. The command has its own process group, no
 * standard input and a file for its output; what stops it is a deadline or a signal to perfgate.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>

#include "buf.h"

/* SIGINT, SIGTERM and SIGHUP end no process that waits for commands: they are held back and asked
 * for, so that there is time to tidy up. */
struct stop {
	sigset_t held, before;
	int got; /* the signal; 0 none yet */
};

void stop_hold(struct stop *s);
bool stop_asked(struct stop *s);
void stop_release(struct stop *s); /* without those that were asked for */

struct launch {
	char *const *argv; /* NULL at its end; found as execvp() finds it */
	const char *dir;
	const char *output;    /* a file, overwritten */
	const char *documents; /* PERFGATE_OUT; NULL: not set */
	bool elsewhere;        /* dir is of another work tree: git's variables do not hold there */
	int64_t timeout;       /* ns; 0: none */
	int64_t grace;         /* ns between SIGTERM and SIGKILL; 0: 2 s */
};

enum launch_end { LAUNCH_EXITED, LAUNCH_KILLED, LAUNCH_TIMED_OUT, LAUNCH_STOPPED };

struct launched {
	enum launch_end end;
	int status;               /* exit status, or the signal of LAUNCH_KILLED */
	int64_t started_at, wall; /* ns since 1970, ns */
	struct rusage usage;
};

/* 0 when it ran, however it ended; -1 with err set when it could not be started. */
int launch(const struct launch *l, struct stop *stop, struct launched *ret, struct err *err);

/* The last lines of a file of output, at most 10 and 2 KiB of them. */
void launch_last_lines(const char *path, struct buf *ret);

#endif
