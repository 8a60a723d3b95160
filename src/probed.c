#include "probed.h"

#include "drift.h"
#include "intern.h"

#include <stdlib.h>
#include <string.h>

static const char suite[] = "clpeak";

enum {
	LINES_MAX = 4,         /* a report */
	DRIFTS_MAX = 64,       /* more than that nobody reads */
	READINGS_MAX = 1 << 20 /* of all sessions; more are passed over */
};

/* The sessions of one comparison: those of head and those of its base. */
struct group {
	const char *runner;
	const char **head, **base; /* newest first */
	size_t n_head, n_base;
	struct drifts *drifts; /* NULL: there is no probe */
};

/* One reading of a probe. */
struct reading {
	uint32_t session; /* number in sessions */
	uint32_t series;  /* position in series */
	double value;
};

struct probed {
	struct comparison *x;
	struct intern *keys; /* what makes a group; numbers are positions in v */
	struct group *v;
	size_t n, cap;
	size_t *of; /* by judged: its group + 1; 0: none */
	struct intern *sessions;
	struct intern *runs;         /* those that were read */
	struct store_series *series; /* the probes */
	size_t n_series, cap_series;
	int32_t *by_id; /* of the store's series: position in series + 1; -1: no probe; 0: new */
	size_t n_by_id;
	struct reading *readings;
	size_t n_readings, cap_readings;
	struct store_runs all;       /* of the suite */
	const struct store_run *run; /* that is being read */
};

/* ---- which sessions ---- */

/* The caller frees *ret. */
static size_t sessions_of_side(const struct side *s, const char ***ret)
{
	size_t n = 0, i;

	while (s->pooled && s->pooled[n])
		n++;
	*ret = xcalloc(n + 1, sizeof(**ret));
	for (i = 0; i < n; i++)
		(*ret)[i] = s->pooled[i];
	if (!n && s->session && *s->session)
		(*ret)[n++] = s->session;
	return n;
}

/* Those of the base's line that a session was compared with, newest first. */
static size_t sessions_of_past(const struct judged *j, const char ***ret)
{
	const struct past *past = j->pair->past;
	size_t n = 0, i;

	*ret = xcalloc(past->n + 1, sizeof(**ret));
	for (i = past->n; i-- > 0 && n < j->proof->n_base;)
		if (!past->commits[past->v[i].commit].own && past->v[i].session &&
			*past->v[i].session)
			(*ret)[n++] = past->v[i].session;
	return n;
}

static bool is_by_sessions(const struct judged *j)
{
	return j->proof && j->proof->method == METHOD_SESSIONS && j->pair->past && j->proof->n_base;
}

static bool share_any(const struct group *g)
{
	size_t i, k;

	for (i = 0; i < g->n_head; i++)
		for (k = 0; k < g->n_base; k++)
			if (!strcmp(g->head[i], g->base[k]))
				return true;
	return false;
}

static void group_release(struct group *g)
{
	free(g->head);
	free(g->base);
}

static void add_names(struct buf *key, const char *const *names, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		buf_add(key, names[i], strlen(names[i]) + 1);
	buf_addch(key, '\n');
}

/* Takes g over. */
static size_t find_group(struct probed *p, struct group g)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t at;

	buf_add(&key, g.runner, strlen(g.runner) + 1);
	add_names(&key, g.head, g.n_head);
	add_names(&key, g.base, g.n_base);
	at = intern_add(p->keys, key.p, key.len);
	if (at < p->n) {
		group_release(&g);
	} else {
		p->v = xgrow(p->v, p->n, &p->cap, sizeof(*p->v));
		p->v[p->n++] = g;
	}
	return at;
}

/* The number of its group plus 1; 0: the machine has nothing to do with it. */
static size_t group_of(struct probed *p, const struct judged *j)
{
	const struct pair *pair = j->pair;
	struct group g = {.runner = pair->key.runner};

	if (!pair->head.n || !pair->base.n || !j->proof || j->decision.judge != JUDGE_NOISY ||
		pair->one_session || pair->head.runner || pair->base.runner)
		return 0;
	g.n_head = sessions_of_side(&pair->head, &g.head);
	g.n_base = is_by_sessions(j) ? sessions_of_past(j, &g.base)
				     : sessions_of_side(&pair->base, &g.base);
	if (!g.n_head || !g.n_base || share_any(&g)) {
		group_release(&g);
		return 0;
	}
	return find_group(p, g) + 1;
}

