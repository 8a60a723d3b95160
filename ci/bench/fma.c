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
#include "num.h"
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Latency in cycles, and how many of the widest vectors begin each cycle. Sources: Intel's
 * optimization manual, AMD's optimization guides, uops.info. */
static const struct model {
	char vendor[16];
	unsigned family, first, last;
	enum isa isa;
	int latency, units;
} models[] = {
	{"GenuineIntel", 6, 85, 85, ISA_AVX512, 4, 2},   /* Skylake, Cascade Lake, Cooper Lake */
	{"GenuineIntel", 6, 106, 106, ISA_AVX512, 4, 2}, /* Ice Lake, server */
	{"GenuineIntel", 6, 126, 126, ISA_AVX512, 4, 1}, /* Ice Lake, client */
	{"GenuineIntel", 6, 140, 141, ISA_AVX512, 4, 1}, /* Tiger Lake */
	{"GenuineIntel", 6, 143, 143, ISA_AVX512, 4, 2}, /* Sapphire Rapids */
	{"GenuineIntel", 6, 173, 173, ISA_AVX512, 4, 2}, /* Granite Rapids */
	{"GenuineIntel", 6, 207, 207, ISA_AVX512, 4, 2}, /* Emerald Rapids */
	{"GenuineIntel", 6, 78, 78, ISA_AVX2, 4, 2},     /* Skylake, client */
	{"GenuineIntel", 6, 94, 94, ISA_AVX2, 4, 2},
	{"GenuineIntel", 6, 142, 142, ISA_AVX2, 4, 2}, /* Kaby Lake, Coffee Lake */
	{"GenuineIntel", 6, 158, 158, ISA_AVX2, 4, 2},
	{"AuthenticAMD", 23, 48, 175, ISA_AVX2, 5, 2}, /* Zen 2 */
	{"AuthenticAMD", 25, 0, 15, ISA_AVX2, 4, 2},   /* Zen 3 */
	{"AuthenticAMD", 25, 32, 95, ISA_AVX2, 4, 2},
	{"AuthenticAMD", 25, 16, 31, ISA_AVX512, 4, 1}, /* Zen 4 */
	{"AuthenticAMD", 25, 96, 127, ISA_AVX512, 4, 1},
	{"AuthenticAMD", 25, 160, 175, ISA_AVX512, 4, 1},
	{"AuthenticAMD", 26, 0, 31, ISA_AVX512, 4, 2}, /* Zen 5, server */
};

#if defined(__x86_64__)
static const struct model *find_model(enum isa isa)
{
	unsigned a, b, c, d, family, number, words[3];
	char vendor[16] = "";
	size_t i;

	if (!__get_cpuid(0, &a, &words[0], &words[2], &words[1]) || !__get_cpuid(1, &a, &b, &c, &d))
		return NULL;
	memcpy(vendor, words, sizeof(words));
	family = (a >> 8 & 15) + ((a >> 8 & 15) == 15 ? a >> 20 & 255 : 0);
	number = (a >> 4 & 15) + (a >> 12 & 0xf0);
	for (i = 0; i < ARRAY_LEN(models); i++)
		if (!strcmp(models[i].vendor, vendor) && models[i].family == family &&
			number >= models[i].first && number <= models[i].last &&
			models[i].isa == isa)
			return &models[i];
	return NULL;
}
#else
static const struct model *find_model(enum isa isa)
{
	(void)isa;
	return NULL;
}
#endif

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

static const struct kernel *widest(enum arith_type type)
{
	const struct kernel *k, *found = NULL;
	int i;

	for (i = 0; (k = arith_kernel(i)); i++)
		if (k->type == type)
			found = k;
	return found;
}

int main(void)
{
	static const enum arith_type types[] = {ARITH_FP32, ARITH_FP64};
	const struct kernel *k;
	const struct model *m;
	size_t i;

	for (i = 0; i < ARRAY_LEN(types); i++) {
		k = widest(types[i]);
		m = k && k->chain ? find_model(k->isa) : NULL;
		if (m)
			show(k, m);
		else
			puts("unknown");
	}
	pool_close();
	return 0;
}
