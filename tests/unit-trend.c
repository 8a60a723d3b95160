/*
 * Trends: levels, steps and what they are measured by. Values and answers are made up here.
 */
#include "trend.h"

#include "buf.h"
#include "random.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const struct trend_rule noisy = {.direction = DIRECTION_LOWER, .tolerance = 0.03};
static const struct trend_rule exact = {
	.exact = true, .direction = DIRECTION_LOWER, .tolerance = 0.03};

static uint64_t state;

/* -1 < . < 1 */
static double noise(void)
{
	return (double)(int64_t)random_next(&state) / 9223372036854775808.0;
}

/* Levels of each points values, with noise of up to 2 %. */
static size_t make(double *x, const double *levels, size_t n, size_t each)
{
	size_t i;

	state = 1;
	for (i = 0; i < n * each; i++)
		x[i] = levels[i / each] * (1 + 0.02 * noise());
	return n * each;
}

static bool near(double got, double expected, double by)
{
	if (fabs(got - expected) <= by)
		return true;
	printf("# got %.9g, expected %g +- %g\n", got, expected, by);
	return false;
}

static bool is_at(const struct trend *t, const size_t *at, size_t n)
{
	size_t i;

	for (i = 0; i < t->n_steps; i++)
		if (i >= n || t->steps[i].at != at[i])
			break;
	if (i == n && i == t->n_steps)
		return true;
	for (i = 0; i < t->n_steps; i++)
		printf("# step at %zu\n", t->steps[i].at);
	return false;
}

#define IS_AT(t, what, ...)                                                                        \
	OK(is_at(&(t), (const size_t[]){__VA_ARGS__},                                              \
		   sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t)),                        \
		what)

static bool is_sound(const struct trend_step *s)
{
	return s->earliest <= s->at && s->at <= s->last && s->low <= s->change &&
	       s->change <= s->high && s->p >= 0 && s->p <= 0.01;
}

static void test_levels(void)
{
	double x[150];
	size_t n = make(x, (const double[]){100, 110, 95}, 3, 50);
	const struct trend_step *s;
	struct trend t;

	trend_of(x, n, &noisy, &t);
	IS_AT(t, "two steps", 50, 100);
	s = t.steps;
	OK(is_sound(&s[0]) && is_sound(&s[1]), "... in order");
	OK(near(s[0].before, 100, 1) && near(s[0].after, 110, 1) && s[1].before == s[0].after &&
			near(s[1].after, 95, 1),
		"... between medians");
	OK(near(s[0].change, s[0].after / s[0].before - 1, 1e-12) &&
			near(s[1].change, s[1].after / s[1].before - 1, 1e-12),
		"... of which the change is");
	OK(near(s[0].low, 0.1, 0.015) && near(s[0].high, 0.1, 0.015), "... and its interval");
	OK(s[0].sense == SENSE_WORSE && s[1].sense == SENSE_BETTER, "... one worse, one better");
	OK(s[0].earliest == 50 && s[0].last == 50, "... whose place is clear");
	OK(t.from == 100 && t.level == s[1].after && !t.exact, "the present level");
	OK(near(t.noise, 0.02 * 1.4826 / 2, 0.003) && !t.autocorrelated, "noise");
	OK(near(t.autocorrelation, 0, 0.2), "... of points that know nothing of each other");
	trend_release(&t);
}

static void test_strength(void)
{
	double x[150];
	size_t n = make(x, (const double[]){100, 110, 95}, 3, 50), i;
	struct trend t;

	trend_of(x, n, &noisy, &t);
	OK(t.n_steps == 2 && t.steps[0].strength == STEP_CONFIRMED &&
			t.steps[1].strength == STEP_CONFIRMED,
		"steps that anybody sees");
	trend_release(&t);
	for (i = 110; i < n; i++) /* a level that lasts for ten points */
		x[i] = x[i - 50];
	trend_of(x, n, &noisy, &t);
	OK(t.n_steps == 3 && t.steps[1].strength != STEP_EXACT && t.steps[2].strength != STEP_EXACT,
		"... and a short level");
	trend_release(&t);
}

