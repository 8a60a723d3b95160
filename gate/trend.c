#include "trend.h"

#include "buf.h"
#include "changepoint.h"
#include "level-scale.h"
#include "order.h"
#include "suspect.h"
#include "trend-step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *trend_strength_name(enum trend_strength s)
{
	static const char *const names[] = {
		[STEP_EXACT] = "exact", [STEP_CONFIRMED] = "confirmed", [STEP_WEAK] = "weak"};

	return names[s];
}

const char *trend_sense_name(enum trend_sense s)
{
	static const char *const names[] = {
		[SENSE_NONE] = "none", [SENSE_WORSE] = "worse", [SENSE_BETTER] = "better"};

	return names[s];
}

/* Of neighbouring residuals: beyond this, and beyond two of its standard errors, which are
 * 1 / sqrt n where there is none. */
#define CORRELATED 0.3
#define CORRELATED_FARTHEST 2.5
enum { CORRELATED_POINTS = 20 };

struct work {
	struct levels l;
	const struct trend_rule *rule;
	double least_effect;
	double *v;    /* as in l, to be put on its scale */
	double *left; /* v without its levels */
	double *room; /* n */
};

static double median_of(const struct work *w, size_t from, size_t end)
{
	memcpy(w->room, w->l.x + from, (end - from) * sizeof(*w->room));
	return order_and_median(w->room, end - from);
}

/* ---- levels ---- */

/* Of fewer points it is chance that values repeat. */
enum { REPEATING_POINTS = 10 };

/* Most values repeat, as those of counters do, and are not left for a few points only to come back,
 * as those of a coarse clock are. */
static bool repeats(const double *x, size_t n)
{
	size_t i, changes = 0, back = 0, since = 0;
	double before = NAN;

	for (i = 1; i < n; i++) {
		if (x[i] == x[i - 1])
			continue;
		changes++;
		back += x[i] == before && i - since <= AGREE;
		before = x[i - 1];
		since = i;
	}
	return n >= REPEATING_POINTS && 2 * changes < n - 1 && 4 * back < changes + !changes;
}

static size_t value_changes(const double *x, size_t n, size_t *ret)
{
	size_t i, count = 0;

	for (i = 1; i < n; i++)
		if (x[i] != x[i - 1])
			ret[count++] = i;
	return count;
}

static size_t find_steps(const struct work *w, bool exact, size_t *ret)
{
	const struct changepoint_settings s = changepoint_defaults(w->l.n);

	if (exact)
		return value_changes(w->l.x, w->l.n, ret);
	return changepoints(w->l.v, w->l.n, &s, ret);
}

static void find_levels(struct work *w, bool exact)
{
	size_t k;

	w->l.count = 1 + find_steps(w, exact, w->l.from + 1);
	w->l.median = xmalloc(w->l.count * sizeof(*w->l.median));
	for (k = 0; k < w->l.count; k++)
		w->l.median[k] = median_of(w, w->l.from[k], levels_end(&w->l, k));
}

/* ---- noise ---- */

static void take_levels_off(struct work *w)
{
	size_t i, k;

	for (k = 0; k < w->l.count; k++) {
		double level = levels_on_scale(&w->l, w->l.median[k]);
		for (i = w->l.from[k]; i < levels_end(&w->l, k); i++)
			w->left[i] = w->l.v[i] - level;
	}
}

static double deviation(const struct work *w)
{
	size_t i;

	for (i = 0; i < w->l.n; i++)
		w->room[i] = fabs(w->left[i]);
	return MAD_SD * order_and_median(w->room, w->l.n);
}

static double within(double d, double most)
{
	return fmax(-most, fmin(most, d));
}

/* Of the first n points. */
static double autocorrelation(const struct work *w, size_t n)
{
	double squares = 0, products = 0, last = 0;
	size_t i;

	if (n < CORRELATED_POINTS)
		return NAN;
	for (i = 0; i < n; i++) {
		double d = within(w->left[i] / w->l.sd, CORRELATED_FARTHEST);
		products += d * last;
		squares += d * d;
		last = d;
	}
	return squares > 0 ? products / squares : NAN;
}

/* The variance of the mean of neighbours that are so correlated is so many times as large: of an
 * AR(1) process. */
