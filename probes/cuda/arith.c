#include "gpu.h"

#include "half.h"
#include "kernels/pattern.h"

#include <math.h>
#include <string.h>

/* The references: a chain after so many steps, as the kernels of kernels/arith.cu have it. */

static uint32_t float_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static uint32_t chain_float(uint32_t chain, uint32_t seed, int steps)
{
	float x = 0, c = pattern_c(chain, seed);

	while (steps-- > 0)
		x = fmaf(x, x, c);
	return float_bits(x);
}

static uint32_t chain_double(uint32_t chain, uint32_t seed, int steps)
{
	double x = 0, c = (double)pattern_c(chain, seed);
	uint64_t u;

	while (steps-- > 0)
		x = fma(x, x, c);
	memcpy(&u, &x, sizeof(u));
	return (uint32_t)u ^ (uint32_t)(u >> 32);
}

/* A double holds x * x + c of an fp16 or bf16 near 1 exactly, so it is rounded once. */
static uint32_t lane_half(uint32_t lane, uint32_t seed, int steps)
{
	double c = (double)pattern_c(lane, seed), x;
	uint16_t h = 0;

	while (steps-- > 0) {
		x = half_to_double(h);
		h = half_from_double(x * x + c);
	}
	return h;
}

/* To the nearest, ties to even: from the float that is nearest to zero's side would be twice. */
static uint16_t bf16_nearest(double d)
{
	float f = (float)d;
	uint32_t u = float_bits(f);

	if ((u & 0xffff) == 0x8000 && (double)f != d)
		u += fabs((double)f) < fabs(d) ? 1 : -1u;
	return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static uint32_t lane_bf16(uint32_t lane, uint32_t seed, int steps)
{
	double c = (double)pattern_c(lane, seed), x;
	uint16_t h = 0;

	while (steps-- > 0) {
		x = (double)bf16_to_float(h);
		h = bf16_nearest(x * x + c);
	}
	return h;
}

static uint32_t chain_half2(uint32_t chain, uint32_t seed, int steps)
{
	return lane_half(2 * chain, seed, steps) | lane_half(2 * chain + 1, seed, steps) << 16;
}

static uint32_t chain_bf16x2(uint32_t chain, uint32_t seed, int steps)
{
	return lane_bf16(2 * chain, seed, steps) | lane_bf16(2 * chain + 1, seed, steps) << 16;
}

static uint32_t chain_mixed(uint32_t chain, uint32_t seed, int steps)
{
	float x = 0, c = pattern_c(chain, seed), f;

	while (steps-- > 0) {
		f = (float)half_to_double(half_from_double((double)x));
		x = fmaf(f, f, c);
	}
	return float_bits(x);
}

static uint32_t chain_int(uint32_t chain, uint32_t seed, int steps)
{
	uint32_t x = 0, c = pattern_mix(chain + seed);

	while (steps-- > 0)
		x = x * x + c;
	return x;
}

static uint32_t chain_dp4a(uint32_t chain, uint32_t seed, int steps)
{
	uint32_t x = 0, next;
	int i, byte;

	while (steps-- > 0) {
		next = pattern_mix(chain + seed);
		for (i = 0; i < 32; i += 8) {
			byte = (int)(x >> i & 0xff);
			byte = byte < 128 ? byte : byte - 256;
			next += (uint32_t)(byte * byte);
		}
		x = next;
	}
	return x;
}

/* A reading: the kernel, its chains in a thread, steps of a pass over all of them, operations of a
 * step, and the most multiplications and additions of a multiprocessor in a clock, by compute
 * capability (table "Throughput of Native Arithmetic Instructions" of the CUDA programming guide).
 */
struct arith {
	const char *test, *title, *id, *description;
	const char *unit;
	const char *kernel;
	int chains, steps, ops, min_cc;
	uint32_t (*chain)(uint32_t chain, uint32_t seed, int steps);
	short rate[5]; /* steps a clock on sm_75 80 86 89 90 */
	bool quick;
};

#define DP4A(ID, KERNEL, CHAINS)                                                                   \
	{                                                                                          \
		"integer_compute_int8_dp", "8-bit integer dot product (DP4A)", ID, NULL, "ops",    \
			KERNEL, CHAINS, ARITH_STEPS, 8, 0, chain_dp4a, {64, 64, 64, 64, 64}, false \
	}

static const struct arith ariths[] = {
	{"single_precision_compute", "Single-precision compute", "float", NULL, "flops", "fp32", 4,
		ARITH_STEPS, 2, 0, chain_float, {64, 64, 128, 128, 128}, true},
	{"half_precision_compute", "Half-precision compute", "half",
		"of single halves, which the compiler puts into pairs", "flops", "fp16", 4,
		ARITH_STEPS, 2, 0, lane_half, {128, 256, 256, 256, 256}, false},
	{"half_precision_compute", "Half-precision compute", "half2", NULL, "flops", "fp16x2", 4,
		ARITH_STEPS, 4, 0, chain_half2, {64, 128, 128, 128, 128}, false},
	{"double_precision_compute", "Double-precision compute", "double", NULL, "flops", "fp64", 4,
		ARITH_STEPS, 2, 0, chain_double, {32, 32, 32, 32, 64}, false},
	{"mixed_precision_compute", "Mixed-precision compute", "mp",
		"factors rounded to fp16, product and sum in fp32", "flops", "mp", 4, MIXED_STEPS,
		2, 0, chain_mixed, {64, 64, 128, 128, 128}, false},
	{"bfloat16_compute", "BFloat16 compute", "bf16", "in pairs", "flops", "bf16x2", 4,
		ARITH_STEPS, 4, 80, chain_bf16x2, {64, 128, 128, 128, 128}, false},
	{"integer_compute", "Integer compute", "int", NULL, "ops", "int32", 4, ARITH_STEPS, 2, 0,
		chain_int, {64, 64, 64, 64, 64}, false},
	DP4A("int8_dp", "dp4a1", 1),
	DP4A("int8_dp2", "dp4a2", 2),
	DP4A("int8_dp4", "dp4a4", 4),
	DP4A("int8_dp8", "dp4a8", 8),
};

struct arith_data {
	const struct arith *a;
	struct gpu *gpu;
};

#define SEED 12345

static uint32_t expect(const void *arg, uint32_t thread, int passes)
{
	const struct arith *a = arg;
	uint32_t all = 0;
	int i;

	for (i = 0; i < a->chains; i++)
		all ^= a->chain(thread * (uint32_t)a->chains + (uint32_t)i, SEED,
			passes * a->steps / a->chains);
	return all;
}

/* A clock above what the driver says is possible, but not by a tenth. */
static double limit(const struct arith *a, const struct gpu *g)
{
	static const short known[] = {75, 80, 86, 89, 90};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i] == g->cc)
			return 1.1 * a->rate[i] * a->ops * g->units * g->clock_khz * 1e3;
	return 0;
}

