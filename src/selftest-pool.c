/*
 * How often a series is called regressed between sessions that should not differ.
 */
#include "selftest-private.h"

#include "intern.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 200 }; /* of a place, the newest */

/* Pairs that it takes to say that the level is not held; SELFTEST_PAIRS for that it is. */
enum { PAIRS_FOR_NO = 5 };

struct couple {
	const struct stay *a, *b; /* b is the later one */
};

struct couples {
	struct couple *v;
	size_t n, cap;
};

static int by_commit(const void *pa, const void *pb)
{
	const struct stay *a = *(const struct stay *const *)pa,
			  *b = *(const struct stay *const *)pb;
	int c = strcmp(a->runs->sha, b->runs->sha);

	if (!c)
		c = strcmp(a->runs->tree_state, b->runs->tree_state);
	return c ? c : (a > b) - (a < b);
}

static int by_branch(const void *pa, const void *pb)
{
	const struct stay *a = *(const struct stay *const *)pa,
			  *b = *(const struct stay *const *)pb;
	const char *x = a->runs->branch, *y = b->runs->branch;
	int c = strcmp(x ? x : "", y ? y : "");

	return c ? c : (a > b) - (a < b);
}

static bool one_commit(const struct stay *a, const struct stay *b)
{
	return stays_same_commit(a, b) && !stays_same_session(a, b);
}

static bool neighbours(const struct stay *a, const struct stay *b)
{
	const char *branch = a->runs->branch, *other = b->runs->branch;

	return branch && *branch && other && !strcmp(branch, other) &&
	       !strcmp(a->runs->tree_state, "clean") && !strcmp(b->runs->tree_state, "clean") &&
	       !stays_same_session(a, b) && strcmp(a->runs->sha, b->runs->sha) != 0;
}

static bool session_used(const struct intern *used, const struct stay *s)
{
	return intern_find(used, s->runs->session, strlen(s->runs->session)) != INTERN_NONE;
}

static void use_session(struct intern *used, const struct stay *s)
{
	intern_add(used, s->runs->session, strlen(s->runs->session));
}

static int newest_first(const void *pa, const void *pb)
{
	const struct couple *a = pa, *b = pb;

	return (a->b < b->b) - (a->b > b->b);
}

/* Adjacent stays in an order that fit, no session in two of them. */
static void find_couples(struct couples *ret, const struct stay *v, size_t n,
	int (*order)(const void *, const void *),
	bool (*fits)(const struct stay *, const struct stay *))
{
	const struct stay **sorted = xcalloc(n, sizeof(*sorted));
	struct intern *used = intern_new();
	size_t i;

	for (i = 0; i < n; i++)
		sorted[i] = &v[i];
	qsort(sorted, n, sizeof(*sorted), order);
	for (i = 1; i < n; i++) {
		if (!fits(sorted[i - 1], sorted[i]) || session_used(used, sorted[i - 1]) ||
			session_used(used, sorted[i]))
			continue;
		use_session(used, sorted[i - 1]);
		use_session(used, sorted[i]);
		ret->v = xgrow(ret->v, ret->n, &ret->cap, sizeof(*ret->v));
		ret->v[ret->n++] = (struct couple){sorted[i - 1], sorted[i]};
	}
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), newest_first);
	if (ret->n > PAIRS_MAX)
		ret->n = PAIRS_MAX;
	intern_free(used);
	free(sorted);
}

static double p_better(const struct evidence *e, const struct series_spec *s)
{
	return s->sign > 0 ? e->p_down : e->p_up;
}

/* What the change would be with the sides exchanged. */
static double other_way(const struct evidence *e)
{
	return e->logs ? -e->change / (1 + e->change) : -e->change;
}

/* Either stay may be head: both ways count half. */
static void compare_series(struct testing *t, const struct stay_series *a,
	const struct stay_series *b, struct counted *count)
{
	const struct series_spec *s = &t->specs[a->series];
	struct alarm there, back;
	struct evidence e;

	evidence_compare(b->values, b->n, a->values, a->n, &e);
	there = selftest_alarm(selftest_p_worse(&e, s), s->sign * e.change, &e, s, t->s->alpha);
	back = selftest_alarm(p_better(&e, s), s->sign * other_way(&e), &e, s, t->s->alpha);
	count->trials++;
	count->alarms += (there.p + back.p) / 2.0;
	count->beyond += (there.beyond + back.beyond) / 2.0;
}

static int compare_stays(struct testing *t, const struct couple *pair, struct selftest_rate *rate,
	struct counted *count, struct err *err)
{
	struct stay_samples a = {0}, b = {0};
	size_t i = 0, k = 0;
	int r = stay_samples_load(&a, t->c->store, pair->a, selftest_wanted, t, err);

	if (r == 0)
		r = stay_samples_load(&b, t->c->store, pair->b, selftest_wanted, t, err);
	while (r == 0 && i < a.n && k < b.n) {
		const struct stay_series *x = &a.v[i], *y = &b.v[k];
		i += x->series <= y->series;
		k += y->series <= x->series;
		if (x->series != y->series || x->n < SELFTEST_SIDE || y->n < SELFTEST_SIDE)
			continue;
		rate->series += !t->specs[x->series].pooled;
		t->specs[x->series].pooled = true;
		compare_series(t, x, y, count);
	}
	stay_samples_release(&a);
	stay_samples_release(&b);
	return r;
}

static int pool_couples(
	struct testing *t, const struct couples *c, struct selftest_rate *rate, struct err *err)
{
	double *alarms = xcalloc(c->n, sizeof(*alarms)), *beyond = xcalloc(c->n, sizeof(*beyond));
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < c->n; i++) {
		struct counted count = {0};
		r = compare_stays(t, &c->v[i], rate, &count, err);
		progress_update(t->progress, (double)i, (double)c->n);
		if (!count.trials)
			continue;
		alarms[rate->units] = count.alarms / (double)count.trials;
		beyond[rate->units++] = count.beyond / (double)count.trials;
		rate->trials += count.trials;
	}
	if (rate->units) {
		rate->alarms = interval_of_shares(alarms, rate->units, (double)rate->trials);
		rate->beyond = interval_of_shares(beyond, rate->units, (double)rate->trials);
	}
	free(alarms);
	free(beyond);
	return r;
}

/*
 * Pooling holds its level where the rate is surely not above twice the nominal one; it does not
 * where the rate is surely above the nominal one.
 */
static enum pool_answer answer(const struct selftest_rate *rate, double alpha)
{
	if (rate->units >= PAIRS_FOR_NO && rate->alarms.low > alpha)
		return POOL_NO;
	return rate->units >= SELFTEST_PAIRS && rate->alarms.high <= 2 * alpha ? POOL_YES
									       : POOL_UNKNOWN;
}

/* Pairs of one commit are the better ones, if there are enough. */
int selftest_pool(struct testing *t, const struct stay *v, size_t n, struct selftest_place *place,
	struct err *err)
{
	struct couples same = {0}, near = {0};
	int r;

	find_couples(&same, v, n, by_commit, one_commit);
	if (same.n < SELFTEST_PAIRS)
		find_couples(&near, v, n, by_branch, neighbours);
	place->neighbours = near.n > 0 && (!same.n || near.n >= SELFTEST_PAIRS);
	r = pool_couples(t, place->neighbours ? &near : &same, &place->pool, err);
	place->answer = answer(&place->pool, t->s->alpha);
	free(same.v);
	free(near.v);
	return r;
}