static double inflation(double correlation)
{
	double r = fmin(correlation, 0.9);

	return (1 + r) / (1 - r);
}

/* Without the newest, which may be of another level and then all differ to the same side. */
static void measure_correlation(struct work *w, struct trend *ret)
{
	size_t n = w->l.n - suspect_newest(w->l.n);

	ret->autocorrelation = autocorrelation(w, n);
	ret->autocorrelated = ret->autocorrelation > fmax(CORRELATED, 2 / sqrt((double)n));
	w->l.alike = ret->autocorrelated ? inflation(ret->autocorrelation) : 1;
}

static void measure_noise(struct work *w, struct trend *ret)
{
	double sd;

	take_levels_off(w);
	sd = deviation(w);
	ret->noise = fmin(DBL_MAX, w->l.by > 0 ? sd * w->l.by : expm1(sd));
	w->l.sd = fmax(sd, w->least_effect / 10);
	measure_correlation(w, ret);
}

/* ---- the newest points ---- */

static bool is_large(const struct work *w, double before, double after)
{
	double by = levels_on_scale(&w->l, after) - levels_on_scale(&w->l, before);

	return fabs(by) >= w->least_effect && step_is_beyond(w->rule, before, after);
}

static void find_suspect(const struct work *w, struct trend *t)
{
	const double *newest = w->l.v + t->from;
	double before, after;
	size_t from;

	if (!suspect_of(newest, w->l.n - t->from, w->least_effect / 10, w->l.alike, &from))
		return;
	from += t->from;
	before = median_of(w, t->from, from);
	after = median_of(w, from, w->l.n);
	if (!is_large(w, before, after))
		return;
	t->suspect = (struct trend_suspect){.is = true,
		.from = from,
		.before = before,
		.after = after,
		.change = step_change(before, after),
		.sense = step_sense(w->rule, before, after)};
}

/* ---- all of it ---- */

/* As an exact one; what noise has to do with it is measured after. */
static void describe_step(const struct work *w, size_t k, struct trend_step *s)
{
	double before = w->l.median[k - 1], after = w->l.median[k];

	s->at = s->earliest = s->last = w->l.from[k];
	s->before = before;
	s->after = after;
	s->change = s->low = s->high = step_change(before, after);
	s->sense = step_sense(w->rule, before, after);
}

static void describe(const struct work *w, struct trend *ret)
{
	size_t k;

	ret->n_steps = w->l.count - 1;
	ret->steps = xcalloc(w->l.count, sizeof(*ret->steps));
	for (k = 1; k < w->l.count; k++)
		describe_step(w, k, &ret->steps[k - 1]);
	ret->from = w->l.from[ret->n_steps];
	ret->level = w->l.median[ret->n_steps];
}

static void measure(struct work *w, struct trend *ret)
{
	size_t k;

	measure_noise(w, ret);
	for (k = 1; k < w->l.count; k++)
		step_measure(&w->l, k, &ret->steps[k - 1]);
	find_suspect(w, ret);
}

static void find(struct work *w, struct trend *ret)
{
	if (!ret->exact)
		w->l.by = to_level_scale(w->v, w->l.n, w->room);
	find_levels(w, ret->exact);
	describe(w, ret);
	if (!ret->exact)
		measure(w, ret);
}

void trend_of(const double *x, size_t n, const struct trend_rule *rule, struct trend *ret)
{
	_cleanup_(freep) double *room = xmalloc((3 * n + 1) * sizeof(*room));
	_cleanup_(freep) size_t *from = xcalloc(n + 1, sizeof(*from));
	double *v = room;
	struct work w = {.l = {.x = x, .v = v, .n = n, .from = from, .room = room + n},
		.v = v,
		.room = room + n,
		.left = room + 2 * n,
		.rule = rule,
		.least_effect = changepoint_defaults(n).min_effect};

	*ret = (struct trend){
		.exact = rule->exact || repeats(x, n), .level = NAN, .autocorrelation = NAN};
	if (n) {
		memcpy(v, x, n * sizeof(*x));
		find(&w, ret);
	}
	free(w.l.median);
}

void trend_release(struct trend *t)
{
	free(t->steps);
	*t = (struct trend){0};
}
