/* Arithmetic without tensor cores: chains of x = x * x + c, which nothing shortens. Every chain ends
 * in the word that its thread writes. */
#include "pattern.h"

struct single {
	float x, c;
	__device__ single(uint32_t chain, uint32_t seed) : x(0), c(pattern_c(chain, seed)) {}
	__device__ void step() { x = __fmaf_rn(x, x, c); }
	__device__ uint32_t bits() const { return __float_as_uint(x); }
};

struct twice {
	double x, c;
	__device__ twice(uint32_t chain, uint32_t seed) : x(0), c(pattern_c(chain, seed)) {}
	__device__ void step() { x = __fma_rn(x, x, c); }
	__device__ uint32_t bits() const { return __double2hiint(x) ^ __double2loint(x); }
};

__device__ static uint16_t to_half(float f)
{
	uint16_t h;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
	return h;
}

struct half1 {
	uint16_t x, c;
	__device__ half1(uint32_t chain, uint32_t seed) : x(0), c(to_half(pattern_c(chain, seed))) {}
	__device__ void step() { asm("fma.rn.f16 %0, %0, %0, %1;" : "+h"(x) : "h"(c)); }
	__device__ uint32_t bits() const { return x; }
};

struct half2 {
	uint32_t x, c;
	__device__ half2(uint32_t chain, uint32_t seed)
		: x(0), c(to_half(pattern_c(2 * chain, seed)) |
				  (uint32_t)to_half(pattern_c(2 * chain + 1, seed)) << 16)
	{
	}
	__device__ void step() { asm("fma.rn.f16x2 %0, %0, %0, %1;" : "+r"(x) : "r"(c)); }
	__device__ uint32_t bits() const { return x; }
};

struct brain2 {
	uint32_t x, c;
	__device__ brain2(uint32_t chain, uint32_t seed)
		: x(0), c(__float_as_uint(pattern_c(2 * chain, seed)) >> 16 |
				  (__float_as_uint(pattern_c(2 * chain + 1, seed)) & 0xffff0000))
	{
	}
	__device__ void step()
	{
#if __CUDA_ARCH__ >= 800
		asm("fma.rn.bf16x2 %0, %0, %0, %1;" : "+r"(x) : "r"(c));
#endif
	}
	__device__ uint32_t bits() const { return x; }
};

/* The factors are rounded to fp16, the product and the sum are fp32. */
struct mixed {
	float x, c;
	__device__ mixed(uint32_t chain, uint32_t seed) : x(0), c(pattern_c(chain, seed)) {}
	__device__ void step()
	{
		asm("{\n\t.reg .b16 h;\n\t.reg .f32 f;\n\t"
		    "cvt.rn.f16.f32 h, %0;\n\tcvt.f32.f16 f, h;\n\tfma.rn.f32 %0, f, f, %1;\n\t}"
		    : "+f"(x)
		    : "f"(c));
	}
	__device__ uint32_t bits() const { return __float_as_uint(x); }
};

struct integer {
	uint32_t x, c;
	__device__ integer(uint32_t chain, uint32_t seed) : x(0), c(pattern_mix(chain + seed)) {}
	__device__ void step() { x = x * x + c; }
	__device__ uint32_t bits() const { return x; }
};

struct bytes4 {
	int x, c;
	__device__ bytes4(uint32_t chain, uint32_t seed) : x(0), c((int)pattern_mix(chain + seed)) {}
	__device__ void step() { asm("dp4a.s32.s32 %0, %0, %0, %1;" : "+r"(x) : "r"(c)); }
	__device__ uint32_t bits() const { return (uint32_t)x; }
};

/* An array of chains has no constructor without arguments: a recursion holds them by name. */
template <class T, int N> struct chains {
	T first;
	chains<T, N - 1> rest;
	__device__ chains(uint32_t chain, uint32_t seed) : first(chain, seed), rest(chain + 1, seed) {}
	__device__ void step()
	{
		first.step();
		rest.step();
	}
	__device__ uint32_t bits() const { return first.bits() ^ rest.bits(); }
};

template <class T> struct chains<T, 0> {
	__device__ chains(uint32_t, uint32_t) {}
	__device__ void step() {}
	__device__ uint32_t bits() const { return 0; }
};

template <class T, int N, int STEPS>
__device__ static void run(uint32_t *out, uint32_t seed, int passes)
{
	uint32_t thread = blockIdx.x * BLOCK_THREADS + threadIdx.x;
	chains<T, N> all(thread * N, seed);

#pragma unroll 1
	for (int pass = 0; pass < passes; pass++) {
#pragma unroll
		for (int i = 0; i < STEPS / N; i++)
			all.step();
	}
	out[thread] = all.bits();
}

#define KERNEL(NAME, TYPE, CHAINS, STEPS)                                                          \
	extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)                                \
		NAME(uint32_t *out, uint32_t seed, int passes)                                     \
	{                                                                                          \
		run<TYPE, CHAINS, STEPS>(out, seed, passes);                                       \
	}

KERNEL(fp32, single, 4, ARITH_STEPS)
KERNEL(fp64, twice, 4, ARITH_STEPS)
KERNEL(fp16, half1, 4, ARITH_STEPS)
KERNEL(fp16x2, half2, 4, ARITH_STEPS)
KERNEL(mp, mixed, 4, MIXED_STEPS)
KERNEL(int32, integer, 4, ARITH_STEPS)
KERNEL(dp4a1, bytes4, 1, ARITH_STEPS)
KERNEL(dp4a2, bytes4, 2, ARITH_STEPS)
KERNEL(dp4a4, bytes4, 4, ARITH_STEPS)
KERNEL(dp4a8, bytes4, 8, ARITH_STEPS)
#if __CUDA_ARCH__ >= 800
KERNEL(bf16x2, brain2, 4, ARITH_STEPS)
#endif

/* What a launch and the wait for its end cost. */
extern "C" __global__ void empty()
{
}
