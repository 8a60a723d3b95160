#include "gpu.h"

#include "half.h"
#include "kernels/pattern.h"

#include <string.h>

/* How a type's sums are spelt in bits. */
enum sum { SUM_FLOAT, SUM_HALF, SUM_INT };

struct tensor {
	const char *id, *kernel;
	enum image image;
	int depth;          /* k of a step */
	int min_cc, max_cc; /* 0: no limit */
	enum sum sum;
	const char *unit; /* NULL: flops */
};

static const struct tensor mmas[] = {
	{"fp16", "mma_fp16", IMAGE_TENSOR, 16, 0, 0, SUM_FLOAT, NULL},
	{"fp16 f16acc", "mma_fp16_f16acc", IMAGE_TENSOR, 16, 0, 0, SUM_HALF, NULL},
	{"bf16", "mma_bf16", IMAGE_TENSOR, 16, 80, 0, SUM_FLOAT, NULL},
	{"tf32", "mma_tf32", IMAGE_TENSOR, 8, 80, 0, SUM_FLOAT, NULL},
	{"fp8_e4m3", "mma_fp8_e4m3", IMAGE_TENSOR_FP8, 32, 89, 89, SUM_FLOAT, NULL},
	{"fp8_e5m2", "mma_fp8_e5m2", IMAGE_TENSOR_FP8, 32, 89, 89, SUM_FLOAT, NULL},
	{"int8", "mma_int8", IMAGE_TENSOR, 32, 0, 0, SUM_INT, "ops"},
};

static const struct tensor wgmmas[] = {
	{"fp16", "wgmma_fp16", IMAGE_WGMMA, 16, 90, 90, SUM_FLOAT, NULL},
	{"bf16", "wgmma_bf16", IMAGE_WGMMA, 16, 90, 90, SUM_FLOAT, NULL},
	{"tf32", "wgmma_tf32", IMAGE_WGMMA, 8, 90, 90, SUM_FLOAT, NULL},
	{"fp8_e4m3", "wgmma_fp8_e4m3", IMAGE_WGMMA, 32, 90, 90, SUM_FLOAT, NULL},
	{"fp8_e5m2", "wgmma_fp8_e5m2", IMAGE_WGMMA, 32, 90, 90, SUM_FLOAT, NULL},
	{"int8", "wgmma_int8", IMAGE_WGMMA, 32, 90, 90, SUM_INT, "ops"},
};

struct tensor_data {
	const struct tensor *t;
	struct gpu *gpu;
};

/* All sums of the checks are whole numbers below 2048, so exact in each type. */
static uint32_t sum_bits(enum sum sum, int value)
{
	float f = (float)value;
	uint32_t u;

	if (sum == SUM_INT)
		return (uint32_t)value;
	if (sum == SUM_HALF)
		return half_from_double((double)value);
	memcpy(&u, &f, sizeof(u));
	return u;
}

static int product(int row, int column, int depth)
{
	int k, sum = 0;

	for (k = 0; k < depth; k++)
		sum += pattern_a(row, k) * pattern_b(k, column);
	return sum;
}

/* kernels/tensor.h has the places of the sums and how they become a word. */
static uint32_t expect_mma(const void *arg, uint32_t thread, int passes)
{
	const struct tensor *t = arg;
	int g = (int)(thread % 32 / 4), column = (int)(thread % 4) * 2,
	    steps = passes * TENSOR_STEPS;
	uint32_t all = 0, u[4];
	int n, i;

	for (n = 0; n < TENSOR_CHAINS; n++) {
		for (i = 0; i < 4; i++)
			u[i] = sum_bits(t->sum,
				n + steps * product(g + i / 2 * 8, column + i % 2, t->depth));
		if (t->sum == SUM_HALF)
			all ^= (u[0] | u[1] << 16) ^ (u[2] | u[3] << 16) * 5;
		else
			all ^= u[0] ^ u[1] * 3 ^ u[2] * 5 ^ u[3] * 7;
	}
	return all;
}

