/* From a series as the store has it to a series as the site shows it. */
#include "publish-private.h"

#include "bench-page.h"
#include "chart.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a series that lists may show. */
enum { STEPS_LISTED = 8 };

static const char *keep(struct publishing *p, const char *s)
{
	return s ? intern_get(p->texts, intern_add(p->texts, s, strlen(s)), NULL) : NULL;
}

static struct series_key keep_key(struct publishing *p, const struct series_key *k)
{
	return (struct series_key){.suite = keep(p, k->suite),
		.benchmark = keep(p, k->benchmark),
		.metric = keep(p, k->metric),
		.unit = keep(p, k->unit),
		.quantity = keep(p, k->quantity),
		.direction = k->direction,
		.variant = keep(p, k->variant),
		.runner = keep(p, k->runner)};
}

/* ---- steps ---- */

static void add_steps(struct publishing *p, const struct trending_series *x, uint32_t series,
	struct site_step *ret)
{
	size_t i;

	for (i = 0; i < x->trend.n_steps; i++) {
		const struct trend_step *s = &x->trend.steps[i];
		ret[i] = (struct site_step){.series = series,
			.at = x->points[s->at].commit,
			.previous = s->at ? x->points[s->at - 1].commit : SITE_NONE,
			.earliest = x->points[s->earliest].commit,
			.last = x->points[s->last].commit,
			.before = s->before,
			.after = s->after,
			.change = s->change,
			.low = s->low,
			.high = s->high,
			.strength = s->strength,
			.sense = s->sense,
			.machine = keep(p, x->machine ? x->machine[i] : NULL)};
	}
}

/* The last that counts, else the last; and the newest of those that count go into the lists. */
static void pick_steps(
	struct publishing *p, struct site_series *s, const struct site_step *steps, size_t n)
{
	size_t i, listed = 0;

	s->step.at = SITE_NONE;
	if (n)
		s->step = steps[n - 1];
	for (i = n; i > 0 && listed < STEPS_LISTED; i--) {
		if (steps[i - 1].sense == SENSE_NONE)
			continue;
		if (!listed++)
			s->step = steps[i - 1];
		if (s->class_ == CLASS_INFO)
			break;
		p->steps = xgrow(p->steps, p->n_steps, &p->cap_steps, sizeof(*p->steps));
		p->steps[p->n_steps++] = steps[i - 1];
	}
}

/* ---- what lists say ---- */

/* Whether the policy accepts the level: 1, 0, -1. The worst that it accepts into *ret. */
static int accepted(
	struct publishing *p, const struct trending_series *x, double *ret, struct err *err)
{
	struct turn turn;
	const int r = policy_accept(p->c->policy, &x->key, &turn, err);

	if (r > 0)
		*ret = decimal_double(turn.to);
	return r;
}

/* The first point that is news. */
static size_t first_recent(const struct publishing *p, const struct trending_series *x)
{
	size_t i = x->n;

	while (i > 0 && site_is_recent(&p->site, x->points[i - 1].commit))
		i--;
	return i;
}

static enum site_state state_of(const struct standing *st)
{
	switch (st->kind) {
	case STANDING_WORSE:
		return STATE_WORSE;
	case STANDING_SUSPECT:
		return STATE_SUSPECT;
	case STANDING_MISSING:
		return STATE_MISSING;
	case STANDING_ACCEPTED:
		return STATE_ACCEPTED;
	case STANDING_BETTER:
		return STATE_BETTER;
	default:
		return STATE_STEADY;
	}
}

/* Of several sessions of a commit the newest counts. */
static double value_at(const struct trending_series *x, size_t commit)
{
	size_t i;

	for (i = x->n; i > 0; i--)
		if (x->points[i - 1].commit == commit)
			return num_double(x->points[i - 1].value);
	return NAN;
}

static void find_newest(
	const struct publishing *p, const struct trending_series *x, struct site_series *s)
{
	const size_t n = p->site.n_commits;

	s->at_newest[0] = n > 0 ? value_at(x, n - 1) : NAN;
	s->at_newest[1] = n > 1 ? value_at(x, n - 2) : NAN;
}

/* As a step that there may be. */
static struct site_step doubt_of_newest(const struct trending_series *x)
{
	const struct trend_suspect *t = &x->trend.suspect;

	return (struct site_step){.at = x->points[t->from].commit,
		.before = t->before,
		.after = t->after,
		.change = t->change,
		.sense = t->sense};
}

/* What is worse is so however long ago that began; the rest is news or nothing. */
static int stand(struct publishing *p, const struct trending_series *x, struct standing *ret,
	struct err *err)
{
	const size_t n = p->site.n_commits;
	const int64_t now = n ? p->site.commits[n - 1].at : TIME_UNKNOWN;

	if (standing_of(p->c->policy, x, 0, now, ret, err) < 0)
		return -1;
	if (ret->kind == STANDING_WORSE || ret->kind == STANDING_ACCEPTED)
		return 0;
	return standing_of(p->c->policy, x, first_recent(p, x), now, ret, err);
}

static int find_state(struct publishing *p, const struct trending_series *x,
	const struct site_step *steps, struct site_series *s, struct err *err)
{
	struct standing st;

	s->state = STATE_STEADY;
	if (s->class_ == CLASS_INFO)
		return 0;
	if (stand(p, x, &st, err) < 0)
		return -1;
	s->state = state_of(&st);
	if (s->state == STATE_SUSPECT)
		s->doubt = st.step == SIZE_MAX ? doubt_of_newest(x) : steps[st.step];
	return 0;
}

static bool has_one_sign(const struct trending_series *x)
{
	const bool positive = x->n && num_double(x->points[0].value) > 0;
	size_t i;

	for (i = 0; i < x->n; i++) {
		const double v = num_double(x->points[i].value);
		if (v == 0 || (v > 0) != positive)
			return false;
	}
	return true;
}

