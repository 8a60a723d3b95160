#include "past-line.h"

#include "ancestry.h"
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reverts that nobody measured repeat runs of the line, and are no measured commits. */
enum { LINE_MAX_COMMITS = 4 * PAST_SESSIONS };

void line_release(struct line *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		store_runs_release(&l->v[i].runs);
	free(l->v);
	*l = (struct line){0};
}

/* Takes over the runs. */
static void set(struct line_commit *c, const char *sha, const char *source, int distance, bool own,
	struct store_runs *runs)
{
	store_runs_release(&c->runs);
	*c = (struct line_commit){.distance = distance, .own = own, .runs = *runs};
	snprintf(c->sha, sizeof(c->sha), "%s", sha);
	snprintf(c->source, sizeof(c->source), "%s", source);
	*runs = (struct store_runs){0};
}

static struct line_commit *new_commit(struct line *l)
{
	l->v = xgrow(l->v, l->n, &l->cap, sizeof(*l->v));
	l->v[l->n] = (struct line_commit){0};
	return &l->v[l->n++];
}

static bool holds(const struct line *l, const char *sha)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].sha, sha))
			return true;
	return false;
}

/* Runs have their sessions once: at their own commit, else at the oldest that borrows them. Returns
 * whether the line has none of that source yet; *again: it has them at their own commit. */
static bool note_source(struct line *l, const char *source, bool *again)
{
	bool is_new = true;
	size_t i;

	*again = false;
	for (i = 0; i < l->n; i++) {
		struct line_commit *c = &l->v[i];
		if (strcmp(c->source, source) != 0)
			continue;
		is_new = false;
		if (strcmp(c->sha, source) != 0)
			c->again = true;
		else
			*again = true;
	}
	return is_new;
}

/* From new to old. Returns whether its runs are new to the line. */
static bool add_candidate(struct line *l, struct candidate *c)
{
	const char *source = *c->borrowed ? c->borrowed : c->commit.sha;
	struct line_commit *to = l->n ? &l->v[l->n - 1] : NULL;
	const bool joins = to && !strcmp(to->source, source), had = to && to->again;
	bool again, is_new = note_source(l, source, &again);

	if (!joins)
		to = new_commit(l);
	set(to, c->commit.sha, source, c->distance, false, &c->runs);
	to->again = joins ? had : again;
	return is_new;
}

/* The line ends where nobody knows the parents. What the branch has beyond that is not seen; head
 * itself may be one of its commits. */
static int count_unseen(struct line *l, struct context *c, const struct baseline *base,
	int64_t seen, struct err *err)
{
	int64_t n = base->guess ? store_commits_of_branch(c->store, base->guess, err) : 0;

	if (n < 0)
		return -1;
	l->unseen = n > seen + 1 ? n - seen : 0;
	return 0;
}

static int find_base_line(struct line *l, struct context *c, const struct baseline *base,
	const char *head_sha, int64_t most, struct err *err)
{
	int64_t known = store_commits_measured(c->store, err), sources = 0;
	const bool whole = most == LINE_WHOLE;
	const int far = whole ? INT32_MAX : policy_max_distance(c->policy);
	struct candidate candidate;
	struct walk w;
	int r = 1;

	if (known < 0 || walk_start(&w, c, base, head_sha, far, false, err) < 0)
		return -1;
	while (sources < most && sources < known && (whole || l->n < LINE_MAX_COMMITS)) {
		r = walk_next(&w, &candidate, err);
		if (r <= 0)
			break;
		sources += add_candidate(l, &candidate);
		if (whole || sources <= PAST_COMMITS)
			l->recent = l->n;
		candidate_release(&candidate);
	}
	if (r == 0 && w.unknown && sources < most)
		return count_unseen(l, c, base, sources, err);
	return r < 0 ? -1 : 0;
}

static int add_own(struct line *l, struct context *c, const struct git_commit *commit, int distance,
	const char *head_sha, struct err *err)
{
	struct store_runs runs = {0};
	char borrowed[65];
	int r = runs_of(c, commit, head_sha, &runs, borrowed, err);

	if (r == 0 && runs.n && !*borrowed)
		set(new_commit(l), commit->sha, commit->sha, distance, true, &runs);
	store_runs_release(&runs);
	return r;
}

/* Head's first parents down to the base's line. */
static int find_own(struct line *l, struct context *c, const struct baseline *base,
	const char *head_sha, struct err *err)
{
	struct git_commit commit;
	int distance, r = find_commit(c, head_sha, &commit, err);

	for (distance = 1; r > 0 && distance <= PAST_COMMITS; distance++) {
		if (commit.n_parents <= 0 || !strcmp(commit.parents[0], base->start) ||
			holds(l, commit.parents[0]))
			break;
		r = find_commit(c, commit.parents[0], &commit, err);
		if (r > 0 && add_own(l, c, &commit, distance, head_sha, err) < 0)
			return -1;
	}
	return r < 0 ? -1 : 0;
}

static void reverse(struct line *l, size_t first, size_t end)
{
	for (; first + 1 < end; first++) {
		struct line_commit held = l->v[first];
		l->v[first] = l->v[--end];
		l->v[end] = held;
	}
}

int line_find(struct line *ret, struct context *c, const struct baseline *base,
	const char *head_sha, int64_t commits, bool own, struct err *err)
{
	size_t n;

	*ret = (struct line){0};
	if (find_base_line(ret, c, base, head_sha, commits, err) < 0)
		return -1;
	n = ret->n;
	ret->recent = n - ret->recent;
	if (own && *head_sha && find_own(ret, c, base, head_sha, err) < 0)
		return -1;
	reverse(ret, 0, n);
	reverse(ret, n, ret->n);
	return 0;
}
