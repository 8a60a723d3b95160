#include "arith.h"
#include "half.h"

#include <string.h>

static void fill_fp32(void *p, int bytes, double first, double step)
{
	float *v = p;
	int i;

	for (i = 0; i < bytes / 4; i++)
		v[i] = (float)(first + step * (i % 97));
}

static void fill_fp64(void *p, int bytes, double first, double step)
{
	double *v = p;
	int i;

	for (i = 0; i < bytes / 8; i++)
		v[i] = first + step * (i % 97);
}

static void fill_fp16(void *p, int bytes, double first, double step)
{
	uint16_t *v = p;
	int i;

	for (i = 0; i < bytes / 2; i++)
		v[i] = half_from_double(first + step * (i % 97));
}

/* Eighths from -1 to 1: sums of millions of products of two are exact in fp32. */
static void fill_bf16(void *p, int bytes, int seed)
{
	uint16_t *v = p;
	int i;

	for (i = 0; i < bytes / 2; i++)
		v[i] = bf16_from_float((float)((i * 7 + seed) % 17 - 8) / 8);
}

/* xorshift32 */
static void fill_bits(void *p, int bytes, uint32_t seed)
{
	uint32_t *v = p, x = seed;
	int i;

	for (i = 0; i < bytes / 4; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		v[i] = x;
	}
}

/* The factor is a little below 1, so that reg * a + b comes to rest near b / (1 - a). */
static void fill(void (*fill_type)(void *, int, double, double), struct operands *o)
{
	fill_type(o->registers, sizeof(o->registers), 1.0003, 0.0107);
	fill_type(o->a, sizeof(o->a), 0.9871, -0.0051);
	fill_type(o->b, sizeof(o->b), 0.0133, 0.0049);
}

void arith_fill(const struct kernel *k, struct operands *o)
{
	memset(o, 0, sizeof(*o));
	switch (k->type) {
	case ARITH_FP32:
		fill(fill_fp32, o);
		break;
	case ARITH_FP64:
		fill(fill_fp64, o);
		break;
	case ARITH_FP16:
		fill(fill_fp16, o);
		break;
	case ARITH_BF16:
	case ARITH_MATRIX_BF16:
		fill_fp32(o->registers, sizeof(o->registers), 1, 0.125);
		fill_bf16(o->a, sizeof(o->a), 3);
		fill_bf16(o->b, sizeof(o->b), 5);
		break;
	case ARITH_INT32:
	case ARITH_INT8:
	case ARITH_MATRIX_INT8:
		fill_bits(o->registers, sizeof(o->registers), 0x9e3779b9);
		fill_bits(o->a, sizeof(o->a), 0x243f6a88);
		fill_bits(o->b, sizeof(o->b), 0xb7e15162);
		break;
	}
}

static int compare(const struct kernel *k, const struct operands *got,
	const struct operands *wanted, struct err *err)
{
	int i, width = k->type == ARITH_FP64 ? 8 : k->type == ARITH_FP16 ? 2 : 4;
	uint64_t g = 0, w = 0;

	for (i = 0; i < k->registers * k->bytes; i += width) {
		memcpy(&g, got->registers + i, (size_t)width);
		memcpy(&w, wanted->registers + i, (size_t)width);
		if (g != w)
			return err_set(err, ERR_FORMAT,
				"wrong result: register %d, lane %d: %#llx, expected %#llx",
				i / k->bytes, i % k->bytes / width, (unsigned long long)g,
				(unsigned long long)w);
	}
	return 0;
}

static int check(const struct kernel *k, step_fn *step, struct err *err)
{
	enum { ITERATIONS = 3 };
	struct operands got, wanted;
	int r, i;

	arith_fill(k, &got);
	wanted = got;
	k->run(&got, ITERATIONS);
	for (r = 0; r < k->registers; r++)
		for (i = 0; i < ITERATIONS * k->times; i++)
			step(wanted.registers + r * k->bytes, wanted.a, wanted.b, k->bytes);
	return compare(k, &got, &wanted, err);
}

int arith_check(const struct kernel *k, struct err *err)
{
	struct err other = ERR_INIT;

	if (k->alternative && check(k, k->alternative, &other) == 0)
		return 0;
	return check(k, k->step, err);
}
