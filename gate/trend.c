#include "trend.h"

#include "buf.h"
#include "changepoint.h"
#include "edpelt.h"
#include "level-scale.h"
#include "order.h"
#include "ranks.h"
#include "shift.h"
#include "suspect.h"

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

/* The second opinion looks at so many points of either side at most; and at so many at least, even
 * where that takes it past a step beside it, as long as there are. */
enum { AROUND = 30, ENOUGH = 15 };
#define ANOTHER_PENALTY 4

/* What a step is measured by: so many points of either side at most, those next to it. Of the
 * interval's all pairs count, which takes as long as the rest together. */
enum { NEAREST = 60, NEAREST_PAIRED = 32 };

/*
 * Minus twice the logarithm of the likelihood ratio up to which a step may be elsewhere. With
 * levels that are known, the ratio of any wrong place is a random walk that drifts away, and passes
 * w with a probability of at most exp(-w); both sides stay below c / 2 in 95 % of all cases where c
 * is -2 ln(1 - sqrt(0.95)): D. Siegmund, "Confidence sets in change-point problems", International
 * Statistical Review 56 (1988) 31-48.
 */
#define PLACE_COST 7.3523

/* How far from a level a point counts there, in standard deviations: it is enough for one point to
 * tell, and not more. */
#define PLACE_FARTHEST 3

/* Of neighbouring residuals: beyond this, and beyond two of its standard errors, which are
 * 1 / sqrt n where there is none. */
#define CORRELATED 0.3
#define CORRELATED_FARTHEST 2.5
enum { CORRELATED_POINTS = 20 };

struct work {
	const double *x;
	size_t n;
	const struct trend_rule *rule;
	double *v;     /* x on its scale */
	double by;     /* see to_level_scale() */
	double *left;  /* v without its levels */
	double *room;  /* n */
	double alike;  /* so many neighbours tell what one point by itself would */
	double sd;     /* of left, and at least what changepoint.h takes for no noise */
	size_t *at;    /* where the levels begin, the first with 0 */
	double *level; /* medians of x */
	size_t n_levels;
};

static size_t level_end(const struct work *w, size_t k)
{
	return k + 1 < w->n_levels ? w->at[k + 1] : w->n;
}

static double median_of(const struct work *w, size_t from, size_t end)
{
	memcpy(w->room, w->x + from, (end - from) * sizeof(*w->room));
	return order_and_median(w->room, end - from);
}

static double on_scale(const struct work *w, double x)
{
	return w->by > 0 ? x / w->by : log(fabs(x));
}

static double bounded(double d)
{
	return fmax(-DBL_MAX, fmin(DBL_MAX, d));
}

/* ---- levels ---- */

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
	return n && 2 * changes < n - 1 && 4 * back < changes + !changes;
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
	struct changepoint_settings s = changepoint_defaults(w->n);

	if (exact)
		return value_changes(w->x, w->n, ret);
	s.exact = false;
	return changepoints(w->v, w->n, &s, ret);
}

static void find_levels(struct work *w, bool exact)
{
	size_t k;

	w->at = xmalloc((w->n + 1) * sizeof(*w->at));
	w->at[0] = 0;
	w->n_levels = 1 + find_steps(w, exact, w->at + 1);
	w->level = xmalloc(w->n_levels * sizeof(*w->level));
	for (k = 0; k < w->n_levels; k++)
		w->level[k] = median_of(w, w->at[k], level_end(w, k));
}

/* ---- noise ---- */

static void take_levels_off(struct work *w)
{
	size_t i, k;

	for (k = 0; k < w->n_levels; k++)
		for (i = w->at[k]; i < level_end(w, k); i++)
			w->left[i] = w->v[i] - on_scale(w, w->level[k]);
}

static double deviation(const struct work *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		w->room[i] = fabs(w->left[i]);
	return MAD_SD * order_and_median(w->room, w->n);
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
		double d = within(w->left[i] / w->sd, CORRELATED_FARTHEST);
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
	size_t n = w->n - suspect_newest(w->n);

	ret->autocorrelation = autocorrelation(w, n);
	ret->autocorrelated = ret->autocorrelation > fmax(CORRELATED, 2 / sqrt((double)n));
	w->alike = ret->autocorrelated ? inflation(ret->autocorrelation) : 1;
}

