/*
 * Known answers: Darwin's maize, for which Fisher (The Design of Experiments, section 21) counts
 * 863 of the 32768 sums as at least as large as the observed one; R 4.2.2 (perm.test() of
 * exactRankTests 0.8-35, wilcox.test(), qsignrank()); and going through all patterns.
 */
#include "buf.h"
#include "random.h"
#include "signflip.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Crossed minus self-fertilised, in eighths of an inch. */
static const double maize[] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};

enum { MAIZE = sizeof(maize) / sizeof(*maize) };

static double by_all_patterns(const double *d, size_t n)
{
	double observed = 0, magnitude = 0, reached = 0;

	for (size_t i = 0; i < n; i++) {
		observed += d[i];
		magnitude += fabs(d[i]);
	}
	for (uint32_t pattern = 0; pattern < UINT32_C(1) << n; pattern++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += pattern >> i & 1 ? d[i] : -d[i];
		reached += sum >= observed - 1e-12 * magnitude;
	}
	return ldexp(reached, -(int)n);
}

static double some_number(uint64_t *seed, int whole)
{
	double x = (double)(random_next(seed) >> 11) * 0x1p-53 - .45;

	return whole ? round(8 * x) : x;
}

static void test_patterns(void)
{
	uint64_t seed = 7;
	bool good = true, tied = true;

	for (size_t n = 1; n <= 12; n++) {
		for (int k = 0; k < 40; k++) {
			double d[12];

			for (size_t i = 0; i < n; i++)
				d[i] = some_number(&seed, k % 2);
			if (signflip_p(d, n) != by_all_patterns(d, n))
				*(k % 2 ? &tied : &good) = false;
		}
	}
	OK(good, "p of up to 12 differences is that of all their patterns");
	OK(tied, "with ties and zeros, too");
}

static void test_known(void)
{
	double d[SIGNFLIP_MAX];
	struct evidence e;
	double base[MAIZE], head[MAIZE];

	OK(signflip_p(maize, MAIZE) == 863. / 32768, "Fisher's answer for Darwin's maize");
	for (size_t i = 0; i < SIGNFLIP_MAX; i++)
		d[i] = 1 + (double)i;
	OK(signflip_p(d, SIGNFLIP_MAX) == 0x1p-32,
		"32 pairs of one direction: one pattern of 2^32");
	for (size_t i = 0; i < MAIZE; i++) {
		base[i] = i % 2 ? -1000 : 1000;
		head[i] = base[i] + maize[i];
	}
	signflip_compare(head, base, MAIZE, &e);
	OK(!e.logs && e.relative && e.p_up == 863. / 32768, "values of both signs are subtracted");
}

