#include "trend-step.h"

#include "edpelt.h"
#include "order.h"
#include "ranks.h"
#include "shift.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The second opinion looks at so many points of either side at most; and at so many at least, even
 * where that takes it past a step beside it, as long as there are. */
enum { AROUND = 30, ENOUGH = 15 };
#define ANOTHER_PENALTY 4

/* The rank test takes as many points as prune.c does, so that p is what that went by: where
 * one side is so small that it is exact, only the nearest of the other. The place is looked for as
 * far as that. */
enum { NEAREST = 60 };

/* The interval takes so many quantiles of a side at most, evenly spaced: its work grows with the
 * number of pairs, while the lesser side has most of the noise. */
enum { PAIRED = 32 };

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

size_t levels_end(const struct levels *l, size_t k)
{
	return k + 1 < l->count ? l->from[k + 1] : l->n;
}

double levels_on_scale(const struct levels *l, double x)
{
	return l->by > 0 ? x / l->by : log(fmax(fabs(x), DBL_TRUE_MIN));
}

static double bounded(double d)
{
	return fmax(-DBL_MAX, fmin(DBL_MAX, d));
}

/* Points of the level before and of that from a step, ascending, with their numbers. */
struct sides {
	double *before, *after;
	size_t n_before, n_after;
};

/* The nearest so many of them. */
static struct sides sides_of(const struct levels *l, size_t at, size_t n_before, size_t n_after)
{
	struct sides d = {l->room, l->room + n_before, n_before, n_after};

	memcpy(d.before, l->v + at - n_before, n_before * sizeof(*d.before));
	memcpy(d.after, l->v + at, n_after * sizeof(*d.after));
	order_doubles(d.before, n_before);
	order_doubles(d.after, n_after);
	return d;
}

static double rank_p(const struct levels *l, size_t k)
{
	size_t at = l->from[k], before = at - l->from[k - 1], after = levels_end(l, k) - at;
	struct sides d = sides_of(
		l, at, ranks_tested(before, after, NEAREST), ranks_tested(after, before, NEAREST));
	struct tails t = ranks_test(d.after, d.n_after, d.before, d.n_before);

	return fmin(1, 2 * fmin(t.up, t.down));
}

/* Leaves the quantiles of v; returns how many. */
static size_t thin(double *v, size_t n)
{
	size_t i;

	if (n <= PAIRED)
		return n;
	for (i = 0; i < PAIRED; i++)
		v[i] = v[(2 * i + 1) * n / (2 * PAIRED)];
	return PAIRED;
}

static struct shift shift_of(const struct levels *l, size_t k)
{
	size_t at = l->from[k];
	struct sides d = sides_of(l, at, at - l->from[k - 1], levels_end(l, k) - at);

	d.n_before = thin(d.before, d.n_before);
	d.n_after = thin(d.after, d.n_after);
	return shift_estimate(d.after, d.n_after, d.before, d.n_before);
}

double step_change(double before, double after)
{
	if (before == 0)
		return NAN;
	return bounded((before < 0 ? -1 : 1) * (after / before - 1));
}

/* A difference on the scale as the share of before. */
static double as_share(const struct levels *l, double difference, double before)
{
	if (isinf(difference))
		return difference;
	return bounded(l->by > 0 ? difference * l->by / fabs(before) : expm1(difference));
}

/* The interval holds the change, which is that of the medians. */
static void measure_interval(const struct levels *l, size_t k, struct trend_step *s)
{
	struct shift shift = shift_of(l, k);
	double wider = sqrt(l->alike), e = shift.estimate;
	double low = as_share(l, e - wider * (e - shift.low), s->before);
	double high = as_share(l, e + wider * (shift.high - e), s->before);
	bool mirrored = l->by == 0 && s->before < 0;

	s->low = s->high = NAN;
	if (s->before == 0)
		return;
	s->low = fmin(s->change, mirrored ? -high : low);
	s->high = fmax(s->change, mirrored ? -low : high);
}

static double loss(const struct levels *l, size_t i, double level)
{
	double d = fmin(fabs(l->v[i] - level) / l->sd, PLACE_FARTHEST);

	return d * d;
}

/* What it costs to have point i of the level before a step and not of that after it. */
static double cost_before(const struct levels *l, size_t i, double before, double after)
{
	return loss(l, i, before) - loss(l, i, after);
}

static void measure_place(const struct levels *l, size_t k, struct trend_step *s)
{
	double cost[2 * NEAREST + 1], *here = cost + NEAREST, best = 0;
	double bound = PLACE_COST * l->alike;
	double a = levels_on_scale(l, s->before), b = levels_on_scale(l, s->after);
	int i, low = 0, high = 0;

	*here = 0;
	for (; high < NEAREST && s->at + (size_t)high + 1 < levels_end(l, k); high++)
		here[high + 1] = here[high] + cost_before(l, s->at + (size_t)high, a, b);
	for (; low > -NEAREST && s->at - (size_t)-low > l->from[k - 1] + 1; low--)
		here[low - 1] = here[low] - cost_before(l, s->at - (size_t)(1 - low), a, b);
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
bool step_is_beyond(const struct trend_rule *rule, double before, double after)
{
	double by = fabs(after / 2 - before / 2);

	return by > 0 && by > rule->tolerance * fabs(before / 2);
}

enum trend_sense step_sense(const struct trend_rule *rule, double before, double after)
{
	if (rule->direction == DIRECTION_NONE || !step_is_beyond(rule, before, after))
		return SENSE_NONE;
	return (after > before) == (rule->direction == DIRECTION_LOWER) ? SENSE_WORSE
									: SENSE_BETTER;
}

static bool is_seen_again(const struct levels *l, size_t k)
{
	size_t at = l->from[k], before = l->from[k - 1], next = levels_end(l, k);
	size_t from = at - before < AROUND ? before : at - AROUND;
	size_t end = next - at < AROUND ? next : at + AROUND, found[2 * AROUND], i, n;

	if (at - from < ENOUGH)
		from = at < ENOUGH ? 0 : at - ENOUGH;
	if (end - at < ENOUGH)
		end = l->n - at < ENOUGH ? l->n : at + ENOUGH;
	n = edpelt(l->v + from, end - from, ANOTHER_PENALTY, found);
	for (i = 0; i < n; i++)
		if (from + found[i] + AGREE >= at && from + found[i] <= at + AGREE)
			return true;
	return false;
}

void step_measure(const struct levels *l, size_t k, struct trend_step *ret)
{
	ret->strength = is_seen_again(l, k) ? STEP_CONFIRMED : STEP_WEAK;
	ret->p = rank_p(l, k);
	measure_interval(l, k, ret);
	measure_place(l, k, ret);
}
