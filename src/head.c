#include "head.h"

#include "ancestry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int head_resolve(struct context *c, const char *rev, struct head_side *h, struct err *err)
{
	struct git_commit checkout;
	int r;

	*h = (struct head_side){0};
	if (!rev && !c->git && !c->ci.sha)
		return err_set(err, ERR_USAGE,
			"%s; say which commit is meant: perfgate gate BASE HEAD",
			context_no_head(c));
	if (rev) {
		r = require_commit(c, rev, &h->commit, err);
	} else {
		r = resolve_commit(c, c->git ? "HEAD" : c->ci.sha, &h->commit, err);
		if (r == 0)
			return err_set(err, ERR_GIT, "%s", context_no_head(c));
	}
	if (r < 0)
		return -1;
	h->checkout = !c->git || (git_commit(c->git, "HEAD", &checkout, err) > 0 &&
					 !strcmp(checkout.sha, h->commit.sha));
	return err->code ? -1 : 0;
}

static size_t keep_state(const struct store_runs *runs, const char *state, bool *use)
{
	size_t i, n = 0;

	for (i = 0; i < runs->n; i++) {
		use[i] = !strcmp(runs->v[i].tree_state, state);
		n += use[i];
	}
	return n;
}

static bool any_dirty(const struct store_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->n; i++)
		if (strcmp(runs->v[i].tree_state, "clean"))
			return true;
	return false;
}

/* The work tree's state now, in ret; "clean" where there is no repository. */
static int present_state(struct context *c, char *ret, size_t size, struct err *err)
{
	const char *const *globs;
	size_t n = policy_ignore_dirty(c->policy, &globs);
	char digest[65];
	int dirty = c->git && git_toplevel(c->git) ? git_dirty(c->git, globs, n, digest, err) : 0;

	if (dirty < 0)
		return -1;
	snprintf(ret, size, dirty ? "dirty:%s" : "clean", digest);
	return 0;
}

/* A clean run is judged though the work tree has changes, and a run of them. */
static int note_changed(struct comparison *x, const struct store_runs *runs, struct err *err)
{
	char state[80];
	size_t i;

	if (present_state(x->c, state, sizeof(state), err) < 0)
		return -1;
	for (i = 0; i < runs->n && strcmp(state, "clean"); i++) {
		if (!strcmp(runs->v[i].tree_state, state)) {
			comparison_note(x,
				"the work tree has changes that were measured; judged is the commit without them (perfgate diff judges the work tree)");
			break;
		}
	}
	return 0;
}

static int choose_state(struct comparison *x, const struct store_runs *runs,
	enum head_choice choice, struct head_side *h, struct err *err)
{
	bool *use = xcalloc(runs->n, sizeof(*use));
	bool clean = keep_state(runs, "clean", use) > 0;
	int r = 0;

	snprintf(h->tree_state, sizeof(h->tree_state), "clean");
	if (h->checkout && (choice == HEAD_WORK_TREE || (!clean && any_dirty(runs))))
		r = present_state(x->c, h->tree_state, sizeof(h->tree_state), err);
	else if (h->checkout && any_dirty(runs))
		r = note_changed(x, runs, err);
	h->any = r == 0 && keep_state(runs, h->tree_state, use) > 0;
	if (h->any) {
		if (strcmp(h->tree_state, "clean"))
			comparison_note(x,
				"judged is the work tree as it is now: tracked files differ from %.12s",
				h->commit.sha);
		r = measurements_add_runs(&x->head, x->c->store, runs, use, x->narrowing, err);
		if (r == 0 && x->head.older_left_out)
			comparison_note(x,
				"%.12s was measured in more than one session; for each series the newest that has it counts",
				h->commit.sha);
	}
	free(use);
	return r;
}

/* HEAD's own runs lack: those of a commit with the same tree serve. */
static int borrow_runs(struct comparison *x, struct head_side *h, struct err *err)
{
	struct store_runs borrowed = {0};
	char from[65];
	int r = runs_of(x->c, &h->commit, NULL, &borrowed, from, err);

	if (r == 0 && borrowed.n) {
		h->any = true;
		comparison_note(x,
			"%.12s has no run of its own; those of %.12s are judged, which has the same tree",
			h->commit.sha, from);
		r = measurements_add_runs(
			&x->head, x->c->store, &borrowed, NULL, x->narrowing, err);
	}
	store_runs_release(&borrowed);
	return r;
}

int head_load(struct comparison *x, enum head_choice choice, struct head_side *h, struct err *err)
{
	struct store_runs runs = {0};
	int r;

	if (policy_renames(x->c->policy))
		x->names.renames = x->c->policy;
	snprintf(x->head_label, sizeof(x->head_label), "%s", h->commit.sha);
	/* what is measured is looked up by its numbers: let them be loaded in one go */
	if (store_series_load(x->c->store, err) < 0)
		return -1;
	r = store_runs_of_commit(x->c->store, h->commit.sha, &runs, err);
	if (r == 0)
		r = choose_state(x, &runs, choice, h, err);
	if (r == 0 && !h->any && !strcmp(h->tree_state, "clean"))
		r = borrow_runs(x, h, err);
	store_runs_release(&runs);
	return r;
}

int head_find(struct comparison *x, const char *rev, enum head_choice choice, struct head_side *ret,
	struct err *err)
{
	if (head_resolve(x->c, rev, ret, err) < 0)
		return -1;
	return head_load(x, choice, ret, err);
}
