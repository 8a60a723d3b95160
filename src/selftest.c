#include "selftest-private.h"

#include "each-series.h"
#include "figure.h"
#include "intern.h"
#include "stays.h"
#include "term.h"

#include <stdlib.h>
#include <string.h>

/* ---- which series ---- */

static bool suite_wanted(const struct selftest_settings *s, const char *suite)
{
	size_t i;

	for (i = 0; i < s->suites.n; i++)
		if (!strcmp(s->suites.v[i], suite))
			return true;
	return !s->suites.n;
}

static int add_spec(
	void *ctx, const struct series_key *key, const struct store_series *x, struct err *err)
{
	struct testing *t = ctx;
	struct series_spec *spec;
	struct decision d = {0};

	if (!suite_wanted(t->s, x->suite))
		return 0;
	if (policy_decide(t->c->policy, key, &d, err) < 0)
		return -1;
	if (d.class_ == CLASS_INFO || d.judge != JUDGE_NOISY || d.direction == DIRECTION_NONE)
		return 0;
	t->specs = xgrow_to(t->specs, &t->n_specs, (size_t)x->id, sizeof(*t->specs));
	spec = &t->specs[x->id];
	spec->wanted = true;
	spec->sign = d.direction == DIRECTION_LOWER ? 1 : -1;
	spec->tolerance = decimal_double(d.tolerance);
	spec->hash = selftest_hash(selftest_hash(0xCBF29CE484222325, x->suite), x->benchmark);
	spec->hash = selftest_hash(selftest_hash(spec->hash, x->metric.name), x->variant);
	spec->hash = selftest_hash(spec->hash, key->runner);
	return 0;
}

static int find_specs(struct testing *t, struct err *err)
{
	struct intern *names = intern_new();
	int r = each_series(t->c->store, t->c->policy, t->s->only, names, add_spec, t, err);

	intern_free(names);
	return r;
}

bool selftest_wanted(void *ctx, int64_t series)
{
	const struct testing *t = ctx;

	return series >= 0 && (size_t)series < t->n_specs && t->specs[series].wanted;
}

/* ---- one comparison ---- */

struct alarm selftest_alarm(
	double p, double worse, const struct evidence *e, const struct series_spec *s, double alpha)
{
	struct alarm a = {.p = p <= alpha};

	a.beyond = a.p && worse > (e->relative ? s->tolerance : 0);
	return a;
}

double selftest_p_worse(const struct evidence *e, const struct series_spec *s)
{
	return s->sign > 0 ? e->p_up : e->p_down;
}

/* ---- the answer ---- */

void selftest_answer(struct buf *b, const struct selftest_place *p, double alpha)
{
	const struct selftest_rate *r = &p->pool;

	if (p->answer == POOL_UNKNOWN && r->units < SELFTEST_PAIRS) {
		buf_addf(b, "not known: %zu pair%s, %d are needed", r->units,
			r->units == 1 ? "" : "s", SELFTEST_PAIRS);
		return;
	}
	buf_addstr(b, p->answer == POOL_YES  ? "yes: "
		      : p->answer == POOL_NO ? "no: "
					     : "not known: ");
	figure_rough_percent(b, r->alarms.share);
	buf_addstr(b, " at a nominal ");
	figure_rough_percent(b, alpha);
	if (p->answer == POOL_UNKNOWN) {
		buf_addf(b, " of %zu pairs, which may be up to ", r->units);
		figure_rough_percent(b, r->alarms.high);
	}
}

/* ---- all of it ---- */

static int test_place(
	struct testing *t, const struct stay *v, size_t n, struct selftest *ret, struct err *err)
{
	struct selftest_place *place = &ret->v[ret->n];

	*place = (struct selftest_place){.suite = v->runs->suite, .runner = v->runs->runner_key};
	if (selftest_split(t, v, n, place, err) < 0 || selftest_pool(t, v, n, place, err) < 0)
		return -1;
	ret->n++;
	return 0;
}

int selftest_run(
	struct selftest *ret, struct context *c, const struct selftest_settings *s, struct err *err)
{
	struct testing t = {.c = c, .s = s};
	size_t i, n;
	int r;

	*ret = (struct selftest){.stays = xcalloc(1, sizeof(*ret->stays))};
	r = stays_load(ret->stays, c->store, err);
	if (r == 0)
		r = find_specs(&t, err);
	ret->v = xcalloc(ret->stays->n, sizeof(*ret->v));
	t.progress = progress_start("splitting and comparing");
	for (i = 0; r == 0 && i < ret->stays->n; i += n) {
		const struct stay *v = &ret->stays->v[i];
		n = stays_in_place(v, ret->stays->n - i);
		if (suite_wanted(s, v->runs->suite))
			r = test_place(&t, v, n, ret, err);
	}
	progress_end(t.progress);
	free(t.specs);
	return r;
}

void selftest_release(struct selftest *t)
{
	if (t->stays)
		stays_release(t->stays);
	free(t->stays);
	free(t->v);
	*t = (struct selftest){0};
}
