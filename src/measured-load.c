#include "measured-private.h"

#include "pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- from a store ---- */

struct series_key stored_key(const struct store_series *x, const char *runner)
{
	return (struct series_key){.suite = x->suite,
		.benchmark = x->benchmark,
		.metric = x->metric.name,
		.unit = x->metric.unit,
		.quantity = x->metric.quantity,
		.direction = x->metric.direction,
		.variant = x->variant,
		.runner = runner};
}

struct loading {
	struct measurements *m;
	struct store *s;
	const struct store_run *run;
	const struct narrowing *w;
	const char *component; /* the run's */
	int64_t session;
	int64_t last_id; /* the series of the last row, and where it went */
	size_t last_at;
	bool last_skipped;
};

static struct measured *loaded_series(struct loading *l, int64_t id, struct err *err)
{
	const struct store_series *x;
	struct series_key k;
	struct measured *ret;
	int wanted;

	if (id == l->last_id)
		return l->last_skipped ? NULL : &l->m->v[l->last_at];
	x = store_series(l->s, id, err);
	if (!x)
		return NULL;
	l->last_id = id;
	wanted = narrowing_benchmark(l->w, x->benchmark, err);
	l->last_skipped = wanted <= 0;
	if (l->last_skipped)
		return NULL;
	k = stored_key(x, store_runner_key(l->s, x->runner_id, err));
	if (!k.runner)
		return NULL;
	ret = measured_stored(l->m, &k, id, l->component);
	ret->first_run = x->first_run;
	l->last_at = (size_t)(ret - l->m->v);
	return ret;
}

static int load_sample(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct loading *l = ctx;
	struct measured *x = loaded_series(l, series, err);

	if (x)
		measured_add_value(l->m, x, l->session, value);
	return err->code ? -1 : 0;
}

static int load_absence(
	void *ctx, int64_t series, const char *status, const char *reason, struct err *err)
{
	struct loading *l = ctx;
	struct measured *x = loaded_series(l, series, err);

	if (x)
		measured_add_absence(x, l->session, status, reason);
	return err->code ? -1 : 0;
}

static int64_t run_time(const struct store_run *r)
{
	return r->started_at != TIME_UNKNOWN ? r->started_at : r->ingested_at;
}

/* When a session ended for a suite, as far as its runs say. */
static int64_t session_time(const struct store_runs *runs, const struct store_run *of)
{
	int64_t t = INT64_MIN;
	size_t i;

	for (i = 0; i < runs->n; i++) {
		const struct store_run *r = &runs->v[i];
		if (!strcmp(r->session, of->session) && !strcmp(r->suite, of->suite) &&
			run_time(r) > t)
			t = run_time(r);
	}
	return t;
}

struct ranked {
	const struct store_run *run;
	int64_t session_time;
	bool used;
};

/* By suite, newest session first; within one the order of storing. */
static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	int c = strcmp(a->run->suite, b->run->suite);

	if (c)
		return c;
	if (a->session_time != b->session_time)
		return a->session_time > b->session_time ? -1 : 1;
	c = strcmp(a->run->session, b->run->session);
	if (c)
		return c;
	return a->run->id < b->run->id ? -1 : a->run->id > b->run->id;
}

/* The caller frees. use NULL: all are used. */
static struct ranked *rank(const struct store_runs *runs, const bool *use)
{
	struct ranked *order = xcalloc(runs->n, sizeof(*order));
	size_t i;

	for (i = 0; i < runs->n; i++)
		order[i] = (struct ranked){
			&runs->v[i], session_time(runs, &runs->v[i]), !use || use[i]};
	if (runs->n)
		qsort(order, runs->n, sizeof(*order), compare_ranked);
	return order;
}

/* The number of a run's session: the same for neighbours in rank order that share it. */
static int64_t session_number(struct measurements *m, const char **last, const char *session)
{
	if (!*last || strcmp(*last, session))
		m->sessions++;
	*last = session;
	return m->sessions;
}

static int load_run(struct loading *l, struct err *err)
{
	const struct store_run *r = l->run;

	l->last_id = 0;
	l->component = names_keep(l->m->names, r->component);
	measured_cover(l->m, r->suite, r->component, r->runner_key);
	if (store_visit_samples(l->s, r->id, load_sample, l, err) < 0)
		return -1;
	l->last_id = 0;
	return r->absences ? store_absences(l->s, r->id, load_absence, l, err) : 0;
}

