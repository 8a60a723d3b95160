#include "tests.h"

#include "counted.h"
#include "host.h"
#include "kernels.h"
#include "sane.h"

#include <string.h>

static const unsigned widths[] = {1, 2, 4, 8, 16};

enum result { RESULT_FLOAT, RESULT_DOUBLE, RESULT_UINT };

struct arithmetic {
	struct chain chain;
	enum result result;
	double operations; /* of a step of an element */
};

struct compute_item {
	const struct arithmetic *a;
	unsigned width;
};

static double result_value(enum result kind, const void *out)
{
	float f;
	double d;
	uint32_t u;

	if (kind == RESULT_DOUBLE) {
		memcpy(&d, out, sizeof(d));
		return d;
	}
	if (kind == RESULT_UINT) {
		memcpy(&u, out, sizeof(u));
		return u;
	}
	memcpy(&f, out, sizeof(f));
	return (double)f;
}

static bool item_ok(const void *data, uint32_t item, size_t group, uint32_t count, const void *out)
{
	const struct compute_item *i = data;

	(void)group;
	return host_chain_ok(&i->a->chain, i->width, item, count, result_value(i->a->result, out));
}

static void measure(struct ocl_device *d, const struct ocl_test *t, size_t which,
	const struct settings *s, struct outcome *ret)
{
	static const char *const kernels[] = {"chain1", "chain2", "chain4", "chain8", "chain16"};
	const struct compute_item item = {.a = t->data, .width = widths[which]};

	counted_measure(d,
		&(struct counted){.kernel = kernels[which],
			.out_bytes = item.a->result == RESULT_DOUBLE ? 8 : 4,
			.group_max = ocl_is_cpu(d) ? 64 : 256,
			.amount = CHAIN_STEPS * item.a->operations * item.width,
			.limit = sane_unit_limit(d->units, d->clock_mhz),
			.ok = item_ok,
			.data = &item},
		s, ret);
}

static const char *lacks_fp16(const struct ocl_device *d)
{
	return d->fp16 ? NULL : "no cl_khr_fp16";
}

static const char *lacks_fp64(const struct ocl_device *d)
{
	return d->fp64 ? NULL : "no cl_khr_fp64";
}

static const char *lacks_dot(const struct ocl_device *d)
{
	return ocl_has(d, "cl_khr_integer_dot_product") ? NULL : "no cl_khr_integer_dot_product";
}

#define WIDTHS(name)                                                                               \
	{                                                                                          \
		{.id = name}, {.id = name "2"}, {.id = name "4", .quick = true}, {.id = name "8"}, \
		{                                                                                  \
			.id = name "16"                                                            \
		}                                                                                  \
	}
#define PLAIN_WIDTHS(name)                                                                         \
	{                                                                                          \
		{.id = name}, {.id = name "2"}, {.id = name "4"}, {.id = name "8"},                \
		{                                                                                  \
			.id = name "16"                                                            \
		}                                                                                  \
	}

static const struct reading floats[] = WIDTHS("float");
static const struct reading halves[] = PLAIN_WIDTHS("half");
static const struct reading doubles[] = PLAIN_WIDTHS("double");
static const struct reading mixed[] = PLAIN_WIDTHS("mp");
static const struct reading ints[] = PLAIN_WIDTHS("int");
static const struct reading chars[] = PLAIN_WIDTHS("char");
static const struct reading shorts[] = PLAIN_WIDTHS("short");
static const struct reading dots[] = PLAIN_WIDTHS("int8_dp");

#define COMPUTE(metrics, flags, word, id_, title_, description_)                                   \
	.readings = metrics, .n_readings = ARRAY_LEN(metrics), .source = opencl_chain,             \
	.options = "-cl-mad-enable " flags, .measure = measure,                                    \
	.test = {.id = id_,                                                                        \
		.title = title_,                                                                   \
		.category = "compute",                                                             \
		.homogeneous = true,                                                               \
		.axis = "vector width",                                                            \
		.unit = word,                                                                      \
		.description = description_}

#define REALS "one dependent multiply-add chain an element, two operations a step"
#define INTEGERS "one dependent x*x + x chain an element, two operations a step"

const struct ocl_test ocl_single = {
	COMPUTE(floats, "-DSCALAR=float -DRESULT=float -DKIND_REAL", "flops",
		"single_precision_compute", "Single-precision compute", REALS),
	.data = &(const struct arithmetic){{CHAIN_REAL, .tolerance = 1e-4}, RESULT_FLOAT, 2}};

const struct ocl_test ocl_half = {
	COMPUTE(halves, "-DSCALAR=half -DRESULT=float -DKIND_REAL", "flops",
		"half_precision_compute", "Half-precision compute", REALS),
	.lacks = lacks_fp16,
	.data = &(const struct arithmetic){{CHAIN_REAL, .tolerance = 0.1}, RESULT_FLOAT, 2}};

const struct ocl_test ocl_double = {
	COMPUTE(doubles, "-DSCALAR=double -DRESULT=double -DKIND_REAL", "flops",
		"double_precision_compute", "Double-precision compute", REALS),
	.lacks = lacks_fp64,
	.data = &(const struct arithmetic){{CHAIN_REAL, .tolerance = 1e-10}, RESULT_DOUBLE, 2}};

const struct ocl_test ocl_mixed = {
	COMPUTE(mixed, "-DSCALAR=float -DRESULT=float -DKIND_MIXED", "flops",
		"mixed_precision_compute", "Mixed-precision compute",
		"products of halves added to floats, two operations a step"),
	.lacks = lacks_fp16,
	.data = &(const struct arithmetic){{CHAIN_REAL, .tolerance = 0.1}, RESULT_FLOAT, 2}};

const struct ocl_test ocl_int = {COMPUTE(ints, "-DSCALAR=uint -DRESULT=uint", "ops",
					 "integer_compute", "Integer compute", INTEGERS),
	.data = &(const struct arithmetic){{CHAIN_INT, .bits = 32}, RESULT_UINT, 2}};

const struct ocl_test ocl_int_fast = {
	COMPUTE(ints, "-DSCALAR=uint -DRESULT=uint -DKIND_MAD24", "ops", "integer_compute_fast",
		"Integer compute, 24 bits", "mad24; " INTEGERS),
	.data = &(const struct arithmetic){{CHAIN_MAD24, .bits = 32}, RESULT_UINT, 2}};

const struct ocl_test ocl_char = {
	COMPUTE(chars, "-DSCALAR=uchar -DRESULT=uint", "ops", "integer_compute_char",
		"Integer compute, 8 bits", INTEGERS),
	.data = &(const struct arithmetic){{CHAIN_INT, .bits = 8}, RESULT_UINT, 2}};

const struct ocl_test ocl_short = {
	COMPUTE(shorts, "-DSCALAR=ushort -DRESULT=uint", "ops", "integer_compute_short",
		"Integer compute, 16 bits", INTEGERS),
	.data = &(const struct arithmetic){{CHAIN_INT, .bits = 16}, RESULT_UINT, 2}};

const struct ocl_test ocl_dot = {
	COMPUTE(dots, "-cl-std=CL3.0 -DSCALAR=uint -DRESULT=uint -DKIND_DOT", "ops",
		"integer_compute_int8_dp", "Integer compute, dot products of 8 bits",
		"one dependent chain an element of four products and four sums a step"),
	.lacks = lacks_dot,
	.data = &(const struct arithmetic){{CHAIN_DOT, .bits = 32}, RESULT_UINT, 8}};
