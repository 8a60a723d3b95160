/*
 * cache-bandwidth: cache_bandwidth and l1_write_bandwidth: what a thread reads from, or writes to,
 * a part of the memory that a cache holds, alone and while all others do so too.
 */
#ifndef CACHE_BANDWIDTH_H
#define CACHE_BANDWIDTH_H

#include "cpu.h"
#include "stream.h"

extern const struct cpu_group cpu_cache;

enum cache_way { CACHE_READ, CACHE_WRITE, CACHE_COPY };

/* Measures with kernels k on `threads` threads, each in a ring (stream.h) of its own. What was read
 * or written is compared with a plain loop: anything wrong makes the outcome an error. */
void cache_measure(const struct stream_kernels *k, enum cache_way way, int64_t ring, int threads,
	const struct settings *s, struct outcome *ret);

#endif
