/*
 * tensor: the loop of the tensor cores by mma.sync. Every type's step is 16 x 8 x (32 bytes of A's
 * row); where a processor has smaller instructions, a step is several of them. The fragments are
 * those of PTX: with g = lane / 4 and t = lane % 4, register r of A has row g + 8 (r % 2) and the
 * k of E elements from E t + 4 E (r / 2), register r of B column g and k from E t + 4 E r, and
 * elements 0 to 3 of C row g + 8 (i / 2), column 2 t + i % 2.
 */
#ifndef TENSOR_H
#define TENSOR_H

#include "pattern.h"

/* 32 bits of E elements, with their values by fn(k). */
template <class T, class F> __device__ static uint32_t pack(int k, F value)
{
	uint32_t word = 0;

	for (int e = 0; e < T::E; e++)
		word |= T::encode(value(k + e)) << (32 / T::E * e);
	return word;
}

template <class T> struct fragments {
	uint32_t a[4], b[2], minus_b[2];
	__device__ fragments(int sign)
	{
		int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;

		for (int r = 0; r < 4; r++)
			a[r] = pack<T>(T::E * (t + r / 2 * 4),
				[&](int k) { return pattern_a(g + r % 2 * 8, k); });
		for (int r = 0; r < 2; r++) {
			b[r] = pack<T>(T::E * (t + 4 * r), [&](int k) { return pattern_b(k, g); });
			minus_b[r] = pack<T>(T::E * (t + 4 * r),
				[&](int k) { return sign * pattern_b(k, g); });
		}
	}
};

/* T::sum is what a thread has of C; chain n begins with n everywhere. */
template <class T> __device__ static void multiply(uint32_t *out, int sign, int passes)
{
	fragments<T> f(sign);
	typename T::sum d[TENSOR_CHAINS];
	uint32_t all = 0;

#pragma unroll
	for (int n = 0; n < TENSOR_CHAINS; n++)
		d[n].set(n);
#pragma unroll 1
	for (int pass = 0; pass < passes; pass++) {
#pragma unroll
		for (int i = 0; i < TENSOR_STEPS; i++) {
#pragma unroll
			for (int n = 0; n < TENSOR_CHAINS; n++)
				T::step(d[n], f.a, i % 2 ? f.minus_b : f.b);
		}
	}
#pragma unroll
	for (int n = 0; n < TENSOR_CHAINS; n++)
		all ^= d[n].bits();
	out[blockIdx.x * BLOCK_THREADS + threadIdx.x] = all;
}

#define TENSOR_KERNEL(NAME, TYPE)                                                                  \
	extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)                                \
		NAME(uint32_t *out, int sign, int passes)                                          \
	{                                                                                          \
		multiply<TYPE>(out, sign, passes);                                                 \
	}

struct sum_float {
	float c[4];
	__device__ void set(int n) { c[0] = c[1] = c[2] = c[3] = (float)n; }
	__device__ uint32_t bits() const
	{
		return __float_as_uint(c[0]) ^ __float_as_uint(c[1]) * 3 ^
		       __float_as_uint(c[2]) * 5 ^ __float_as_uint(c[3]) * 7;
	}
};

/* D += A B with fp32 sums: INSTRUCTION as PTX spells it. */
#define MMA_FLOAT(INSTRUCTION, D, A, B)                                                            \
	asm("mma.sync.aligned." INSTRUCTION                                                        \
	    " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                               \
	    : "+f"((D).c[0]), "+f"((D).c[1]), "+f"((D).c[2]), "+f"((D).c[3])                       \
	    : "r"((A)[0]), "r"((A)[1]), "r"((A)[2]), "r"((A)[3]), "r"((B)[0]), "r"((B)[1]))

#endif
