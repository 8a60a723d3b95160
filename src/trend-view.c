#include "trend-view.h"

#include "term.h"

#include <string.h>

int64_t trend_point_time(const struct trend_view *v, const struct trending_series *s, size_t i)
{
	const struct trending_point *p = &s->points[i];

	return s->by_time ? v->t.sessions[p->session].at : v->t.commits[p->commit].at;
}

const char *trend_point_sha(const struct trend_view *v, const struct trending_series *s, size_t i)
{
	return v->t.commits[s->points[i].commit].sha;
}

bool trend_is_relative(const struct trending_series *s)
{
	bool above = false, below = false;
	size_t i;

	for (i = 0; i < s->n; i++) {
		const double x = num_double(s->points[i].value);
		above |= x >= 0;
		below |= x <= 0;
	}
	return !(above && below);
}

struct viewing {
	struct trend_view *v;
	uint32_t since_commit; /* INTERN_NONE: its time alone is known */
	int64_t now;
	int (*row)(void *ctx, const struct trend_seen *x, struct err *err);
	void *ctx;
};

static bool is_seen(const struct viewing *w, const struct trending_series *s, size_t i)
{
	if (w->v->since == TIME_UNKNOWN)
		return true;
	if (w->since_commit != UINT32_MAX && !s->by_time)
		return s->points[i].commit > w->since_commit;
	return trend_point_time(w->v, s, i) >= w->v->since;
}

/* Times need not ascend along a line of commits: what follows one that is seen is. */
static size_t first_seen(const struct viewing *w, const struct trending_series *s)
{
	const int64_t last = w->v->last;
	size_t i = last && s->n > (size_t)last ? s->n - (size_t)last : 0;

	while (i < s->n && !is_seen(w, s, i))
		i++;
	return i;
}

static int view(void *ctx, const struct trending_series *v, size_t n, struct err *err)
{
	struct viewing *w = ctx;
	size_t i;

	for (i = 0; i < n; i++) {
		struct trend_seen x = {.s = &v[i], .from = first_seen(w, &v[i])};
		if (x.from == v[i].n)
			continue;
		if (standing_of(w->v->c->policy, &v[i], x.from, w->now, &x.standing, err) < 0)
			return -1;
		if (v[i].decision.class_ != CLASS_INFO) {
			w->v->sure += x.standing.sure;
			w->v->suspected += x.standing.suspected;
		}
		if (w->row(w->ctx, &x, err) < 0)
			return -1;
	}
	return 0;
}

static uint32_t find_commit_of(const struct trending *t, const char *sha)
{
	uint32_t i;

	for (i = 0; sha && i < t->n_commits; i++)
		if (!strcmp(t->commits[i].sha, sha))
			return i;
	return UINT32_MAX;
}

int trend_view_each(struct trend_view *v,
	int (*row)(void *ctx, const struct trend_seen *x, struct err *err), void *ctx,
	struct err *err)
{
	struct viewing w = {.v = v,
		.since_commit = find_commit_of(&v->t, v->since_sha),
		.now = v->t.n_commits ? v->t.commits[v->t.n_commits - 1].at : 0,
		.row = row,
		.ctx = ctx};

	return trending_each(
		&v->t, view, &w, v->progress ? progress_callback : NULL, v->progress, err);
}
