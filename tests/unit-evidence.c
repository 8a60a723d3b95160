/*
 * Known answers by R 4.2.2 (wilcox.test, pwilcox, qnorm, pbinom; wilcox_test of coin 1.4-2 with
 * distribution = "exact", and wilcox.exact of exactRankTests, for ties) on R's own data sets, by
 * SciPy 1.10.1, and by going through all divisions of small samples.
 */
#include "distribution.h"
#include "evidence.h"
#include "order.h"
#include "ranks-exact.h"
#include "ranks.h"
#include "shift.h"
#include "tap.h"

#include "buf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void near(double got, double expected, double relative, const char *what)
{
	bool good = got == expected || fabs(got - expected) <= relative * fabs(expected);

	if (!OK(good, what))
		printf("# expected: %.17g\n#      got: %.17g\n", expected, got);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const double permeability[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
		    permeability_early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
static const double sleep1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
		    sleep2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
static const double ozone_may[] = {41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30,
	11, 1, 11, 4, 32, 23, 45, 115, 37};
static const double ozone_august[] = {39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23,
	31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85};
static const double tooth_vc[] = {4.2, 11.5, 7.3, 5.8, 6.4, 10, 11.2, 11.2, 5.2, 7, 16.5, 16.5,
	15.2, 17.3, 22.5, 17.3, 13.6, 14.5, 18.8, 15.5, 23.6, 18.5, 33.9, 25.5, 26.4, 32.5, 26.7,
	21.5, 23.3, 29.5};
static const double tooth_oj[] = {15.2, 21.5, 17.6, 9.7, 14.5, 10, 8.2, 9.4, 16.5, 9.7, 19.7, 23.3,
	23.6, 26.4, 20, 25.2, 25.8, 21.2, 14.5, 27.3, 25.5, 26.4, 22.4, 24.5, 24.8, 30.9, 26.4,
	27.3, 29.4, 23};
static const double nile[] = {1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935,
	1110, 994, 1020, 960, 1180, 799, 958, 1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100,
	774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969, 831, 726, 456, 824, 702, 1120,
	1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944,
	984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749,
	838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714,
	740};

/* Each data set through evidence_compare: head against base. */
struct known {
	const char *name;
	const double *head, *base;
	size_t n, m;
	double p_up, p_down;
	double shift, low, high; /* of logarithms, but for sleep; NAN: no answer from elsewhere */
	double digits;           /* relative error allowed in p */
};

#define SIDES(a, b) .head = (a), .base = (b), .n = ARRAY_LEN(a), .m = ARRAY_LEN(b)

static const double scipy_males[] = {19, 22, 16, 29, 24}, scipy_females[] = {20, 11, 17, 12};
static const double scipy_x[] = {210.052110, 110.190630, 307.918612};
static const double scipy_y[] = {436.08811482466416, 416.37397329768191, 179.96975939463582,
	197.8118754228619, 34.038757281225756, 138.54220550921517, 128.7769351470246,
	265.92721427951852, 275.6617533155341, 592.34083395416258, 448.73177590617018,
	300.61495185038905, 187.97508449019588};
/* The least one-sided p that sides of these sizes can have without ties. */
static double least_p(size_t n, size_t m)
{
	return ranks_share(m < EXACT_SIDE && n > TESTED ? TESTED : n,
		n < EXACT_SIDE && m > TESTED ? TESTED : m);
}

static const double plant1[] = {4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69},
		    plant2[] = {6.31, 5.12, 5.54, 5.5, 5.37, 5.29, 4.92, 6.15, 5.8, 5.26};

static const struct known known[] = {
	/* Hollander and Wolfe (1973), page 69, in R's ?wilcox.test, which prints p = 0.1272. */
	{"permeability constants of the human chorioamnion",
		SIDES(permeability, permeability_early), 0.1272061272061272, 0.8967698967698967,
		0.2713751877862718, -0.1513996464553684, 0.6726686492164047, 1e-12},
	/* The documentation of scipy.stats.mannwhitneyu: U = 17, two-sided p = 0.1111. */
	{"SciPy's example of ages", SIDES(scipy_males, scipy_females), 0.05555555555555555,
		0.9682539682539684, NAN, NAN, NAN, 1e-12},
	/* cases_basic in SciPy's scipy/stats/tests/test_hypotests.py; the shift by R. */
	{"SciPy's own test", SIDES(scipy_x, scipy_y), 0.6946428571428571, 0.3517857142857143,
		-0.2718189398816246, -1.0367265594517443, 0.7986604891767337, 1e-10},
	{"R's PlantGrowth, treatment 2 against 1", SIDES(plant2, plant1), 0.004465348892593475,
		0.9965792721210678, 0.1920182289641518, 0.0624573549337466, 0.3172662235570638,
		1e-12},
	/* Ties: coin and exactRankTests agree to all digits, for the sleep data SciPy's
	 * permutation_test over all 184,756 divisions too. Shifts are R's medians of outer(),
	 * intervals those at R's qwilcox(). */
	{"R's sleep, ties, zero and both signs", SIDES(sleep2, sleep1), 0.03290826820238585,
		0.9702093572062612, 1.35, -0.1, 3.6, 1e-12},
	{"R's airquality, August against May, ties, 26 a side", SIDES(ozone_august, ozone_may),
		3.05436759440186e-05, 0.9999708057169573, 1.0237023917234, 0.6109090823229733,
		1.4403615823901665, 1e-12},
	{"R's ToothGrowth, ties, 30 a side", SIDES(tooth_oj, tooth_vc), 0.03183110365234441,
		0.9687037375562295, 0.2538637953752014, -0.003395589001138344, 0.470003629245735688,
		1e-12},
	/* More pairs than are counted exactly: R's normal approximation. Its interval, there by
	 * root finding, is the one at qwilcox() here, which the approximated bound meets. */
	{"R's Nile, until 1898 against later, ties, 28 v 72", .head = nile, .base = nile + 28,
		.n = 28, .m = 72, 2.763756618462067e-10, 0.9999999997367969, 0.2702527098071674,
		0.2022368664948964, 0.3244613239550773, 1e-12},
};

static double shown(const struct evidence *e, double shift)
{
	return e->logs ? expm1(shift) : shift / 0.35; /* 0.35: the median of sleep1 */
}

static void test_known(void)
{
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const struct known *k = &known[i];
		struct evidence e, mirror;

		evidence_compare(k->head, k->n, k->base, k->m, &e);
		printf("# %s\n", k->name);
		near(e.p_up, k->p_up, k->digits, "p of head not being greater");
		near(e.p_down, k->p_down, k->digits, "p of head not being smaller");
		if (!isnan(k->shift)) {
			near(e.change, shown(&e, k->shift), 1e-11, "Hodges-Lehmann");
			near(e.low, shown(&e, k->low), 1e-11, "lower bound");
			near(e.high, shown(&e, k->high), 1e-11, "upper bound");
		}
		evidence_compare(k->base, k->m, k->head, k->n, &mirror);
		near(mirror.p_up, e.p_down, 1e-13, "sides exchanged: p is the other one");
		near(mirror.p_down, e.p_up, 1e-13, "sides exchanged: and the other");
	}
}

/* Twice U of the samples in the set, of all n. */
static unsigned twice_u(const double *v, unsigned n, unsigned set)
{
	unsigned u = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			if ((set >> i & 1) && !(set >> j & 1))
				u += v[i] > v[j] ? 2 : v[i] == v[j];
	return u;
}

static struct tails enumerate(const double *v, unsigned n, unsigned head)
{
	unsigned all = 0, up = 0, down = 0, u = twice_u(v, n, head);

	for (unsigned set = 0; set < 1u << n; set++)
		if (__builtin_popcount(set) == __builtin_popcount(head)) {
			unsigned other = twice_u(v, n, set);

			all++;
			up += other >= u;
			down += other <= u;
		}
	return (struct tails){.up = (double)up / all, .down = (double)down / all};
}

/* Numerical Recipes' "quick and dirty" generator is enough to make cases. */
static unsigned next_case(unsigned *state)
{
	return (*state = *state * 1664525 + 1013904223) >> 16;
}

static bool enumerates(unsigned *state)
{
	double v[10], x[10], y[10];
	unsigned n = 2 + next_case(state) % 9, values = 1 + next_case(state) % 12, head;
	size_t nx = 0, ny = 0;
	struct tails expected;
	struct evidence e;

	head = 1 + next_case(state) % ((1u << n) - 2);
	for (unsigned i = 0; i < n; i++) {
		v[i] = next_case(state) % values;
		*(head >> i & 1 ? &x[nx++] : &y[ny++]) = v[i];
	}
	expected = enumerate(v, n, head);
	evidence_compare(x, nx, y, ny, &e);
	return fabs(e.p_up - expected.up) < 1e-13 && fabs(e.p_down - expected.down) < 1e-13;
}

static void test_enumerated(void)
{
	unsigned state = 1, good = 0;

	for (int i = 0; i < 300; i++)
		good += enumerates(&state);
	OK(good == 300, "300 cases with ties agree with all their divisions");
}

/* The two ways to the exact distribution meet where there are no ties. */
static void test_distributions(void)
{
	static const size_t sides[][2] = {{1, 1}, {1, 200}, {7, 9}, {10, 10}, {19, 200}, {30, 30}};
	size_t groups[300], i, u;

	for (i = 0; i < ARRAY_LEN(groups); i++)
		groups[i] = 1;
	for (i = 0; i < ARRAY_LEN(sides); i++) {
		size_t n = sides[i][0], m = sides[i][1], last = n * m / 2;
		_cleanup_(freep) double *p = ranks_distinct(n, m, last);
		_cleanup_(freep) double *q = ranks_tied(groups, n + m, n, m, 2 * last);

		for (u = 0; u <= last && fabs(q[2 * u] - p[u]) <= 1e-13 * p[u];)
			u++;
		OK(u == last + 1, "single samples as groups of one");
		near(p[0], least_p(n, m), 1e-13, "the least p");
	}
}

static void apart(size_t n, size_t m)
{
	double x[200], y[200];
	struct tails t;

	for (size_t i = 0; i < 200; i++) {
		x[i] = 1000 + (double)i;
		y[i] = (double)i;
	}
	t = ranks_test(x, n, y, m);
	near(t.up, least_p(n, m), 1e-12, "sides that do not overlap");
	near(t.down, 1, 1e-12, "from the other end");
}

static void critical(size_t n, size_t m, double level, size_t expected)
{
	size_t u = SIZE_MAX;

	OK(ranks_critical(n, m, level, &u) && u == expected, "the critical value");
	if (u != expected)
		printf("# %zu v %zu: expected %zu, got %zu\n", n, m, expected, u);
}

static void test_critical(void)
{
	size_t u;

	/* One less than R's qwilcox(.025, n, m); one less again by the normal approximation. */
	critical(5, 5, 0.025, 2);
	critical(10, 10, 0.025, 23);
	critical(20, 20, 0.025, 127);
	critical(30, 30, 0.025, 317);
	critical(4, 12, 0.025, 7);
	critical(8, 50, 0.025, 113);
	critical(40, 40, 0.025, 595);
	/* R's pwilcox(2, 5, 5), pwilcox(23, 10, 10), pwilcox(40, 8, 50). */
	critical(5, 5, 0.015873015873015872, 2);
	critical(10, 10, 0.021628526272489117, 23);
	critical(8, 50, 3.8113576005533119e-05, 40);
	OK(!ranks_critical(3, 3, 0.025, &u), "three a side refuse nothing at 2.5 %");
	OK(ranks_critical(3, 3, 0.05, &u) && u == 0, "at 5 % they do");
}

static double gaussian(unsigned *state)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += next_case(state) / 65536.0;
	return sum - 6;
}

