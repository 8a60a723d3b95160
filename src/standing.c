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

bool standing_is_newest(const struct standing *s)
{
	return s->step == SIZE_MAX && (s->kind == STANDING_SUSPECT || s->kind == STANDING_ACCEPTED);
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

static int is_accepted(struct policy *p, const struct trending_series *s, double level,
	struct standing *ret, struct err *err)
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
	if (!step_accepted(&rule, decimal_from(num_real(level))))
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

/* What is worse, and now at that level: 1, 0, -1. */
static int is_meant(struct policy *p, const struct trending_series *s, double level, int64_t now,
	struct standing *ret, struct err *err)
{
	int r = is_accepted(p, s, level, ret, err);

	return r ? r : is_waived(p, s, now, ret, err);
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

/* Of the newest points, where they are from or later. */
static enum trend_sense suspicion(const struct trending_series *s, size_t from, bool *ret_is)
{
	const struct trend_suspect *x = &s->trend.suspect;

	*ret_is = x->is && x->from >= from && reaches_floor(s, fabs(x->after - x->before));
	return *ret_is ? x->sense : SENSE_NONE;
}

static int weigh_step(struct policy *p, const struct trending_series *s, size_t from, int64_t now,
	struct standing *ret, struct err *err)
{
	const size_t worse = find_worse(s, from);
	int r;

	ret->step = worse == SIZE_MAX ? find_newest(s, from) : worse;
	if (worse == SIZE_MAX)
		return 0;
	r = is_meant(p, s, s->trend.level, now, ret, err);
	ret->sure = r == 0 && is_sure(s, worse);
	ret->suspected = r == 0 && !ret->sure;
	return r < 0 ? -1 : 0;
}

static enum standing_kind kind_of(
	const struct trending_series *s, const struct standing *st, bool suspect)
{
	if (st->sure)
		return STANDING_WORSE;
	if (st->suspected || suspect)
		return STANDING_SUSPECT;
	if (st->section)
		return STANDING_ACCEPTED;
	if (st->step != SIZE_MAX)
		return kind_of_step(s, st->step);
	return has_few(s) ? STANDING_FEW : STANDING_STEADY;
}

/* The newest points come before a step that is not sure, and before what is accepted. */
static int weigh_newest(struct policy *p, const struct trending_series *s, size_t from, int64_t now,
	struct standing *ret, struct err *err)
{
	bool is;
	const bool worse = suspicion(s, from, &is) == SENSE_WORSE;
	const int r = worse ? is_meant(p, s, s->trend.suspect.after, now, ret, err) : 0;
	const bool counts = worse ? r == 0 : is && !ret->suspected && !ret->section;

	if (!ret->sure && (counts || (r > 0 && !ret->suspected)))
		ret->step = SIZE_MAX;
	ret->suspected |= worse && counts;
	ret->kind = kind_of(s, ret, counts);
	return r < 0 ? -1 : 0;
}

static double size_of_it(const struct trending_series *s, const struct standing *st)
{
	if (st->step != SIZE_MAX)
		return size_of(s->trend.steps[st->step].change);
	return standing_is_newest(st) ? size_of(s->trend.suspect.change) : 0;
}

int standing_of(struct policy *p, const struct trending_series *s, size_t from, int64_t now,
	struct standing *ret, struct err *err)
{
	*ret = (struct standing){0};
	if (weigh_step(p, s, from, now, ret, err) < 0 ||
		weigh_newest(p, s, from, now, ret, err) < 0)
		return -1;
	if (ret->kind != STANDING_ACCEPTED)
		ret->section = NULL;
	if (s->missing)
		ret->kind = STANDING_MISSING;
	else
		ret->size = size_of_it(s, ret);
	return 0;
}
