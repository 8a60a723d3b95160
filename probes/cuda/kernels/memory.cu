/* Bandwidth: reading global memory, the L2, shared and constant memory. What is read is added up as
 * integers, so that the order does not matter, into the word that a thread writes. */
#include "pattern.h"

template <int WORDS> struct __align__(WORDS * 4) vector {
	uint32_t w[WORDS];
	__device__ uint32_t sum() const { return w[0]; }
};

template <> __device__ inline uint32_t vector<2>::sum() const
{
	return w[0] + w[1];
}

template <> __device__ inline uint32_t vector<4>::sum() const
{
	return w[0] + w[1] + (w[2] + w[3]);
}

/* Loads of a kind (WAY) of 1, 2 and 4 words; volatile, since each load is what is measured. */
#define LOADS(NAME, WAY, ADDRESS, CONSTRAINT)                                                      \
	__device__ static void NAME(vector<1> &v, ADDRESS p)                                       \
	{                                                                                          \
		asm volatile("ld." WAY ".u32 %0, [%1];" : "=r"(v.w[0]) : CONSTRAINT(p));           \
	}                                                                                          \
	__device__ static void NAME(vector<2> &v, ADDRESS p)                                       \
	{                                                                                          \
		asm volatile("ld." WAY ".v2.u32 {%0,%1}, [%2];"                                    \
			     : "=r"(v.w[0]), "=r"(v.w[1])                                          \
			     : CONSTRAINT(p));                                                     \
	}                                                                                          \
	__device__ static void NAME(vector<4> &v, ADDRESS p)                                       \
	{                                                                                          \
		asm volatile("ld." WAY ".v4.u32 {%0,%1,%2,%3}, [%4];"                              \
			     : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])              \
			     : CONSTRAINT(p));                                                     \
	}

LOADS(load_once, "global.nc.L1::no_allocate", const uint32_t *, "l")
LOADS(load_l2, "global.cg", const uint32_t *, "l")
LOADS(load_shared, "volatile.shared", uint32_t, "r")

enum { FROM_MEMORY, FROM_L2 };

template <int WORDS, int FROM> __device__ static uint32_t fetch(const uint32_t *p)
{
	vector<WORDS> v[FETCHES];
	uint32_t sum = 0;

#pragma unroll
	for (int i = 0; i < FETCHES; i++) {
		if (FROM == FROM_L2)
			load_l2(v[i], p + i * BLOCK_THREADS * WORDS);
		else
			load_once(v[i], p + i * BLOCK_THREADS * WORDS);
	}
#pragma unroll
	for (int i = 0; i < FETCHES; i++)
		sum += v[i].sum();
	return sum;
}

/* A block takes `count` chunks of the buffer: `first` times its number, and on by `step`, around
 * the end. */
template <int WORDS, int FROM>
__device__ static void read(uint32_t *out, const uint32_t *p, uint32_t chunks, uint32_t first,
	uint32_t step, uint32_t count)
{
	uint32_t chunk = (uint64_t)first * blockIdx.x % chunks, sum = 0;

#pragma unroll 1
	for (; count; count--) {
		sum += fetch<WORDS, FROM>(
			p + ((size_t)chunk * FETCHES * BLOCK_THREADS + threadIdx.x) * WORDS);
		chunk += step;
		if (chunk >= chunks)
			chunk -= chunks;
	}
	out[blockIdx.x * BLOCK_THREADS + threadIdx.x] = sum;
}

#define READ_KERNEL(NAME, WORDS, FROM)                                                             \
	extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)                                \
		NAME(uint32_t *out, const uint32_t *p, uint32_t chunks, uint32_t first,            \
			uint32_t step, uint32_t count)                                             \
	{                                                                                          \
		read<WORDS, FROM>(out, p, chunks, first, step, count);                             \
	}

READ_KERNEL(read1, 1, FROM_MEMORY)
READ_KERNEL(read2, 2, FROM_MEMORY)
READ_KERNEL(read4, 4, FROM_MEMORY)
READ_KERNEL(read_l2, 4, FROM_L2)

/* Words first to first + n - 1 of the pattern. */
extern "C" __global__ void fill(uint32_t *p, uint32_t first, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	for (; i < n; i += gridDim.x * blockDim.x)
		p[i] = pattern_word(first + i);
}

template <int WORDS> __device__ static void read_shared(uint32_t *out, int passes)
{
	__shared__ __align__(16) uint32_t words[SHARED_BYTES / 4];
	vector<WORDS> v[FETCHES];
	uint32_t sum = 0, base;

	for (int i = threadIdx.x; i < SHARED_BYTES / 4; i += BLOCK_THREADS)
		words[i] = pattern_word(i);
	__syncthreads();
	base = (uint32_t)__cvta_generic_to_shared(words) + threadIdx.x * WORDS * 4;
#pragma unroll 1
	for (int pass = 0; pass < passes; pass++) {
#pragma unroll
		for (int i = 0; i < FETCHES; i++)
			load_shared(v[i], base + i * BLOCK_THREADS * WORDS * 4 % SHARED_BYTES);
#pragma unroll
		for (int i = 0; i < FETCHES; i++)
			sum += v[i].sum();
	}
	out[blockIdx.x * BLOCK_THREADS + threadIdx.x] = sum;
}

#define SHARED_KERNEL(NAME, WORDS)                                                                 \
	extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)                                \
		NAME(uint32_t *out, int passes)                                                    \
	{                                                                                          \
		read_shared<WORDS>(out, passes);                                                   \
	}

SHARED_KERNEL(shared1, 1)
SHARED_KERNEL(shared2, 2)
SHARED_KERNEL(shared4, 4)

/* The host fills it. The place of a warp moves on with each pass, so that no load is left out. */
extern "C" {
__constant__ __align__(16) uint32_t constant_words[CONSTANT_BYTES / 4];
}

/* Of 2 words, since the compiler takes single ones in pairs and there is no load of 4. */
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS) constant2(uint32_t *out, int passes)
{
	uint32_t at = threadIdx.x / 32 * FETCHES * 2, sum = 0;

#pragma unroll 1
	for (int pass = 0; pass < passes; pass++) {
		at %= CONSTANT_BYTES / 4;
#pragma unroll
		for (int i = 0; i < FETCHES; i++) {
			const vector<2> *v = (const vector<2> *)(constant_words + at + i * 2);

			sum += v->sum();
		}
		at += FETCHES * 2;
	}
	out[blockIdx.x * BLOCK_THREADS + threadIdx.x] = sum;
}