/* Small steps near the end of what is otherwise one level. */
static void test_weak(void)
{
	size_t n, last, weak = 0, steps = 0;
	double x[100], by;
	struct trend t;

	for (n = 50; n <= 100; n += 10)
		for (last = 5; last < 30; last++)
			for (by = 1.01; by < 1.03; by += 0.005) {
				make(x, (const double[]){100}, 1, n);
				for (size_t i = n - last; i < n; i++)
					x[i] *= by;
				trend_of(x, n, &noisy, &t);
				steps += t.n_steps;
				for (size_t i = 0; i < t.n_steps; i++)
					weak += t.steps[i].strength == STEP_WEAK;
				trend_release(&t);
			}
	OK(weak > 0 && 4 * weak < steps, "some small steps are weak");
}

/* A level of two modes, as a coarse machine has them, and newest points of which most are of the
 * higher. */
static size_t make_modes(double *x, size_t n, size_t newest, double by, uint64_t seed)
{
	size_t i;

	state = seed;
	for (i = 0; i < n; i++) {
		x[i] = 100 * (1 + 0.01 * noise()) * (noise() > 0.5 ? 1.06 : 1);
		x[i] *= i >= n - newest ? by : 1;
	}
	return n;
}

static bool is_sound_suspect(const struct trend *t, const double *x, size_t n)
{
	const struct trend_suspect *s = &t->suspect;

	return s->from >= n - 20 && s->from < n - 1 && s->from >= t->from + 10 &&
	       s->change > 0.03 && s->change < 0.15 && s->after > 100 && s->after < 115 &&
	       s->after > t->level && x[s->from] > t->level && s->sense == SENSE_WORSE;
}

static void test_suspect(void)
{
	const struct trend_rule higher = {.direction = DIRECTION_HIGHER};
	const struct trend_rule wide = {.direction = DIRECTION_LOWER, .tolerance = 0.15};
	size_t n, k, count = 0, sound = 0, better = 0, beyond = 0, alarms = 0;
	double x[120];
	struct trend t;

	for (k = 0; k < 100; k++) {
		n = make_modes(x, 120, 8, 1.05, k);
		trend_of(x, n, &noisy, &t);
		if (t.suspect.is) {
			count++;
			sound += is_sound_suspect(&t, x, n);
			trend_release(&t);
			trend_of(x, n, &higher, &t);
			better += t.suspect.is && t.suspect.sense == SENSE_BETTER;
			trend_release(&t);
			trend_of(x, n, &wide, &t);
			beyond += t.suspect.is;
		}
		trend_release(&t);
		n = make_modes(x, 120, 1, 100, k);
		trend_of(x, n, &noisy, &t);
		alarms += t.suspect.is;
		trend_release(&t);
	}
	OK(count > 0 && sound == count, "the newest may be worse");
	OK(better == count, "... or better");
	OK(beyond == 0, "... or within the tolerance");
	OK(alarms <= 1, "one wild point is not suspect");
}

/* Each deviation is most of the one before. */
static void test_autocorrelation(void)
{
	double x[400], last = 0;
	struct trend t;
	size_t i;

	state = 3;
	for (i = 0; i < 400; i++)
		x[i] = 100 + (last = 0.6 * last + 0.3 * noise());
	trend_of(x, 400, &noisy, &t);
	OK(near(t.autocorrelation, 0.6, 0.12) && t.autocorrelated, "neighbours are alike");
	trend_release(&t);
	for (i = 200; i < 400; i++)
		x[i] *= 1.014;
	trend_of(x, 400, &noisy, &t);
	OK(t.n_steps == 1 && t.steps[0].high - t.steps[0].low > 0.004 &&
			t.steps[0].last - t.steps[0].earliest >= 4,
		"... which makes the place and the interval of a step wide");
	trend_release(&t);
	trend_of(x, 28, &noisy, &t);
	OK(isnan(t.autocorrelation) && !t.autocorrelated, "... of too few nobody knows");
	trend_release(&t);
}