static double *noise(size_t n, double step, unsigned *state)
{
	double *v = xmalloc(n * sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		v[i] = gaussian(state);
		if (step > 0)
			v[i] = step * round(v[i] / step);
	}
	qsort(v, n, sizeof(*v), by_value);
	return v;
}

/* By sorting all differences. */
static void against_sorting(size_t n, size_t m, double step)
{
	unsigned state = (unsigned)(n * 1000 + m);
	_cleanup_(freep) double *x = noise(n, step, &state), *y = noise(m, step, &state);
	_cleanup_(freep) double *d = xmalloc(n * m * sizeof(*d));
	struct shift s = shift_estimate(x, n, y, m);
	size_t i, refused = 0, all = n * m;

	for (i = 0; i < all; i++)
		d[i] = x[i / m] - y[i % m];
	qsort(d, all, sizeof(*d), by_value);
	OK(s.estimate == d[(all - 1) / 2] / 2 + d[all / 2] / 2, "the median difference");
	OK(ranks_critical(n, m, 0.025, &refused) && s.low == d[refused] &&
			s.high == d[all - 1 - refused],
		"the bounds");
}

static void test_selection(void)
{
	against_sorting(7, 9, 0);
	against_sorting(32, 32, 0);
	against_sorting(41, 25, 0);
	against_sorting(3, 1500, 0);
	against_sorting(200, 199, 0);
	against_sorting(200, 200, 0.25);
}

