/*
 * Which commits make the line, and where those stand that nobody can place.
 */
#include "trending-private.h"

#include "ancestry.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100000 };

/* ---- the tip ---- */

/* Whether a branch that runs were recorded on is the one called name: "origin/main" is "main". */
static bool is_branch(const char *branch, const char *name)
{
	const char *slash = strchr(name, '/');

	return !strcmp(branch, name) || (slash && !strcmp(branch, slash + 1));
}

static int64_t time_of(const struct trend_known *k)
{
	return k->committed_at != TIME_UNKNOWN ? k->committed_at : k->measured_at;
}

/* The newest commit with runs that were recorded on a branch (NULL: on any). */
static bool newest_on(const struct trending_private *p, const char *branch, char ret[65])
{
	int64_t best = TIME_UNKNOWN;
	size_t i;

	for (i = 0; i < p->n_runs; i++) {
		const struct trend_run *r = &p->runs[i];
		const char *sha = intern_get(p->shas, r->known, NULL);
		const int64_t at = time_of(&p->known[r->known]);
		if (branch && !is_branch(trend_text(p, r->branch), branch))
			continue;
		if (best != TIME_UNKNOWN && (at < best || (at == best && strcmp(sha, ret) <= 0)))
			continue;
		best = at;
		snprintf(ret, 65, "%s", sha);
	}
	return best != TIME_UNKNOWN;
}

static int take_tip(struct trending_private *p, const char *name, const char *sha)
{
	snprintf(p->tip, sizeof(p->tip), "%s", sha);
	free(p->line);
	p->line = xstrdup(name);
	return 1;
}

/* NAME, origin/NAME, or the newest commit that was recorded on it. 1, 0 nothing is called so, -1.
 */
static int try_tip(struct trending_private *p, const char *name, struct err *err)
{
	_cleanup_(freep) char *remote = xasprintf("origin/%s", name);
	struct git_commit commit;
	char sha[65];
	int r = resolve_commit(p->c, name, &commit, err);

	if (r > 0)
		return take_tip(p, name, commit.sha);
	if (r == 0 && p->c->git)
		r = git_commit(p->c->git, remote, &commit, err);
	if (r > 0)
		return take_tip(p, remote, commit.sha);
	return r == 0 && newest_on(p, name, sha) ? take_tip(p, name, sha) : r;
}

/* The branch that is checked out is taken as it is here, not as it is at its remote. */
static const char *as_checked_out(const struct trending_private *p, const char *name)
{
	const char *branch = p->c->git ? git_branch(p->c->git) : NULL;

	return branch && is_branch(branch, name) ? branch : name;
}

static int find_tip(struct trending_private *p, struct err *err)
{
	const char *const names[] = {p->c->ci.target, policy_base(p->c->policy),
		p->c->git ? git_upstream(p->c->git) : NULL, p->c->git ? "HEAD" : NULL};
	char sha[65];
	size_t i;
	int r = 0;

	if (p->o.rev) {
		r = try_tip(p, p->o.rev, err);
		return r ? r : require_commit(p->c, p->o.rev, &(struct git_commit){0}, err);
	}
	for (i = 0; r == 0 && i < ARRAY_LEN(names); i++)
		if (names[i])
			r = try_tip(p, as_checked_out(p, names[i]), err);
	if (r == 0 && newest_on(p, NULL, sha))
		r = take_tip(p, sha, sha);
	return r;
}

/* The branch that the line is, as runs are recorded on it; NULL: it is not known to be one. */
static const char *branch_of_line(const struct trending_private *p)
{
	const char *name = p->line;
	char sha[65];

	if (name && !strcmp(name, "HEAD"))
		name = p->c->git ? git_branch(p->c->git) : NULL;
	return name && newest_on(p, name, sha) ? name : NULL;
}

/* ---- the line ---- */

