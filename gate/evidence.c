#include "evidence.h"

#include "buf.h"
#include "distribution.h"
#include "order.h"
#include "ranks.h"
#include "shift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the smallest detectable change is detected with, one-sided, and the quantile of that. */
static const double POWER_Z = 1.6448536269514722;

/* The Hodges-Lehmann estimate's standard error over that of the difference of two means, under
 * normal noise: sqrt(pi / 3), its asymptotic efficiency (Hodges and Lehmann 1956). */
static const double EFFICIENCY = 1.0233267079464885;

/* Those samples in ascending order. */
static void choose(const double *values, size_t n, double *ret, size_t chosen)
{
	double *all = xmalloc(n * sizeof(*all));

	memcpy(all, values, n * sizeof(*all));
	order_doubles(all, n);
	for (size_t i = 0; i < chosen; i++)
		ret[i] = all[chosen == n ? i : (2 * i + 1) * n / (2 * chosen)];
	free(all);
}

struct sides {
	double *x, *y; /* head's, base's; ascending */
	size_t n, m;
};

/* Logarithms of the magnitudes, those of negative values negated, so that they ascend too. */
static void take_logs(double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = v[i] > 0 ? log(v[i]) : -log(-v[i]);
}

/* Infinite is for samples that are too few. */
static double bounded(double d)
{
	return d > DBL_MAX ? DBL_MAX : d < -DBL_MAX ? -DBL_MAX : d;
}

/* What a difference of logarithms is of the value it was taken from. */
static double log_share(double d, double sign)
{
	return isinf(d) ? d : bounded(sign * expm1(sign * d));
}

static void compare_logs(struct sides *s, struct evidence *e)
{
	double sign = s->x[0] > 0 ? 1 : -1;
	struct shift shift;

	take_logs(s->x, s->n);
	take_logs(s->y, s->m);
	shift = shift_estimate(s->x, s->n, s->y, s->m);
	e->logs = e->relative = true;
	e->change = log_share(shift.estimate, sign);
	e->low = log_share(shift.low, sign);
	e->high = log_share(shift.high, sign);
	e->spread = bounded(expm1(shift_spread(s->x, s->n, s->y, s->m)));
}

static double raw_share(double d, double size)
{
	return isinf(d) ? d : bounded(d / size);
}

static void compare_raw(const struct sides *s, struct evidence *e)
{
	struct shift shift = shift_estimate(s->x, s->n, s->y, s->m);
	double size = fabs(order_median(s->y, s->m));

	e->relative = size > 0;
	if (!e->relative)
		size = 1;
	e->change = raw_share(shift.estimate, size);
	e->low = raw_share(shift.low, size);
	e->high = raw_share(shift.high, size);
	e->spread = bounded(shift_spread(s->x, s->n, s->y, s->m) / size);
}

void evidence_compare(
	const double *head, size_t n_head, const double *base, size_t n_base, struct evidence *ret)
{
	size_t n = ranks_tested(n_head, n_base, TESTED), m = ranks_tested(n_base, n_head, TESTED);
	_cleanup_(freep) double *room = xmalloc((n + m) * sizeof(*room));
	struct sides s = {.x = room, .y = room + n, .n = n, .m = m};
	struct tails tails;

	*ret = (struct evidence){.n_head = n_head, .n_base = n_base};
	choose(head, n_head, s.x, n);
	choose(base, n_base, s.y, m);
	/* Ranks come before logarithms, which may make near values equal. */
	tails = ranks_test(s.x, n, s.y, m);
	ret->p_up = tails.up;
	ret->p_down = tails.down;
	if (of_one_sign(room, n + m))
		compare_logs(&s, ret);
	else
		compare_raw(&s, ret);
}

/* The variance of U / (n m) where it estimates the chance w that a sample of one side is above one
 * of the other: Hanley and McNeil, Radiology 143 (1982) 29-36. */
static double win_deviation(double w, double n, double m)
{
	double q1 = w / (2 - w), q2 = 2 * w * w / (1 + w);

	return sqrt((w * (1 - w) + (n - 1) * (q1 - w * w) + (m - 1) * (q2 - w * w)) / (n * m));
}

/* The least shift, in standard deviations of normal noise, at which p is at most level 95 times of
 * 100. */
static double detectable_shift(size_t n, size_t m, double level)
{
	double pairs = (double)n * (double)m, goal, low, high = 1;
	size_t refused;

	if (!ranks_critical(n, m, level, &refused))
		return INFINITY;
	goal = low = 1 - ((double)refused + 0.5) / pairs;
	for (int i = 0; i < 60; i++) {
		double w = (low + high) / 2;

		if (w - POWER_Z * win_deviation(w, (double)n, (double)m) >= goal)
			high = w;
		else
			low = w;
	}
	return M_SQRT2 * normal_quantile(high);
}

static double on_scale(const struct evidence *e, double share)
{
	return e->logs ? log1p(share) : share;
}

double evidence_detectable(const struct evidence *e, double level, double tolerance)
{
	size_t n = ranks_tested(e->n_head, e->n_base, TESTED),
	       m = ranks_tested(e->n_base, e->n_head, TESTED);
	double sd = on_scale(e, e->spread), limit = e->relative ? on_scale(e, tolerance) : 0;
	double error = EFFICIENCY * sd * sqrt(1 / (double)n + 1 / (double)m), units, shift;

	units = detectable_shift(n, m, level);
	if (isinf(units))
		return INFINITY;
	shift = fmax(units * sd, limit + POWER_Z * error);
	return e->logs ? expm1(shift) : shift;
}

/* Enough in the limit of many samples, to begin with. */
static size_t needed_at_least(double units, double level)
{
	double z = (POWER_Z - normal_quantile(level)) * EFFICIENCY / units;

	return fmin(2 * z * z, MOST_NEEDED);
}

size_t evidence_needed(const struct evidence *e, double level, double tolerance)
{
	double sd = on_scale(e, e->spread), units = on_scale(e, tolerance) / sd;
	size_t n = 1;

	while (n < MOST_NEEDED && ranks_share(n, n) > level)
		n++;
	if (!(tolerance > 0) || !e->relative || !(sd > 0))
		return n;
	if (needed_at_least(units, level) > n)
		n = needed_at_least(units, level);
	while (n < MOST_NEEDED && detectable_shift(n, n, level) > units)
		n++;
	return n;
}

/* What rounding may do to a p that is exactly at its bound, as that of complete separation is. */
#define ROUNDING (1 + 1e-12)

/* Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300: the largest k for which the k-th
 * least p is at most k q / n. */
double evidence_hits(double *p, size_t n, double q)
{
	size_t k;

	if (!n)
		return -1;
	order_doubles(p, n);
	for (k = n; k > 0 && p[k - 1] * (double)n > (double)k * q * ROUNDING;)
		k--;
	return k ? p[k - 1] : -1;
}
