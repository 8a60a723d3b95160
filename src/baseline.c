#include "baseline.h"

#include "ancestry.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		b->why = xasprintf(head->n_parents == 0 ? "%s is the first commit of the repository"
							: "the parents of %s are unknown",
			b->head_name);
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

/* From git when it has both commits and all between them, else from what is known. */
static int merge_base(struct context *c, const char *base, const char *head, char ret[65],
	bool *sure, struct err *err)
{
	struct git_commit known;
	bool in_git = c->git && git_commit(c->git, base, &known, err) > 0 &&
		      git_commit(c->git, head, &known, err) > 0;
	int r = in_git ? git_merge_base(c->git, base, head, ret, err) : 0;

	*sure = in_git && !git_shallow(c->git);
	if (r > 0 || *sure)
		return r;
	err_clear(err); /* in a shallow clone git may lack what it needs */
	return known_merge_base(c, base, head, ret, err);
}

static int start_from_revision(struct context *c, struct baseline *b, const struct git_commit *head,
	const struct git_commit *base, struct err *err)
{
	_cleanup_(freep) char *problem = NULL;
	char common[65];
	bool sure;
	int r;

	b->on_line = !strcmp(base->sha, head->sha);
	if (b->on_line)
		return start_at_parent(b, head,
			strcmp(b->asked, b->head_name)
				? xasprintf("%s is %s itself, so its first parent", b->asked,
					  b->head_name)
				: xasprintf("%s itself was asked for, so its first parent",
					  b->asked));
	r = merge_base(c, base->sha, head->sha, common, &sure, err);
	if (r < 0)
		return -1;
	b->on_line = r > 0 && !strcmp(common, head->sha);
	if (b->on_line)
		return start_at_parent(b, head,
			xasprintf("%s is on %s, so its first parent", b->head_name, b->asked));
	if (r > 0)
		return start_at(
			b, common, xasprintf("merge base of %s and %s", b->asked, b->head_name));
	if (sure) {
		b->why = xasprintf("%s and %s have no common ancestor", b->asked, b->head_name);
		return 0;
	}
	if (git_is_sha(b->asked) || !c->git)
		return start_at(b, base->sha,
			xasprintf("%s itself, since how it is related to %s is unknown", b->asked,
				b->head_name));
	problem = xasprintf(
		"this clone is too shallow to know where %s and %s parted", b->asked, b->head_name);
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

static bool is_plain_name(const char *s)
{
	return *s && *s != '-' &&
	       strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-") ==
		       strlen(s);
}

/* What brings a branch that this clone lacks. */
static char *fetch_branch(struct context *c, const char *name)
{
	if (!c->git || !is_plain_name(name))
		return NULL;
	if (!strncmp(name, "origin/", 7))
		name += 7;
	return xasprintf("git fetch %sorigin +refs/heads/%s:refs/remotes/origin/%s",
		git_shallow(c->git) ? "--unshallow " : "", name, name);
}

/* The branch that a repository is likely to mean where the one it names is gone; NULL: none. */
static const char *likely_branch(struct context *c)
{
	static const char *const names[] = {"main", "master", "trunk", "develop"};
	struct err ignored = ERR_INIT;
	struct git_commit found;
	size_t i;

	for (i = 0; c->git && i < ARRAY_LEN(names); i++) {
		_cleanup_(freep) char *remote = xasprintf("origin/%s", names[i]);
		if (git_commit(c->git, names[i], &found, &ignored) > 0 ||
			git_commit(c->git, remote, &found, &ignored) > 0)
			return names[i];
	}
	return NULL;
}

static int refuse_base(struct context *c, const struct baseline *b, bool of_policy, struct err *err)
{
	const char *likely = of_policy ? likely_branch(c) : NULL;
	_cleanup_(buf_release) struct buf hint = BUF_INIT;

	if (likely)
		buf_addf(&hint, "; there is a branch '%s': base = %s", likely, likely);
	if (b->remedy)
		buf_addf(&hint, "; this may bring it: %s", b->remedy);
	return err_set(err, ERR_GIT,
		"%sno revision '%.200s', no 'origin/%.200s', and no branch of that name in the store%s",
		of_policy ? "base in [gate] of perfgate.conf: " : "", b->asked, b->asked,
		buf_str(&hint));
}

/* optional: the CI system named it, and may not have fetched it. */
static int unknown_base(struct context *c, struct baseline *b, const struct git_commit *head,
	bool optional, bool of_policy, struct err *err)
{
	_cleanup_(freep) char *problem = NULL;
	const char *name = recorded_name(c, b->asked, err);

	if (err->code)
		return -1;
	b->remedy = fetch_branch(c, b->asked);
	if (!name && !optional)
		return refuse_base(c, b, of_policy, err);
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
	if (c->git && git_shallow(c->git) && !b->remedy)
		b->remedy = xstrdup("git fetch --unshallow");
	name = name ? recorded_name(c, name, err) : NULL;
	b->guess = name ? xstrdup(name) : NULL;
	return err->code ? -1 : 0;
}

/* HEAD is a merge that the CI system made of a change request and its target, or of a queue. */
static bool is_ci_merge(const struct context *c, const struct git_commit *head)
{
	return c->ci.merge && c->ci.sha && !strcmp(c->ci.sha, head->sha) &&
	       (head->n_parents >= 2 || (c->ci.queue && head->n_parents == 1));
}

static int find_start(struct context *c, const char *operand, const struct git_commit *head,
	bool head_is_checkout, struct baseline *b, struct err *err)
{
	bool from_ci = !operand && c->ci.target && head_is_checkout;
	const char *asked = operand ? operand : from_ci ? c->ci.target : policy_base(c->policy);
	const bool of_policy = asked != NULL;
	struct git_commit base;
	int r;

	if (!asked && c->git)
		asked = git_upstream(c->git);
	b->asked = asked ? xstrdup(asked) : NULL;
	if (!operand && head_is_checkout && is_ci_merge(c, head))
		return start_at_parent(
			b, head, xasprintf("first parent of the merge that %s made", c->ci.name));
	b->on_line = !asked;
	if (!asked)
		return start_at_parent(b, head,
			xasprintf(
				"no base was named (base = in [gate] of perfgate.conf does), so the first parent of %s",
				b->head_name));
	r = resolve_base(c, asked, &base, err);
	if (r < 0)
		return -1;
	return r ? start_from_revision(c, b, head, &base, err)
		 : unknown_base(c, b, head, from_ci, !operand && !from_ci && of_policy, err);
}

int baseline_find(struct context *c, const char *asked, const struct git_commit *head,
	const char *head_name, bool head_is_checkout, struct baseline *ret, struct err *err)
{
	int r;

	PERFGATE_SCOPE("find the base");
	*ret = (struct baseline){.head_name = head_name};
	if (head_is_checkout && is_ci_merge(c, head) && head->n_parents == 2)
		memcpy(ret->merged, head->parents[1], sizeof(ret->merged));
	r = find_start(c, asked, head, head_is_checkout, ret, err);
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
