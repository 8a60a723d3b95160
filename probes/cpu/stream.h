/*
 * stream: what goes through memory from one end to the other, in the widest vectors of the CPU.
 *
 * Every address is a multiple of 64 and every size one of STREAM_STEP. The kernels over a block go
 * through it in four places at once, since the prefetcher of a core follows several streams and one
 * alone does not keep main memory busy. Those over a ring go round and round in a power of two of
 * bytes without a branch at its end, which would be mispredicted each time.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "isa.h"

#define STREAM_STEP 1024
#define STREAM_FACTOR 1.5f /* of the triad */

struct stream_kernels {
	const char *name; /* the instruction set */
	enum isa needs;
	int vector; /* bytes */
	/* The exclusive or of all words of 64 bits. */
	uint64_t (*read)(const void *from, size_t bytes);
	void (*write)(float *to, float value, size_t bytes);
	void (*copy)(float *to, const float *from, size_t bytes);
	void (*triad)(float *to, const float *b, const float *c, size_t bytes); /* b + 1.5 c */
	/* The same, past the caches, where the CPU can do that. */
	void (*write_past)(float *to, float value, size_t bytes);
	void (*copy_past)(float *to, const float *from, size_t bytes);
	void (*triad_past)(float *to, const float *b, const float *c, size_t bytes);
	/* The same in a ring, `steps` times STREAM_STEP. */
	uint64_t (*read_ring)(const void *from, size_t ring, int64_t steps);
	void (*write_ring)(float *to, float value, size_t ring, int64_t steps);
	void (*copy_ring)(float *to, const float *from, size_t ring, int64_t steps);
};

/* The kernels of the widest vectors that this CPU has. */
const struct stream_kernels *stream_widest(void);

/* Of this architecture, widest first; ends with the one for any CPU, and NULL. */
extern const struct stream_kernels *const stream_all[];

/* Compares all kernels with plain loops. -1 with err set, naming the first that is wrong. */
int stream_check(const struct stream_kernels *k, struct err *err);

extern const struct stream_kernels stream_avx512, stream_avx, stream_sse2, stream_neon,
	stream_plain;

#endif