static void test_ties(void)
{
	static const struct {
		double d[16];
		size_t n;
		double reached; /* perm.test(d, 0, paired, exact, "greater"), times 2^n */
	} known[] = {
		{{3, 0, 0, 5, -2, 2, 2, 7, -1, 0, 4, 4}, 12, 72},
		{{1, 1, 1, 1, 1, -1, -1, 2, 0, 0}, 10, 120},
		{{5}, 1, 1},
		{{-5}, 1, 2},
		{{0, 0, 0}, 3, 8},
		{{10, -9, 8, -7, 6, -5, 4, 3, 2, 1, 11, -12, 13, 14, -15, 16}, 16, 10568},
		{{1, 2, 4, 8, 16, 32, -64, 128, 256, 512, 1024, -2048, 4096, 8192, -16384, 32768},
			16, 18497},
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		OK(signflip_p(known[i].d, known[i].n) == ldexp(known[i].reached, -(int)known[i].n),
			"ties, zeros, one pair: what R says");
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The means of two differences between which the interval of n ends, by their place from outside:
 * qsignrank(.025, n), n from 6 to 32. */
static void test_interval(void)
{
	static const size_t outside[] = {1, 3, 4, 6, 9, 11, 14, 18, 22, 26, 30, 35, 41, 47, 53, 59,
		66, 74, 82, 90, 99, 108, 117, 127, 138, 148, 160};
	double d[SIGNFLIP_MAX], none[SIGNFLIP_MAX] = {0}, walsh[SIGNFLIP_MAX * SIGNFLIP_MAX];
	uint64_t seed = 11;
	bool good = true;

	for (size_t n = 6; n <= SIGNFLIP_MAX; n++) {
		const size_t k = outside[n - 6];
		struct evidence e;
		size_t count = 0;
		for (size_t i = 0; i < n; i++)
			d[i] = some_number(&seed, 0);
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				walsh[count++] = (d[i] + d[j]) / 2;
		qsort(walsh, count, sizeof(*walsh), compare);
		signflip_compare(d, none, n, &e);
		good &= e.low == walsh[k - 1] && e.high == walsh[count - k];
	}
	OK(good, "the intervals of 6 to 32 pairs end where R's do");
}

static void test_wilcox(void)
{
	static const double d[] = {
		.013, -.021, .034, .0055, .047, .0012, -.0031, .028, .019, .0087};
	double none[10] = {0}, base[10], head[10];
	struct evidence e;

	signflip_compare(d, none, 10, &e);
	OK(!e.logs && !e.relative && fabs(e.change - .013) < 1e-15 &&
			fabs(e.low + .00095) < 1e-15 && fabs(e.high - .02785) < 1e-15,
		"estimate and interval are those of wilcox.test(d, conf.int = TRUE)");
	for (size_t i = 0; i < 10; i++) {
		base[i] = 7 + (double)(i * i);
		head[i] = base[i] * exp(d[i]);
	}
	signflip_compare(head, base, 10, &e);
	OK(e.logs && fabs(e.change - expm1(.013)) < 1e-14 && fabs(e.low - expm1(-.00095)) < 1e-14 &&
			fabs(e.high - expm1(.02785)) < 1e-14,
		"... and of quotients");
}

/* Whatever can be stored is compared. */
static void test_extremes(void)
{
	double large[10], small[10], opposite[10];
	struct evidence e;

	for (size_t i = 0; i < 10; i++) {
		large[i] = DBL_MAX / (double)(i + 1);
		small[i] = 5e-324 * (double)(i + 1);
		opposite[i] = -large[i];
	}
	signflip_compare(large, small, 10, &e);
	OK(e.p_up == 0x1p-10 && e.p_down == 1, "from the smallest number to the largest");
	signflip_compare(small, large, 10, &e);
	OK(e.p_up == 1 && e.p_down == 0x1p-10 && e.change == -1, "and back");
	signflip_compare(large, opposite, 10, &e);
	OK(e.p_up == 0x1p-10 && e.p_down == 1 && e.change > 0, "from the least to the greatest");
	signflip_compare(large, large, 1, &e);
	OK(e.p_up == 1 && e.p_down == 1 && e.change == 0 && isinf(e.low), "one pair of the same");
	OK(!isnan(e.spread) && e.spread == 0, "... has no spread");
}

static void test_change(void)
{
	double base[10], head[10];
	struct evidence e;

	for (size_t i = 0; i < 10; i++) {
		base[i] = 100 + 37. * (double)(i * i);
		head[i] = base[i] * 1.1 * exp(.001 * ((double)i - 4.5));
	}
	signflip_compare(head, base, 10, &e);
	OK(e.logs && e.relative && fabs(e.change - .1) < 1e-9,
		"10 % more, however the machine moves");
	OK(e.low < e.change && e.change < e.high && e.low > .09 && e.high < .11,
		"and its interval");
	OK(e.p_up == 0x1p-10 && e.p_down == 1, "p is the least there is, and 1 the other way");
	/* one pattern of 64 has a signed-rank statistic of 0, two have at most 1: 2.5 % lie between
	 */
	signflip_compare(head, base, 6, &e);
	OK(fabs(e.low - (1.1 * exp(-.0045) - 1)) < 1e-9 &&
			fabs(e.high - (1.1 * exp(.0005) - 1)) < 1e-9,
		"the interval of six pairs is from the least difference to the greatest");
	for (size_t i = 0; i < 10; i++) {
		base[i] = -base[i];
		head[i] = -head[i];
	}
	signflip_compare(head, base, 10, &e);
	OK(fabs(e.change + .1) < 1e-9 && e.low < e.change && e.change < e.high,
		"of negative numbers, it is a decrease");
	OK(e.p_down == 0x1p-10, "and so says p");
	signflip_compare(head, base, 5, &e);
	OK(isinf(e.low) && isinf(e.high), "5 pairs have no interval");
	signflip_compare(base, base, 10, &e);
	OK(e.p_up == 1 && e.p_down == 1 && e.change == 0 && e.spread == 0, "the same is no change");
}

static void test_needed(void)
{
	struct evidence e = {
		.n_head = 10, .n_base = 10, .logs = true, .relative = true, .spread = .01};

	OK(signflip_needed(&e, .05, 0) == 6, "with six pairs p and the interval can tell");
	OK(signflip_needed(&e, .05 / 200, 0) == 12, "among 200 series it takes 12");
	OK(signflip_needed(&e, .05, .01) > 10, "noise as large as the tolerance takes more");
	e.spread = 10;
	OK(signflip_needed(&e, .05, .01) == SIGNFLIP_MAX + 1,
		"and much noise more than there can be");
	e.spread = .01;
	OK(signflip_detectable(&e, .05, 0) > 0 && signflip_detectable(&e, .05, 0) < .02,
		"what ten pairs would see");
	e.n_head = e.n_base = 4;
	OK(isinf(signflip_detectable(&e, .05, 0)), "four pairs see nothing at .05");
}

int main(void)
{
	test_patterns();
	test_known();
	test_ties();
	test_interval();
	test_wilcox();
	test_extremes();
	test_change();
	test_needed();
	return tap_done();
}
