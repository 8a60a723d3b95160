/*
 * launch: runs somebody's command once and measures it. The command has a session of its own and so
 * no terminal, no standard input, signals as in a new login, and a file for its output; what stops
 * it is a deadline or a signal to perfgate, and it is stopped with all of its process group.
 *
 * It begins as a copy of perfgate (fork(2)): of the peak memory the kernel says no less than that
 * copy had, 2 to 4 MiB: what its libraries wrote when they were loaded. vfork(2) and posix_spawn(3)
 * would make it all that perfgate ever used.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>

#include "buf.h"
#include "counters.h"
#include "cpus.h"

/* SIGINT, SIGTERM and SIGHUP end no process that waits for commands: they are held back and asked
 * for, so that there is time to tidy up. SIGTSTP suspends between two commands, for a stop would
 * count as time of the command. */
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
	const char *output;      /* a file, overwritten */
	const char *documents;   /* PERFGATE_OUT; NULL: not set */
	const char *const *env;  /* as that of proc_start(); NULL: the environment as it is */
	bool elsewhere;          /* dir is of another work tree, without what is not committed */
	bool leaves;             /* what it leaves running is left: a server that it started */
	bool counted;            /* with the CPU's counters */
	int64_t timeout;         /* ns; 0: none */
	int64_t grace;           /* ns between SIGTERM and SIGKILL; 0: 2 s */
	const struct cpus *cpus; /* that it is bound to; NULL: as perfgate is */
};

enum launch_end {
	LAUNCH_EXITED,
	LAUNCH_KILLED,
	LAUNCH_TIMED_OUT,
	LAUNCH_HALTED, /* somebody sent it SIGSTOP: it would never end */
	LAUNCH_STOPPED
};

struct launched {
	enum launch_end end;
	int status;               /* exit status, or the signal of LAUNCH_KILLED */
	int64_t started_at, wall; /* ns since 1970, ns */
	struct rusage usage;      /* with descendants that were waited for */
	struct counts counts;
};

/* 0 when it ran, however it ended; -1 with err set when it could not be started. */
int launch(const struct launch *l, struct stop *stop, struct launched *ret, struct err *err);

/* The last lines of a file of output, at most 10 and 2 KiB of them. */
void launch_last_lines(const char *path, struct buf *ret);

#endif
