#include "measured-private.h"

#include "json.h"
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

/* What the reader of clpeak says of its document. */
static bool is_narrowed(const char *facts)
{
	struct err ignored = ERR_INIT;
	bool narrowed = false;
	struct jv *v = NULL;

	if (facts && strstr(facts, "\"narrowed\""))
		v = jv_load_text("facts", facts, strlen(facts), &ignored);
	if (v && jv_kind(v) == JV_OBJECT)
		jv_get_bool(v, "narrowed", &narrowed, &ignored);
	jv_free(v);
	return narrowed;
}

/* ---- from a store ---- */

bool is_measure_session(const char *session)
{
	return !strncmp(session, MEASURE_SESSION, strlen(MEASURE_SESSION));
}

static bool has_session(const struct measurements *m, const char *session)
{
	const struct session_values *s;
	size_t i;

	for (i = 0; i < m->n; i++)
		for (s = &m->v[i].newest; s; s = s->older)
			if (s->session && !strcmp(s->session, session))
				return true;
	return false;
}

static bool has_whole(const struct measurements *m, const struct store_run *r)
{
	size_t i;

	for (i = 0; i < m->n_covered; i++)
		if (m->covered[i].whole && !strcmp(m->covered[i].suite, r->suite) &&
			!strcmp(m->covered[i].component, r->component))
			return true;
	return false;
}

bool measured_is_partial(const struct measurements *m, const struct store_run *r)
{
	return is_measure_session(r->session) && (has_whole(m, r) || !has_session(m, r->session));
}

static void cover(struct measurements *m, const struct store_run *r)
{
	const struct coverage c = {r->suite, r->component, r->runner_key,
		!is_measure_session(r->session), is_narrowed(r->facts)};

	if (!m->beside || !measured_is_partial(m->beside, r))
		measured_cover(m, &c);
}

struct loading {
	struct measurements *m;
	struct store *s;
	const struct store_run *run;
	const struct narrowing *w;
	const char *component, *session; /* the run's */
	int pair;
	int64_t last_id; /* the series of the last row, and where it went */
	size_t last_at;
	bool last_skipped;
};

/* Two stored names that became one cannot both be at one commit. */
static int check_collision(struct loading *l, const struct measured *x,
	const struct store_series *stored, struct err *err)
{
	const struct store_series *other;

	if (!x->id || x->id == stored->id)
		return 0;
	other = store_series(l->s, x->id, err);
	return err_set(err, ERR_POLICY,
		"[rename]: '%.100s' and '%.100s' are both in runs of one commit (%.12s), and both are '%.100s' now",
		other ? other->benchmark : "?", stored->benchmark, l->run->sha, x->key.benchmark);
}

/* Where the store's numbers stand for names; with renames the names themselves are compared. */
static struct measured *place_of(struct loading *l, const struct series_key *k,
	const struct store_series *x, struct err *err)
{
	struct measured *ret;

	if (!l->m->names->renames)
		return measured_stored(l->m, k, x->id, l->component);
	ret = measured_of_document(l->m, k, l->component);
	if (check_collision(l, ret, x, err) < 0)
		return NULL;
	ret->id = x->id;
	return ret;
}

static struct measured *loaded_series(struct loading *l, int64_t id, struct err *err)
{
	const struct store_series *x;
	const char *runner;
	struct series_key k;
	struct measured *ret;

	if (id == l->last_id)
		return l->last_skipped ? NULL : &l->m->v[l->last_at];
	x = store_series(l->s, id, err);
	runner = x ? store_runner_key(l->s, x->runner_id, err) : NULL;
	if (!runner || names_present_key(l->m->names, x, runner, &k, err) < 0)
		return NULL;
	l->last_id = id;
	l->last_skipped = (l->w && l->w->wants && !l->w->wants(l->w->ctx, &k, id)) ||
			  narrowing_benchmark(l->w, k.benchmark, err) <= 0;
	if (l->last_skipped)
		return NULL;
	ret = place_of(l, &k, x, err);
	if (!ret)
		return NULL;
	l->last_at = (size_t)(ret - l->m->v);
	return ret;
}

