/*
 * Which steps are the machine's: a probe of the same runner stepped the same way meanwhile.
 */
#include "trending-private.h"

#include "drift.h"

#include <stdlib.h>
#include <string.h>

static int is_probe(void *ctx, const struct series_key *k, struct err *err)
{
	enum bound bound;

	(void)ctx;
	(void)err;
	return drift_is_probe(k, &bound);
}

static const char *name_of(struct trending_private *p, const struct series_key *k)
{
	_cleanup_(freep) char *name = xasprintf("%s:%s:%s", k->suite, k->benchmark, k->metric);

	return intern_get(p->texts, intern_add(p->texts, name, strlen(name)), NULL);
}

/* From the last session of the old level, as noise allows, to the first of the new one. */
static void set_span(const struct trending_private *p, const struct trending_series *s,
	const struct trend_step *step, int64_t *from, int64_t *until)
{
	const size_t before = step->earliest ? step->earliest - 1 : 0;
	size_t i;

	*from = *until = p->starts[s->points[before].session].at;
	for (i = before; i <= step->last; i++) {
		const int64_t at = p->starts[s->points[i].session].at;
		*from = at < *from ? at : *from;
		*until = at > *until ? at : *until;
	}
}

static int note_shifts(void *ctx, const struct trending_series *v, size_t n, struct err *err)
{
	struct trending_private *p = ctx;
	size_t i, k;

	(void)err;
	for (i = 0; i < n; i++) {
		for (k = 0; k < v[i].trend.n_steps; k++) {
			const struct trend_step *step = &v[i].trend.steps[k];
			struct trend_shift shift = {.runner = v[i].key.runner,
				.name = name_of(p, &v[i].key),
				.sense = step->sense};
			drift_is_probe(&v[i].key, &shift.bound);
			set_span(p, &v[i], step, &shift.from, &shift.until);
			p->shifts =
				xgrow(p->shifts, p->n_shifts, &p->cap_shifts, sizeof(*p->shifts));
			p->shifts[p->n_shifts++] = shift;
		}
	}
	return 0;
}

static int find_shifts(struct trending_private *p, struct err *err)
{
	struct trend_choice probes = {0};
	int r;

	p->has_shifts = true;
	if (!trend_suite_of(p, "clpeak"))
		return 0;
	r = trend_choose_by(p, &probes, is_probe, NULL, err);
	if (r == 0)
		r = trend_read(p, &probes, note_shifts, p, NULL, NULL, err);
	trend_choice_release(&probes);
	return r;
}

/* The probe of what the series hangs on, else any. */
static const char *find_shift(const struct trending_private *p, const struct trending_series *s,
	const struct trend_step *step)
{
	const char *any = NULL;
	int64_t from, until;
	size_t i;

	set_span(p, s, step, &from, &until);
	for (i = 0; i < p->n_shifts; i++) {
		const struct trend_shift *x = &p->shifts[i];
		if (strcmp(x->runner, s->key.runner) != 0 || x->sense != step->sense ||
			x->from > until || x->until < from)
			continue;
		if (x->bound == s->decision.bound)
			return x->name;
		any = any ? any : x->name;
	}
	return any;
}

int trend_find_machine(struct trending_private *p, const struct trending_series *s,
	const char **machine, struct err *err)
{
	enum bound bound;
	size_t i;

	if (!s->trend.n_steps || s->decision.judge == JUDGE_EXACT ||
		drift_is_probe(&s->key, &bound))
		return 0;
	if (!p->has_shifts && find_shifts(p, err) < 0)
		return -1;
	for (i = 0; i < s->trend.n_steps; i++)
		if (s->trend.steps[i].sense != SENSE_NONE)
			machine[i] = find_shift(p, s, &s->trend.steps[i]);
	return 0;
}
