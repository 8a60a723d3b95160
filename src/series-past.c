#include "series-past.h"

#include "ancestry.h"
#include "each-series.h"
#include "history.h"
#include "measured.h"
#include "past-line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Series of the store whose numbers make one past. */
struct track {
	struct series_key key;
	struct decision d;
	int64_t *ids;
	size_t n_ids, cap_ids;
	struct observation *v; /* of the commits of a line */
	size_t n, cap;
};

/* ---- which ---- */

struct finding {
	struct series_past *p;
	const struct picked *meant;
};

static bool belongs(const struct track *t, const struct series_key *k)
{
	return !strcmp(t->key.unit, k->unit) && !strcmp(t->key.quantity, k->quantity) &&
	       !strcmp(t->key.variant, k->variant) &&
	       (t->d.across == ACROSS_YES || !strcmp(t->key.runner, k->runner));
}

static struct track *track_of(struct series_past *p, const struct series_key *k, struct err *err)
{
	struct track *t;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (belongs(&p->tracks[i], k))
			return &p->tracks[i];
	p->tracks = xgrow(p->tracks, p->n, &p->cap, sizeof(*p->tracks));
	t = &p->tracks[p->n];
	*t = (struct track){.key = *k};
	if (policy_decide(p->c->policy, k, &t->d, err) < 0)
		return NULL;
	p->exact &= t->d.judge == JUDGE_EXACT;
	p->n++;
	return t;
}

static int find(
	void *ctx, const struct series_key *k, const struct store_series *x, struct err *err)
{
	struct finding *f = ctx;
	struct track *t;

	if (strcmp(k->suite, f->meant->suite) != 0 ||
		strcmp(k->benchmark, f->meant->benchmark) != 0 ||
		strcmp(k->metric, f->meant->metric) != 0)
		return 0;
	t = track_of(f->p, k, err);
	if (!t)
		return -1;
	t->ids = xgrow(t->ids, t->n_ids, &t->cap_ids, sizeof(*t->ids));
	t->ids[t->n_ids++] = x->id;
	return 0;
}

int series_past_init(
	struct series_past *p, struct context *c, const struct picked *meant, struct err *err)
{
	struct finding f = {p, meant};

	*p = (struct series_past){.c = c, .exact = true};
	names_init(&p->names);
	p->names.renames = policy_renames(c->policy) ? c->policy : NULL;
	return each_series(c->store, c->policy, NULL, p->names.strings, find, &f, err);
}

void series_past_release(struct series_past *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->tracks[i].ids);
		free(p->tracks[i].v);
	}
	free(p->tracks);
	if (p->c)
		names_release(&p->names);
	*p = (struct series_past){0};
}

/* ---- what it was ---- */

/* 1 and the median of the newest session that the runs have of it, 0 none, -1. */
static int median_of(struct series_past *p, const struct track *t, const struct store_runs *runs,
	struct num *ret, struct err *err)
{
	_cleanup_(freep) bool *none = xcalloc(runs->n + 1, sizeof(*none));
	struct measurements m;
	size_t i;
	int r = 0;

	measurements_init(&m, &p->names);
	for (i = 0; r == 0 && i < t->n_ids && !m.n; i++)
		r = measurements_add_series(&m, p->c->store, runs, none, t->ids[i], err);
	if (r == 0 && m.n && m.v[0].newest.n) {
		*ret = decimal_num(decimal_median(m.v[0].newest.values, m.v[0].newest.n));
		r = 1;
	}
	measurements_release(&m);
	return r;
}

int series_past_at(struct series_past *p, const char *sha, struct decimal *ret, const char **unit,
	struct err *err)
{
	struct store_runs runs = {0};
	struct git_commit commit;
	char borrowed[65];
	struct num value;
	size_t i;
	int r = find_commit(p->c, sha, &commit, err);

	if (r > 0)
		r = runs_of(p->c, &commit, NULL, &runs, borrowed, err);
	for (i = 0; r == 0 && runs.n && i < p->n; i++) {
		r = median_of(p, &p->tracks[i], &runs, &value, err);
		if (r > 0) {
			*ret = decimal_from(value);
			*unit = p->tracks[i].key.unit;
		}
	}
	store_runs_release(&runs);
	return r;
}

/* ---- the step ---- */