static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct arith_data *d = data;
	const struct arith *a = d->a;
	struct err err = ERR_INIT;
	uint32_t seed = SEED;
	struct run r;

	if (d->gpu->cc < a->min_cc) {
		outcome_refuse(ret, OUTCOME_UNSUPPORTED, "needs compute capability %d.%d",
			a->min_cc / 10, a->min_cc % 10);
		return;
	}
	if (run_begin(&r, d->gpu, &(struct kernel){IMAGE_ARITH, a->kernel, BLOCK_THREADS}, &err) <
		0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	r.parameters[1] = &seed;
	r.parameters[2] = &r.count;
	run_measure(&r, s, ret, &(struct check){expect, a, 3},
		(double)r.grid * r.threads * a->steps * a->ops, limit(a, d->gpu));
	run_end(&r);
}

static void list(struct plan *plan, struct gpu *g, const struct settings *s)
{
	const struct arith *a, *before = NULL;
	size_t i;

	(void)s;
	for (i = 0; i < sizeof(ariths) / sizeof(ariths[0]); i++, before = a) {
		a = &ariths[i];
		if (!before || strcmp(before->test, a->test) != 0)
			plan_test(plan, &(struct test){.id = a->test,
						.title = a->title,
						.category = "compute",
						.homogeneous = true,
						.axis = a->chain == chain_dp4a ? "chains in flight"
									       : "vector width",
						.unit = a->unit});
		plan_reading(plan, &(struct reading){.id = a->id,
					   .description = a->description,
					   .quick = a->quick,
					   .measure = measure,
					   .data = gpu_keep(&(struct arith_data){a, g},
						   sizeof(struct arith_data))});
	}
}

const struct group group_arith = {.list = list};