static char *spark_of(const struct trending_series *x)
{
	_cleanup_(freep) struct chart_point *points = xcalloc(x->n + 1, sizeof(*points));
	const struct chart c = {
		.points = points, .n = x->n, .trend = &x->trend, .unit = "", .title = ""};
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < x->n; i++)
		points[i].value = num_double(x->points[i].value);
	chart_spark(&b, &c);
	return buf_take(&b);
}

static void summarize(struct publishing *p, const struct trending_series *x, struct site_series *s)
{
	const struct trend *t = &x->trend;

	*s = (struct site_series){.key = keep_key(p, &x->key),
		.direction = x->decision.direction,
		.class_ = x->decision.class_,
		.benchmark = (uint32_t)p->n_benchmarks,
		.n = x->n,
		.first = x->n ? x->points[0].commit : SITE_NONE,
		.newest = x->n ? x->points[x->n - 1].commit : SITE_NONE,
		.level = t->level,
		.noise = t->noise,
		.exact = t->exact,
		.logarithmic = has_one_sign(x),
		.missing = x->missing,
		.suspect = t->suspect,
		.suspect_from = t->suspect.is ? x->points[t->suspect.from].commit : SITE_NONE,
		.n_steps = t->n_steps,
		.spark = spark_of(x)};
}

/* ---- a benchmark ---- */

struct made {
	struct bench_series *v;
	size_t n;
	struct bench_point **points;
	struct site_step **steps;
	double *accepts;
};

static void release(struct made *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		free(m->points[i]);
		free(m->steps[i]);
	}
	free(m->v);
	free(m->points);
	free(m->steps);
	free(m->accepts);
}

static struct bench_point *points_of(const struct publishing *p, const struct trending_series *x)
{
	struct bench_point *points = xcalloc(x->n + 1, sizeof(*points));
	size_t i;

	for (i = 0; i < x->n; i++)
		points[i] = (struct bench_point){
			.commit = x->points[i].commit, .value = num_double(x->points[i].value)};
	/* a sample alone is its median */
	for (i = 0; i < x->n && !p->site.medians_alone; i++)
		if (x->points[i].n > 1) {
			points[i].samples = x->points[i].samples;
			points[i].n = x->points[i].n;
		}
	return points;
}

static int make_series(struct publishing *p, const struct trending_series *x, size_t i,
	struct made *m, struct err *err)
{
	struct site_series *s = &p->series[p->n_series + i];
	const int accepts = accepted(p, x, &m->accepts[i], err);

	if (accepts < 0)
		return -1;
	summarize(p, x, s);
	find_newest(p, x, s);
	m->points[i] = points_of(p, x);
	m->steps[i] = xcalloc(x->trend.n_steps + 1, sizeof(*m->steps[i]));
	add_steps(p, x, (uint32_t)(p->n_series + i), m->steps[i]);
	if (find_state(p, x, m->steps[i], s, err) < 0)
		return -1;
	pick_steps(p, s, m->steps[i], x->trend.n_steps);
	publish_remember(p, x);
	m->v[i] = (struct bench_series){.of = s,
		.points = m->points[i],
		.n = x->n,
		.trend = &x->trend,
		.steps = m->steps[i],
		.accepts = &m->accepts[i],
		.n_accepts = accepts > 0};
	return 0;
}

static int write_benchmark(struct publishing *p, const struct bench *x, struct err *err)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;

	bench_page(&p->page, &p->site, x);
	site_benchmark_path(&path, x->suite, x->name);
	if (publish_put(p, path.p, err) < 0)
		return -1;
	buf_clear(&path);
	bench_data(&p->page, x);
	site_data_path(&path, x->suite, x->name);
	return publish_put(p, path.p, err);
}

static void remember_benchmark(struct publishing *p, size_t n)
{
	const struct series_key *k = &p->series[p->n_series].key;
	struct site_suite *suite = p->n_suites ? &p->suites[p->n_suites - 1] : NULL;

	if (!suite || suite->name != k->suite) {
		p->suites = xgrow(p->suites, p->n_suites, &p->cap_suites, sizeof(*p->suites));
		suite = &p->suites[p->n_suites++];
		*suite = (struct site_suite){
			.name = k->suite, .first = p->n_benchmarks, .first_series = p->n_series};
	}
	suite->n++;
	suite->n_series += n;
	p->benchmarks =
		xgrow(p->benchmarks, p->n_benchmarks, &p->cap_benchmarks, sizeof(*p->benchmarks));
	p->benchmarks[p->n_benchmarks++] =
		(struct site_benchmark){k->suite, k->benchmark, p->n_series, n};
	p->n_series += n;
}

int publish_benchmark(void *publishing, const struct trending_series *v, size_t n, struct err *err)
{
	struct publishing *p = publishing;
	_cleanup_(release) struct made m = {.n = n};
	struct bench bench;
	size_t i;

	m.v = xcalloc(n, sizeof(*m.v));
	m.points = xcalloc(n, sizeof(*m.points));
	m.steps = xcalloc(n, sizeof(*m.steps));
	m.accepts = xcalloc(n, sizeof(*m.accepts));
	p->series = xgrow_to(p->series, &p->cap_series, p->n_series + n, sizeof(*p->series));
	for (i = 0; i < n; i++)
		if (make_series(p, &v[i], i, &m, err) < 0)
			return -1;
	bench = (struct bench){v[0].key.suite, v[0].key.benchmark, m.v, n};
	if (write_benchmark(p, &bench, err) < 0)
		return -1;
	remember_benchmark(p, n);
	return 0;
}
