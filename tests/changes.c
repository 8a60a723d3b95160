/*
 * changes: how well the change points of a series are found, by simulation. Six families of noise;
 * a series either stays as it is, or has three steps, up, down and up again, a quarter of it apart.
 *
 * Printed for each family: the change points of an unchanged series, as a mean; then, of the series
 * with steps, F1 = 2 hits / (found + true), where a step is hit by a change point within three
 * points, each serving once; then F1 of smaller steps, and both of a short series. With the
 * argument "full" (make bench-accuracy) it prints a table; without, it is a test of fewer
 * repetitions, whose figures may miss their limits by what chance adds.
 *
 * Settings were chosen on another seed: these series took no part in it.
 */
#include "changepoint.h"

#include "buf.h"
#include "families.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { LONG = 120, SHORT = 40, STEPS = 3, MARGIN = 3, FULL = 2000, BRIEF = 100 };

/* What is asked of long series with steps of 5 %. */
static const struct aim {
	const struct family *noise;
	double most_false, least_f1;
} aims[] = {{&families[NORMAL], 0.05, 0.97}, {&families[SKEWED], 0.05, 0.98},
	{&families[SPIKES], 0.05, 0.95}, {&families[BIMODAL], 0.05, 0.85},
	{&families[AUTOCORRELATED], 1, 0.85}, {&families[MACHINES], 1, 0.72}};

/* ---- one figure ---- */

struct counts {
	size_t found, hits, series;
};

/* Level after level, the second and the fourth higher. */
static void add_steps(double *x, size_t n, double step)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] += i * (STEPS + 1) / n % 2 ? log1p(step) : 0;
}

static size_t count_hits(const size_t *found, size_t n_found, size_t n)
{
	size_t k, i, best, hits = 0, from = 0;

	for (k = 1; k <= STEPS; k++) {
		size_t at = k * n / (STEPS + 1), off = MARGIN + 1;
		for (i = best = from; i < n_found; i++) {
			size_t d = found[i] < at ? at - found[i] : found[i] - at;
			if (d < off) {
				off = d;
				best = i;
			}
		}
		if (off > MARGIN)
			continue;
		hits++;
		from = best + 1;
	}
	return hits;
}

static struct counts count(
	const struct family *f, size_t n, double step, size_t series, uint64_t seed)
{
	struct changepoint_settings settings = changepoint_defaults(n);
	struct counts c = {.series = series};
	double x[LONG];
	size_t found[LONG], n_found, i;

	for (i = 0; i < series; i++) {
		f->fill(&seed, x, n);
		if (step > 0)
			add_steps(x, n, step);
		n_found = changepoints(x, n, &settings, found);
		c.found += n_found;
		c.hits += step > 0 ? count_hits(found, n_found, n) : 0;
	}
	return c;
}

static double per_series(struct counts c)
{
	return (double)c.found / (double)c.series;
}

static double f1(struct counts c)
{
	return 2 * (double)c.hits / (double)(c.found + STEPS * c.series);
}

/* ---- the table, and the test ---- */

static const char *verdict(bool good)
{
	return good ? "ok" : "MISSED";
}

static void print_row(const struct aim *f, uint64_t seed)
{
	double quiet = per_series(count(f->noise, LONG, 0, FULL, seed));
	double found = f1(count(f->noise, LONG, 0.05, FULL, seed + 1));
	double small = f1(count(f->noise, LONG, 0.03, FULL, seed + 2));
	double short_quiet = per_series(count(f->noise, SHORT, 0, FULL, seed + 3));
	double short_found = f1(count(f->noise, SHORT, 0.05, FULL, seed + 4));

	printf("  %-19s %6.3f (%s %.2f: %-6s) %6.3f (at least %.2f: %-6s) %6.3f %8.3f %6.3f\n",
		f->noise->name, quiet, f->most_false < 1 ? "at most" : "under  ", f->most_false,
		verdict(f->most_false < 1 ? quiet <= f->most_false : quiet < f->most_false), found,
		f->least_f1, verdict(found >= f->least_f1), small, short_quiet, short_found);
}

static void print_table(void)
{
	size_t i;

	printf("Simulated series of %d points, %d of each; the last two columns: of %d points\n",
		LONG, FULL, SHORT);
	printf("  %-19s %6s %-23s %6s %-24s %6s %8s %6s\n", "", "false", "", "F1 5 %", "", "3 %",
		"false", "5 %");
	for (i = 0; i < ARRAY_LEN(aims); i++)
		print_row(&aims[i], 1000 * (i + 1));
}

/* Three standard deviations of chance: of counts that are Poisson's, and of shares. */
static void test_family(const struct aim *f, uint64_t seed)
{
	struct counts quiet = count(f->noise, LONG, 0, BRIEF, seed);
	struct counts steps = count(f->noise, LONG, 0.05, BRIEF, seed + 1);
	double allowed = f->most_false * BRIEF, n = STEPS * BRIEF;
	_cleanup_(freep) char *what =
		xasprintf("%s: unchanged series are left alone", f->noise->name);
	_cleanup_(freep) char *other = xasprintf("%s: steps of 5 %% are found", f->noise->name);

	if (!OK((double)quiet.found <= allowed + 3 * sqrt(allowed), what))
		printf("# %zu in %d series\n", quiet.found, BRIEF);
	if (!OK(f1(steps) >= f->least_f1 - 3 * sqrt(f->least_f1 * (1 - f->least_f1) / n), other))
		printf("# F1 %g\n", f1(steps));
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "full")) {
		print_table();
		return 0;
	}
	for (i = 0; i < ARRAY_LEN(aims); i++)
		test_family(&aims[i], 1000 * (i + 1));
	return tap_done();
}