struct walking {
	struct trending_private *p;
	bool complete; /* git has all of it, and whatever else it has is not on it */
	int64_t steps;
	size_t left;         /* known commits that were not met */
	struct intern *line; /* unless complete; later also what descends from it */
};

/* Where the store does not know when a commit was made. */
static void take_time(struct trend_known *k, int64_t committed_at)
{
	if (k->committed_at == TIME_UNKNOWN && committed_at)
		k->committed_at = committed_at;
}

static int meet(void *ctx, const char *sha, int64_t committed_at, struct err *err)
{
	struct walking *w = ctx;
	const uint32_t at = intern_find(w->p->shas, sha, strlen(sha));

	(void)err;
	if (at != INTERN_NONE && w->p->known[at].steps == STEPS_UNKNOWN) {
		w->p->known[at].steps = w->steps;
		take_time(&w->p->known[at], committed_at);
		w->left--;
	}
	if (!w->complete)
		intern_add(w->line, sha, strlen(sha));
	w->steps++;
	return w->left == 0;
}

/* Beyond the edge of a shallow clone the store may know how it goes on. */
static int walk_known(struct walking *w, struct err *err)
{
	struct git_commit commit;
	char sha[65];
	int r = 1;

	snprintf(sha, sizeof(sha), "%s", w->p->tip);
	while (r > 0 && w->steps < STEPS_MAX) {
		r = find_commit(w->p->c, sha, &commit, err);
		if (r >= 0 && (meet(w, sha, r ? commit.committed_at : 0, err) || r == 0 ||
				      commit.n_parents <= 0))
			break;
		if (r > 0)
			snprintf(sha, sizeof(sha), "%s", commit.parents[0]);
	}
	return r < 0 ? -1 : 0;
}

static int walk_line(struct walking *w, struct err *err)
{
	struct git *git = w->p->c->git;
	struct git_commit commit;
	int r = git && !git_shallow(git) ? git_commit(git, w->p->tip, &commit, err) : 0;

	w->complete = r > 0;
	if (r < 0)
		return -1;
	return r ? git_first_parents(git, w->p->tip, meet, w, err) : walk_known(w, err);
}

/* ---- commits that are not on it ---- */

/* From a commit along its first parents, to one that says where it is: 1 elsewhere, 0 nobody knows,
 * -1. tried has what came to nothing, and takes those that were looked at. */
static int trace(const struct walking *w, const char *from, struct intern *tried, struct err *err)
{
	struct git_commit commit;
	char sha[65];
	int steps, r;

	snprintf(sha, sizeof(sha), "%s", from);
	for (steps = 0; steps < STEPS_MAX; steps++) {
		if (intern_find(w->line, sha, strlen(sha)) != INTERN_NONE)
			return 1;
		if (intern_find(tried, sha, strlen(sha)) != INTERN_NONE)
			return 0;
		r = w->complete ? git_commit(w->p->c->git, sha, &commit, err) : 0;
		if (r)
			return r;
		intern_add(tried, sha, strlen(sha));
		r = find_commit(w->p->c, sha, &commit, err);
		if (r <= 0 || commit.n_parents <= 0)
			return r < 0 ? -1 : 0;
		snprintf(sha, sizeof(sha), "%s", commit.parents[0]);
	}
	return 0;
}

static int is_elsewhere(
	const struct walking *w, const char *sha, struct intern *tried, struct err *err)
{
	uint32_t i = intern_count(tried);
	int r = trace(w, sha, tried, err);

	for (; r > 0 && i < intern_count(tried); i++) {
		const char *path = intern_get(tried, i, NULL);
		intern_add(w->line, path, strlen(path));
	}
	return r;
}

/* Which commits have runs that were recorded on the line's branch, or on none. The caller frees. */
static bool *recorded_here(const struct trending_private *p)
{
	bool *here = xcalloc(intern_count(p->shas) + 1, sizeof(*here));
	const char *line = branch_of_line(p);
	size_t i;

	for (i = 0; i < p->n_runs; i++) {
		const char *branch = trend_text(p, p->runs[i].branch);
		here[p->runs[i].known] |= !*branch || !line || is_branch(branch, line);
	}
	return here;
}

