#include "changepoint.h"

#include "buf.h"
#include "fpop.h"
#include "order.h"
#include "prune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct changepoint_settings changepoint_defaults(size_t n)
{
	const bool is_short = n < CHANGEPOINT_SHORT;

	return (struct changepoint_settings){.k = 2,
		.penalty = is_short ? fmax(2.3, 8.5 / log((double)n)) : 2.75,
		.penalty_power = is_short ? 0 : 0.5,
		.p = 1e-2,
		.min_effect = 0.01,
		.settle = true};
}

/* ---- the scale ---- */

static void range(const double *z, size_t n, double *ret_lo, double *ret_hi)
{
	size_t i;

	*ret_lo = *ret_hi = z[0];
	for (i = 1; i < n; i++) {
		*ret_lo = z[i] < *ret_lo ? z[i] : *ret_lo;
		*ret_hi = z[i] > *ret_hi ? z[i] : *ret_hi;
	}
}

/* sd of the noise: MAD_SD x the median absolute deviation of the steps / sqrt 2, from 0 or, where
 * the series drifts, from their median. */
static double noise(const double *z, size_t n, bool drifts, double *steps)
{
	double drift = 0, mean = 0, mad;
	size_t i;

	for (i = 0; i + 1 < n; i++) {
		steps[i] = (z[i + 1] - z[i]) / M_SQRT2;
		mean += fabs(steps[i]) / (double)(n - 1);
	}
	if (drifts)
		drift = order_any_median(steps, n - 1);
	for (i = 0; i + 1 < n; i++)
		steps[i] = fabs(steps[i] - drift);
	mad = order_any_median(steps, n - 1);
	return mad > 0 ? MAD_SD * mad : mean;
}

enum { ONE_WAY = 3 };

/* By how many more steps go up than down, or the other way round: more than three standard
 * deviations of what a random walk has, and of other noise neighbouring steps differ rather. */
static bool goes_one_way(const double *z, size_t n)
{
	double up = 0;
	size_t i;

	for (i = 1; i < n; i++)
		up += (z[i] > z[i - 1]) - (z[i] < z[i - 1]);
	return fabs(up) > ONE_WAY * sqrt((double)n);
}

/* ---- what the levels leave ---- */

enum { CLIP = 3 };

/* A series in standard deviations, its changes, and room for as many numbers twice. */
struct levels {
	const double *z;
	size_t n;
	size_t *at, count;
	double *left, *scratch;
};

static size_t level_end(const struct levels *l, size_t i)
{
	return i < l->count ? l->at[i] : l->n;
}

static double median_between(const struct levels *l, size_t from, size_t to)
{
	memcpy(l->scratch, l->z + from, (to - from) * sizeof(*l->scratch));
	return order_any_median(l->scratch, to - from);
}

/* Fills left with each point's distance from its level; returns their standard deviation. */
static double take_levels(const struct levels *l)
{
	size_t i, j, from = 0;

	for (i = 0; i <= l->count; i++) {
		double level = median_between(l, from, level_end(l, i));
		for (j = from; j < level_end(l, i); j++)
			l->left[j] = l->z[j] - level;
		from = level_end(l, i);
	}
	for (i = 0; i < l->n; i++)
		l->scratch[i] = fabs(l->left[i]);
	return MAD_SD * order_any_median(l->scratch, l->n);
}

static double clipped(double x, double bound)
{
	return x > bound ? bound : x < -bound ? -bound : x;
}

/* Of neighbours within a level; 0 where it is less than its standard error. */
static double autocorrelation(const struct levels *l)
{
	double bound = CLIP * take_levels(l), products = 0, squares = 0, r;
	size_t i, k = 0;

	for (i = 0; i < l->n; i++) {
		l->left[i] = clipped(l->left[i], bound);
		if (k < l->count && l->at[k] == i)
			k++;
		else if (i) {
			products += l->left[i] * l->left[i - 1];
			squares += (l->left[i] * l->left[i] + l->left[i - 1] * l->left[i - 1]) / 2;
		}
	}
	r = squares > 0 ? products / squares : 0;
	return r * r * (double)l->n < 1 || r < 0 ? 0 : fmin(r, 0.9);
}

/* How many points say as much as one of independent ones. */
static double inflation(double r)
{
	return (1 + r) / (1 - r);
}

