#include "trending-private.h"

#include "stage.h"

#include <stdlib.h>
#include <string.h>

static int prepare(struct trending *t, struct err *err)
{
	struct trending_private *p = t->private_;

	PERFGATE_SCOPE("look for the series");
	if (trend_load_runs(p, err) < 0 || trend_order_commits(t, err) < 0)
		return -1;
	trend_order_runs(t);
	t->line = p->line;
	t->tip = p->tip;
	t->commits = p->commits;
	t->sessions = p->starts;
	t->n_sessions = intern_count(p->sessions);
	return trend_choose(p, err);
}

int trending_init(
	struct trending *ret, struct context *c, const struct trending_options *o, struct err *err)
{
	struct trending_private *p = xcalloc(1, sizeof(*p));

	*ret = (struct trending){.private_ = p};
	p->c = c;
	p->o = *o;
	p->texts = intern_new();
	p->shas = intern_new();
	p->sessions = intern_new();
	if (prepare(ret, err) == 0)
		return 0;
	trending_release(ret);
	return -1;
}

void trending_release(struct trending *t)
{
	struct trending_private *p = t->private_;

	if (!p)
		return;
	trend_choice_release(&p->choice);
	intern_free(p->texts);
	intern_free(p->shas);
	intern_free(p->sessions);
	intern_free(p->places);
	free(p->line);
	free(p->known);
	free(p->commits);
	free(p->starts);
	free(p->runs);
	free(p->suites);
	free(p->newest);
	free(p->shifts);
	free(p);
	*t = (struct trending){0};
}

size_t trending_count(const struct trending *t)
{
	return t->private_->choice.n;
}

/* What a row goes through to its caller. */
struct giving {
	struct trending_private *p;
	trend_row_fn *row;
	void *ctx;
};

static size_t count_steps(const struct trending_series *v, size_t n)
{
	size_t i, steps = 0;

	for (i = 0; i < n; i++)
		steps += v[i].trend.n_steps;
	return steps;
}

static int give(void *ctx, const struct trending_series *v, size_t n, struct err *err)
{
	struct giving *g = ctx;
	_cleanup_(freep) struct trending_series *all = xcalloc(n, sizeof(*all));
	_cleanup_(freep) const char **machine = xcalloc(count_steps(v, n) + 1, sizeof(*machine));
	size_t i, at = 0;

	memcpy(all, v, n * sizeof(*all));
	for (i = 0; i < n; i++) {
		all[i].machine = machine + at;
		if (trend_find_machine(g->p, &v[i], machine + at, err) < 0)
			return -1;
		at += v[i].trend.n_steps;
	}
	return g->row(g->ctx, all, n, err);
}

int trending_each(struct trending *t,
	int (*row)(void *ctx, const struct trending_series *v, size_t n, struct err *err),
	void *ctx, void (*progress)(void *ctx, double done, double of), void *progress_ctx,
	struct err *err)
{
	struct giving g = {t->private_, row, ctx};

	PERFGATE_SCOPE("follow the series");
	return trend_read(t->private_, &t->private_->choice, give, &g, progress, progress_ctx, err);
}
