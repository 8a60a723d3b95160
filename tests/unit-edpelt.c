/*
 * ED-PELT, against the definition of Haynes, Fearnhead and Eckley (2017) computed without tables
 * and without pruning: the least over all divisions of the series, by O(n^2) segments.
 */
#include "edpelt.h"

#include "order.h"
#include "random.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 160 };

static uint64_t state;

/* 0 < . < 1 */
static double uniform(void)
{
	return ((double)(random_next(&state) >> 12) + 0.5) / 4503599627370496.0;
}

/* ---- the definition ---- */

static double plogp(double p)
{
	return p > 0 ? p * log(p) : 0;
}

/* F of x[from ... to - 1] at q, equal values by half. */
static double share_below(const double *x, size_t from, size_t to, double q)
{
	double below = 0;
	size_t i;

	for (i = from; i < to; i++)
		below += x[i] < q ? 1 : x[i] == q ? 0.5 : 0;
	return below / (double)(to - from);
}

static double plain_cost(
	const double *x, size_t n, size_t from, size_t to, const double *q, size_t k)
{
	double c = -log(2 * (double)n - 1), sum = 0;
	size_t i;

	for (i = 0; i < k; i++) {
		double f = share_below(x, from, to, q[i]);
		sum += (double)(to - from) * (plogp(f) + plogp(1 - f));
	}
	return 2 * c / (double)k * sum;
}

static size_t plain_quantiles(const double *x, size_t n, double *q)
{
	size_t k = (size_t)ceil(4 * log((double)n)), i;
	double c = -log(2 * (double)n - 1), sorted[MAX], p;

	memcpy(sorted, x, n * sizeof(*x));
	order_doubles(sorted, n);
	for (i = 1; i <= k; i++) {
		p = 1 / (1 + (2 * (double)n - 1) * exp(c / (double)k * (2 * (double)i - 1)));
		q[i - 1] = sorted[(size_t)ceil(p * (double)n - 1e-9) - 1];
	}
	return k;
}

static double plain_least(const double *x, size_t n, double beta)
{
	double q[64], least[MAX + 1] = {0}, c;
	size_t k = plain_quantiles(x, n, q), from, to;

	for (to = 1; to <= n; to++) {
		least[to] = INFINITY;
		for (from = 0; from < to; from++) {
			c = least[from] + plain_cost(x, n, from, to, q, k) + (from ? beta : 0);
			least[to] = fmin(least[to], c);
		}
	}
	return least[n];
}

/* ---- ours, by the same measure ---- */

static double cost_of(const double *x, size_t n, double beta, const size_t *at, size_t count)
{
	double q[64], sum = (double)count * beta;
	size_t k = plain_quantiles(x, n, q), i;

	for (i = 0; i <= count; i++)
		sum += plain_cost(x, n, i ? at[i - 1] : 0, i < count ? at[i] : n, q, k);
	return sum;
}

static bool is_least(const double *x, size_t n, double penalty)
{
	double beta = penalty * log((double)n), got, least = plain_least(x, n, beta);
	size_t at[MAX], count = edpelt(x, n, penalty, at), i;

	for (i = 0; i < count; i++)
		if (at[i] <= (i ? at[i - 1] : 0) || at[i] >= n)
			return false;
	got = cost_of(x, n, beta, at, count);
	if (fabs(got - least) <= 1e-9 * least)
		return true;
	printf("# %zu points, %zu changes cost %.12g, least is %.12g\n", n, count, got, least);
	return false;
}

static void test_definition(void)
{
	static const double penalties[] = {0.3, 1, 4};
	double x[MAX];
	size_t n, i, k, good = 0, all = 0;

	state = 1;
	for (n = 2; n < MAX; n += n / 3 + 1)
		for (k = 0; k < 3; k++) {
			for (i = 0; i < n; i++)
				x[i] = (i / 20 % 2 ? 1 : 0) + uniform();
			good += is_least(x, n, penalties[k]);
			for (i = 0; i < n; i++) /* with ties */
				x[i] = floor(4 * x[i]);
			good += is_least(x, n, penalties[k]);
			all += 2;
		}
	OK(good == all, "the least cost of all divisions");
}

static void test_answers(void)
{
	double x[120];
	size_t at[120], i;

	state = 1;
	for (i = 0; i < 120; i++)
		x[i] = (i < 70 ? 100 : 110) + 4 * uniform();
	OK(edpelt(x, 120, 4, at) == 1 && at[0] == 70, "another level");
	for (i = 0; i < 120; i++)
		x[i] = 100 + (i < 60 ? 1 : 20) * (uniform() - 0.5);
	OK(edpelt(x, 120, 4, at) == 1 && at[0] >= 57 && at[0] <= 63, "another spread");
	for (i = 0; i < 120; i++)
		x[i] = uniform();
	OK(edpelt(x, 120, 4, at) == 0, "noise alone");
	x[40] = 1000;
	OK(edpelt(x, 120, 4, at) == 0, "... and a wild point");
	for (i = 0; i < 120; i++)
		x[i] = 5;
	OK(edpelt(x, 120, 4, at) == 0, "one value");
	x[0] = 4;
	OK(edpelt(x, 0, 4, at) == 0 && edpelt(x, 1, 4, at) == 0 && edpelt(x, 2, 4, at) == 0,
		"two points, one and none");
}

int main(void)
{
	test_definition();
	test_answers();
	return tap_done();
}
