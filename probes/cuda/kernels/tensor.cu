/* Tensor cores by mma.sync: fp16, bf16, tf32, int8. */
#include "tensor.h"

__device__ static uint32_t half_of(int v)
{
	uint16_t h;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"((float)v));
	return h;
}

struct sum_half {
	uint32_t c[2];
	__device__ void set(int n) { c[0] = c[1] = half_of(n) * 0x10001; }
	__device__ uint32_t bits() const { return c[0] ^ c[1] * 5; }
};

struct sum_int {
	int c[4];
	__device__ void set(int n) { c[0] = c[1] = c[2] = c[3] = n; }
	__device__ uint32_t bits() const
	{
		return (uint32_t)c[0] ^ (uint32_t)c[1] * 3 ^ (uint32_t)c[2] * 5 ^ (uint32_t)c[3] * 7;
	}
};

struct fp16 {
	enum { E = 2 };
	typedef sum_float sum;
	__device__ static uint32_t encode(int v) { return half_of(v); }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
#if __CUDA_ARCH__ >= 800
		MMA_FLOAT("m16n8k16.row.col.f32.f16.f16.f32", d, a, b);
#else
		for (int half = 0; half < 2; half++)
			asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
			    " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
			    : "+f"(d.c[0]), "+f"(d.c[1]), "+f"(d.c[2]), "+f"(d.c[3])
			    : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
#endif
	}
};

struct fp16_f16acc {
	enum { E = 2 };
	typedef sum_half sum;
	__device__ static uint32_t encode(int v) { return half_of(v); }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
#if __CUDA_ARCH__ >= 800
		asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
		    " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
		    : "+r"(d.c[0]), "+r"(d.c[1])
		    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
		for (int half = 0; half < 2; half++)
			asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"
			    " {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
			    : "+r"(d.c[0]), "+r"(d.c[1])
			    : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
#endif
	}
};

struct int8 {
	enum { E = 4 };
	typedef sum_int sum;
	__device__ static uint32_t encode(int v) { return (uint32_t)v & 0xff; }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
#if __CUDA_ARCH__ >= 800
		asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"
		    " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
		    : "+r"(d.c[0]), "+r"(d.c[1]), "+r"(d.c[2]), "+r"(d.c[3])
		    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
		for (int r = 0; r < 4; r++)
			asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"
			    " {%0,%1}, {%2}, {%3}, {%0,%1};"
			    : "+r"(d.c[r % 2 * 2]), "+r"(d.c[r % 2 * 2 + 1])
			    : "r"(a[r]), "r"(b[r / 2]));
#endif
	}
};

TENSOR_KERNEL(mma_fp16, fp16)
TENSOR_KERNEL(mma_fp16_f16acc, fp16_f16acc)
TENSOR_KERNEL(mma_int8, int8)

#if __CUDA_ARCH__ >= 800
struct bf16 {
	enum { E = 2 };
	typedef sum_float sum;
	__device__ static uint32_t encode(int v) { return __float_as_uint((float)v) >> 16; }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
		MMA_FLOAT("m16n8k16.row.col.f32.bf16.bf16.f32", d, a, b);
	}
};

struct tf32 {
	enum { E = 1 };
	typedef sum_float sum;
	__device__ static uint32_t encode(int v) { return __float_as_uint((float)v); }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
		MMA_FLOAT("m16n8k8.row.col.f32.tf32.tf32.f32", d, a, b);
	}
};

TENSOR_KERNEL(mma_bf16, bf16)
TENSOR_KERNEL(mma_tf32, tf32)
#endif
