/*
 * callgrind-process: the parts and threads that callgrind wrote of each process, from all files of
 * a call, summed.
 */
#ifndef CALLGRIND_PROCESS_H
#define CALLGRIND_PROCESS_H

#include "callgrind.h"

/* The parts and threads of one process, summed. */
struct process {
	char *cmd, *creator, *name;
	char *cache[3], *trigger;
	int64_t pid, version, blocks;
	struct callgrind_event *events;
	size_t n_events;
	int64_t *totals;
	struct intern *pieces; /* part and thread */
	struct intern *parts, *threads;
	uint32_t *files; /* of each piece */
	size_t cap_files;
	int64_t part_max, thread_max;
	uint32_t file; /* the first */
	unsigned line;
};

/* All files of one call. */
struct gathering {
	struct input **in;
	size_t n;
	uint32_t file; /* being read */
	struct process *processes;
	size_t n_processes, cap_processes;
	struct intern *keys; /* pid and cmd, numbered as processes */
	struct sink *sink;
	unsigned from_summary, from_costs, differ; /* parts */
	const char *differ_file;
};

/* Adds a part of the file g->file; for callgrind_file(), with g as ctx. */
int gathering_take_part(void *ctx, const struct callgrind_part *p, struct err *err);
void gathering_release(struct gathering *g);

const char *gathering_file(const struct gathering *g, uint32_t file); /* its name */

#endif