static void test_long(void)
{
	enum { LONG = 20000 };
	double *x = xmalloc(LONG * sizeof(*x));
	struct trend t;
	size_t i;

	state = 4;
	for (i = 0; i < LONG; i++)
		x[i] = (i / 1000 % 2 ? 105 : 100) * (1 + 0.02 * noise());
	trend_of(x, LONG, &noisy, &t);
	OK(t.n_steps == 19 && is_sound(&t.steps[18]), "many points");
	trend_release(&t);
	free(x);
}

static void test_sense(void)
{
	double x[100];
	size_t n = make(x, (const double[]){100, 110}, 2, 50), i;
	struct trend_rule r = noisy;
	struct trend t;

	r.tolerance = 0.2;
	trend_of(x, n, &r, &t);
	OK(t.n_steps == 1 && t.steps[0].sense == SENSE_NONE, "within the tolerance");
	trend_release(&t);
	r = (struct trend_rule){.direction = DIRECTION_HIGHER};
	trend_of(x, n, &r, &t);
	OK(t.n_steps == 1 && t.steps[0].sense == SENSE_BETTER, "higher is better");
	trend_release(&t);
	r.direction = DIRECTION_NONE;
	trend_of(x, n, &r, &t);
	OK(t.n_steps == 1 && t.steps[0].sense == SENSE_NONE, "nothing is better");
	trend_release(&t);
	for (i = 0; i < n; i++)
		x[i] = -x[i];
	trend_of(x, n, &noisy, &t);
	OK(t.n_steps == 1 && near(t.steps[0].change, -0.1, 0.01) && is_sound(t.steps) &&
			near(t.steps[0].low, -0.1, 0.015) && near(t.steps[0].high, -0.1, 0.015) &&
			t.steps[0].low < t.steps[0].change && t.steps[0].change < t.steps[0].high &&
			t.steps[0].sense == SENSE_BETTER,
		"below zero, lower");
	trend_release(&t);
}

static void test_zeros(void)
{
	double x[120];
	size_t n = make(x, (const double[]){100, 110, 95, 95}, 4, 30), i;
	struct trend t;

	for (i = 0; i < n; i++)
		x[i] -= 100;
	trend_of(x, n, &noisy, &t);
	IS_AT(t, "round zero", 30, 60);
	OK(is_sound(&t.steps[1]) && near(t.steps[1].change, -1.5, 0.1), "... a step past it");
	OK(t.noise > 0.5 && t.noise < 2, "... and noise in its unit");
	trend_release(&t);
	for (i = 0; i < n; i++)
		x[i] = i < 60 ? 0 : 5 + noise();
	trend_of(x, n, &noisy, &t);
	OK(t.n_steps == 1 && t.steps[0].before == 0 && isnan(t.steps[0].change) &&
			isnan(t.steps[0].low) && isnan(t.steps[0].high) &&
			t.steps[0].sense == SENSE_WORSE,
		"a step from zero is no share, but worse");
	trend_release(&t);
}

static void test_exact(void)
{
	const double x[] = {5, 5, 6, 6, 5, 0, 7, 7};
	struct trend t;

	trend_of(x, ARRAY_LEN(x), &exact, &t);
	IS_AT(t, "exact: each change of value", 2, 4, 5, 6);
	OK(t.exact && t.steps[0].strength == STEP_EXACT && t.steps[0].p == 0 &&
			t.steps[0].earliest == 2 && t.steps[0].last == 2,
		"... is a step");
	OK(near(t.steps[0].change, 0.2, 1e-15) && t.steps[0].low == t.steps[0].change &&
			t.steps[0].high == t.steps[0].change,
		"... by just that");
	OK(t.steps[2].change == -1 && isnan(t.steps[3].change) && t.steps[3].sense == SENSE_WORSE,
		"... to zero and from it");
	OK(t.from == 6 && t.level == 7 && t.noise == 0 && isnan(t.autocorrelation) && !t.suspect.is,
		"... without noise");
	trend_release(&t);
}