static int sort_out(const struct walking *w, struct err *err)
{
	struct trending_private *p = w->p;
	_cleanup_(freep) bool *here = recorded_here(p);
	struct intern *tried = intern_new();
	uint32_t i;
	int r = 0;

	for (i = 0; r >= 0 && i < intern_count(p->shas); i++) {
		if (p->known[i].steps != STEPS_UNKNOWN)
			continue;
		r = is_elsewhere(w, intern_get(p->shas, i, NULL), tried, err);
		if (r > 0 || (r == 0 && !here[i]))
			p->known[i].steps = STEPS_ELSEWHERE;
	}
	intern_free(tried);
	return r < 0 ? -1 : 0;
}

static int place(struct trending_private *p, struct err *err)
{
	struct walking w = {.p = p, .left = intern_count(p->shas), .line = intern_new()};
	int r = *p->tip && w.left ? walk_line(&w, err) : 0;

	if (r == 0 && *p->tip && w.left)
		r = sort_out(&w, err);
	intern_free(w.line);
	return r;
}

/* ---- their order ---- */

struct ordered {
	const struct trend_known *known;
	const char *sha;
	int64_t at; /* on the line: not before that of any older one */
	uint32_t number;
};

static bool is_on_line(const struct ordered *o)
{
	return o->known->steps >= 0;
}

/* Those on the line first, oldest first; then the others by time. */
static int by_line(const void *pa, const void *pb)
{
	const struct ordered *a = pa, *b = pb;

	if (is_on_line(a) != is_on_line(b))
		return is_on_line(a) ? -1 : 1;
	if (is_on_line(a))
		return a->known->steps > b->known->steps ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return strcmp(a->sha, b->sha);
}

static void give(struct trending *t, const struct ordered *o)
{
	struct trending_private *p = t->private_;

	const bool elsewhere = o->known->steps == STEPS_ELSEWHERE;

	p->known[o->number].at = (uint32_t)t->n_commits;
	t->n_elsewhere += elsewhere;
	if (elsewhere && !o->known->timed)
		return;
	t->n_by_time += o->known->steps == STEPS_UNKNOWN;
	p->commits[t->n_commits++] = (struct trending_commit){
		.sha = o->sha, .at = time_of(o->known), .on_line = is_on_line(o)};
}

/* Those of the line stay in their order, with the others between them where their time is. */
static void merge(struct trending *t, const struct ordered *v, size_t n)
{
	size_t line = 0, end = 0, other;

	while (end < n && is_on_line(&v[end]))
		end++;
	for (other = end; line < end || other < n;) {
		const bool next = line == end || (other < n && v[other].at < v[line].at);
		give(t, next ? &v[other++] : &v[line++]);
	}
}

int trend_order_commits(struct trending *t, struct err *err)
{
	struct trending_private *p = t->private_;
	const uint32_t n = intern_count(p->shas);
	_cleanup_(freep) struct ordered *v = xcalloc(n + 1, sizeof(*v));
	int64_t latest = INT64_MIN;
	uint32_t i;

	PERFGATE_SCOPE("order the commits");
	if (find_tip(p, err) < 0 || place(p, err) < 0)
		return -1;
	for (i = 0; i < n; i++)
		v[i] = (struct ordered){
			&p->known[i], intern_get(p->shas, i, NULL), time_of(&p->known[i]), i};
	if (n)
		qsort(v, n, sizeof(*v), by_line);
	for (i = 0; i < n && is_on_line(&v[i]); i++) {
		latest = v[i].at > latest ? v[i].at : latest;
		v[i].at = latest;
	}
	p->commits = xcalloc(n + 1, sizeof(*p->commits));
	merge(t, v, n);
	return 0;
}
