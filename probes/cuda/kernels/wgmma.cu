/*
 * Tensor cores by wgmma, sm_90a alone: a warpgroup multiplies 64 x 32 bytes by 32 bytes x 256, both
 * from shared memory, without swizzling: 8 rows of 16 bytes lie together. Every element of A is 2,
 * every one of B 1 (or the sign, at every other step), so that no order of elements matters.
 */
#include "pattern.h"

#define A_WORDS (64 * 32 / 4)
#define B_WORDS (256 * 32 / 4)

/* Matrix descriptor of PTX: address, bytes to the next 16 of k, bytes to the next 8 rows. */
__device__ static uint64_t descriptor(const uint32_t *matrix)
{
	uint64_t address = (uint32_t)__cvta_generic_to_shared(matrix);

	return (address & 0x3ffff) >> 4 | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
}

#define FOUR(M, N) M(N), M(N + 1), M(N + 2), M(N + 3)
#define SIXTEEN(M, N) FOUR(M, N), FOUR(M, N + 4), FOUR(M, N + 8), FOUR(M, N + 12)
#define SUMS(M) SIXTEEN(M, 0), SIXTEEN(M, 16), SIXTEEN(M, 32), SIXTEEN(M, 48), SIXTEEN(M, 64), \
	SIXTEEN(M, 80), SIXTEEN(M, 96), SIXTEEN(M, 112)
#define FLOAT_SUM(N) "+f"(d[N])
#define INT_SUM(N) "+r"(d[N])

#define PLACES                                                                                     \
	"{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,"  \
	"%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45," \
	"%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67," \
	"%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89," \
	"%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,"    \
	"%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,"    \
	"%126,%127}, %128, %129, "

/* TAIL: that D is added to; for floats also the signs of A and B, for 16 bits how they lie. */
#define STEP(SHAPE, SUM, TAIL)                                                                     \
	asm volatile("wgmma.mma_async.sync.aligned.m64n256" SHAPE " " PLACES TAIL ";"              \
		     : SUMS(SUM)                                                                   \
		     : "l"(a), "l"(b))

#define TYPE(NAME, VALUE, SUM_TYPE, SUM, SHAPE, TAIL, TWO, ONE, MINUS_ONE)                         \
	struct NAME {                                                                              \
		typedef SUM_TYPE sum;                                                              \
		static const uint32_t two = TWO, one = ONE, minus_one = MINUS_ONE;                 \
		__device__ static void step(sum *d, uint64_t a, uint64_t b)                        \
		{                                                                                  \
			STEP(SHAPE, SUM, TAIL);                                                    \
		}                                                                                  \
		__device__ static uint32_t bits(sum d) { return VALUE(d); }                        \
	};

#define ITSELF(D) (uint32_t)(D)
TYPE(fp16, __float_as_uint, float, FLOAT_SUM, "k16.f32.f16.f16", "1, 1, 1, 0, 0", 0x40004000,
	0x3c003c00, 0xbc00bc00)
TYPE(bf16, __float_as_uint, float, FLOAT_SUM, "k16.f32.bf16.bf16", "1, 1, 1, 0, 0", 0x40004000,
	0x3f803f80, 0xbf80bf80)
TYPE(tf32, __float_as_uint, float, FLOAT_SUM, "k8.f32.tf32.tf32", "1, 1, 1", 0x40000000,
	0x3f800000, 0xbf800000)
TYPE(e4m3, __float_as_uint, float, FLOAT_SUM, "k32.f32.e4m3.e4m3", "1, 1, 1", 0x40404040,
	0x38383838, 0xb8b8b8b8)
TYPE(e5m2, __float_as_uint, float, FLOAT_SUM, "k32.f32.e5m2.e5m2", "1, 1, 1", 0x40404040,
	0x3c3c3c3c, 0xbcbcbcbc)
TYPE(int8, ITSELF, int, INT_SUM, "k32.s32.s8.s8", "1", 0x02020202, 0x01010101, 0xffffffff)

template <class T> __device__ static void multiply(uint32_t *out, int sign, int passes)
{
	__shared__ __align__(128) uint32_t a[A_WORDS], b[B_WORDS], other[B_WORDS];
	typename T::sum d[128];
	uint32_t all = 0;

	for (int i = threadIdx.x; i < A_WORDS; i += WGMMA_THREADS)
		a[i] = T::two;
	for (int i = threadIdx.x; i < B_WORDS; i += WGMMA_THREADS) {
		b[i] = T::one;
		other[i] = sign < 0 ? T::minus_one : T::one;
	}
	/* What threads wrote, the tensor cores read by another way. */
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
#pragma unroll
	for (int n = 0; n < 128; n++)
		d[n] = n;

	uint64_t da = descriptor(a), db = descriptor(b), dother = descriptor(other);
#pragma unroll 1
	for (int pass = 0; pass < passes; pass++) {
		asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
		for (int i = 0; i < WGMMA_STEPS; i++)
			T::step(d, da, i % 2 ? dother : db);
		asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
		asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	}
#pragma unroll
	for (int n = 0; n < 128; n++)
		all = all * 3 + T::bits(d[n]);
	out[blockIdx.x * WGMMA_THREADS + threadIdx.x] = all;
}

#define KERNEL(NAME, TYPE)                                                                         \
	extern "C" __global__ void __launch_bounds__(WGMMA_THREADS)                                \
		NAME(uint32_t *out, int sign, int passes)                                          \
	{                                                                                          \
		multiply<TYPE>(out, sign, passes);                                                 \
	}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
KERNEL(wgmma_fp16, fp16)
KERNEL(wgmma_bf16, bf16)
KERNEL(wgmma_tf32, tf32)
KERNEL(wgmma_fp8_e4m3, e4m3)
KERNEL(wgmma_fp8_e5m2, e5m2)
KERNEL(wgmma_int8, int8)
#endif