static int observe(struct series_past *p, struct track *t, const struct line *l, struct err *err)
{
	struct num value;
	size_t i;

	t->n = 0;
	for (i = 0; i < l->n; i++) {
		int r = median_of(p, t, &l->v[i].runs, &value, err);
		if (r < 0)
			return -1;
		if (r == 0)
			continue;
		t->v = xgrow(t->v, t->n, &t->cap, sizeof(*t->v));
		t->v[t->n++] = (struct observation){
			.median = value, .commit = (unsigned)i, .until = (unsigned)i};
	}
	return 0;
}

/* The last observation at which the level was left; 0 none. */
static size_t exact_step(const struct past *all, const struct step_rule *rule)
{
	struct past p = *all;
	struct level level;
	size_t ret = 0;

	for (p.n = 2; p.n <= all->n; p.n++) {
		history_level(&p, rule, &level);
		if (level.regressed && level.culprit == p.n - 1)
			ret = p.n - 1;
	}
	return ret;
}

/* The stretch that the newest session belongs to; 0 none. */
static size_t noisy_step(const struct past *all, const struct step_rule *rule)
{
	struct past p = *all;
	struct sessions s;

	if (p.n < 2)
		return 0;
	p.n--;
	history_sessions(&p, rule, num_double(all->v[p.n].median), &s);
	return s.say == SESSIONS_REGRESSED ? s.culprit : 0;
}

static size_t step_of(const struct track *t, const struct past *past, const struct turn *accept)
{
	struct step_rule rule = {.direction = t->d.direction,
		.tolerance = t->d.tolerance,
		.floor = t->d.floor,
		.accepts = accept != NULL};

	if (accept)
		rule.accept = accept->to;
	return t->d.judge == JUDGE_EXACT ? exact_step(past, &rule) : noisy_step(past, &rule);
}

static int find_step(struct series_past *p, const struct track *t, const struct past *past,
	size_t *ret, struct err *err)
{
	struct turn turn;
	int accepts;

	*ret = 0;
	if (t->d.class_ == CLASS_INFO || t->d.direction == DIRECTION_NONE)
		return 0;
	accepts = policy_accept(p->c->policy, &t->key, &turn, err);
	if (accepts < 0)
		return -1;
	*ret = step_of(t, past, accepts ? &turn : NULL);
	if (!*ret && accepts)
		*ret = step_of(t, past, NULL);
	return 0;
}

static void take(struct series_step *ret, const struct track *t, const struct line *l, size_t at)
{
	const struct observation *good = &t->v[at - 1], *bad = &t->v[at];

	snprintf(ret->good, sizeof(ret->good), "%s", l->v[good->commit].sha);
	snprintf(ret->bad, sizeof(ret->bad), "%s", l->v[bad->commit].sha);
	ret->was = decimal_from(good->median);
	ret->is = decimal_from(bad->median);
	ret->unit = t->key.unit;
}

/* The newest of all tracks. */
static int newest_step(
	struct series_past *p, const struct line *l, struct series_step *ret, struct err *err)
{
	struct past_commit *commits = xcalloc(l->n + 1, sizeof(*commits));
	size_t i, at, newest = 0;
	int r = 0;

	for (i = 0; i < l->n; i++)
		commits[i] = (struct past_commit){l->v[i].sha, l->v[i].distance, false};
	for (i = 0; r == 0 && i < p->n; i++) {
		struct track *t = &p->tracks[i];
		r = observe(p, t, l, err);
		ret->measured = r == 0 && t->n > ret->measured ? t->n : ret->measured;
		if (r == 0)
			r = find_step(p, t,
				&(struct past){.commits = commits, .v = t->v, .n = t->n}, &at, err);
		if (r == 0 && at && t->v[at].commit > newest) {
			newest = t->v[at].commit;
			take(ret, t, l, at);
		}
	}
	free(commits);
	return r < 0 ? -1 : newest > 0;
}

int series_past_step(
	struct series_past *p, const char *sha, struct series_step *ret, struct err *err)
{
	struct baseline here = {.on_line = true};
	struct line l;
	int r;

	*ret = (struct series_step){0};
	snprintf(here.start, sizeof(here.start), "%s", sha);
	r = line_find(&l, p->c, &here, "", PAST_SESSIONS, false, err);
	if (r == 0)
		r = newest_step(p, &l, ret, err);
	line_release(&l);
	return r;
}
