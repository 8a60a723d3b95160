/*
 * pattern: what the kernels and the host's references have in common: the sizes of their loops and
 * the values that they begin with, all of them exact in every type that takes them. C and CUDA C++.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <stdint.h>

#ifdef __CUDACC__
#define SHARED_FN static __device__ __forceinline__
#else
#define SHARED_FN static inline
#endif

#define BLOCK_THREADS 256

/* Arithmetic: one pass of the loop does so many steps x = x * x + c, over all chains. */
#define ARITH_STEPS 512
#define MIXED_STEPS 128 /* each is three instructions */

/* Tensor cores: accumulators that a warp has in flight, and steps of each in a pass. A step is
 * 16 x 8 times TENSOR_DEPTH, of the type that has 32 bytes in a row of A. */
#define TENSOR_CHAINS 8
#define TENSOR_STEPS 8 /* even: every other one takes -B while the clock runs */

#define WGMMA_STEPS 16 /* of 64 x 256 x 32 bytes; even, as above */
#define WGMMA_THREADS 128

/* Bandwidth: a block takes BLOCK_THREADS x FETCHES vectors at a time. */
#define FETCHES 16
#define SHARED_BYTES 16384
#define CONSTANT_BYTES 1024

/* Scatters the bits of i (a round of the finaliser of MurmurHash3, public domain). */
SHARED_FN uint32_t pattern_mix(uint32_t i)
{
	i ^= i >> 16;
	i *= UINT32_C(0x85ebca6b);
	i ^= i >> 13;
	i *= UINT32_C(0xc2b2ae35);
	return i ^ i >> 16;
}

/* The constant of a chain: -1.75 to 0.2421875 by 1/128, where x * x + c stays within 2. */
SHARED_FN float pattern_c(uint32_t chain, uint32_t seed)
{
	return -1.75f + (float)(pattern_mix(chain + seed) >> 24) * 0.0078125f;
}

/* Word i of a buffer: a finite float of no regularity, which no memory compresses. */
SHARED_FN uint32_t pattern_word(uint32_t i)
{
	return (pattern_mix(i) & UINT32_C(0x7f7fffff)) | UINT32_C(0x00800000);
}

/* Elements of A (row, k) and B (k, column) of a tensor step: -2 to 2. */
SHARED_FN int pattern_a(int row, int k)
{
	return (row * 3 + k * 2) % 5 - 2;
}

SHARED_FN int pattern_b(int k, int column)
{
	return (k + column * 3 + k / 5) % 5 - 2;
}

#endif