static void test_repeating(void)
{
	double x[60];
	struct trend t;
	size_t i;

	for (i = 0; i < 60; i++)
		x[i] = i < 40 ? 1000 : 1001;
	trend_of(x, 60, &noisy, &t);
	OK(t.exact && t.n_steps == 1 && t.steps[0].sense == SENSE_NONE,
		"most values repeat: as if exact");
	trend_release(&t);
	for (i = 0; i < 60; i++)
		x[i] = i % 7 ? 12 : 13;
	trend_of(x, 60, &noisy, &t);
	OK(!t.exact && t.n_steps == 0, "the tick of a coarse clock is no step");
	trend_release(&t);
	for (i = 0; i < 60; i++)
		x[i] = i % 8 ? 12 : 13;
	trend_of(x + 1, 8, &noisy, &t);
	OK(!t.exact && t.n_steps == 0, "... of a few points not even the first");
	trend_release(&t);
}

static void test_few(void)
{
	const double x[] = {3, 4};
	struct trend t;

	trend_of(NULL, 0, &noisy, &t);
	OK(t.n_steps == 0 && isnan(t.level) && t.from == 0 && isnan(t.autocorrelation) &&
			!t.suspect.is,
		"no points");
	trend_release(&t);
	trend_of(x, 1, &noisy, &t);
	OK(t.n_steps == 0 && t.level == 3 && t.noise == 0, "one point");
	trend_release(&t);
	trend_of(x, 2, &noisy, &t);
	OK(t.n_steps == 0 && t.level == 3.5, "two points");
	trend_release(&t);
	trend_of(NULL, 0, &exact, &t);
	OK(t.n_steps == 0 && t.exact, "no exact points");
	trend_release(&t);
}

static bool is_finite(const struct trend *t)
{
	size_t i;

	for (i = 0; i < t->n_steps; i++)
		if (!isfinite(t->steps[i].change) || !isfinite(t->steps[i].after))
			return false;
	return isfinite(t->level) && isfinite(t->noise);
}

static void test_magnitudes(void)
{
	static const double by[] = {5e-324, 1e-300, 1e-12, 1e12, 1e300, 1e306};
	double x[150], y[150];
	size_t n = make(x, (const double[]){100, 110, 95}, 3, 50), i, k;
	struct trend t;

	for (k = 0; k < ARRAY_LEN(by); k++) {
		for (i = 0; i < n; i++)
			y[i] = x[i] * by[k];
		trend_of(y, n, &noisy, &t);
		OK((k == 0 || is_at(&t, (const size_t[]){50, 100}, 2)) && is_finite(&t),
			"any unit");
		trend_release(&t);
	}
	for (i = 0; i < n; i++)
		y[i] = i < 50 ? 1e-300 * x[i] : i < 100 ? 1e300 * x[i] : -1e306 * x[i];
	trend_of(y, n, &noisy, &t);
	OK(is_finite(&t), "from next to nothing to the largest");
	trend_release(&t);
	trend_of(y, 100, &noisy, &t);
	OK(t.n_steps == 1 && t.steps[0].change == DBL_MAX, "... by more than can be said");
	trend_release(&t);
}

int main(void)
{
	test_levels();
	test_strength();
	test_weak();
	test_suspect();
	test_autocorrelation();
	test_long();
	test_sense();
	test_zeros();
	test_exact();
	test_repeating();
	test_few();
	test_magnitudes();
	return tap_done();
}
