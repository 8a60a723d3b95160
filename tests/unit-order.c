#include "order.h"

#include "random.h"
#include "spread.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

static void test_at_least(void)
{
	static const double v[] = {1, 2, 3, 4, 5};

	OK(isnan(order_at_least(v, 0, .75)), "of none");
	OK(order_at_least(v, 4, .75) == 3, "three of four");
	OK(order_at_least(v, 5, .75) == 4, "of five: four, as three are not enough");
	OK(order_at_least(v, 5, 0) == 1 && order_at_least(v, 5, 1) == 5, "the ends");
}

static void fill(double *v, size_t n, int kind)
{
	uint64_t state = n;
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = kind == 0   ? (double)(random_next(&state) >> 11)
		       : kind == 1 ? (double)i
		       : kind == 2 ? (double)(n - i)
		       : kind == 3 ? (double)(i % 3)
		       : kind == 4 ? (double)(i < n / 2 ? i : n - i)
				   : 1;
}

/* What takes linear time against what sorts. */
static void test_any_median(void)
{
	static double v[700], w[700];
	bool good = true;
	size_t n;
	int kind;

	for (n = 1; n < 700; n += n < 70 ? 1 : 13)
		for (kind = 0; kind < 6; kind++) {
			fill(v, n, kind);
			fill(w, n, kind);
			good &= order_any_median(v, n) == order_and_median(w, n);
			order_doubles(v, n);
			good &= !memcmp(v, w, n * sizeof(*v));
		}
	OK(good, "the median of values in any order, which are all left");
	OK(isnan(order_any_median(v, 0)), "... of none");
}

/* Logarithms 0, 1, 0, 1, 0: steps 1, -1, 1, -1 about 0, whose median deviation is 1. */
static void test_spread(void)
{
	const double e = exp(1), wave[] = {1, e, 1, e, 1}, minus[] = {-1, -e, -1, -e, -1};
	static const double steps[] = {5, 5, 5, 9, 9, 9, 9}, far[] = {1e308, 1e-308, 1e308, 1e-308};

	OK(fabs(spread_of_steps(wave, 5) - expm1(MAD_SD / sqrt(2))) < 1e-12, "a wave");
	OK(fabs(spread_of_steps(minus, 5) - expm1(MAD_SD / sqrt(2))) < 1e-12, "... below 0");
	OK(spread_of_steps(steps, 7) == 0, "a level that changes once");
	OK(!isnan(spread_of_steps(far, 4)), "quotients beyond what a number holds");
}

int main(void)
{
	test_at_least();
	test_any_median();
	test_spread();
	return tap_done();
}