/* The Shamos estimate of many normal samples nears their standard deviation, and a constant added
 * to one side does nothing to it. */
static void test_spread(void)
{
	unsigned state = 5;
	_cleanup_(freep) double *x = noise(3000, 0, &state), *y = noise(40, 0, &state);
	static const double three[] = {1, 2, 4};
	double spread = shift_spread(x, 3000, y, 40);

	OK(fabs(spread - 1) < 0.03, "of 3000 normal samples about 1");
	for (int i = 0; i < 40; i++)
		y[i] += 100;
	near(shift_spread(x, 3000, y, 40), spread, 1e-9, "not of the distance of the sides");
	/* Differences 1, 2, 3: the median is 2. */
	near(shift_spread(three, 3, y, 1), 2 / (sqrt(2) * 0.6744897501960817), 1e-14, "of three");
	near(shift_spread(three, 1, y, 1), 0, 0, "single samples have none");
}

static void test_signs(void)
{
	static const double up[] = {110, 111, 112, 113, 114}, base[] = {100, 101, 102, 103, 104};
	static const double zeros[] = {0, 0, 0, 0, 0}, some[] = {0, 0, 1, 3, 3};
	static const double mixed[] = {-1, 0, 2, 3, 4};
	double down[5], minus[5];
	struct evidence e, m;

	evidence_compare(up, 5, base, 5, &e);
	OK(e.logs && e.relative && e.change > 0.09 && e.change < 0.1 && e.low < e.change &&
			e.change < e.high,
		"positive samples: a relative change");
	for (int i = 0; i < 5; i++) {
		down[i] = -up[i];
		minus[i] = -base[i];
	}
	evidence_compare(down, 5, minus, 5, &m);
	near(m.change, -e.change, 1e-13, "negative samples that grow in size become less");
	near(m.low, -e.high, 1e-13, "and so do the bounds");
	near(m.p_down, e.p_up, 1e-13, "and the ranks");
	near(m.spread, e.spread, 1e-13, "spread has no sign");
	evidence_compare(some, 5, zeros, 5, &e);
	OK(!e.logs && !e.relative && e.change == 1 && e.low == 0 && e.high == 3,
		"base's median 0: no relative change");
	evidence_compare(zeros, 5, zeros, 5, &e);
	OK(e.p_up == 1 && e.p_down == 1 && e.change == 0 && e.spread == 0, "nothing but zeros");
	evidence_compare(up, 5, mixed, 5, &e);
	OK(!e.logs && e.relative && e.change == 55 && e.p_up < 0.004,
		"mixed signs: over the size of base's median");
	evidence_compare(up, 5, minus, 5, &e);
	OK(!e.logs && e.relative && e.change > 2, "opposite signs are mixed signs");
}