static void measure_noise(struct work *w, struct trend *ret)
{
	double sd;

	take_levels_off(w);
	sd = deviation(w);
	ret->noise = bounded(w->by > 0 ? sd * w->by : expm1(sd));
	w->sd = fmax(sd, changepoint_defaults(w->n).min_effect / 10);
	measure_correlation(w, ret);
}

/* ---- a step ---- */

/* The nearest points of the level before and of that from a step, ascending, with their numbers. */
struct sides {
	double *before, *after;
	size_t n_before, n_after;
};

static struct sides sides_of(const struct work *w, size_t k, size_t most)
{
	size_t at = w->at[k], before = at - w->at[k - 1], after = level_end(w, k) - at;
	struct sides d = {.before = w->room,
		.n_before = before < most ? before : most,
		.n_after = after < most ? after : most};

	d.after = d.before + d.n_before;
	memcpy(d.before, w->v + at - d.n_before, d.n_before * sizeof(*d.before));
	memcpy(d.after, w->v + at, d.n_after * sizeof(*d.after));
	order_doubles(d.before, d.n_before);
	order_doubles(d.after, d.n_after);
	return d;
}

static double rank_p(const struct work *w, size_t k)
{
	struct sides d = sides_of(w, k, NEAREST);
	struct tails t = ranks_test(d.after, d.n_after, d.before, d.n_before);

	return fmin(1, 2 * fmin(t.up, t.down));
}

static double relative_change(double before, double after)
{
	if (before == 0)
		return NAN;
	return bounded((before < 0 ? -1 : 1) * (after / before - 1));
}

/* A difference on the scale as the share of before. */
static double as_share(const struct work *w, double difference, double before)
{
	if (isinf(difference))
		return difference;
	return bounded(w->by > 0 ? difference * w->by / fabs(before) : expm1(difference));
}

/* The interval holds the change, which is that of the medians of all points. */
static void measure_interval(const struct work *w, size_t k, struct trend_step *s)
{
	struct sides d = sides_of(w, k, NEAREST_PAIRED);
	struct shift shift = shift_estimate(d.after, d.n_after, d.before, d.n_before);
	double wider = sqrt(w->alike), e = shift.estimate;
	double low = as_share(w, e - wider * (e - shift.low), s->before);
	double high = as_share(w, e + wider * (shift.high - e), s->before);
	bool mirrored = w->by == 0 && s->before < 0;

	s->low = s->high = NAN;
	if (s->before == 0)
		return;
	s->low = fmin(s->change, mirrored ? -high : low);
	s->high = fmax(s->change, mirrored ? -low : high);
}

static double loss(const struct work *w, size_t i, double level)
{
	double d = fmin(fabs(w->v[i] - level) / w->sd, PLACE_FARTHEST);

	return d * d;
}

/* What it costs to have point i before step k rather than after it. */
static double cost_before(const struct work *w, size_t k, size_t i)
{
	return loss(w, i, on_scale(w, w->level[k - 1])) - loss(w, i, on_scale(w, w->level[k]));
}

static void measure_place(const struct work *w, size_t k, struct trend_step *s)
{
	double cost[2 * NEAREST + 1], *here = cost + NEAREST, best = 0;
	double bound = PLACE_COST * w->alike;
	int i, low = 0, high = 0;

	*here = 0;
	for (; high < NEAREST && s->at + (size_t)high + 1 < level_end(w, k); high++)
		here[high + 1] = here[high] + cost_before(w, k, s->at + (size_t)high);
	for (; low > -NEAREST && s->at - (size_t)-low > w->at[k - 1] + 1; low--)
		here[low - 1] = here[low] - cost_before(w, k, s->at - (size_t)(1 - low));
	for (i = low; i <= high; i++)
		best = fmin(best, here[i]);
	while (low < 0 && here[low] > best + bound)
		low++;
	while (high > 0 && here[high] > best + bound)
		high--;
	s->earliest = s->at - (size_t)-low;
	s->last = s->at + (size_t)high;
}

