/*
 * Which series are wanted, united under their present names.
 */
#include "trending-private.h"

#include "each-series.h"
#include "names.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

void trend_choice_release(struct trend_choice *c)
{
	free(c->v);
	free(c->ids);
	free(c->by_id);
	*c = (struct trend_choice){0};
}

/* ---- what they are called ---- */

/* One of the texts that series were asked for by. */
struct asked {
	const char *text;
	struct pattern *pattern; /* NULL: it can only be a name */
	struct err bad;          /* why */
	bool exact;              /* there are series of just that name */
	bool used;
};

struct choosing {
	struct trending_private *p;
	struct asked *asked;
	int (*wanted)(void *ctx, const struct series_key *k, struct err *err); /* or NULL */
	void *ctx;
	struct trend_choice *choice;
	const char *nearest; /* to a text that nothing is called */
};

static bool is_called(const struct asked *a, const struct series_key *k)
{
	const size_t s = strlen(k->suite), b = strlen(k->benchmark);
	const char *t = a->text;

	return !strncmp(t, k->suite, s) && t[s] == ':' && !strncmp(t + s + 1, k->benchmark, b) &&
	       t[s + 1 + b] == ':' && !strcmp(t + s + b + 2, k->metric);
}

static int note_exact(
	void *ctx, const struct series_key *k, const struct store_series *x, struct err *err)
{
	struct choosing *c = ctx;
	size_t i;

	(void)x;
	(void)err;
	for (i = 0; i < c->p->o.n_patterns; i++)
		c->asked[i].exact |= is_called(&c->asked[i], k);
	return 0;
}

/* 1, 0, -1. */
static int is_meant(struct choosing *c, const struct series_key *k, struct err *err)
{
	_cleanup_(freep) char *name = NULL;
	int meant = c->p->o.n_patterns == 0;
	size_t i;

	for (i = 0; i < c->p->o.n_patterns; i++) {
		struct asked *a = &c->asked[i];
		int match;
		if (!name)
			name = xasprintf("%s:%s:%s", k->suite, k->benchmark, k->metric);
		match = a->exact     ? !strcmp(a->text, name)
			: a->pattern ? pattern_match(a->pattern, name, strlen(name), err)
				     : 0;
		if (match < 0)
			return -1;
		a->used |= match;
		meant |= match;
	}
	return meant;
}

static void consider(struct choosing *c, const char *text, const char *name)
{
	const char *const names[] = {name, c->nearest};
	const char *near = text_nearest(text, names, c->nearest ? 2 : 1);

	c->nearest = near ? near : c->nearest;
}

static const char *text_unused(const struct choosing *c)
{
	size_t i;

	for (i = 0; i < c->p->o.n_patterns && c->asked[i].used; i++)
		;
	return i < c->p->o.n_patterns ? c->asked[i].text : NULL;
}

static int find_nearest(
	void *ctx, const struct series_key *k, const struct store_series *x, struct err *err)
{
	struct choosing *c = ctx;
	const char *text = text_unused(c);
	_cleanup_(freep) char *name = xasprintf("%s:%s:%s", k->suite, k->benchmark, k->metric);

	(void)x;
	(void)err;
	consider(c, text, k->suite);
	consider(c, text, k->benchmark);
	consider(c, text, k->metric);
	if (text_nearest(text, (const char *const[]){name}, 1))
		consider(c, text,
			intern_get(c->p->texts, intern_add(c->p->texts, name, strlen(name)), NULL));
	return 0;
}

static int refuse(struct choosing *c, const struct asked *a, struct err *err)
{
	const struct context *x = c->p->c;

	if (!a->exact && !a->pattern)
		return err_set(err, ERR_USAGE, "%s", a->bad.msg);
	if (each_series(x->store, x->policy, NULL, c->p->texts, find_nearest, c, err) < 0)
		return -1;
	return err_set(err, ERR_USAGE,
		"no series is called, or matches, '%.100s'%s%.200s%s; a series is SUITE:BENCHMARK:METRIC",
		a->text, c->nearest ? "; did you mean '" : "", c->nearest ? c->nearest : "",
		c->nearest ? "'" : "");
}

/* ---- taking them ---- */

static bool has_suite(const struct trending_private *p, const char *suite)
{
	size_t i;

	for (i = 0; i < p->o.n_suites; i++)
		if (!strcmp(p->o.suites[i], suite))
			return true;
	return !p->o.n_suites;
}

