#include "arith.h"
#include "half.h"

#include <math.h>

/* Each lane of a register by itself, in the type given. */
#define LANES(name, type, expression)                                                              \
	void name(void *reg, const void *pa, const void *pb, int bytes)                            \
	{                                                                                          \
		type *r = reg;                                                                     \
		const type *a = pa, *b = pb;                                                       \
		int i, n = bytes / (int)sizeof(type);                                              \
                                                                                                   \
		for (i = 0; i < n; i++)                                                            \
			r[i] = (expression);                                                       \
	}

/* volatile: not to be made one operation of, which would round once */
static float mul_add_fp32(float r, float a, float b)
{
	volatile float product = r * a;

	return product + b;
}

static double mul_add_fp64(double r, double a, double b)
{
	volatile double product = r * a;

	return product + b;
}

/* Exact in double where the operands are near 1: 22 bits of the product, 11 of the other. */
static uint16_t fma_fp16(uint16_t r, uint16_t a, uint16_t b)
{
	return half_from_double(half_to_double(r) * half_to_double(a) + half_to_double(b));
}

LANES(step_fma_fp32, float, fmaf(r[i], a[i], b[i]))
LANES(step_fma_fp64, double, fma(r[i], a[i], b[i]))
LANES(step_fma_fp16, uint16_t, fma_fp16(r[i], a[i], b[i]))
LANES(step_mul_add_fp32, float, mul_add_fp32(r[i], a[i], b[i]))
LANES(step_mul_add_fp64, double, mul_add_fp64(r[i], a[i], b[i]))
LANES(step_mul_add_int32, uint32_t, r[i] * a[i] + b[i])
LANES(step_mla_fp32, float, fmaf(a[i], b[i], r[i]))
LANES(step_mla_fp64, double, fma(a[i], b[i], r[i]))
LANES(step_mla_fp16, uint16_t, fma_fp16(a[i], b[i], r[i]))
LANES(step_mla_int32, uint32_t, a[i] * b[i] + r[i])

/* The operands are such that no product and no sum has to be rounded (arith_fill()). */
static float dot_bf16(const uint16_t *a, const uint16_t *b, int n)
{
	float sum = 0;
	int i;

	for (i = 0; i < n; i++)
		sum += bf16_to_float(a[i]) * bf16_to_float(b[i]);
	return sum;
}

static uint32_t dot_ss(const int8_t *a, const int8_t *b, int n)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < n; i++)
		sum += (uint32_t)(a[i] * b[i]);
	return sum;
}

void step_dot_bf16(void *reg, const void *a, const void *b, int bytes)
{
	float *r = reg;
	int i;

	for (i = 0; i < bytes / 4; i++)
		r[i] += dot_bf16((const uint16_t *)a + 2 * i, (const uint16_t *)b + 2 * i, 2);
}

void step_dot_ss(void *reg, const void *a, const void *b, int bytes)
{
	uint32_t *r = reg;
	int i;

	for (i = 0; i < bytes / 4; i++)
		r[i] += dot_ss((const int8_t *)a + 4 * i, (const int8_t *)b + 4 * i, 4);
}

void step_dot_us(void *reg, const void *pa, const void *pb, int bytes)
{
	uint32_t *r = reg;
	const uint8_t *a = pa;
	const int8_t *b = pb;
	int i;

	for (i = 0; i < bytes; i++)
		r[i / 4] += (uint32_t)(a[i] * b[i]);
}

void step_dot_us_cut(void *reg, const void *pa, const void *pb, int bytes)
{
	uint32_t *r = reg;
	const uint8_t *a = pa;
	const int8_t *b = pb;
	int i, pair;

	for (i = 0; i < bytes; i += 2) {
		pair = a[i] * b[i] + a[i + 1] * b[i + 1];
		pair = pair > INT16_MAX ? INT16_MAX : pair < INT16_MIN ? INT16_MIN : pair;
		r[i / 4] += (uint32_t)pair;
	}
}

/* Intel's manual, volume 2, TDPBF16PS and TDPBSSD: a row of b holds what belongs to four bytes of
 * a row of a. */
void step_tile_bf16(void *reg, const void *pa, const void *pb, int bytes)
{
	float *r = reg;
	const uint16_t *a = pa, *b = pb;
	int i, k;

	for (i = 0; i < bytes / 4; i++)
		for (k = 0; k < 16; k++)
			r[i] += dot_bf16(a + i / 16 * 32 + 2 * k, b + 32 * k + i % 16 * 2, 2);
}

void step_tile_ss(void *reg, const void *pa, const void *pb, int bytes)
{
	uint32_t *r = reg;
	const int8_t *a = pa, *b = pb;
	int i, k;

	for (i = 0; i < bytes / 4; i++)
		for (k = 0; k < 16; k++)
			r[i] += dot_ss(a + i / 16 * 64 + 4 * k, b + 64 * k + i % 16 * 4, 4);
}

/* Arm's manual, BFMMLA and SMMLA: rows of a times rows of b. */
void step_mmla_bf16(void *reg, const void *a, const void *b, int bytes)
{
	float *r = reg;
	int i;

	for (i = 0; i < bytes / 4; i++)
		r[i] += dot_bf16(
			(const uint16_t *)a + i / 2 * 4, (const uint16_t *)b + i % 2 * 4, 4);
}

void step_mmla_ss(void *reg, const void *a, const void *b, int bytes)
{
	uint32_t *r = reg;
	int i;

	for (i = 0; i < bytes / 4; i++)
		r[i] += dot_ss((const int8_t *)a + i / 2 * 8, (const int8_t *)b + i % 2 * 8, 8);
}
