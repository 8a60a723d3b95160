#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- commits ---- */

static void from_store(const struct commit_fact *f, struct git_commit *ret)
{
	int i;

	*ret = (struct git_commit){
		.committed_at = f->committed_at == TIME_UNKNOWN ? 0 : f->committed_at};
	snprintf(ret->sha, sizeof(ret->sha), "%s", f->sha);
	snprintf(ret->tree, sizeof(ret->tree), "%s", f->tree_sha ? f->tree_sha : "");
	for (i = 0; i < f->n_parents && i < GIT_PARENTS_MAX; i++)
		snprintf(ret->parents[i], sizeof(ret->parents[i]), "%s", f->parents[i]);
	ret->n_parents = f->n_parents;
}

/* 1 with n_parents -1 where the store knows the commit by name only. */
static int stored_commit(
	struct context *c, const char *sha, struct git_commit *ret, struct err *err)
{
	struct commit_fact f;
	int r = c->store ? store_commit(c->store, sha, &f, err) : 0;

	if (r > 0)
		from_store(&f, ret);
	return r;
}

static int stored_prefix(
	struct context *c, const char *rev, struct git_commit *ret, struct err *err)
{
	size_t n = strlen(rev);
	char sha[65];
	int r;

	if (!c->store || n < 4 || n > 64 || strspn(rev, "0123456789abcdef") != n)
		return 0;
	r = store_commit_prefix(c->store, rev, sha, err);
	if (r == 2)
		return err_set(err, ERR_GIT,
			"'%s' is the beginning of more than one commit in the store", rev);
	return r == 1 ? stored_commit(c, sha, ret, err) : r;
}

int resolve_commit(struct context *c, const char *rev, struct git_commit *ret, struct err *err)
{
	int r = c->git ? git_commit(c->git, rev, ret, err) : 0;

	return r ? r : stored_prefix(c, rev, ret, err);
}

/* ---- where to start ---- */

static int start_at(struct baseline *b, const char *sha, char *why)
{
	snprintf(b->start, sizeof(b->start), "%s", sha);
	b->why = why;
	return 0;
}

static int start_at_parent(struct baseline *b, const struct git_commit *head, char *why)
{
	if (head->n_parents <= 0) {
		free(why);
		b->why = xstrdup(head->n_parents == 0 ? "HEAD is the first commit of the repository"
						      : "the parents of HEAD are unknown");
		return 0;
	}
	return start_at(b, head->parents[0], why);
}

/* The branch name to look for among recorded runs: "origin/main" was recorded as "main". */
static const char *recorded_name(struct context *c, const char *asked, struct err *err)
{
	const char *slash = strchr(asked, '/');
	int r = store_branch_known(c->store, asked, err);

	if (r == 0 && slash)
		return store_branch_known(c->store, slash + 1, err) > 0 ? slash + 1 : NULL;
	return r > 0 ? asked : NULL;
}

/* Ancestry does not lead from HEAD to the base: commits that were recorded on its branch serve. */
static int start_by_branch(struct context *c, struct baseline *b, const struct git_commit *head,
	const char *problem, struct err *err)
{
	const char *name = recorded_name(c, b->asked, err);

	if (err->code)
		return -1;
	if (!name) {
		b->why = xasprintf("%s, and the store has no run recorded on that branch", problem);
		return 0;
	}
	b->branch = xstrdup(name);
	if (head->n_parents > 0)
		snprintf(b->start, sizeof(b->start), "%s", head->parents[0]);
	b->why = xasprintf("%s; the nearest ancestor with a run recorded on %s", problem, name);
	return 0;
}

static int start_from_revision(struct context *c, struct baseline *b, const struct git_commit *head,
	const struct git_commit *base, struct err *err)
{
	char merge_base[65];
	_cleanup_(freep) char *problem = NULL;
	struct git_commit known;
	bool in_git; /* the store may know commits that this clone lacks */
	int r;

	if (!strcmp(base->sha, head->sha))
		return start_at_parent(
			b, head, xasprintf("%s is HEAD itself, so its first parent", b->asked));
	in_git = c->git && git_commit(c->git, base->sha, &known, err) > 0 &&
		 git_commit(c->git, head->sha, &known, err) > 0;
	r = in_git ? git_merge_base(c->git, base->sha, head->sha, merge_base, err) : 0;
	if (r < 0 && !git_shallow(c->git))
		return -1;
	if (r > 0 && !strcmp(merge_base, head->sha))
		return start_at_parent(
			b, head, xasprintf("HEAD is on %s, so its first parent", b->asked));
	if (r > 0)
		return start_at(b, merge_base, xasprintf("merge base of %s and HEAD", b->asked));
	err_clear(err);
	if (in_git && !git_shallow(c->git)) {
		b->why = xasprintf("%s and HEAD have no common ancestor", b->asked);
		return 0;
	}
	if (git_is_sha(b->asked) || !in_git)
		return start_at(b, base->sha,
			xasprintf(
				"%s itself, since how it is related to HEAD is unknown", b->asked));
	problem = xasprintf("this clone is too shallow to know where %s and HEAD parted", b->asked);
	return start_by_branch(c, b, head, problem, err);
}

/* NAME, then origin/NAME. */
static int resolve_base(
	struct context *c, const char *asked, struct git_commit *ret, struct err *err)
{
	_cleanup_(freep) char *remote = NULL;
	int r = resolve_commit(c, asked, ret, err);

	if (r || !c->git)
		return r;
	remote = xasprintf("origin/%s", asked);
	return git_commit(c->git, remote, ret, err);
}

