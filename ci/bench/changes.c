/*
 * changes: what finding the change points of a series costs a point, in processor time, by the
 * length of the series: each row a kind of series, the best of some rounds turn by turn.
 *
 *     changes MOST_POINTS      a power of ten; the ratio is that of its cost a point to that of
 * 1000
 */
#include "buf.h"
#include "changepoint.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/random.h"

enum { FEW = 1000, ROUNDS = 3, APART = 300 };

static uint64_t state;

/* -1 < . < 1, of about the variance of a normal distribution with 0.4 */
static double noise(void)
{
	return (double)(int64_t)random_next(&state) / 0x1p63 * 0.7;
}

static double quiet(size_t i, size_t n)
{
	(void)i;
	(void)n;
	return 0.02 * noise();
}

static double steps(size_t i, size_t n)
{
	(void)n;
	return 0.02 * noise() + (i / APART % 2 ? 0.05 : 0);
}

static double coarse(size_t i, size_t n)
{
	return round(100 * steps(i, n)) / 100;
}

static double ramp(size_t i, size_t n)
{
	return (double)i / (double)n;
}

static double slope(size_t i, size_t n)
{
	return 10 * (double)i / (double)n + 0.02 * noise();
}

static double walk(size_t i, size_t n)
{
	static double at;

	(void)n;
	at = i ? at + 0.02 * noise() : 0;
	return at;
}

static double alternating(size_t i, size_t n)
{
	(void)n;
	return i % 2 ? 0.05 : 0;
}

static double growing(size_t i, size_t n)
{
	return exp(700 * (double)i / (double)n);
}

static double extreme(size_t i, size_t n)
{
	(void)i;
	(void)n;
	return ldexp(noise(), (int)(random_next(&state) % 2000) - 1000);
}

static const struct kind {
	const char *name;
	double (*at)(size_t i, size_t n);
	bool usual; /* its ratio is asked for */
} kinds[] = {{"no step", quiet, true}, {"a step in 300", steps, true},
	{"... of coarse values", coarse, true}, {"ramp", ramp, false}, {"noisy ramp", slope, false},
	{"random walk", walk, false}, {"alternating", alternating, false},
	{"exponential", growing, false}, {"any exponent", extreme, false}};

static double *x;
static size_t *found, changes;

static double processor_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds for most points in series of n. */
static double once(const struct kind *k, size_t n, size_t most)
{
	struct changepoint_settings s = changepoint_defaults(n);
	double begin, sum = 0;
	size_t i, from;

	state = 1;
	changes = 0;
	for (from = 0; from < most; from += n) {
		for (i = 0; i < n; i++)
			x[i] = k->at(i, n);
		begin = processor_s();
		changes += changepoints(x, n, &s, found);
		sum += processor_s() - begin;
	}
	return sum;
}

static void print_row(const struct kind *k, size_t most)
{
	double few = INFINITY, many = INFINITY, ratio;
	int i;

	for (i = 0; i < (k->usual ? ROUNDS : 1); i++) {
		few = fmin(few, once(k, FEW, most));
		many = fmin(many, once(k, most, most));
	}
	ratio = many / few;
	printf("  %-21s %7.0f ns a point of %d, %7.0f of %zu (%zu changes); ratio %.2f", k->name,
		few / (double)most * 1e9, FEW, many / (double)most * 1e9, most, changes, ratio);
	printf(k->usual ? " (at most 2: %s)\n" : "\n", ratio <= 2 ? "ok" : "MISSED");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	size_t most = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 100000, i;

	x = xmalloc(most * sizeof(*x));
	found = xmalloc(most * sizeof(*found));
	for (i = 0; i < ARRAY_LEN(kinds); i++)
		print_row(&kinds[i], most);
	free(x);
	free(found);
	return 0;
}
