/*
 * The clean runs of a store, and which of them make one point.
 */
#include "trending-private.h"

#include "measured.h"
#include "past-order.h"

#include <stdlib.h>
#include <string.h>

bool trend_is_by_time(const char *suite)
{
	return past_is_by_time(&(struct series_key){.suite = suite});
}

/* ---- from the store ---- */

static uint32_t keep(struct trending_private *p, const char *text)
{
	return intern_add(p->texts, text, strlen(text));
}

static uint32_t note_commit(struct trending_private *p, const struct store_clean_run *r)
{
	const uint32_t n = intern_count(p->shas), at = intern_add(p->shas, r->sha, strlen(r->sha));
	struct trend_known *k;

	p->known = xgrow(p->known, n, &p->cap_known, sizeof(*p->known));
	k = &p->known[at];
	if (at == n)
		*k = (struct trend_known){.committed_at = r->committed_at,
			.measured_at = r->at,
			.steps = STEPS_UNKNOWN};
	k->measured_at = r->at < k->measured_at ? r->at : k->measured_at;
	k->timed |= trend_is_by_time(r->suite);
	return at;
}

/* A session without a name is never the same as another. */
static uint32_t note_session(struct trending_private *p, const struct store_clean_run *r)
{
	_cleanup_(freep) char *none =
		*r->session ? NULL : xasprintf("\n%s %lld", r->sha, (long long)r->at);
	const char *key = none ? none : r->session;
	const uint32_t n = intern_count(p->sessions),
		       at = intern_add(p->sessions, key, strlen(key));

	p->starts = xgrow(p->starts, n, &p->cap_starts, sizeof(*p->starts));
	if (at == n)
		p->starts[n] = (struct trending_session){
			.name = none ? "" : intern_get(p->sessions, at, NULL), .at = r->at};
	else if (r->at < p->starts[at].at)
		p->starts[at].at = r->at;
	return at;
}

static uint32_t note_document(struct trending_private *p, const struct store_clean_run *r)
{
	_cleanup_(freep) char *key = NULL;

	if (!trend_is_by_time(r->suite))
		return INTERN_NONE;
	key = xasprintf("%s %lld %lld %s", r->digest, (long long)r->at, (long long)r->runner_id,
		r->session);
	return keep(p, key);
}

static int add_run(void *ctx, const struct store_clean_run *r, struct err *err)
{
	struct trending_private *p = ctx;

	(void)err;
	p->runs = xgrow(p->runs, p->n_runs, &p->cap_runs, sizeof(*p->runs));
	p->runs[p->n_runs++] = (struct trend_run){.id = r->id,
		.runner_id = r->runner_id,
		.at = r->at,
		.ingested_at = r->ingested_at,
		.samples = r->samples,
		.known = note_commit(p, r),
		.session = note_session(p, r),
		.suite = keep(p, r->suite),
		.component = keep(p, r->component),
		.branch = keep(p, r->branch),
		.document = note_document(p, r),
		.partial = r->narrowed || is_measure_session(r->session)};
	return 0;
}

int trend_load_runs(struct trending_private *p, struct err *err)
{
	return store_clean_runs(p->c->store, add_run, p, err);
}

/* ---- their order ---- */

/* A run with what it is sorted by. */
struct in_order {
	struct trend_run run;
	const char *suite, *session;
	int64_t at;      /* when its session began */
	uint32_t commit; /* 0 for what is ordered by time */
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_points(const struct in_order *a, const struct in_order *b)
{
	int c = compare_numbers(a->commit, b->commit);

	if (!c)
		c = compare_numbers(a->at, b->at);
	return c ? c : strcmp(a->session, b->session);
}

/* Within a point in the order of storing, as another store may have held it before. */
static int compare_in_order(const void *pa, const void *pb)
{
	const struct in_order *a = pa, *b = pb;
	int c = strcmp(a->suite, b->suite);

	if (!c)
		c = compare_points(a, b);
	if (!c)
		c = compare_numbers(a->run.ingested_at, b->run.ingested_at);
	return c ? c : compare_numbers(a->run.id, b->run.id);
}

static bool counts(const struct trending *t, const struct in_order *x)
{
	const struct trending_private *p = t->private_;
	const struct trend_known *k = &p->known[x->run.known];
	const bool by_time = trend_is_by_time(x->suite);

	if (k->steps == STEPS_ELSEWHERE && !by_time)
		return false;
	return (by_time ? x->at : p->commits[k->at].at) >= p->o.since;
}

static struct in_order place(const struct trending *t, const struct trend_run *r)
{
	const struct trending_private *p = t->private_;
	const char *suite = trend_text(p, r->suite);