static int load_sample(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct loading *l = ctx;
	struct measured *x = loaded_series(l, series, err);

	if (x)
		measured_add_value(l->m, x, l->session, l->pair, value);
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

struct ranked {
	const struct store_run *run;
	int64_t session_time; /* when the session ended for the suite, as far as its runs say */
	bool used;
};

static int compare_sessions(const struct store_run *a, const struct store_run *b)
{
	int c = strcmp(a->suite, b->suite);

	return c ? c : strcmp(a->session, b->session);
}

static int by_session(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	return compare_sessions(a->run, b->run);
}

/* Sorts by session. */
static void find_times(struct ranked *v, size_t n)
{
	size_t first, i, end;

	if (n)
		qsort(v, n, sizeof(*v), by_session);
	for (first = 0; first < n; first = end) {
		int64_t latest = INT64_MIN, t;
		for (end = first; end < n && !compare_sessions(v[first].run, v[end].run); end++) {
			t = store_run_time(v[end].run);
			latest = t > latest ? t : latest;
		}
		for (i = first; i < end; i++)
			v[i].session_time = latest;
	}
}

/* By suite, newest session first; within one the order of storing, also where another store held it
 * before. */
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
	if (a->run->ingested_at != b->run->ingested_at)
		return a->run->ingested_at < b->run->ingested_at ? -1 : 1;
	return a->run->id < b->run->id ? -1 : a->run->id > b->run->id;
}

/* The caller frees. use NULL: all are used. */
static struct ranked *rank(const struct store_runs *runs, const bool *use)
{
	struct ranked *order = xcalloc(runs->n, sizeof(*order));
	size_t i;

	for (i = 0; i < runs->n; i++)
		order[i] = (struct ranked){.run = &runs->v[i], .used = !use || use[i]};
	find_times(order, runs->n);
	if (runs->n)
		qsort(order, runs->n, sizeof(*order), compare_ranked);
	return order;
}

/* 0: of none, as all that perfgate measure did not store. */
static int pair_of(const struct store_run *r)
{
	struct err err = ERR_INIT;
	int64_t pair = 0;
	struct jv *facts;

	if (!is_measure_session(r->session))
		return 0;
	facts = jv_load_text("facts", r->facts, strlen(r->facts), &err);
	if (facts)
		jv_get_int(facts, "pair", &pair, &err);
	jv_free(facts);
	return pair > 0 && pair <= MEASURE_PAIRS_MAX ? (int)pair : 0;
}

static void begin_run(struct loading *l)
{
	l->component = names_keep(l->m->names, l->run->component);
	l->session = names_keep(l->m->names, l->run->session);
	l->pair = pair_of(l->run);
}

static int load_run(struct loading *l, struct err *err)
{
	const struct store_run *r = l->run;

	l->last_id = 0;
	begin_run(l);
	cover(l->m, r);
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
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < runs->n; i++) {
		if (!order[i].used || !narrowing_suite(w, order[i].run->suite))
			continue;
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
	const bool *but, int64_t series, struct err *err)
{
	const struct store_series *x = store_series(s, series, err);
	struct loading l = {.m = m, .s = s};
	struct ranked *order;
	size_t i;
	int r = x ? 0 : -1;

	if (!x)
		return -1;
	order = rank(runs, but);
	for (i = 0; r >= 0 && i < runs->n; i++) {
		if (order[i].used || !may_have(order[i].run, x))
			continue;
		l.run = order[i].run;
		begin_run(&l);
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
	const char *session;
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
		measured_add_value(l->m, x, l->session, 0, value);
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
			measured_cover(
				m, &(struct coverage){h->suite, h->component ? h->component : "",
					   h->runner_key ? h->runner_key : runner, true,
					   is_narrowed(h->facts)});
	}
	l.session = names_keep(m->names, "");
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
