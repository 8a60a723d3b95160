#include "measure-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct measured_side *s, const struct store_run *r)
{
	size_t i;

	if (!is_measure_session(r->session))
		return false;
	for (i = 0; i < s->n; i++)
		if (s->began[i] == r->started_at)
			return true;
	return false;
}

/* What the store has of a side, so that whoever asks later is told the same. */
static int load(struct measure_call *x, size_t side, const struct narrowing *w,
	struct measurements *m, struct err *err)
{
	struct store_runs runs = {0};
	_cleanup_(freep) bool *use = NULL;
	size_t i;
	int r = store_runs_of_commit(x->c.store, x->m.trees[side].commit.sha, &runs, err);

	if (r == 0) {
		use = xcalloc(runs.n, sizeof(*use));
		for (i = 0; i < runs.n; i++)
			use[i] = is_of(&x->sides[side], &runs.v[i]);
		r = measurements_add_runs(m, x->c.store, &runs, use, w, err);
	}
	store_runs_release(&runs);
	return r;
}

static int fill(struct measure_call *x, size_t side, struct comparison *k, struct err *err)
{
	const char *base = x->m.trees[0].commit.sha;
	struct measurements m;
	int r;

	if (policy_renames(x->c.policy))
		k->names.renames = x->c.policy;
	snprintf(k->head_label, sizeof(k->head_label), "%s", x->m.trees[side].commit.sha);
	measurements_init(&m, &k->names);
	r = load(x, 0, k->narrowing, &m, err);
	if (r == 0)
		r = load(x, side, k->narrowing, &k->head, err);
	if (r == 0)
		r = comparison_begin(k, err);
	if (r == 0)
		comparison_unmeasured(k, &m, base);
	if (r == 0)
		r = comparison_add_base(k, &m, base, 0, err);
	if (r == 0)
		r = comparison_end(k, "the base wrote nothing of its suite", err);
	measurements_release(&m);
	return r;
}

static void describe(const struct measure_call *x, size_t side, struct report *r)
{
	const struct tree *base = &x->m.trees[0], *head = &x->m.trees[side];
	const bool dirty = strcmp(x->sides[side].tree_state, "clean") != 0;

	r->head = (struct report_commit){.sha = head->commit.sha,
		.subject = *head->commit.subject ? head->commit.subject : NULL,
		.tree_state = dirty ? "dirty" : "clean",
		.label = head->here ? "the work tree" : head->rev};
	r->base = (struct report_base){.asked = base->rev,
		.why = "measured in turns with it",
		.sha = base->commit.sha,
		.subject = *base->commit.subject ? base->commit.subject : NULL};
	r->options.head_time = head->commit.committed_at;
}

static void note_events(const struct measure_call *x, struct comparison *k)
{
	_cleanup_(freep) char *lines = xstrdup(buf_str(&x->events));
	char *rest = lines, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			comparison_note(k, "%s", line);
}

static int judge_side(struct measure_call *x, size_t side, const struct narrowing *narrowing,
	int *status, struct err *err)
{
	struct report r = {.command = "measure", .exit_counts = x->o->exit_code};
	struct comparison k;
	int ret;

	comparison_init(&k, &x->c, narrowing);
	note_events(x, &k);
	ret = fill(x, side, &k, err);
	if (ret == 0) {
		describe(x, side, &r);
		ret = judge_verdicts(&k, &x->o->judge, &r, err);
	}
	if (ret == 0)
		ret = judge_report(&r, &x->o->judge, &x->c, err);
	*status = r.exit;
	verdicts_free(&r);
	comparison_release(&k);
	return ret;
}

/* A regression before what could not be judged. */
static int worse(int a, int b)
{
	return a == 1 || b == 1 ? 1 : a ? a : b;
}

int measure_judge(
	struct measure_call *x, const struct narrowing *narrowing, int *status, struct err *err)
{
	size_t i;
	int one;

	for (i = 1; i < x->m.n_trees; i++) {
		if (judge_side(x, i, narrowing, &one, err) < 0)
			return -1;
		*status = worse(*status, one);
	}
	return 0;
}
