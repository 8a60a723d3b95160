#include "baseline.h"

#include "ancestry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int walk_start(struct walk *w, struct context *c, const struct baseline *base, const char *head_sha,
	int max, bool changed, struct err *err)
{
	*w = (struct walk){.c = c, .base = base, .max = max, .changed = changed, .offset = -1};
	snprintf(w->head, sizeof(w->head), "%s", head_sha);
	snprintf(w->next, sizeof(w->next), "%s", base->start);
	w->ended = !*w->next;
	w->unknown = w->ended;
	if (*head_sha && *base->start)
		w->offset = steps_back(c, head_sha, base->start, err);
	return err->code ? -1 : 0;
}

void candidate_release(struct candidate *c)
{
	store_runs_release(&c->runs);
}

static void keep_runs(struct store_runs *runs,
	bool (*wanted)(const struct store_run *r, const char *text), const char *text)
{
	struct store_runs kept = {0}, rest = {0};
	size_t i;

	for (i = 0; i < runs->n; i++) {
		struct store_runs *to = wanted(&runs->v[i], text) ? &kept : &rest;
		to->v = xgrow(to->v, to->n, &to->cap, sizeof(*to->v));
		to->v[to->n++] = runs->v[i];
	}
	free(runs->v);
	*runs = kept;
	store_runs_release(&rest);
}

static bool has_state(const struct store_run *r, const char *state)
{
	return !strcmp(r->tree_state, state);
}

static bool has_commit(const struct store_run *r, const char *sha)
{
	return !strcmp(r->sha, sha);
}

static bool has_other_commit(const struct store_run *r, const char *sha)
{
	return strcmp(r->sha, sha) != 0;
}

int runs_of(struct context *c, const struct git_commit *commit, const char *but_sha,
	struct store_runs *ret, char borrowed[65], struct err *err)
{
	borrowed[0] = '\0';
	if (store_runs_of_commit(c->store, commit->sha, ret, err) < 0)
		return -1;
	keep_runs(ret, has_state, "clean");
	if (ret->n || !*commit->tree)
		return 0;
	if (store_runs_of_tree(c->store, commit->tree, commit->sha, ret, err) < 0)
		return -1;
	if (but_sha)
		keep_runs(ret, has_other_commit, but_sha);
	if (ret->n) {
		snprintf(borrowed, 65, "%s", ret->v[0].sha);
		keep_runs(ret, has_commit, borrowed);
	}
	return 0;
}

static bool recorded_on(const struct store_runs *runs, const char *branch)
{
	size_t i;

	for (i = 0; i < runs->n; i++)
		if (!strcmp(runs->v[i].branch, branch))
			return true;
	return false;
}

/* Steps to w->next. 1, 0 when its parents end the walk after it, -1. */
static int step(struct walk *w, struct candidate *ret, struct err *err)
{
	int r = find_commit(w->c, w->next, &ret->commit, err);

	if (r < 0)
		return -1;
	if (r == 0) {
		/* a name without facts: its own runs may still be there */
		ret->commit = (struct git_commit){.n_parents = -1};
		snprintf(ret->commit.sha, sizeof(ret->commit.sha), "%s", w->next);
	}
	w->steps++;
	ret->distance = w->offset < 0 ? 0 : w->offset + w->steps - 1;
	w->ended = ret->commit.n_parents <= 0 || w->steps >= w->max;
	w->unknown = ret->commit.n_parents < 0;
	if (!w->ended)
		snprintf(w->next, sizeof(w->next), "%s", ret->commit.parents[0]);
	return 1;
}

static int guess(struct walk *w, struct candidate *ret, struct err *err)
{
	char sha[65];

	if (!w->base->guess || w->guessed || !w->guess_wanted || !w->unknown)
		return 0;
	w->guessed = true;
	if (store_runs_of_branch(w->c->store, w->base->guess, w->head, &ret->runs, err) < 0)
		return -1;
	if (ret->runs.n == 0)
		return 0;
	snprintf(sha, sizeof(sha), "%s", ret->runs.v[0].sha);
	store_runs_release(&ret->runs);
	if (find_commit(w->c, sha, &ret->commit, err) < 0 ||
		store_runs_of_commit(w->c->store, ret->commit.sha, &ret->runs, err) < 0)
		return -1;
	keep_runs(&ret->runs, has_state, "clean");
	ret->guess = true;
	return ret->runs.n > 0;
}

/* HEAD is never its own base. */
static bool may_serve(const struct walk *w, const struct candidate *c)
{
	if (!c->runs.n || (!w->changed && !strcmp(c->commit.sha, w->head)))
		return false;
	return !w->base->branch || recorded_on(&c->runs, w->base->branch);
}

int walk_next(struct walk *w, struct candidate *ret, struct err *err)
{
	while (!w->ended) {
		*ret = (struct candidate){0};
		if (step(w, ret, err) < 0 ||
			runs_of(w->c, &ret->commit, w->head, &ret->runs, ret->borrowed, err) < 0) {
			candidate_release(ret);
			return -1;
		}
		if (may_serve(w, ret))
			return 1;
		candidate_release(ret);
	}
	*ret = (struct candidate){0};
	return guess(w, ret, err);
}
