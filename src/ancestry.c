#include "ancestry.h"

#include "intern.h"

#include <stdio.h>
#include <string.h>

enum { LINE_MAX_STEPS = 100000, KNOWN_MAX = 100000 };

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

int require_commit(struct context *c, const char *rev, struct git_commit *ret, struct err *err)
{
	int r = resolve_commit(c, rev, ret, err);

	if (r == 0)
		err_set(err, ERR_GIT, "no revision '%.100s' in this repository or its store", rev);
	return r > 0 ? 0 : -1;
}

/* From git while it has the commit, else from the store. 1, 0 nobody knows it, -1. */
int find_commit(struct context *c, const char *sha, struct git_commit *ret, struct err *err)
{
	int r = c->git ? git_commit(c->git, sha, ret, err) : 0;

	return r ? r : stored_commit(c, sha, ret, err);
}

int steps_back(struct context *c, const char *from, const char *to, struct err *err)
{
	struct git_commit commit;
	char sha[65];
	int steps, r;

	snprintf(sha, sizeof(sha), "%s", from);
	for (steps = 0; steps < LINE_MAX_STEPS; steps++) {
		if (!strcmp(sha, to))
			return steps;
		r = find_commit(c, sha, &commit, err);
		if (r < 0)
			return -2;
		if (r == 0 || commit.n_parents <= 0)
			return -1;
		snprintf(sha, sizeof(sha), "%s", commit.parents[0]);
	}
	return -1;
}

/* Visits a commit and its ancestors, breadth first, until visit() is true. 1 with the commit that
 * ended it, 0, -1. */
static int search(struct context *c, const char *from, struct intern *seen,
	bool (*visit)(const char *sha, const struct intern *others), const struct intern *others,
	char ret[65], struct err *err)
{
	uint32_t next;
	int i, r;

	intern_add(seen, from, strlen(from));
	for (next = 0; next < intern_count(seen) && next < KNOWN_MAX; next++) {
		const char *sha = intern_get(seen, next, NULL);
		struct git_commit commit;

		if (visit(sha, others)) {
			snprintf(ret, 65, "%s", sha);
			return 1;
		}
		r = find_commit(c, sha, &commit, err);
		if (r < 0)
			return -1;
		for (i = 0; r > 0 && i < commit.n_parents; i++)
			intern_add(seen, commit.parents[i], strlen(commit.parents[i]));
	}
	return 0;
}

static bool never(const char *sha, const struct intern *others)
{
	(void)sha;
	(void)others;
	return false;
}

static bool is_among(const char *sha, const struct intern *others)
{
	return intern_find(others, sha, strlen(sha)) != INTERN_NONE;
}

int known_merge_base(struct context *c, const char *a, const char *b, char ret[65], struct err *err)
{
	struct intern *of_a = intern_new(), *of_b = intern_new();
	int r = search(c, a, of_a, never, NULL, ret, err);

	if (r == 0)
		r = search(c, b, of_b, is_among, of_a, ret, err);
	intern_free(of_a);
	intern_free(of_b);
	return r;
}