/* Halves do not overflow. */
static bool is_beyond(const struct trend_rule *rule, double before, double after)
{
	double by = fabs(after / 2 - before / 2);

	return by > 0 && by > rule->tolerance * fabs(before / 2);
}

static enum trend_sense sense_of(const struct trend_rule *rule, double before, double after)
{
	if (rule->direction == DIRECTION_NONE || !is_beyond(rule, before, after))
		return SENSE_NONE;
	return (after > before) == (rule->direction == DIRECTION_LOWER) ? SENSE_WORSE
									: SENSE_BETTER;
}

static bool is_seen_again(const struct work *w, size_t k, size_t at)
{
	size_t next = level_end(w, k),
	       from = at - w->at[k - 1] < AROUND ? w->at[k - 1] : at - AROUND;
	size_t end = next - at < AROUND ? next : at + AROUND, found[2 * AROUND], i, n;

	if (at - from < ENOUGH)
		from = at < ENOUGH ? 0 : at - ENOUGH;
	if (end - at < ENOUGH)
		end = w->n - at < ENOUGH ? w->n : at + ENOUGH;
	n = edpelt(w->v + from, end - from, ANOTHER_PENALTY, found);
	for (i = 0; i < n; i++)
		if (from + found[i] + AGREE >= at && from + found[i] <= at + AGREE)
			return true;
	return false;
}

/* The step between levels k - 1 and k. */
static void measure_step(const struct work *w, size_t k, bool exact, struct trend_step *s)
{
	s->at = s->earliest = s->last = w->at[k];
	s->before = w->level[k - 1];
	s->after = w->level[k];
	s->change = s->low = s->high = relative_change(s->before, s->after);
	s->sense = sense_of(w->rule, s->before, s->after);
	if (exact)
		return;
	s->strength = is_seen_again(w, k, s->at) ? STEP_CONFIRMED : STEP_WEAK;
	s->p = rank_p(w, k);
	measure_interval(w, k, s);
	measure_place(w, k, s);
}

/* ---- the newest points ---- */

static void find_suspect(const struct work *w, struct trend *t)
{
	const double least = changepoint_defaults(w->n).min_effect;
	double before, after;
	size_t from;

	if (!suspect_of(w->v + t->from, w->n - t->from, least / 10, w->alike, &from))
		return;
	from += t->from;
	before = median_of(w, t->from, from);
	after = median_of(w, from, w->n);
	if (fabs(on_scale(w, after) - on_scale(w, before)) < least ||
		!is_beyond(w->rule, before, after))
		return;
	t->suspect = (struct trend_suspect){.is = true,
		.from = from,
		.after = after,
		.change = relative_change(before, after),
		.sense = sense_of(w->rule, before, after)};
}

/* ---- all of it ---- */

static void measure(struct work *w, struct trend *ret)
{
	size_t k;

	find_levels(w, ret->exact);
	if (!ret->exact)
		measure_noise(w, ret);
	ret->n_steps = w->n_levels - 1;
	ret->steps = xcalloc(ret->n_steps + 1, sizeof(*ret->steps));
	for (k = 1; k < w->n_levels; k++)
		measure_step(w, k, ret->exact, &ret->steps[k - 1]);
	ret->from = w->at[ret->n_steps];
	ret->level = w->level[ret->n_steps];
	if (!ret->exact)
		find_suspect(w, ret);
}

void trend_of(const double *x, size_t n, const struct trend_rule *rule, struct trend *ret)
{
	_cleanup_(freep) double *room = xmalloc((3 * n + 1) * sizeof(*room));
	struct work w = {.x = x,
		.n = n,
		.rule = rule,
		.v = room,
		.left = room + n,
		.room = room + 2 * n,
		.alike = 1};

	*ret = (struct trend){
		.exact = rule->exact || repeats(x, n), .level = NAN, .autocorrelation = NAN};
	if (!n)
		return;
	memcpy(w.v, x, n * sizeof(*x));
	if (!ret->exact)
		w.by = to_level_scale(w.v, n, w.room);
	measure(&w, ret);
	free(w.at);
	free(w.level);
}

void trend_release(struct trend *t)
{
	free(t->steps);
	*t = (struct trend){0};
}
