#include "arith.h"

#include "outcome.h"
#include "pool.h"

#include <stdlib.h>
#include <string.h>

/* Narrow to wide. */
static const struct kernel *const tables[] = {
	arith_sse, arith_avx2, arith_avx512, arith_amx, arith_arm};

static const struct kernel *nth_of(const struct kernel *table, int *n)
{
	const struct kernel *k;

	for (k = table; k->run; k++)
		if ((k->isa == ISA_COUNT || isa_has(k->isa)) && (*n)-- == 0)
			return k;
	return NULL;
}

/* Those in C only where there is nothing better. */
const struct kernel *arith_kernel(int n)
{
	const struct kernel *k;
	int from = n;
	size_t i;

	for (i = 0; i < ARRAY_LEN(tables); i++)
		if ((k = nth_of(tables[i], &n)))
			return k;
	return n == from ? nth_of(arith_generic, &n) : NULL;
}

const char *arith_variant(const struct kernel *k)
{
	return k->variant ? k->variant : isa_name(k->isa);
}

double arith_ops(const struct kernel *k)
{
	return (double)k->ops * k->registers * k->times;
}

/* ---- measuring ---- */

struct task {
	const struct kernel *kernel;
	int threads;
	struct operands *each;
};

static void slice(void *arg, int thread, int64_t iterations)
{
	const struct task *t = arg;

	t->kernel->run(&t->each[thread], iterations);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct task *t = arg;

	*ret_seconds = pool_run(t->threads, slice, t, iterations);
	(void)err;
	return 0;
}

static int prepare(struct task *t, struct err *err)
{
	int i;

	if (arith_check(t->kernel, err) < 0)
		return -1;
	t->each = aligned_alloc(_Alignof(struct operands), sizeof(*t->each) * (size_t)t->threads);
	if (!t->each)
		return err_set(err, ERR_IO, "no memory");
	for (i = 0; i < t->threads; i++)
		arith_fill(t->kernel, &t->each[i]);
	return 0;
}

static void measure(
	const struct kernel *k, int threads, const struct settings *s, struct outcome *ret)
{
	struct task t = {.kernel = k, .threads = threads};
	struct err err = ERR_INIT;

	if (prepare(&t, &err) < 0)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	else
		outcome_rate(ret, s, batch, &t, arith_ops(k), 0);
	free(t.each);
}

static void measure_one(const void *data, const struct settings *s, struct outcome *ret)
{
	measure(data, 1, s, ret);
}

static void measure_all(const void *data, const struct settings *s, struct outcome *ret)
{
	measure(data, pool_threads(), s, ret);
}

/* ---- the tests, in the order of the document ---- */

static const struct description {
	enum arith_type type;
	const char *id, *title, *word, *unit, *description;
} descriptions[] = {
	{ARITH_FP32, "single_precision_compute", "Single-precision compute", "float", "flops",
		"multiply-add of float in registers"},
	{ARITH_FP64, "double_precision_compute", "Double-precision compute", "double", "flops",
		"multiply-add of double in registers"},
	{ARITH_FP16, "half_precision_compute", "Half-precision compute", "half", "flops",
		"multiply-add of half in registers"},
	{ARITH_BF16, "bfloat16_compute", "BFloat16 compute", "bf16", "flops",
		"products of bf16 added to float in registers"},
	{ARITH_INT32, "integer_compute", "Integer compute", "int", "ops",
		"multiply-add of 32-bit integers in registers"},
	{ARITH_INT8, "integer_compute_int8_dp", "Integer compute, 8-bit dot product", "int8_dp",
		"ops", "products of 8-bit integers added to 32-bit ones in registers"},
	{ARITH_MATRIX_INT8, "matrix", "Matrix compute", "int8", "ops",
		"products of 8-bit integers added to 32-bit ones"},
	{ARITH_MATRIX_BF16, "matrix", "Matrix compute", "bf16", "flops",
		"products of bf16 added to float"},
};

static bool is_matrix(const struct kernel *k)
{
	return k->type == ARITH_MATRIX_INT8 || k->type == ARITH_MATRIX_BF16;
}

const struct kernel *arith_widest(enum arith_type type)
{
	const struct kernel *k, *found = NULL;
	int i;

	for (i = 0; (k = arith_kernel(i)); i++)
		if (k->type == type)
			found = k;
	return found;
}

static void list_readings(struct plan *plan, const struct description *d, const struct kernel *k)
{
	plan_reading(plan, &(struct reading){.id = plan_text(plan, "%s ST", d->word),
				   .unit = d->unit,
				   .description = is_matrix(k) ? d->description : NULL,
				   .quick = k == arith_widest(ARITH_FP32),
				   .measure = measure_one,
				   .data = k});
	plan_reading(plan, &(struct reading){.id = plan_text(plan, "%s MT", d->word),
				   .unit = d->unit,
				   .description = is_matrix(k) ? d->description : NULL,
				   .measure = measure_all,
				   .data = k});
}

static void list_test(struct plan *plan, const struct description *d, const struct kernel *k)
{
	plan_test(plan, &(struct test){.id = d->id,
				.variant = arith_variant(k),
				.title = d->title,
				.category = "compute",
				.homogeneous = !is_matrix(k),
				.axis = is_matrix(k) ? "data type" : "threads",
				.unit = d->unit,
				.description = is_matrix(k) ? "products of small matrices"
							    : d->description});
}

/* The types of matrices are readings of one test. */
static bool continues(const struct plan *plan, const struct kernel *k)
{
	const struct test *last = plan->n_tests ? &plan->tests[plan->n_tests - 1] : NULL;

	return is_matrix(k) && last && !strcmp(last->id, "matrix") &&
	       !strcmp(last->variant, arith_variant(k));
}

static void list(struct plan *plan, const struct settings *s)
{
	const struct kernel *k;
	size_t d;
	int i;

	(void)s;
	for (d = 0; d < ARRAY_LEN(descriptions); d++) {
		for (i = 0; (k = arith_kernel(i)); i++) {
			if (k->type != descriptions[d].type)
				continue;
			if (!continues(plan, k))
				list_test(plan, &descriptions[d], k);
			list_readings(plan, &descriptions[d], k);
		}
	}
}

const struct cpu_group cpu_arith = {.name = "arithmetic", .list = list};