static uint32_t expect_wgmma(const void *arg, uint32_t thread, int passes)
{
	const struct tensor *t = arg;
	uint32_t all = 0;
	int n;

	(void)thread;
	for (n = 0; n < 128; n++)
		all = all * 3 + sum_bits(t->sum, n + passes * WGMMA_STEPS * t->depth * 2);
	return all;
}

static int supported(const struct tensor *t, const struct gpu *g, struct outcome *ret)
{
	if (g->cc >= t->min_cc && (t->max_cc == 0 || g->cc <= t->max_cc))
		return 1;
	if (t->max_cc)
		outcome_refuse(ret, OUTCOME_UNSUPPORTED,
			"an instruction of compute capability %d.%d alone; this device has %d.%d",
			t->min_cc / 10, t->min_cc % 10, g->cc / 10, g->cc % 10);
	else
		outcome_refuse(ret, OUTCOME_UNSUPPORTED, "needs compute capability %d.%d",
			t->min_cc / 10, t->min_cc % 10);
	return 0;
}

/* The sign is 1 for the check, where sums have to grow, and -1 against the clock, where they must
 * not: the constants are read at each launch. */
static void measure_with(struct run *r, const struct tensor *t, const struct settings *s,
	struct outcome *ret, expect_fn *expect, double ops)
{
	struct err err = ERR_INIT;
	int sign = 1;

	r->parameters[1] = &sign;
	r->parameters[2] = &r->count;
	if (run_verify(r, 1, expect, t, &err) < 0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	sign = -1;
	outcome_rate(ret, s, run_batch, r, ops, INT32_MAX / 2);
	if (ret->status == OUTCOME_OK && run_scales(r, s, &err) < 0)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
}

static void measure(const struct tensor_data *d, const struct settings *s, struct outcome *ret,
	unsigned threads, expect_fn *expect, double ops_of_thread)
{
	struct err err = ERR_INIT;
	struct run r;

	if (!supported(d->t, d->gpu, ret))
		return;
	if (run_begin(&r, d->gpu, &(struct kernel){d->t->image, d->t->kernel, threads}, &err) < 0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	measure_with(&r, d->t, s, ret, expect, (double)r.grid * r.threads * ops_of_thread);
	run_end(&r);
}

static void measure_mma(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct tensor_data *d = data;

	measure(d, s, ret, BLOCK_THREADS, expect_mma,
		2.0 * 16 * 8 * d->t->depth * TENSOR_CHAINS * TENSOR_STEPS / 32);
}

static void measure_wgmma(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct tensor_data *d = data;

	measure(d, s, ret, WGMMA_THREADS, expect_wgmma,
		2.0 * 64 * 256 * d->t->depth * WGMMA_STEPS / WGMMA_THREADS);
}

static void list_types(struct plan *plan, struct gpu *g, const struct tensor *t, size_t n,
	void (*fn)(const void *, const struct settings *, struct outcome *))
{
	size_t i;

	for (i = 0; i < n; i++)
		plan_reading(plan, &(struct reading){.id = t[i].id,
					   .unit = t[i].unit,
					   .measure = fn,
					   .data = gpu_keep(&(struct tensor_data){&t[i], g},
						   sizeof(struct tensor_data))});
}

static void list(struct plan *plan, struct gpu *g, const struct settings *s)
{
	(void)s;
	plan_test(plan, &(struct test){.id = "wmma",
				.title = "Tensor cores (mma.sync)",
				.category = "compute",
				.axis = "data type",
				.unit = "flops"});
	list_types(plan, g, mmas, sizeof(mmas) / sizeof(mmas[0]), measure_mma);
	plan_test(plan, &(struct test){.id = "wgmma",
				.variant = "sm_90a",
				.title = "Tensor cores (wgmma)",
				.category = "compute",
				.axis = "data type",
				.unit = "flops"});
	list_types(plan, g, wgmmas, sizeof(wgmmas) / sizeof(wgmmas[0]), measure_wgmma);
}

const struct group group_tensor = {.list = list};