static void make_groups(struct probed *p, const struct judged *judged, size_t n)
{
	size_t i, k;

	p->of = xcalloc(n, sizeof(*p->of));
	for (i = 0; i < n; i++)
		p->of[i] = group_of(p, &judged[i]);
	for (i = 0; i < p->n; i++) {
		for (k = 0; k < p->v[i].n_head; k++)
			intern_add(p->sessions, p->v[i].head[k], strlen(p->v[i].head[k]));
		for (k = 0; k < p->v[i].n_base; k++)
			intern_add(p->sessions, p->v[i].base[k], strlen(p->v[i].base[k]));
	}
}

/* ---- what was read in them ---- */

static void series_key_of(const struct store_series *s, const char *runner, struct series_key *ret)
{
	*ret = (struct series_key){.suite = s->suite,
		.benchmark = s->benchmark,
		.metric = s->metric.name,
		.unit = s->metric.unit,
		.quantity = s->metric.quantity,
		.direction = s->metric.direction,
		.variant = s->variant,
		.runner = runner};
}

/* -1: it is no probe, or err is set. */
static int64_t add_series(struct probed *p, int64_t id, struct err *err)
{
	const struct store_series *s = store_series(p->x->c->store, id, err);
	struct series_key key;
	enum bound bound;

	if (!s)
		return -1;
	series_key_of(s, "", &key);
	if (!drift_is_probe(&key, &bound))
		return -1;
	p->series = xgrow(p->series, p->n_series, &p->cap_series, sizeof(*p->series));
	p->series[p->n_series] = *s;
	return (int64_t)p->n_series++;
}

/* Its position in series; -1 as above. */
static int64_t find_series(struct probed *p, int64_t id, struct err *err)
{
	int64_t at;

	p->by_id = xgrow_to(p->by_id, &p->n_by_id, (size_t)id, sizeof(*p->by_id));
	if (!p->by_id[id]) {
		at = add_series(p, id, err);
		if (err->code)
			return -1;
		p->by_id[id] = at < 0 ? -1 : (int32_t)at + 1;
	}
	return p->by_id[id] < 0 ? -1 : p->by_id[id] - 1;
}

static int add_reading(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct probed *p = ctx;
	const char *session = p->run->session;
	const int64_t at = find_series(p, series, err);

	if (at < 0 || p->n_readings == READINGS_MAX)
		return err->code ? -1 : 0;
	p->readings = xgrow(p->readings, p->n_readings, &p->cap_readings, sizeof(*p->readings));
	p->readings[p->n_readings++] =
		(struct reading){.session = intern_find(p->sessions, session, strlen(session)),
			.series = (uint32_t)at,
			.value = num_double(value)};
	return 0;
}

/* The same document may have been stored for several commits. */
static bool is_new(struct probed *p)
{
	_cleanup_(freep) char *key = xasprintf("%s %lld %s %s", p->run->digest,
		(long long)p->run->started_at, p->run->session, p->run->runner_key);
	const uint32_t n = intern_count(p->runs);

	return intern_add(p->runs, key, strlen(key)) == n;
}

static int read_runs(struct probed *p, struct err *err)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < p->all.n; i++) {
		const char *session = p->all.v[i].session;
		p->run = &p->all.v[i];
		if (intern_find(p->sessions, session, strlen(session)) != INTERN_NONE && is_new(p))
			r = store_visit_samples(p->x->c->store, p->run->id, add_reading, p, err);
	}
	return r;
}

/* ---- a drift of each kind ---- */

static void mark(const struct probed *p, const char *const *names, size_t n, bool *ret)
{
	size_t i;

	memset(ret, 0, intern_count(p->sessions) * sizeof(*ret));
	for (i = 0; i < n; i++)
		ret[intern_find(p->sessions, names[i], strlen(names[i]))] = true;
}

static void fill_side(
	const struct probed *p, size_t series, const bool *sessions, struct drift_side *ret)
{
	_cleanup_(freep) double *v = xcalloc(p->n_readings, sizeof(*v));
	size_t n = 0, i;

	for (i = 0; i < p->n_readings; i++)
		if (p->readings[i].series == series && sessions[p->readings[i].session])
			v[n++] = p->readings[i].value;
	drift_side_of(v, n, ret);
}

