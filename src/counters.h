/*
 * counters: what the CPU counts of a command in user mode, with all its threads and descendants.
 * counters.c where the kernel has perf_event_open(2), counters-none.c elsewhere.
 *
 * Many machines, most virtual ones among them, have no such counters, or their kernel gives them to
 * root only. A count that is not of the whole time, since others used the counter too, is none.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

#include "buf.h"

enum counter { COUNTER_INSTRUCTIONS, COUNTER_CYCLES, COUNTER_COUNT };

struct counters {
	int fd[COUNTER_COUNT];          /* -1: not counted, */
	const char *why[COUNTER_COUNT]; /* and why, a clause */
};

struct counts {
	int64_t v[COUNTER_COUNT];       /* -1: not counted, */
	const char *why[COUNTER_COUNT]; /* and why */
};

/* Counts what this thread's children execute from their execve() on. */
void counters_open(struct counters *c);
/* What the children did that have ended. */
void counters_read(const struct counters *c, struct counts *ret);
void counters_close(struct counters *c);

/* One event by perf_event_open's numbers; -1 with *why set. */
int counter_open(uint32_t type, uint64_t config, const char **why);
int64_t counter_read(int fd, const char **why);

#endif
