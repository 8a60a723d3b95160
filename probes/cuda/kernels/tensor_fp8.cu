/* Tensor cores by mma.sync: fp8, from sm_89 on. */
#include "tensor.h"

#if __CUDA_ARCH__ >= 890
/* -2 to 2 are the same but for where the exponent lies: MANTISSA bits, bias BIAS. */
template <int MANTISSA, int BIAS> __device__ static uint32_t fp8_of(int v)
{
	int size = v < 0 ? -v : v;

	return size == 0 ? 0 : (v < 0 ? 0x80u : 0u) | (uint32_t)(BIAS + size - 1) << MANTISSA;
}

struct e4m3 {
	enum { E = 4 };
	typedef sum_float sum;
	__device__ static uint32_t encode(int v) { return fp8_of<3, 7>(v); }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
		MMA_FLOAT("m16n8k32.row.col.f32.e4m3.e4m3.f32", d, a, b);
	}
};

struct e5m2 {
	enum { E = 4 };
	typedef sum_float sum;
	__device__ static uint32_t encode(int v) { return fp8_of<2, 15>(v); }
	__device__ static void step(sum &d, const uint32_t *a, const uint32_t *b)
	{
		MMA_FLOAT("m16n8k32.row.col.f32.e5m2.e5m2.f32", d, a, b);
	}
};

TENSOR_KERNEL(mma_fp8_e4m3, e4m3)
TENSOR_KERNEL(mma_fp8_e5m2, e5m2)
#endif
