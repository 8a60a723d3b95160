#include "stays.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs become stays ---- */

static int compare_place(const struct store_run *a, const struct store_run *b)
{
	int c = strcmp(a->suite, b->suite);

	return c ? c : strcmp(a->runner_key, b->runner_key);
}

static int compare_stay(const struct store_run *a, const struct store_run *b)
{
	int c = compare_place(a, b);

	if (!c)
		c = strcmp(a->sha, b->sha);
	if (!c)
		c = strcmp(a->tree_state, b->tree_state);
	return c ? c : strcmp(a->session, b->session);
}

static int by_stay(const void *pa, const void *pb)
{
	const struct store_run *a = pa, *b = pb;
	int c = compare_stay(a, b);

	if (!c)
		c = (store_run_time(a) > store_run_time(b)) -
		    (store_run_time(a) < store_run_time(b));
	return c ? c : strcmp(a->digest, b->digest);
}

static int by_time(const void *pa, const void *pb)
{
	const struct stay *a = pa, *b = pb;
	int c = compare_place(a->runs, b->runs);

	if (!c)
		c = (a->at > b->at) - (a->at < b->at);
	return c ? c : compare_stay(a->runs, b->runs);
}

int stays_load(struct stays *ret, struct store *s, struct err *err)
{
	const struct store_run *r;
	size_t i;

	*ret = (struct stays){0};
	if (store_runs_newest(s, STAYS_RUNS_MAX, &ret->runs, err) < 0)
		return -1;
	if (!ret->runs.n)
		return 0;
	qsort(ret->runs.v, ret->runs.n, sizeof(*ret->runs.v), by_stay);
	ret->v = xcalloc(ret->runs.n, sizeof(*ret->v));
	for (i = 0; i < ret->runs.n; i++) {
		r = &ret->runs.v[i];
		if (!i || compare_stay(r - 1, r) != 0)
			ret->v[ret->n++] = (struct stay){.runs = r, .at = store_run_time(r)};
		ret->v[ret->n - 1].n_runs++;
	}
	qsort(ret->v, ret->n, sizeof(*ret->v), by_time);
	return 0;
}

void stays_release(struct stays *st)
{
	store_runs_release(&st->runs);
	free(st->v);
	*st = (struct stays){0};
}

static bool same_place(const struct stay *a, const struct stay *b)
{
	return !compare_place(a->runs, b->runs);
}

bool stays_same_commit(const struct stay *a, const struct stay *b)
{
	return !strcmp(a->runs->sha, b->runs->sha) &&
	       !strcmp(a->runs->tree_state, b->runs->tree_state);
}

bool stays_same_session(const struct stay *a, const struct stay *b)
{
	return !strcmp(a->runs->session, b->runs->session);
}

size_t stays_in_place(const struct stay *v, size_t n)
{
	size_t i;

	for (i = 1; i < n && same_place(v, &v[i]); i++)
		;
	return i;
}

/* ---- samples ---- */

struct sample {
	int64_t series;
	uint32_t order;
	double value;
};

struct collecting {
	bool (*wanted)(void *ctx, int64_t series);
	void *ctx;
	int64_t last; /* series asked about last, and what the answer was */
	bool answer;
	struct sample *v;
	size_t n, cap;
};

static int collect(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct collecting *c = ctx;

	(void)err;
	if (series != c->last) {
		c->last = series;
		c->answer = c->wanted(c->ctx, series);
	}
	if (!c->answer || c->n == STAY_TOTAL_MAX)
		return 0;
	c->v = xgrow(c->v, c->n, &c->cap, sizeof(*c->v));
	c->v[c->n] = (struct sample){series, (uint32_t)c->n, num_double(value)};
	c->n++;
	return 0;
}

static int by_series(const void *pa, const void *pb)
{
	const struct sample *a = pa, *b = pb;

	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void group(const struct collecting *c, struct stay_samples *ret)
{
	size_t i, n = 0;

	ret->v = xcalloc(c->n, sizeof(*ret->v));
	ret->values = xcalloc(c->n, sizeof(*ret->values));
	for (i = 0; i < c->n; i++) {
		struct stay_series *s;
		if (!i || c->v[i].series != c->v[i - 1].series)
			ret->v[ret->n++] = (struct stay_series){
				.series = c->v[i].series, .values = ret->values + n};
		s = &ret->v[ret->n - 1];
		if (s->n == STAY_SAMPLES_MAX)
			continue;
		ret->values[n++] = c->v[i].value;
		s->n++;
	}
}

int stay_samples_load(struct stay_samples *ret, struct store *s, const struct stay *stay,
	bool (*wanted)(void *ctx, int64_t series), void *ctx, struct err *err)
{
	struct collecting c = {.wanted = wanted, .ctx = ctx, .last = -1};
	size_t i;
	int r = 0;

	*ret = (struct stay_samples){0};
	for (i = 0; r == 0 && i < stay->n_runs; i++)
		r = store_visit_samples(s, stay->runs[i].id, collect, &c, err);
	if (r == 0 && c.n) {
		qsort(c.v, c.n, sizeof(*c.v), by_series);
		group(&c, ret);
	}
	free(c.v);
	return r;
}

void stay_samples_release(struct stay_samples *m)
{
	free(m->v);
	free(m->values);
	*m = (struct stay_samples){0};
}
