/*
 * suspects: how often the newest points of an unchanged series are suspect, and how soon those of a
 * series that changed are, by simulation. With the argument "full" (make bench-accuracy) it prints
 * a table; without, it is a test of fewer repetitions. Seeds are fixed.
 *
 * For comparison the table begins with plain winsorised FOCuS, which knows a level by the median
 * and the median absolute deviation of 60 points and looks for what got worse: points between two
 * false alarms, and until a step of two standard deviations is seen. The same then of
 * suspect_of(), to both sides, as the level grows from 60 points to 260. Last, of trend_of(): the
 * share of nights that an unchanged series is suspect, from its 20th to its 200th; and how many
 * points it takes until a step of two standard deviations is a step or suspect. A standard
 * deviation is half of what lies between the quantiles .16 and .84.
 */
#include "families.h"
#include "focus.h"
#include "order.h"
#include "suspect.h"
#include "trend.h"

#include "buf.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { KNOWN = 60, GROWN = 260, MOST_WAITED = 40, LONGEST = 5000, SAMPLE = 20001 };

static const double LEAST_SD = 0.001;

/* How much is repeated, and what is asked of families whose points know nothing of each other. */
enum { FULL = 500, BRIEF = 40 };
static const double MOST_NIGHTS = 0.005, LEAST_BETWEEN = 500;

static double deviation(const struct family *f)
{
	double *x = xmalloc(SAMPLE * sizeof(*x)), sd;
	uint64_t seed = 7;

	f->fill(&seed, x, SAMPLE);
	order_doubles(x, SAMPLE);
	sd = (order_quantile(x, SAMPLE, 0.84) - order_quantile(x, SAMPLE, 0.16)) / 2;
	free(x);
	return sd;
}

static void fill(const struct family *f, uint64_t *seed, double *x, size_t n, size_t at, double by)
{
	f->fill(seed, x, n);
	for (; at < n; at++)
		x[at] += by;
}

/* ---- plain FOCuS ---- */

static size_t plain_alarm(const double *x, size_t n)
{
	double known[KNOWN], median, sd;
	struct focus f = {0};
	size_t i, from;

	memcpy(known, x, sizeof(known));
	median = order_and_median(known, KNOWN);
	for (i = 0; i < KNOWN; i++)
		known[i] = fabs(x[i] - median);
	sd = MAD_SD * order_and_median(known, KNOWN);
	for (i = KNOWN; i < n; i++) {
		focus_add(
			&f, fmax(-SUSPECT_FARTHEST, fmin(SUSPECT_FARTHEST, (x[i] - median) / sd)));
		if (focus_most(&f, &from) > SUSPECT_ABOVE)
			break;
	}
	focus_release(&f);
	return i - KNOWN;
}

/* Points between two alarms. */
static double plain_between(const struct family *f, size_t series, uint64_t seed)
{
	double *x = xmalloc(LONGEST * sizeof(*x)), points = 0, alarms = 0;
	size_t i, n;

	for (i = 0; i < series; i++) {
		fill(f, &seed, x, LONGEST, 0, 0);
		n = plain_alarm(x, LONGEST);
		points += (double)n;
		alarms += n < LONGEST - KNOWN;
	}
	free(x);
	return points / alarms;
}

static double plain_delay(const struct family *f, size_t series, uint64_t seed)
{
	double x[KNOWN + MOST_WAITED], sum = 0;
	size_t i;

	for (i = 0; i < series; i++) {
		fill(f, &seed, x, KNOWN + MOST_WAITED, KNOWN, 2 * deviation(f));
		sum += 1 + (double)plain_alarm(x, KNOWN + MOST_WAITED);
	}
	return sum / (double)series;
}

/* ---- suspect_of ---- */

static bool is_suspect(const double *x, size_t n)
{
	size_t from;

	return suspect_of(x, n, LEAST_SD, 1, &from) != 0;
}

/* An alarm is a night that is suspect after one that is not. */
static double between(const struct family *f, size_t series, uint64_t seed)
{
	double x[GROWN], points = 0, alarms = 0;
	size_t i, n;

	for (i = 0; i < series; i++) {
		bool before = false;
		fill(f, &seed, x, GROWN, 0, 0);
		for (n = KNOWN; n <= GROWN; n++) {
			bool now = is_suspect(x, n);
			alarms += now && !before;
			before = now;
			points++;
		}
	}
	return points / alarms;
}

