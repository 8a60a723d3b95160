/*
 * proc: other programs, started from an argument vector (never a shell), with bounded waiting.
 */
#ifndef PROC_H
#define PROC_H

#include <stdint.h>
#include <sys/types.h>

#include "buf.h"
#include "err.h"

struct proc {
	pid_t pid;
	int in;           /* to its standard input, -1 when it has none */
	int out;          /* from its standard output */
	int errfd;        /* from its standard error */
	int64_t deadline; /* CLOCK_MONOTONIC ns; reading fails beyond it */
};

/* env: NAME=VALUE strings that override the environment's, NAME alone takes it away; ends with
 * NULL. ERR_IO; a program that is not there sets errno to ENOENT. */
int proc_start(struct proc *p, const char *const *argv, const char *const *env, bool with_input,
	int timeout_s, struct err *err);

/* The environment as env changes it, which may be NULL. The array is the caller's, the strings are
 * not. */
char **proc_environment(const char *const *env);

/* The time-out begins again: for a program that answers one question after the other. */
void proc_rearm(struct proc *p, int timeout_s);

/* Reads up to n bytes of its output, draining its standard error meanwhile. 0 at the end. */
long proc_read(struct proc *p, void *data, size_t n, struct buf *errors, struct err *err);
int proc_write(struct proc *p, const void *data, size_t n, struct err *err);

/* Closes the pipes and waits (kills it when wait_ok is false). Returns the exit status, 128 +
 * signal. */
int proc_finish(struct proc *p, bool wait_ok, struct buf *errors);

/* Runs a program without input to its end. Output beyond max bytes is an error. */
int proc_capture(const char *const *argv, const char *const *env, int timeout_s, size_t max,
	struct buf *out, struct buf *errors, int *status, struct err *err);

#endif