/* ---- where a change is best placed ---- */

enum { AROUND = 5 };

static double loss(double z, double level, double bound)
{
	double d = z - level;

	return fmin(d * d, bound * bound);
}

/* Around at, between the levels from ... and ... to. */
static size_t best_place(const struct levels *l, size_t from, size_t at, size_t to, double bound)
{
	size_t first = at > from + AROUND ? at - AROUND : from + 1;
	size_t last = to > at + AROUND ? at + AROUND : to - 1, i, best_at = first;
	double before = median_between(l, from, at), after = median_between(l, at, to);
	double cost = 0, best = 0, here = 0;

	for (i = first; i < last; i++) {
		cost += loss(l->z[i], before, bound) - loss(l->z[i], after, bound);
		if (cost < best) {
			best = cost;
			best_at = i + 1;
		}
		if (i + 1 == at)
			here = cost;
	}
	return best < here ? best_at : at;
}

static void settle(const struct levels *l)
{
	double bound = CLIP * take_levels(l);
	size_t i;

	for (i = 0; i < l->count && bound > 0; i++)
		l->at[i] =
			best_place(l, i ? l->at[i - 1] : 0, l->at[i], level_end(l, i + 1), bound);
}

/* ---- all of it ---- */

/* z = x / 2^e with magnitudes below 1, so that nothing overflows; returns e. */
static int scale_down(const double *x, size_t n, double *z)
{
	double lo, hi;
	size_t i;
	int e;

	range(x, n, &lo, &hi);
	frexp(fmax(fabs(lo), fabs(hi)), &e);
	for (i = 0; i < n; i++)
		z[i] = ldexp(x[i], -e);
	return e;
}

/* z in standard deviations. Steps that are nothing beside the largest value count as none. */
static void standardise(
	const double *x, size_t n, const struct changepoint_settings *s, double *z, double *scratch)
{
	int e = scale_down(x, n, z);
	double sd = fmax(noise(z, n, s->drifts, scratch), ldexp(s->min_effect, -e) / 10);
	size_t i;

	sd = fmax(sd, 1e-100);
	for (i = 0; i < n; i++)
		z[i] /= sd;
}

static void find_levels(struct levels *l, double k, double penalty, size_t *start)
{
	fpop_segment(l->z, l->n, k, penalty, start);
	l->count = fpop_changes(start, l->n, l->at);
}

static void segment(struct levels *l, const struct changepoint_settings *s)
{
	_cleanup_(freep) size_t *start = xmalloc(l->n * sizeof(*start));
	double penalty = s->penalty * log((double)l->n), r, wider;

	find_levels(l, s->k, penalty, start);
	r = s->penalty_power > 0 ? autocorrelation(l) : 0;
	if (r <= 0)
		return;
	/* The variance is that of the steps times 1 / (1 - r) if all noise were of one kind, and
	 * theirs if r came of levels that some runs in turn have; taken as half way. */
	wider = 1 / sqrt(1 - r);
	find_levels(l, s->k * sqrt(wider), penalty * wider * pow(inflation(r), s->penalty_power),
		start);
	/* what grows is no noise */
	if (!l->count && goes_one_way(l->z, l->n))
		find_levels(l, s->k, penalty, start);
}

static size_t robust_changes(
	const double *x, size_t n, const struct changepoint_settings *s, size_t *ret)
{
	_cleanup_(freep) double *z = xmalloc(3 * n * sizeof(*z));
	struct levels l = {.z = z, .n = n, .at = ret, .left = z + n, .scratch = z + 2 * n};
	struct prune_rule rule = {.p = s->p, .min_effect = s->min_effect, .inflation = 1};

	standardise(x, n, s, z, z + n);
	segment(&l, s);
	if (s->test_power > 0)
		rule.inflation = pow(inflation(autocorrelation(&l)), 2 * s->test_power);
	l.count = prune_changes(x, n, &rule, ret, l.count);
	if (s->settle)
		settle(&l);
	return l.count;
}

size_t changepoints(const double *x, size_t n, const struct changepoint_settings *s, size_t *ret)
{
	double lo, hi;

	if (n < 2)
		return 0;
	range(x, n, &lo, &hi);
	if (lo == hi)
		return 0;
	return robust_changes(x, n, s, ret);
}
