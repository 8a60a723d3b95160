#include "compare-private.h"

#include <string.h>

static struct side side_of(
	const struct measured *x, const char *label, int distance, const char *runner)
{
	return (struct side){.sha = label,
		.distance = distance,
		.values = x->values,
		.n = x->n,
		.absence = x->n ? NULL : x->absence,
		.runner = strcmp(x->key.runner, runner) ? x->key.runner : NULL};
}

static struct pair *new_pair(struct comparison *x, const struct series_key *key)
{
	x->pairs = xgrow(x->pairs, x->n, &x->cap, sizeof(*x->pairs));
	x->pairs[x->n] = (struct pair){.key = *key};
	return &x->pairs[x->n++];
}

static const char *what_differs(
	struct comparison *x, const struct measured *h, const struct measured *b)
{
	const struct series_key *was = &b->key, *is = &h->key;

	if (strcmp(was->unit, is->unit) || was->direction != is->direction)
		return comparison_own(
			x, xasprintf("its unit was '%.60s' (%s is better), it is '%.60s' (%s)",
				   was->unit, direction_name(was->direction), is->unit,
				   direction_name(is->direction)));
	if (strcmp(was->variant, is->variant))
		return comparison_own(x, xasprintf("its variant was '%.100s', it is '%.100s'",
						 was->variant, is->variant));
	if (strcmp(was->runner, is->runner))
		return comparison_own(
			x, xasprintf("the base was measured on %.100s, HEAD on %.100s", was->runner,
				   is->runner));
	return comparison_own(x,
		xasprintf("its quantity was '%.60s', it is '%.60s'", was->quantity, is->quantity));
}

/* A base series of the same name that no head series is compared with: what became of it is that it
 * cannot be compared any more. NULL: there is none. */
static struct measured *left_alone(struct comparison *x, struct measured *h)
{
	struct measured *b;
	size_t i;

	for (i = 0; i < x->n_bases; i++) {
		struct measurements *m = &x->bases[i].m;
		for (b = measurements_named(m, h); b; b = measurements_next_named(m, b))
			if (b->n && !b->paired)
				return b;
	}
	return NULL;
}

static void pair_compared(struct comparison *x, const struct want *w)
{
	struct measured *h = &x->head.v[w->head], *b = w->base ? w->base : w->fallback;
	size_t set = w->base ? w->base_set : w->fallback_set;
	struct pair *p = new_pair(x, &h->key);

	b->paired = true;
	p->head = side_of(h, x->head_label, 0, h->key.runner);
	p->base = side_of(b, x->bases[set].label, x->bases[set].distance, h->key.runner);
}

static void pair_alone(struct comparison *x, const struct want *w, const char *why_no_base)
{
	struct measured *h = &x->head.v[w->head], *b = left_alone(x, h);
	struct pair *p = new_pair(x, &h->key);

	p->head = side_of(h, x->head_label, 0, h->key.runner);
	if (b) {
		b->paired = true;
		p->gap = GAP_INCOMPARABLE;
		p->gap_reason = what_differs(x, h, b);
	} else if (covered_before(x, h->key.suite, h->component)) {
		p->gap = GAP_NEW;
		p->gap_reason = "the base measured its suite without it";
	} else {
		p->gap = GAP_NO_BASE;
		p->gap_reason = why_no_base;
	}
}

/*
 * Whether HEAD says nothing more of a base series. *absent: HEAD's entry without numbers, if any.
 * Where HEAD has no run of its suite on its runner, a number on another runner excuses it: hosted
 * machines change from job to job.
 */
static bool is_gone(struct comparison *x, struct measured *b, struct measured **absent)
{
	bool covered = measurements_covers(&x->head, b->key.suite, b->component, b->key.runner);

	*absent = measurements_find(&x->head, b);
	if (b->paired || (*absent && (*absent)->n))
		return false;
	if (*absent || covered)
		return true;
	if (on_other_runner(&x->head, b, false))
		return false;
	*absent = measurements_any(&x->head, b);
	return true;
}

static bool is_nearest(const struct base_set *s, const struct measured *b)
{
	size_t i;

	for (i = 0; i < s->n_nearest; i++)
		if (!strcmp(s->nearest[i].suite, b->key.suite) &&
			!strcmp(s->nearest[i].component, b->component))
			return true;
	return false;
}

static void pair_gone(struct comparison *x, struct base_set *s)
{
	struct measured *absent;
	size_t i;

	for (i = 0; i < s->m.n; i++) {
		struct measured *b = &s->m.v[i];
		struct pair *p;

		if (b->paired || !b->n || !is_nearest(s, b) ||
			!measurements_covers(&x->head, b->key.suite, b->component, NULL) ||
			!is_gone(x, b, &absent))
			continue;
		p = new_pair(x, &b->key);
		p->base = side_of(b, s->label, s->distance, b->key.runner);
		if (absent)
			p->head = side_of(absent, x->head_label, 0, b->key.runner);
	}
}

bool already_not_measured(const struct comparison *x, const char *suite)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (x->pairs[i].not_measured && !strcmp(x->pairs[i].key.suite, suite))
			return true;
	return false;
}

struct pair *pair_not_measured(struct comparison *x, const char *suite)
{
	const struct series_key key = {.suite = suite,
		.benchmark = "",
		.metric = "",
		.unit = "",
		.quantity = "",
		.variant = "",
		.runner = ""};
	struct pair *p = new_pair(x, &key);

	p->not_measured = true;
	p->expected = policy_expects(x->c->policy, suite);
	return p;
}

/* Suites of gate.expect that HEAD did not run and that no base made known either. */
static void pair_expected(struct comparison *x)
{
	const char *const *suites;
	size_t n = policy_expected(x->c->policy, &suites), i;

	for (i = 0; i < n; i++)
		if (!suite_ran(x, suites[i]) && narrowing_suite(x->narrowing, suites[i]) &&
			!already_not_measured(x, suites[i]))
			pair_not_measured(x, suites[i]);
}

int comparison_end(struct comparison *x, const char *why_no_base, struct err *err)
{
	size_t i;

	(void)err;
	for (i = 0; i < x->n_wants; i++)
		if (x->wants[i].base || x->wants[i].fallback)
			pair_compared(x, &x->wants[i]);
	for (i = 0; i < x->n_wants; i++)
		if (!x->wants[i].base && !x->wants[i].fallback)
			pair_alone(x, &x->wants[i], why_no_base);
	for (i = 0; i < x->n_bases; i++)
		pair_gone(x, &x->bases[i]);
	pair_expected(x);
	return 0;
}
