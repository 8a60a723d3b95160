#include "standing.h"

#include "history.h"

#include <math.h>

const char *standing_name(enum standing_kind k)
{
	static const char *const names[STANDING_KINDS] = {[STANDING_WORSE] = "worse",
		[STANDING_SUSPECT] = "suspect",
		[STANDING_MISSING] = "missing",
		[STANDING_ACCEPTED] = "accepted",
		[STANDING_BETTER] = "better",
		[STANDING_MOVED] = "moved",
		[STANDING_FEW] = "few",
		[STANDING_STEADY] = "steady"};

	return names[k];
}

/* ---- whether it was made good ---- */

static bool reaches_floor(const struct trending_series *s, double by)
{
	return by >= decimal_double(s->decision.floor);
}

/* As the gate has it. */
static bool is_worse(const struct trending_series *s, double before, double after)
{
	const double by =
		s->decision.direction == DIRECTION_LOWER ? after - before : before - after;

	return by > decimal_double(s->decision.tolerance) * fabs(before) && reaches_floor(s, by);
}

/* Or was never that bad. */
static bool made_good(const struct trending_series *s, size_t step)
{
	const struct trend *t = &s->trend;
	size_t i;

	for (i = step; i < t->n_steps; i++)
		if (!is_worse(s, t->steps[step].before, t->steps[i].after))
			return true;
	return false;
}

static bool is_sure(const struct trending_series *s, size_t step)
{
	return s->trend.steps[step].strength != STEP_WEAK && !(s->machine && s->machine[step]);
}

/* The newest step at from or later that left the series worse; one that is sure before others.
 * SIZE_MAX: none. */
static size_t find_worse(const struct trending_series *s, size_t from)
{
	const struct trend *t = &s->trend;
	size_t i, ret = SIZE_MAX;

	for (i = t->n_steps; i-- > 0 && t->steps[i].at >= from;) {
		if (t->steps[i].sense != SENSE_WORSE || made_good(s, i))
			continue;
		if (is_sure(s, i))
			return i;
		ret = ret == SIZE_MAX ? i : ret;
	}
	return ret;
}

/* The newest of any sense. */
static size_t find_newest(const struct trending_series *s, size_t from)
{
	const struct trend *t = &s->trend;

	return t->n_steps && t->steps[t->n_steps - 1].at >= from ? t->n_steps - 1 : SIZE_MAX;
}

/* ---- what the policy says ---- */

static int is_accepted(
	struct policy *p, const struct trending_series *s, struct standing *ret, struct err *err)
{
	struct turn t;
	struct step_rule rule = {.direction = s->decision.direction,
		.tolerance = s->decision.tolerance,
		.floor = s->decision.floor,
		.accepts = true};
	int r = policy_accept(p, &s->key, &t, err);

	if (r <= 0)
		return r;
	rule.accept = t.to;
	if (!step_accepted(&rule, decimal_from(num_real(s->trend.level))))
		return 0;
	ret->section = policy_section_name(p, t.section);
	return 1;
}

static int is_waived(struct policy *p, const struct trending_series *s, int64_t now,
	struct standing *ret, struct err *err)
{
	struct turn t;
	int r = policy_waive(p, &s->key, &t, err);

	if (r <= 0 || now >= t.until)
		return r < 0 ? -1 : 0;
	ret->section = policy_section_name(p, t.section);
	return 1;
}

/* ---- all of it ---- */

static double size_of(double change)
{
	return isfinite(change) && change > -1 ? fabs(log1p(change)) : INFINITY;
}

static enum standing_kind kind_of_step(const struct trending_series *s, size_t step)
{
	const struct trend_step *x = &s->trend.steps[step];

	return x->sense == SENSE_BETTER && reaches_floor(s, fabs(x->after - x->before))
		       ? STANDING_BETTER
		       : STANDING_MOVED;
}

static bool has_few(const struct trending_series *s)
{
	return !s->trend.exact && s->n < STANDING_POINTS_NEEDED;
}

static void classify(const struct trending_series *s, size_t from, struct standing *ret)
{
	const bool suspect = s->trend.suspect.is && s->trend.suspect.from >= from;
	const bool worse = suspect && s->trend.suspect.sense == SENSE_WORSE;

	ret->suspected |= worse;
	if (s->missing)
		ret->kind = STANDING_MISSING;
	else if (ret->section)
		ret->kind = STANDING_ACCEPTED;
	else if (worse || (suspect && !ret->sure))
		ret->kind = STANDING_SUSPECT;
	else if (ret->sure || ret->suspected)
		ret->kind = STANDING_WORSE;
	else if (ret->step != SIZE_MAX)
		ret->kind = kind_of_step(s, ret->step);
	else
		ret->kind = has_few(s) ? STANDING_FEW : STANDING_STEADY;
	if (ret->kind == STANDING_SUSPECT)
		ret->size = size_of(s->trend.suspect.change);
	else if (ret->kind != STANDING_MISSING && ret->step != SIZE_MAX)
		ret->size = size_of(s->trend.steps[ret->step].change);
}

int standing_of(struct policy *p, const struct trending_series *s, size_t from, int64_t now,
	struct standing *ret, struct err *err)
{
	const size_t worse = find_worse(s, from);
	int r = 0;

	*ret = (struct standing){.step = worse == SIZE_MAX ? find_newest(s, from) : worse};
	if (worse != SIZE_MAX)
		r = is_accepted(p, s, ret, err);
	if (worse != SIZE_MAX && r == 0)
		r = is_waived(p, s, now, ret, err);
	if (r < 0)
		return -1;
	ret->sure = worse != SIZE_MAX && r == 0 && is_sure(s, worse);
	ret->suspected = worse != SIZE_MAX && r == 0 && !ret->sure;
	classify(s, from, ret);
	return 0;
}