static int unknown_base(struct context *c, struct baseline *b, const struct git_commit *head,
	bool optional, struct err *err)
{
	_cleanup_(freep) char *problem = NULL;
	const char *name = recorded_name(c, b->asked, err);

	if (err->code)
		return -1;
	if (!name && !optional)
		return err_set(err, ERR_GIT,
			"no revision '%s', no 'origin/%s', and no branch of that name in the store; 'git fetch origin %s' may bring it",
			b->asked, b->asked, b->asked);
	problem = xasprintf("%s is not in this clone", b->asked);
	return start_by_branch(c, b, head, problem, err);
}

/* Where to look when the walk comes to a commit whose parents nobody knows. */
static int allow_guess(
	struct context *c, struct baseline *b, const struct git_commit *head, struct err *err)
{
	const char *name = b->asked ? b->asked : c->git ? git_branch(c->git) : NULL;

	if ((c->git && !git_shallow(c->git) && !b->branch) || head->n_parents == 0)
		return 0;
	if (c->git && git_shallow(c->git))
		b->remedy = xstrdup("git fetch --unshallow");
	name = name ? recorded_name(c, name, err) : NULL;
	b->guess = name ? xstrdup(name) : NULL;
	return err->code ? -1 : 0;
}

static int find_start(struct context *c, const char *asked, const struct git_commit *head,
	bool head_is_checkout, struct baseline *ret, struct err *err)
{
	bool from_ci = !asked && c->ci.target && head_is_checkout;
	struct git_commit base;
	int r;

	*ret = (struct baseline){0};
	if (!asked)
		asked = from_ci ? c->ci.target : policy_base(c->policy);
	if (!asked && c->git)
		asked = git_upstream(c->git);
	ret->asked = asked ? xstrdup(asked) : NULL;
	if (head_is_checkout && c->ci.merge && c->ci.sha && !strcmp(c->ci.sha, head->sha) &&
		head->n_parents > 0)
		return start_at_parent(
			ret, head, xasprintf("first parent of the merge that %s made", c->ci.name));
	if (!asked)
		return start_at_parent(ret, head,
			xstrdup("no base was named (base = in [gate] of perfgate.conf does), so HEAD's first parent"));
	r = resolve_base(c, asked, &base, err);
	if (r < 0)
		return -1;
	return r ? start_from_revision(c, ret, head, &base, err)
		 : unknown_base(c, ret, head, from_ci, err);
}

int baseline_find(struct context *c, const char *asked, const struct git_commit *head,
	bool head_is_checkout, struct baseline *ret, struct err *err)
{
	int r = find_start(c, asked, head, head_is_checkout, ret, err);

	return r < 0 ? r : allow_guess(c, ret, head, err);
}

void baseline_release(struct baseline *b)
{
	free(b->asked);
	free(b->branch);
	free(b->guess);
	free(b->why);
	free(b->remedy);
	*b = (struct baseline){0};
}

/* ---- the walk ---- */

/* From git while it has the commit, else from the store. 1, 0 nobody knows it, -1. */
static int find_commit(struct context *c, const char *sha, struct git_commit *ret, struct err *err)
{
	int r = c->git ? git_commit(c->git, sha, ret, err) : 0;

	return r ? r : stored_commit(c, sha, ret, err);
}

/* How many first parents back from one commit another is; 0 when it is not on that line, -1. */
static int steps_back(struct context *c, const char *from, const char *to, int max, struct err *err)
{
	struct git_commit commit = {0};
	int steps, r;

	snprintf(commit.parents[0], sizeof(commit.parents[0]), "%s", from);
	for (steps = 0; steps <= max; steps++) {
		char sha[65];
		snprintf(sha, sizeof(sha), "%s", commit.parents[0]);
		if (!strcmp(sha, to))
			return steps;
		r = find_commit(c, sha, &commit, err);
		if (r < 0)
			return -1;
		if (r == 0 || commit.n_parents <= 0)
			return 0;
	}
	return 0;
}

int walk_start(struct walk *w, struct context *c, const struct baseline *base, const char *head_sha,
	int max, struct err *err)
{
	*w = (struct walk){.c = c, .base = base, .max = max};
	snprintf(w->head, sizeof(w->head), "%s", head_sha);
	snprintf(w->next, sizeof(w->next), "%s", base->start);
	w->ended = !*w->next;
	w->unknown = w->ended;
	if (*head_sha && *base->start)
		w->offset = steps_back(c, head_sha, base->start, max, err);
	return w->offset < 0 ? -1 : 0;
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
	ret->distance = w->offset ? w->offset + w->steps - 1 : w->steps;
	w->ended = ret->commit.n_parents <= 0 || w->steps >= w->max;
	w->unknown = ret->commit.n_parents < 0;
	if (!w->ended)
		snprintf(w->next, sizeof(w->next), "%s", ret->commit.parents[0]);
	return 1;
}

static int guess(struct walk *w, struct candidate *ret, struct err *err)
{
	char sha[65];

	if (!w->base->guess || w->found || !w->unknown)
		return 0;
	w->found++;
	if (store_runs_of_branch(w->c->store, w->base->guess, w->head, &ret->runs, err) < 0)
		return -1;
	if (ret->runs.n == 0)
		return 0;
	snprintf(sha, sizeof(sha), "%s", ret->runs.v[0].sha);
	store_runs_release(&ret->runs);
	if (stored_commit(w->c, sha, &ret->commit, err) < 0 ||
		store_runs_of_commit(w->c->store, ret->commit.sha, &ret->runs, err) < 0)
		return -1;
	keep_runs(&ret->runs, has_state, "clean");
	ret->guess = true;
	return ret->runs.n > 0;
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
		if (ret->runs.n && (!w->base->branch || recorded_on(&ret->runs, w->base->branch))) {
			w->found++;
			return 1;
		}
		candidate_release(ret);
	}
	*ret = (struct candidate){0};
	return guess(w, ret, err);
}