	return (struct in_order){.run = *r,
		.suite = suite,
		.session = intern_get(p->sessions, r->session, NULL),
		.at = p->starts[r->session].at,
		.commit = trend_is_by_time(suite) ? 0 : p->known[r->known].at};
}

/* The same document may have been stored for several commits: the first that counts is taken. */
static size_t drop_repeated(struct in_order *v, size_t n)
{
	struct intern *seen = intern_new();
	size_t i, left = 0;

	for (i = 0; i < n; i++) {
		const uint32_t document = v[i].run.document, known = intern_count(seen);
		if (document == INTERN_NONE ||
			intern_add(seen, &document, sizeof(document)) == known)
			v[left++] = v[i];
	}
	intern_free(seen);
	return left;
}

static void number_points(struct in_order *v, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		v[i].run.point =
			strcmp(v[i].suite, v[i - 1].suite)
				? 0
				: v[i - 1].run.point + (compare_points(&v[i - 1], &v[i]) != 0);
}

static void add_to_suite(struct trending_private *p, const struct trend_run *r)
{
	struct trend_suite *s = p->n_suites ? &p->suites[p->n_suites - 1] : NULL;

	if (!s || s->name != r->suite) {
		s = &p->suites[p->n_suites++];
		*s = (struct trend_suite){.name = r->suite,
			.by_time = trend_is_by_time(trend_text(p, r->suite)),
			.runs = r};
	}
	s->n++;
	s->samples += r->samples;
}

static uint32_t place_of(const struct trending_private *p, const struct trend_run *r)
{
	const int64_t key[] = {r->suite, r->component, r->runner_id};

	return intern_add(p->places, key, sizeof(key));
}

static uint32_t rank(const struct trending_private *p, const struct trend_run *r)
{
	return trend_is_by_time(trend_text(p, r->suite)) ? r->point : p->known[r->known].at;
}

static void note_newest(struct trending_private *p)
{
	size_t i;

	p->places = intern_new();
	p->newest = xcalloc(p->n_runs + 1, sizeof(*p->newest));
	for (i = 0; i < p->n_runs; i++) {
		const uint32_t at = place_of(p, &p->runs[i]), n = rank(p, &p->runs[i]);
		if (!p->runs[i].partial && n > p->newest[at])
			p->newest[at] = n;
	}
}

void trend_order_runs(struct trending *t)
{
	struct trending_private *p = t->private_;
	struct in_order *v = xcalloc(p->n_runs + 1, sizeof(*v));
	size_t i, n = 0;

	for (i = 0; i < p->n_runs; i++) {
		v[n] = place(t, &p->runs[i]);
		n += counts(t, &v[n]);
	}
	if (n)
		qsort(v, n, sizeof(*v), compare_in_order);
	n = drop_repeated(v, n);
	number_points(v, n);
	for (i = 0; i < n; i++)
		p->runs[i] = v[i].run;
	p->n_runs = n;
	free(v);
	p->suites = xcalloc(n + 1, sizeof(*p->suites));
	for (i = 0; i < n; i++)
		add_to_suite(p, &p->runs[i]);
	note_newest(p);
}

bool trend_is_outdated(const struct trending_private *p, const struct trend_run *r)
{
	return rank(p, r) < p->newest[place_of(p, r)];
}

struct trend_suite *trend_suite_of(const struct trending_private *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n_suites; i++)
		if (!strcmp(trend_text(p, p->suites[i].name), name))
			return &p->suites[i];
	return NULL;
}