static double delay(const struct family *f, size_t series, uint64_t seed)
{
	double x[KNOWN + MOST_WAITED], sum = 0, sd = deviation(f);
	size_t i, n;

	for (i = 0; i < series; i++) {
		fill(f, &seed, x, KNOWN + MOST_WAITED, KNOWN, 2 * sd);
		for (n = 1; n < MOST_WAITED && !is_suspect(x, KNOWN + n); n++)
			;
		sum += (double)n;
	}
	return sum / (double)series;
}

/* ---- trend_of ---- */

static struct trend trend(const double *logs, size_t n)
{
	static const struct trend_rule rule = {.direction = DIRECTION_LOWER, .tolerance = 0.01};
	double x[GROWN];
	struct trend t;
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = exp(logs[i]);
	trend_of(x, n, &rule, &t);
	return t;
}

static double nights(const struct family *f, size_t series, uint64_t seed)
{
	double x[200], suspect = 0, all = 0;
	size_t i, n;

	for (i = 0; i < series; i++) {
		fill(f, &seed, x, 200, 0, 0);
		for (n = 20; n <= 200; n += 10) {
			struct trend t = trend(x, n);
			suspect += t.suspect.is;
			all++;
			trend_release(&t);
		}
	}
	return suspect / all;
}

/* Whether the change after so many points is a step or suspect. */
static bool is_seen(const double *x, size_t n, size_t at)
{
	struct trend t = trend(x, n);
	bool seen = t.suspect.is;
	size_t i;

	for (i = 0; i < t.n_steps; i++)
		seen |= t.steps[i].at + AGREE >= at;
	trend_release(&t);
	return seen;
}

static double trend_delay(const struct family *f, size_t series, uint64_t seed)
{
	double x[KNOWN + MOST_WAITED], sum = 0, sd = deviation(f);
	size_t i, n;

	for (i = 0; i < series; i++) {
		fill(f, &seed, x, KNOWN + MOST_WAITED, KNOWN, 2 * sd);
		for (n = 1; n < MOST_WAITED && !is_seen(x, KNOWN + n, KNOWN); n++)
			;
		sum += (double)n;
	}
	return sum / (double)series;
}

/* ---- the table, and the test ---- */

static bool print_row(const struct family *f, uint64_t seed)
{
	double found = nights(f, FULL, seed), apart = between(f, FULL, seed);
	bool good = !f->independent || (found <= MOST_NIGHTS && apart >= LEAST_BETWEEN);

	printf("  %-19s %7.0f %6.1f %8.0f %6.1f %8.2f %% %6.1f%s\n", f->name,
		plain_between(f, FULL / 2, seed), plain_delay(f, FULL, seed), apart,
		delay(f, FULL, seed), 100 * found, trend_delay(f, FULL / 5, seed),
		!f->independent || good ? "" : "  MISSED");
	return good;
}

static int print_table(void)
{
	bool good = true;

	printf("Suspects of unchanged series, and of a step of two standard deviations. Asked of "
	       "the first five: at\nmost %g %% of nights, at least %g points between alarms.\n",
		100 * MOST_NIGHTS, LEAST_BETWEEN);
	printf("  %-19s %-14s %-15s %-18s\n", "", "plain FOCuS", "suspect_of", "trend_of");
	printf("  %-19s %7s %6s %8s %6s %10s %6s\n", "", "between", "delay", "between", "delay",
		"nights", "delay");
	for (size_t i = 0; i < N_FAMILIES; i++)
		good = print_row(&families[i], 1000 * (i + 1)) && good;
	return good ? 0 : 1;
}

/* With fewer nights a figure may miss its limit by three standard deviations of chance; a suspicion
 * lasts for some nights, of which one in ten is looked at. */
static void test_family(const struct family *f, uint64_t seed)
{
	double n = BRIEF * 19, found = n * nights(f, BRIEF, seed), most = n * MOST_NIGHTS;
	double waited = delay(f, BRIEF, seed);
	_cleanup_(freep) char *what = xasprintf("%s: unchanged series are not suspect", f->name);
	_cleanup_(freep) char *other = xasprintf("%s: a step is suspect soon", f->name);

	if (!OK(found <= most + 3 * sqrt(most), what))
		printf("# %g of %g nights\n", found, n);
	if (!OK(waited <= 12, other))
		printf("# after %g points\n", waited);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full"))
		return print_table();
	for (size_t i = 0; i < N_FAMILIES; i++)
		if (families[i].independent)
			test_family(&families[i], 1000 * (i + 1));
	return tap_done();
}
