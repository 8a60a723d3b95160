/*
 * fma: how much of the arithmetic that the processor could do at most the probe's kernels do: fp32
 * and fp64, one thread, the widest instruction set. The clock is read by a chain of the same
 * instruction in which each step waits for the one before, so that steps a cycle are known from its
 * latency; both run by turns for half a millisecond, and what a change of the clock or another
 * program came between is left out.
 *
 *     fma      prints "TYPE VARIANT GFLOPS MHZ RATIO HIGHEST TURNS", all but the last two of the
 *              turn with the median ratio; "unknown" where the table does not have the processor
 */
#include "arith.h"
#include "model.h"
#include "num.h"
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
	void (*run)(struct operands *o, int64_t iterations);
	struct operands *operands;
	int64_t iterations; /* about half a millisecond */
};

static void slice(void *arg, int thread, int64_t iterations)
{
	struct work *w = arg;

	w->run(w->operands, iterations);
	(void)thread;
}

/* Seconds of an iteration. */
static double turn(struct work *w)
{
	return pool_run(1, slice, w, w->iterations) / (double)w->iterations;
}

static void size(struct work *w)
{
	int i;

	w->iterations = 1000;
	for (i = 0; i < 20; i++) {
		w->iterations = (int64_t)(0.5e-3 / turn(w));
		if (w->iterations < 1)
			w->iterations = 1;
	}
}

struct found {
	double ratio, flops, clock;
};

static int ascending(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* A turn between two chains that saw another clock says nothing. */
static int take_turn(struct found *ret, struct work *chain, struct work *kernel,
	const struct kernel *k, const struct model *m)
{
	double before = turn(chain), seconds = turn(kernel), after = turn(chain);
	double least = before < after ? before : after;

	if (before + after - 2 * least > 0.01 * least)
		return -1;
	ret->clock = CHAIN_STEPS * m->latency / least;
	ret->ratio = k->registers * k->times / seconds / (m->units * ret->clock);
	ret->flops = arith_ops(k) / seconds;
	return 0;
}

static void show(const struct kernel *k, const struct model *m)
{
	enum { TURNS = 600 };
	static struct operands o[2];
	static struct found f[TURNS];
	struct work chain = {k->chain, &o[0], 0}, kernel = {k->run, &o[1], 0};
	int i, n = 0;

	arith_fill(k, &o[0]);
	arith_fill(k, &o[1]);
	size(&chain);
	size(&kernel);
	for (i = 0; i < TURNS; i++)
		if (take_turn(&f[n], &chain, &kernel, k, m) == 0)
			n++;
	if (n == 0)
		return;
	qsort(f, (size_t)n, sizeof(*f), ascending);
	printf("%s %s %.1f %.0f %.3f %.3f %d\n", k->type == ARITH_FP32 ? "fp32" : "fp64",
		arith_variant(k), f[n / 2].flops / 1e9, f[n / 2].clock / 1e6, f[n / 2].ratio,
		f[n - 1].ratio, n);
}

int main(void)
{
	static const enum arith_type types[] = {ARITH_FP32, ARITH_FP64};
	const struct kernel *k;
	const struct model *m;
	size_t i;

	for (i = 0; i < ARRAY_LEN(types); i++) {
		k = arith_widest(types[i]);
		m = k && k->chain ? model_find(k->isa) : NULL;
		if (m)
			show(k, m);
		else
			puts("unknown");
	}
	pool_close();
	return 0;
}