int measurements_add_runs(struct measurements *m, struct store *s, const struct store_runs *runs,
	const bool *use, const struct narrowing *w, struct err *err)
{
	struct loading l = {.m = m, .s = s, .w = w};
	struct ranked *order = rank(runs, use);
	const char *session = NULL;
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < runs->n; i++) {
		if (!order[i].used || !narrowing_suite(w, order[i].run->suite))
			continue;
		l.session = session_number(m, &session, order[i].run->session);
		l.run = order[i].run;
		r = load_run(&l, err);
	}
	free(order);
	return r;
}

static bool may_have(const struct store_run *r, const struct store_series *x)
{
	return r->runner_id == x->runner_id && r->id >= x->first_run && !strcmp(r->suite, x->suite);
}

int measurements_add_series(struct measurements *m, struct store *s, const struct store_runs *runs,
	int64_t series, struct err *err)
{
	const struct store_series *x = store_series(s, series, err);
	struct loading l = {.m = m, .s = s};
	struct ranked *order;
	const char *session = NULL;
	size_t i;
	int r = x ? 0 : -1;

	if (!x)
		return -1;
	order = rank(runs, NULL);
	for (i = 0; r >= 0 && i < runs->n; i++) {
		if (!may_have(order[i].run, x))
			continue;
		l.session = session_number(m, &session, order[i].run->session);
		l.run = order[i].run;
		l.component = names_keep(m->names, l.run->component);
		r = store_samples_of(s, l.run->id, series, load_sample, &l, err);
	}
	free(order);
	return r < 0 ? -1 : 0;
}

/* ---- from documents ---- */

struct batch_loading {
	struct measurements *m;
	struct batch *b;
	const char *runner;
	const struct narrowing *w;
	int64_t session;
	int last_run;
	uint32_t last_series;
	size_t last_at;
	bool last_skipped;
};

static struct measured *batch_measured(
	struct batch_loading *l, int run, uint32_t series, struct err *err)
{
	const struct run_head *h = &batch_run(l->b, (size_t)run)->head;
	struct batch_series x;
	struct series_key k;
	struct measured *ret;

	if (run == l->last_run && series == l->last_series)
		return l->last_skipped ? NULL : &l->m->v[l->last_at];
	l->last_run = run;
	l->last_series = series;
	batch_series(l->b, series, &x);
	l->last_skipped = !narrowing_suite(l->w, h->suite) ||
			  narrowing_benchmark(l->w, x.benchmark, err) <= 0;
	if (l->last_skipped)
		return NULL;
	k = (struct series_key){.suite = names_keep(l->m->names, h->suite),
		.benchmark = names_keep(l->m->names, x.benchmark),
		.metric = names_keep(l->m->names, x.metric.name),
		.unit = names_keep(l->m->names, x.metric.unit),
		.quantity = names_keep(l->m->names, x.metric.quantity),
		.direction = x.metric.direction,
		.variant = names_keep(l->m->names, x.variant),
		.runner = names_keep(l->m->names, h->runner_key ? h->runner_key : l->runner)};
	ret = measured_of_document(
		l->m, &k, names_keep(l->m->names, h->component ? h->component : ""));
	l->last_at = (size_t)(ret - l->m->v);
	return ret;
}

static int batch_row(
	void *ctx, int run, uint32_t series, int64_t ordinal, struct num value, struct err *err)
{
	struct batch_loading *l = ctx;
	struct measured *x = batch_measured(l, run, series, err);

	(void)ordinal;
	if (x)
		measured_add_value(l->m, x, l->session, value);
	return err->code ? -1 : 0;
}

int measurements_add_batch(struct measurements *m, struct batch *b, const char *runner,
	const struct narrowing *w, struct err *err)
{
	struct batch_loading l = {.m = m, .b = b, .runner = runner, .w = w, .last_run = -1};
	const struct batch_absence *absences;
	size_t n = batch_absences(b, &absences), i;

	for (i = 0; i < batch_runs(b); i++) {
		const struct run_head *h = &batch_run(b, i)->head;
		if (narrowing_suite(w, h->suite))
			measured_cover(m, h->suite, h->component ? h->component : "",
				h->runner_key ? h->runner_key : runner);
	}
	m->sessions = 1;
	if (batch_each(b, batch_row, &l, err) < 0)
		return -1;
	for (i = 0; i < n; i++) {
		struct measured *x = batch_measured(&l, absences[i].run, absences[i].series, err);
		if (x)
			measured_add_absence(x, l.session, sink_status_name(absences[i].status),
				absences[i].reason);
		if (err->code)
			return -1;
	}
	return 0;
}