static int is_retired(struct trending_private *p, const struct series_key *k, struct err *err)
{
	struct turn ignored;

	return policy_retire(p->c->policy, k, &ignored, err);
}

static int take(
	void *ctx, const struct series_key *k, const struct store_series *x, struct err *err)
{
	struct choosing *c = ctx;
	struct trend_choice *to = c->choice;
	struct trend_suite *s = trend_suite_of(c->p, k->suite);
	int r = s ? 1 : 0;

	if (s && to == &c->p->choice)
		s->series++;
	if (r > 0 && c->wanted)
		r = c->wanted(c->ctx, k, err);
	else if (r > 0)
		r = has_suite(c->p, k->suite) ? is_meant(c, k, err) : 0;
	if (r <= 0)
		return r;
	r = is_retired(c->p, k, err);
	if (r)
		return r < 0 ? -1 : 0;
	to->v = xgrow(to->v, to->n, &to->cap, sizeof(*to->v));
	to->v[to->n++] = (struct trend_slot){
		.key = *k, .suite = (size_t)(s - c->p->suites), .last_id = x->id};
	return 0;
}

static int compare_slots(const void *pa, const void *pb)
{
	const struct trend_slot *a = pa, *b = pb;
	int c = series_key_compare(&a->key, &b->key);

	if (!c)
		c = (int)a->key.direction - (int)b->key.direction;
	return c ? c : (a->last_id > b->last_id) - (a->last_id < b->last_id);
}

static bool is_same(const struct series_key *a, const struct series_key *b)
{
	return a->direction == b->direction && !series_key_compare(a, b);
}

/* Slots of one name become one. */
static void unite(struct trend_choice *c)
{
	size_t i, n = 0;

	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), compare_slots);
	for (i = 0; i < c->n; i++) {
		const int64_t id = c->v[i].last_id;
		if (!n || !is_same(&c->v[n - 1].key, &c->v[i].key))
			c->v[n++] = c->v[i];
		c->ids = xgrow(c->ids, c->n_ids, &c->cap_ids, sizeof(*c->ids));
		c->ids[c->n_ids++] = (struct trend_id){id, (uint32_t)n - 1};
		c->by_id = xgrow_to(c->by_id, &c->n_by_id, (size_t)id, sizeof(*c->by_id));
		c->by_id[id] = (uint32_t)n;
	}
	c->n = n;
	for (i = 0; i < n; i++)
		c->v[i].last_id = 0;
}

static int take_all(struct choosing *c, struct err *err)
{
	const struct context *x = c->p->c;

	if (each_series(x->store, x->policy, NULL, c->p->texts, take, c, err) < 0)
		return -1;
	unite(c->choice);
	return 0;
}

int trend_choose_by(struct trending_private *p, struct trend_choice *ret,
	int (*wanted)(void *ctx, const struct series_key *k, struct err *err), void *ctx,
	struct err *err)
{
	struct choosing c = {.p = p, .wanted = wanted, .ctx = ctx, .choice = ret};

	return take_all(&c, err);
}

/* What was asked for and is not there. */
static int check_used(struct choosing *c, struct err *err)
{
	size_t i;

	for (i = 0; i < c->p->o.n_patterns; i++)
		if (!c->asked[i].used)
			return refuse(c, &c->asked[i], err);
	return 0;
}

int trend_choose(struct trending_private *p, struct err *err)
{
	struct choosing c = {.p = p, .choice = &p->choice};
	const struct context *x = p->c;
	size_t i;
	int r = 0;

	c.asked = xcalloc(p->o.n_patterns + 1, sizeof(*c.asked));
	for (i = 0; i < p->o.n_patterns; i++) {
		c.asked[i].text = p->o.patterns[i];
		c.asked[i].pattern = pattern_new(p->o.patterns[i], &c.asked[i].bad);
	}
	if (p->o.n_patterns)
		r = each_series(x->store, x->policy, NULL, p->texts, note_exact, &c, err);
	if (r == 0)
		r = take_all(&c, err);
	if (r == 0)
		r = check_used(&c, err);
	for (i = 0; i < p->o.n_patterns; i++)
		pattern_free(c.asked[i].pattern);
	free(c.asked);
	return r;
}