static void test_few(void)
{
	static const double x[] = {1.1, 1.2, 1.3}, y[] = {1, 1.01, 1.02};
	double many[5000];
	struct evidence e;

	evidence_compare(x, 1, y, 1, &e);
	OK(e.p_up == 0.5 && e.p_down == 1 && isinf(e.low) && e.low < 0 && isinf(e.high) &&
			e.spread == 0,
		"one a side");
	near(e.change, 0.1, 1e-12, "has a change");
	evidence_compare(x, 3, y, 3, &e);
	near(e.p_up, 0.05, 1e-13, "three a side");
	OK(isinf(e.low) && isinf(e.high), "have no interval");
	for (int i = 0; i < 5000; i++)
		many[i] = 1 + i % 7 * 0.001;
	evidence_compare(x, 3, many, 5000, &e);
	near(e.p_up, least_p(3, 5000), 1e-12, "three against thousands");
	near(e.p_up, 1 / (203.0 * 202 * 201 / 6), 1e-12, "of which 200 are compared");
	OK(e.n_base == 5000 && isfinite(e.low), "and the interval is finite");
}

static void test_extremes(void)
{
	static const double huge[] = {1e308, 1.7e308, -1.7e308, -1.6e308, 1e308},
			    tiny[] = {5e-324, 1e-323, 5e-324, 1e-300, 2e-300};
	struct evidence e;

	evidence_compare(huge, 5, huge, 5, &e);
	OK(e.change == 0 && isfinite(e.low) && isfinite(e.high) && isfinite(e.spread),
		"differences beyond a double's range");
	evidence_compare(huge, 2, tiny, 5, &e);
	OK(e.change > 1e307 && isfinite(e.change), "a change beyond it");
	evidence_compare(tiny, 5, huge, 2, &e);
	OK(e.change == -1, "and down from there");
}

