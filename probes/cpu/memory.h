/*
 * memory: how much of it a reading may take, and taking it.
 *
 * A probe must not be what gets a small container killed: a working set is at most a quarter of the
 * memory, of which a control group's limit may leave less than the machine has, and what is not
 * free now is not asked for.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "host-memory.h"
#include "outcome.h"

/* The largest working set, a power of two: a quarter of the memory, 1 GiB, what the settings allow;
 * 64 MiB when they ask for haste. The same on every call. */
int64_t memory_set(const struct settings *s);

/* Of what caches are known, the last one, in bytes; 0: none is known. */
int64_t memory_last_cache(void);

/* "64 MiB", "48 KiB", "1000 B". */
void memory_format(struct buf *b, int64_t bytes);

enum pages {
	PAGES_SMALL, /* the smallest */
	PAGES_HUGE   /* the system may use large ones */
};

/* Zeroes that begin at a page; untouched, so that whoever writes first has them near. */
struct area {
	char *p;
	size_t size;
	void *mapped; /* what area_release() gives back */
	size_t mapped_size;
};

#define AREA_INIT                                                                                  \
	{                                                                                          \
		0                                                                                  \
	}

int area_take(struct area *a, int64_t bytes, enum pages pages, struct err *err);
void area_release(struct area *a);

#endif