/* One of each kind, in order of the kinds. */
static void prefer(struct drifts *d, const struct drift *found)
{
	size_t i = 0;

	while (i < d->n && d->v[i].bound < found->bound)
		i++;
	if (i == d->n || d->v[i].bound != found->bound) {
		memmove(&d->v[i + 1], &d->v[i], (d->n - i) * sizeof(*d->v));
		d->n++;
		d->v[i] = *found;
	} else if (drift_is_preferred(found, &d->v[i])) {
		d->v[i] = *found;
	}
}

static void compare_series(const struct probed *p, const struct drifts *d, size_t series,
	const bool *head, const bool *base, struct drift *ret)
{
	*ret = (struct drift){0};
	series_key_of(&p->series[series], d->runner, &ret->key);
	drift_is_probe(&ret->key, &ret->bound);
	fill_side(p, series, head, &ret->head);
	fill_side(p, series, base, &ret->base);
	drift_compare(ret);
}

static int compare_group(struct probed *p, const struct group *g, struct drifts *d, struct err *err)
{
	const size_t n = intern_count(p->sessions);
	_cleanup_(freep) bool *head = xcalloc(n, sizeof(*head)), *base = xcalloc(n, sizeof(*base));
	size_t i;

	*d = (struct drifts){.runner = g->runner,
		.head_session = g->head[0],
		.base_session = g->base[0],
		.n_head_sessions = g->n_head,
		.n_base_sessions = g->n_base};
	mark(p, g->head, g->n_head, head);
	mark(p, g->base, g->n_base, base);
	for (i = 0; i < p->n_series; i++) {
		const char *runner = store_runner_key(p->x->c->store, p->series[i].runner_id, err);
		struct drift found;
		if (!runner)
			return -1;
		if (strcmp(runner, g->runner) != 0)
			continue;
		compare_series(p, d, i, head, base, &found);
		if (found.head.n || found.base.n)
			prefer(d, &found);
	}
	return 0;
}

static int compare_groups(struct probed *p, struct report *r, struct err *err)
{
	struct drifts *all;
	size_t i;

	all = comparison_own(p->x, xcalloc(p->n, sizeof(*all)));
	for (i = 0; i < p->n && r->n_drifts < DRIFTS_MAX; i++) {
		if (compare_group(p, &p->v[i], &all[r->n_drifts], err) < 0)
			return -1;
		if (all[r->n_drifts].n)
			p->v[i].drifts = &all[r->n_drifts++];
	}
	r->drifts = all;
	return 0;
}

/* Where comparisons differ by a session more or less, what they say is mostly the same. */
static void say(struct comparison *x, const struct report *r)
{
	size_t i;

	for (i = 0; i < r->n_drifts && x->n_machine < LINES_MAX; i++) {
		struct buf line = BUF_INIT;
		drift_line(&line, &r->drifts[i]);
		comparison_take_machine(x, buf_take(&line));
	}
	if (i < r->n_drifts)
		comparison_take_machine(
			x, xasprintf("and more of %zu comparisons, which the JSON report has",
				   r->n_drifts));
}

static void flag(const struct probed *p, struct judged *judged, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p->of[i] && p->v[p->of[i] - 1].drifts)
			judged[i].environment =
				drift_explains(&judged[i], p->v[p->of[i] - 1].drifts);
}

static void release(struct probed *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		group_release(&p->v[i]);
	free(p->v);
	free(p->of);
	store_runs_release(&p->all);
	free(p->series);
	free(p->by_id);
	free(p->readings);
	intern_free(p->keys);
	intern_free(p->sessions);
	intern_free(p->runs);
}

int probed_find(struct comparison *x, struct report *r, struct judged *judged, struct err *err)
{
	struct probed p = {
		.x = x, .keys = intern_new(), .sessions = intern_new(), .runs = intern_new()};
	int ret = x->c->store ? store_runs_of_suite(x->c->store, suite, &p.all, err) : 0;

	/* mostly there are none, and many series */
	if (ret == 0 && p.all.n)
		make_groups(&p, judged, r->n);
	if (ret == 0 && p.n)
		ret = read_runs(&p, err);
	if (ret == 0 && p.n_readings)
		ret = compare_groups(&p, r, err);
	if (ret == 0 && r->n_drifts)
		flag(&p, judged, r->n);
	if (ret == 0)
		say(x, r);
	release(&p);
	return ret;
}