static void test_detectable(void)
{
	struct evidence e = {.n_head = 10, .n_base = 10, .logs = true, .relative = true};
	double d;

	e.spread = 0.02;
	OK(isinf(evidence_detectable(&(struct evidence){.n_head = 4, .n_base = 4}, 0.01, 0)),
		"p cannot reach .01 with four a side");
	d = evidence_detectable(&e, 0.01, 0);
	/* (2.326 + 1.645) 1.02 x 2 % sqrt(2 / 10) = 3.6 %; a little more for so few. */
	OK(d > 0.036 && d < 0.042, "ten a side, 2 % noise");
	OK(evidence_detectable(&e, 0.01, 0.03) > 0.03 + 1.6 * 0.02 * sqrt(0.2),
		"beyond the tolerance by its own error");
	OK(evidence_detectable(&e, 0.0001, 0.0) > d, "a lower level takes a larger change");
	e.n_head = e.n_base = 1000;
	near(evidence_detectable(&e, 0.01, 0),
		expm1((2.3263478740408408 + 1.6448536269514722) * 1.0233267079464885 * log1p(0.02) *
			sqrt(0.002)),
		0.01, "many samples: the normal formula");
	e.logs = false;
	e.n_head = e.n_base = 10;
	OK(evidence_detectable(&e, 0.01, 0) > 0.036, "raw values");
}

static void test_needed(void)
{
	struct evidence e = {.n_head = 3, .n_base = 3, .logs = true, .relative = true};
	size_t n;

	OK(evidence_needed(&e, 0.01, 0.03) == 5, "no spread: as many as p takes");
	e.spread = 0.02;
	OK(evidence_needed(&e, 0.01, 0) == 5, "no tolerance: the same");
	n = evidence_needed(&e, 0.01, 0.03);
	e.n_head = e.n_base = n;
	OK(n > 10 && n < 20 &&
			expm1((2.326 + 1.645) * 1.023 * 0.0198 * sqrt(2.0 / (double)n)) < 0.03,
		"2 % noise, 3 % tolerance");
	e.spread = 3;
	OK(evidence_needed(&e, 0.01, 0.03) == 1000, "capped");
	OK(evidence_needed(&e, 0, 0.03) == 1000, "a level that nothing reaches");
}

/* 1 / C(2 n, n). */
static void test_least_p(void)
{
	near(least_p(3, 3), 1.0 / 20, 1e-14, "three a side: .05");
	near(least_p(4, 4), 1.0 / 70, 1e-14, "four: .0143");
	near(least_p(5, 5), 1.0 / 252, 1e-14, "five: .00397");
	near(least_p(1, 10), 1.0 / 11, 1e-14, "one against ten: 1/11");
	OK(least_p(1000000, 1000000) == 0, "a million a side");
}

