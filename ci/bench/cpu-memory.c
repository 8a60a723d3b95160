/*
 * cpu-memory: the CPU's probe of memory against what the same machine can do in the same minute:
 * main memory against plain loops (plain-stream.h), the best of several turns of each; the caches
 * against bytes a cycle, the clock read before and behind each turn by a chain of multiply-adds,
 * and the median of the turns between two that agree.
 *
 *     cpu-memory [TURNS]
 */
#include "arith.h"
#include "dram.h"
#include "memory.h"
#include "model.h"
#include "plain-stream.h"
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct settings brief = {
	.target_ns = 100000000, .repeat = 3, .memory_max = INT64_C(1) << 30};

static double best_of(const struct outcome *o, double best)
{
	int i;

	if (o->status != OUTCOME_OK)
		printf("  no reading: %s\n", o->reason);
	for (i = 0; i < o->n; i++)
		best = o->values[i] > best ? o->values[i] : best;
	return best;
}

static double plain_best(enum plain_way way, double best)
{
	double rate;
	int i;

	if (plain_begin((long)memory_set(&brief), pool_threads()) < 0)
		return best;
	for (i = 0; i < brief.repeat; i++) {
		rate = plain_round(way);
		best = rate > best ? rate : best;
	}
	plain_end();
	return best;
}

static const char *verdict(double ratio, double least)
{
	return ratio >= least ? "ok" : "MISSED";
}

static void bench_dram(int turns)
{
	static const char *const names[] = {"read", "copy", "triad"};
	double probe[PLAIN_WAYS] = {0}, plain[PLAIN_WAYS] = {0};
	int turn, way;

	for (turn = 0; turn < turns; turn++)
		for (way = 0; way < PLAIN_WAYS; way++) {
			struct outcome o = {.status = OUTCOME_OK};
			dram_measure(stream_widest(), (enum dram_way)way, &brief, &o);
			probe[way] = best_of(&o, probe[way]);
			plain[way] = plain_best((enum plain_way)way, plain[way]);
		}
	for (way = 0; way < PLAIN_WAYS; way++)
		printf("  main memory, %s, %d threads: %.1f GB/s; a plain loop %.1f GB/s; ratio %.2f (at least 1.00: %s)\n",
			names[way], pool_threads(), probe[way] * 1e-9, plain[way] * 1e-9,
			probe[way] / plain[way], verdict(probe[way] / plain[way], 1));
}

/* ---- the caches ---- */

struct reader {
	struct area area;
	int64_t ring, steps; /* about a quarter of a millisecond */
	uint64_t sum;
};

static void read_slice(void *arg, int thread, int64_t iterations)
{
	struct reader *r = arg;

	(void)thread;
	r->sum ^= stream_widest()->read_ring(r->area.p, (size_t)r->ring, iterations);
}

struct chain {
	const struct kernel *kernel;
	struct operands operands;
	int latency; /* cycles */
};

static void chain_slice(void *arg, int thread, int64_t iterations)
{
	struct chain *c = arg;

	(void)thread;
	c->kernel->chain(&c->operands, iterations);
}

static double clock_hz(struct chain *c)
{
	enum { ITERATIONS = 1000 };

	return (double)ITERATIONS * CHAIN_STEPS * c->latency /
	       pool_run(1, chain_slice, c, ITERATIONS);
}

/* The chain in the vectors that read, where their latency is known. */
static bool find_chain(struct chain *c)
{
	const struct model *m = NULL;
	const struct kernel *k;
	int i;

	for (i = 0; !m && (k = arith_kernel(i)); i++)
		if (k->type == ARITH_FP32 && k->chain && k->bytes == stream_widest()->vector &&
			(m = model_find(k->isa)) != NULL) {
			c->kernel = k;
			c->latency = m->latency;
			arith_fill(k, &c->operands);
		}
	return m != NULL;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void bench_cache(struct chain *c, const char *name, int64_t ring, double bytes, double least)
{
	enum { TURNS = 600 };
	struct reader r = {.ring = ring, .steps = (INT64_C(64) << 20) / STREAM_STEP};
	struct err err = ERR_INIT;
	double shares[TURNS], before, after, seconds;
	int turn, n = 0;

	if (area_take(&r.area, ring, PAGES_HUGE, &err) < 0)
		return;
	memset(r.area.p, 1, (size_t)ring);
	for (turn = 0; turn < TURNS; turn++) {
		before = clock_hz(c);
		seconds = pool_run(1, read_slice, &r, r.steps);
		after = clock_hz(c);
		if (after / before < 1.01 && before / after < 1.01)
			shares[n++] = (double)r.steps * STREAM_STEP / seconds / (bytes * before);
	}
	area_release(&r.area);
	if (n == 0)
		return;
	qsort(shares, (size_t)n, sizeof(*shares), ascending);
	printf("  %s, one thread: share of %.0f bytes a cycle %.2f, the median of %d turns, the highest tenth %.2f (at least %.2f: %s)\n",
		name, bytes, shares[n / 2], n, shares[n - 1 - n / 10], least,
		verdict(shares[n - 1 - n / 10], least));
}

static void bench_caches(void)
{
	static struct chain c;

	if (!find_chain(&c)) {
		puts("  the caches: the clock of this processor cannot be read: no ratio");
		return;
	}
	bench_cache(&c, "L1", 16384, 2.0 * stream_widest()->vector, 0.85);
	bench_cache(&c, "L2", 1 << 20, 64, 0.80);
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 3;

	bench_dram(turns);
	bench_caches();
	pool_close();
	return 0;
}
