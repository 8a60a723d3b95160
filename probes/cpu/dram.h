/*
 * dram: global_memory_bandwidth: main memory by all threads: read, copy, triad, write.
 *
 * The working set is divided into a part for each thread, which touches it first (so that it lies
 * near) and goes round in it, a block for each slice of the pool that it claims: a thread that was
 * taken off its CPU does less and keeps nobody waiting. Bytes are counted as STREAM does: copy has
 * two a byte, triad three; that a store may read the line first is not counted.
 */
#ifndef DRAM_H
#define DRAM_H

#include "cpu.h"
#include "stream.h"

extern const struct cpu_group cpu_dram;

enum dram_way { DRAM_READ, DRAM_COPY, DRAM_TRIAD, DRAM_WRITE, DRAM_WAYS };

/*
 * Measures with kernels k. Everything is computed once and compared with a plain loop before; what
 * is read while the clock runs is compared with its sum. Anything wrong makes the outcome an error.
 */
void dram_measure(const struct stream_kernels *k, enum dram_way way, const struct settings *s,
	struct outcome *ret);

#endif
