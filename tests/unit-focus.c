/*
 * FOCuS, against its definition: the greatest over all places where a rise may have begun. And what
 * is suspect by it.
 */
#include "focus.h"
#include "suspect.h"

#include "random.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

enum { MAX = 2000 };

static uint64_t state;

/* -1 < . < 1 */
static double noise(void)
{
	return (double)(int64_t)random_next(&state) / 9223372036854775808.0;
}

static double plain_most(const double *z, size_t n, size_t *ret_from)
{
	double sum = 0, most = 0;
	size_t from;

	for (from = n; from-- > 0;) {
		double ratio;
		sum += z[from];
		ratio = sum * sum / (2 * (double)(n - from));
		if (sum > 0 && ratio > most) {
			most = ratio;
			*ret_from = from;
		}
	}
	return most;
}

/* After each of n numbers. */
static bool is_greatest(const double *z, size_t n)
{
	struct focus f = {0};
	size_t i, from = 0, plain_from = 0;
	double most, expected;
	bool good = true;

	for (i = 0; i < n && good; i++) {
		focus_add(&f, z[i]);
		most = focus_most(&f, &from);
		expected = plain_most(z, i + 1, &plain_from);
		good = fabs(most - expected) <= 1e-9 * (1 + expected) &&
		       (from == plain_from || expected < 1e-9);
		if (!good)
			printf("# after %zu: %g since %zu, expected %g since %zu\n", i, most, from,
				expected, plain_from);
	}
	focus_release(&f);
	return good;
}

static size_t corners(const double *z, size_t n)
{
	struct focus f = {0};
	size_t i, count;

	for (i = 0; i < n; i++)
		focus_add(&f, z[i]);
	count = f.n_corners;
	focus_release(&f);
	return count;
}

static void test_definition(void)
{
	static double z[MAX];
	struct focus f = {0};
	size_t i, from = 7;

	state = 1;
	for (i = 0; i < MAX; i++)
		z[i] = 2 * noise();
	OK(is_greatest(z, MAX), "noise");
	OK(corners(z, MAX) < 30, "... of which little is kept");
	for (i = 0; i < MAX; i++)
		z[i] = noise() + (i > 500 && i < 900 ? 0.5 : i > 1500 ? -0.2 : 0);
	OK(is_greatest(z, MAX), "levels");
	for (i = 0; i < 300; i++)
		z[i] = (double)i / 100;
	OK(is_greatest(z, 300), "a ramp");
	for (i = 0; i < 300; i++)
		z[i] = -z[i];
	OK(is_greatest(z, 300) && corners(z, 300) == 1, "... down");
	OK(focus_most(&f, &from) == 0 && from == 7, "nothing");
	focus_add(&f, 3);
	OK(focus_most(&f, &from) == 4.5 && from == 0, "one number");
	focus_release(&f);
}

/* ---- suspects ---- */

enum { POINTS = 60 };

static void fill(double *v)
{
	state = 2;
	for (size_t i = 0; i < POINTS; i++)
		v[i] = 5 + 0.02 * noise();
}

static int suspect(const double *v, size_t n, double alike, size_t *ret_from)
{
	return suspect_of(v, n, 0.001, alike, ret_from);
}

static void test_suspects(void)
{
	double v[POINTS];
	size_t i, from = 0;

	fill(v);
	OK(suspect(v, POINTS, 1, &from) == 0, "nothing is suspect");
	for (i = POINTS - 6; i < POINTS; i++)
		v[i] += 0.04;
	OK(suspect(v, POINTS, 1, &from) == 1 && from == POINTS - 6, "six have risen");
	OK(suspect(v, POINTS, 3, &from) == 0, "... less so where each tells of the next");
	OK(suspect(v, POINTS - 5, 1, &from) == 0, "... the first alone is not suspect");
	for (i = 0; i < POINTS; i++)
		v[i] = -v[i];
	OK(suspect(v, POINTS, 1, &from) == -1 && from == POINTS - 6, "six have fallen");
	fill(v);
	v[POINTS - 1] = 1e300;
	OK(suspect(v, POINTS, 1, &from) == 0, "a wild point, the newest");
	v[POINTS - 1] = -1e300;
	OK(suspect(v, POINTS, 1, &from) == 0, "... down");
	v[POINTS - 3] = 1e300;
	OK(suspect(v, POINTS, 1, &from) == 0, "... and one up");
}

/* Whatever the others are, one point cannot be: here most of them lie at one end, which moves the
 * mean as far from the median as can be. */
static void test_one_point(void)
{
	double v[POINTS];
	size_t n, apart, from = 0, wrong = 0;

	for (n = 2; n <= POINTS; n++)
		for (apart = 0; apart < n; apart++) {
			for (size_t i = 0; i < n; i++)
				v[i] = i < apart ? -100 : 0.001 * (double)(i % 3);
			v[n - 1] = 1e300;
			wrong += suspect(v, n, 1, &from) == 1 && from == n - 1;
		}
	OK(wrong == 0, "the newest alone is not suspect, whatever the others");
}

static void test_few(void)
{
	double v[POINTS];
	size_t i, n, from = 0, known = 1;

	for (i = 0; i < POINTS; i++)
		v[i] = 0.01 * (double)(i % 5) + (i < 12 ? 0 : 1);
	for (n = 0; n <= 14; n++)
		OK(suspect(v, n, 1, &from) == 0, "too few to tell");
	OK(suspect(v, 18, 1, &from) == 1 && from == 12, "twelve and six are enough");
	for (n = 0; n <= POINTS; n++)
		known &= suspect_newest(n) <= SUSPECT_NEWEST &&
			 (!suspect_newest(n) || n - suspect_newest(n) >= SUSPECT_KNOWN);
	OK(known, "at least ten are known");
	for (i = 0; i < POINTS; i++)
		v[i] = 5;
	OK(suspect(v, POINTS, 1, &from) == 0, "one value");
}

int main(void)
{
	test_definition();
	test_suspects();
	test_one_point();
	test_few();
	return tap_done();
}