/* The example of section 4.1 of Benjamini and Hochberg (1995): four of fifteen hypotheses. */
static void test_hits(void)
{
	double p[] = {1.0000, 0.7590, 0.6528, 0.5719, 0.4262, 0.3240, 0.0459, 0.0344, 0.0298,
		0.0278, 0.0201, 0.0095, 0.0019, 0.0004, 0.0001};
	double none[] = {0.5, 0.051}, all[] = {0.05, 0.04};

	near(evidence_hits(p, ARRAY_LEN(p), 0.05), 0.0095, 0, "Benjamini and Hochberg's example");
	OK(p[0] == 0.0001 && p[14] == 1, "sorted in place");
	near(evidence_hits(none, 2, 0.05), -1, 0, "no hit");
	near(evidence_hits(all, 2, 0.05), 0.05, 0, "all hits");
	near(evidence_hits(all, 0, 0.05), -1, 0, "no tests");
}

static void test_normal(void)
{
	static const double p[] = {0.001, 0.025, 0.3, 0.95, 1e-10, 1e-100, 1e-300};
	static const double z[] = {-3.09023230616781319, -1.95996398454005383, -0.52440051270804067,
		1.64485362695147153, -6.36134090240405570, -21.27345356096531859,
		-37.04709629936120052};

	for (size_t i = 0; i < ARRAY_LEN(p); i++)
		near(normal_quantile(p[i]), z[i], 1e-14, "qnorm");
	near(normal_quantile(0.5), 0, 0, "one half");
	near(normal_quantile(0.9999), 3.7190164854556800, 1e-13, "the upper tail");
}

/* R: pbinom(k - 1, n, .5, lower.tail = FALSE). */
static void test_binomial(void)
{
	near(binomial_tail(7, 10), 0.171875, 1e-13, "7 of 10");
	near(binomial_tail(15, 20), 0.02069473266601564, 1e-12, "15 of 20");
	near(binomial_tail(1, 5), 0.96875, 1e-13, "1 of 5");
	near(binomial_tail(60, 100), 0.02844396682049043, 1e-12, "60 of 100");
	near(binomial_tail(500000, 1000000), 0.50039894218066583, 1e-8, "half a million");
	OK(binomial_tail(0, 0) == 1 && binomial_tail(0, 9) == 1 && binomial_tail(10, 9) == 0,
		"none, and more than there are");
}

/* Quantiles from R's quantile(), whose type 7 this is. */
static void test_order(void)
{
	const double odd[] = {1, 2, 10}, even[] = {1, 2, 3, 10}, large[] = {1e308, 1.5e308};
	const double mixed[] = {1, -1}, zero[] = {0, 1}, negative[] = {-3, -1, -2};

	near(order_median(odd, 3), 2, 0, "the middle one");
	near(order_median(even, 4), 2.5, 0, "halfway between two");
	near(order_median(large, 2), 1.25e308, 0, "no overflow");
	OK(isnan(order_median(odd, 0)) && isnan(order_quantile(odd, 0, .5)), "of nothing");
	near(order_quantile(even, 4, 0.25), 1.75, 1e-15, "the lower quartile");
	near(order_quantile(even, 4, 0.9), 7.9, 1e-15, "the upper tenth");
	near(order_quantile(even, 4, 0), 1, 0, "the least");
	near(order_quantile(even, 4, 1), 10, 0, "the most");
	near(order_quantile(odd, 1, 0.3), 1, 0, "of one");
	OK(of_one_sign(odd, 3) && of_one_sign(negative, 3) && of_one_sign(odd, 0), "one sign");
	OK(!of_one_sign(mixed, 2) && !of_one_sign(zero, 2), "not one sign");
	near(MAD_SD * normal_quantile(0.75), 1, 1e-14, "the deviation of a normal distribution");
}

int main(void)
{
	test_known();
	test_enumerated();
	test_distributions();
	apart(5, 5);
	apart(19, 200);
	test_critical();
	test_selection();
	test_spread();
	test_signs();
	test_few();
	test_extremes();
	test_detectable();
	test_needed();
	test_least_p();
	test_hits();
	test_normal();
	test_binomial();
	test_order();
	return tap_done();
}
