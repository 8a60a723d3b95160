#include "prune-guard.h"

#include "ancestry.h"
#include "command.h"
#include "gating.h"
#include "history.h"
#include "intern.h"
#include "reports.h"
#include "sha256.h"
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bits ---- */

static void set(struct prune_guard *g, int64_t run, enum prune_stay why)
{
	if (run >= 0 && (size_t)run < g->n_stays)
		g->stays[run] |= (unsigned char)why;
}

static void set_used(void *ctx, int64_t run)
{
	set(ctx, run, STAYS_GATE);
}

static int set_commit(struct prune_guard *g, const char *sha, bool dirty_too, enum prune_stay why,
	struct err *err)
{
	struct store_runs runs = {0};
	size_t i;
	int r = store_runs_of_commit(g->c->store, sha, &runs, err);

	for (i = 0; i < runs.n; i++)
		if (dirty_too || !strcmp(runs.v[i].tree_state, "clean"))
			set(g, runs.v[i].id, why);
	store_runs_release(&runs);
	return r;
}

/* ---- gates ---- */

static int digest_report(const struct report *r, char ret[65], struct err *err)
{
	static const struct report_style style = {.width = 80, .all = true};
	_cleanup_(freep) char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int rc;

	if (!f)
		return err_set(err, ERR_IO, "no memory for a report");
	rc = report_find("json")->write(r, &style, f, err);
	fclose(f);
	sha256_hex(text, len, ret);
	return rc;
}

/* The pinned revision, which is read for its creep only. */
static int set_reference(struct prune_guard *g, struct gating *gate, struct err *err)
{
	const char *rev = policy_reference(gate->c.policy);
	struct git_commit commit;
	struct store_runs runs = {0};
	char borrowed[65];
	size_t i;
	int r = rev ? resolve_commit(&gate->c, rev, &commit, err) : 0;

	if (r > 0)
		r = runs_of(&gate->c, &commit, NULL, &runs, borrowed, err);
	for (i = 0; i < runs.n; i++)
		set(g, runs.v[i].id, STAYS_REFERENCE);
	store_runs_release(&runs);
	return r < 0 ? -1 : 0;
}

static int judge(
	struct prune_guard *g, struct gating *gate, const char *sha, bool ever, struct err *err)
{
	const struct judge_settings s = {.lent = g->c->store, .ever = ever};

	return gating_judge(gate, g->store, NULL, *sha ? sha : NULL, &s, err);
}

/* The digest of its report, and what it takes from the store. sha "": HEAD. */
static int watch(struct prune_guard *g, const char *sha, char digest[65], struct gating *gate,
	struct err *err)
{
	int r;

	store_on_use(g->c->store, set_used, g);
	r = judge(g, gate, sha, false, err);
	store_on_use(g->c->store, NULL, NULL);
	if (r == 0)
		r = digest_report(&gate->r, digest, err);
	if (r == 0)
		r = set_commit(g, gate->head.commit.sha, true, STAYS_GATE, err);
	return r < 0 ? -1 : set_reference(g, gate, err);
}

/* The commits of last good levels, however far back. */
static int set_levels(struct prune_guard *g, const char *sha, struct err *err)
{
	struct gating gate;
	size_t i;
	int r = judge(g, &gate, sha, true, err);

	for (i = 0; r == 0 && i < gate.x.n; i++) {
		const struct pair *p = &gate.x.pairs[i];
		const struct side *level = gate.base.on_line ? &p->base : &p->good;
		if (p->culprit && level->sha && git_is_sha(level->sha))
			r = set_commit(g, level->sha, false, STAYS_LEVEL, err);
	}
	gating_release(&gate);
	return r;
}

static bool is_new(struct prune_guard *g, const char *sha)
{
	const uint32_t n = intern_count(g->judged);

	return intern_add(g->judged, sha, strlen(sha)) == n;
}

/* One that cannot be judged keeps what is measured of it. */
static int watch_commit(struct prune_guard *g, const char *sha, struct err *err)
{
	struct gating gate;
	char digest[65];
	int r;

	if (!is_new(g, sha))
		return 0;
	r = watch(g, sha, digest, &gate, err);
	gating_release(&gate);
	if (r == 0 || err->code == ERR_STORE)
		return r;
	complain(
		"note: %.12s cannot be judged, and what it would be compared with is not known: %s",
		sha, err->msg);
	err_clear(err);
	return set_commit(g, sha, true, STAYS_GATE, err);
}

static int watch_branch(void *ctx, const char *sha, const char *name, struct err *err)
{
	struct prune_guard *g = ctx;

	intern_add(g->branches, name, strlen(name));
	return watch_commit(g, sha, err);
}

static int set_tag(void *ctx, const char *sha, const char *name, struct err *err)
{
	(void)name;
	return set_commit(ctx, sha, false, STAYS_TAG, err);
}

/* ---- the newest commits of each suite ---- */

static uint32_t part_of(struct intern *in, const struct store_run *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const char *const parts[] = {r->suite, r->component, r->runner_key};
	size_t i;

	for (i = 0; i < ARRAY_LEN(parts); i++)
		buf_add(&b, parts[i], strlen(parts[i]) + 1);
	return intern_add(in, b.p, b.len);
}

struct line_watch {
	struct intern *found; /* suites, components and runners */
	uint32_t parts;       /* of all that there are */
	int measured;         /* commits */
};

/* The runs of a commit that are the nearest of their suite, component and runner. Returns how many.
 */
static size_t take_nearest(
	struct prune_guard *g, const struct store_runs *runs, struct intern *found)
{
	uint32_t before = intern_count(found);
	size_t i, n = 0;

	for (i = 0; i < runs->n; i++) {
		if (strcmp(runs->v[i].tree_state, "clean") != 0 ||
			part_of(found, &runs->v[i]) < before)
			continue;
		set(g, runs->v[i].id, STAYS_GATE);
		n++;
	}
	return n;
}

/* One commit of a line, of which measured newer ones have runs. Returns whether to go on; err is
 * set where that failed. */
static bool watch_on_line(struct prune_guard *g, const struct git_commit *commit, bool first,
	struct line_watch *w, struct err *err)
{
	struct store_runs runs = {0};
	char borrowed[65];
	size_t nearest = 0;

	if (runs_of(g->c, commit, NULL, &runs, borrowed, err) == 0)
		nearest = take_nearest(g, &runs, w->found);
	w->measured += runs.n > 0;
	store_runs_release(&runs);
	/* what the line begins with was looked at before */
	if (!err->code && !first && (nearest || w->measured == PAST_COMMITS))
		watch_commit(g, commit->sha, err);
	if (!err->code && !first && nearest)
		set_levels(g, commit->sha, err);
	return !err->code && commit->n_parents > 0 &&
	       (w->measured < PAST_COMMITS || intern_count(w->found) < w->parts);
}

/*
 * A suite that HEAD did not measure will be judged when it is: by what it was judged by last. And
 * change requests may branch off older commits: off the last PAST_COMMITS that were measured they
 * are judged as they would have been.
 */
static int watch_line(struct prune_guard *g, const char *sha, uint32_t parts, struct err *err)
{
	struct line_watch w = {.found = intern_new(), .parts = parts};
	struct git_commit commit;
	int steps = policy_max_distance(g->c->policy), r = find_commit(g->c, sha, &commit, err);

	while (r > 0 && steps-- > 0 && watch_on_line(g, &commit, !strcmp(commit.sha, sha), &w, err))
		r = find_commit(g->c, commit.parents[0], &commit, err);
	intern_free(w.found);
	return err->code ? -1 : 0;
}

/* How many suites, components and runners there are; the newest runs of each stay. */
static uint32_t set_newest(struct prune_guard *g)
{
	struct intern *parts = intern_new();
	const struct store_run **newest = xcalloc(g->all.n + 1, sizeof(*newest));
	uint32_t n;
	size_t i;

	for (i = 0; i < g->all.n; i++) {
		const struct store_run *r = &g->all.v[i];
		uint32_t at;
		if (strcmp(r->tree_state, "clean") != 0)
			continue;
		at = part_of(parts, r);
		if (!newest[at] || store_run_time(newest[at]) < store_run_time(r))
			newest[at] = r;
	}
	n = intern_count(parts);
	for (i = 0; i < n; i++)
		set(g, newest[i]->id, STAYS_NEWEST);
	free(newest);
	intern_free(parts);
	return n;
}

/* ---- HEAD ---- */

static int set_work_tree(struct prune_guard *g, struct err *err)
{
	const char *const *globs;
	size_t n = policy_ignore_dirty(g->c->policy, &globs), i;
	char digest[65], state[80];
	int dirty = git_toplevel(g->c->git) ? git_dirty(g->c->git, globs, n, digest, err) : 0;

	if (dirty <= 0)
		return dirty;
	snprintf(state, sizeof(state), "dirty:%s", digest);
	for (i = 0; i < g->all.n; i++)
		if (!strcmp(g->all.v[i].tree_state, state))
			set(g, g->all.v[i].id, STAYS_WORK_TREE);
	return 0;
}

/* The commit that the base's name stands for; "" none, or not known. */
static int find_base(struct prune_guard *g, const struct baseline *b, char ret[65], struct err *err)
{
	_cleanup_(freep) char *remote = b->asked ? xasprintf("origin/%s", b->asked) : NULL;
	struct git_commit commit;
	int r = b->asked ? resolve_commit(g->c, b->asked, &commit, err) : 0;

	if (r == 0 && remote)
		r = git_commit(g->c->git, remote, &commit, err);
	snprintf(ret, 65, "%s", r > 0 ? commit.sha : "");
	return r < 0 ? -1 : 0;
}

static int watch_head(struct prune_guard *g, const char *sha, struct gating *gate, struct err *err)
{
	struct judged_head *head = &g->heads[g->n_heads++];

	snprintf(head->sha, sizeof(head->sha), "%s", sha);
	if (watch(g, sha, head->digest, gate, err) < 0)
		return err_prefix(err, "%s cannot be judged, and what that takes is not known",
			*sha ? sha : "HEAD");
	is_new(g, gate->head.commit.sha);
	return set_levels(g, sha, err);
}

/* What HEAD is judged by, and the base branch's newest commit; ret: the two. */
static int watch_heads(struct prune_guard *g, char head[65], char base[65], struct err *err)
{
	struct gating gate;
	int r = watch_head(g, "", &gate, err);

	if (r == 0) {
		snprintf(head, 65, "%s", gate.head.commit.sha);
		r = find_base(g, &gate.base, base, err);
	}
	gating_release(&gate);
	if (r < 0 || !*base || !strcmp(base, head))
		return r;
	r = watch_head(g, base, &gate, err);
	gating_release(&gate);
	return r;
}

static int watch_all(struct prune_guard *g, struct err *err)
{
	const uint32_t parts = set_newest(g);
	char head[65], base[65];

	if (watch_heads(g, head, base, err) < 0 || set_work_tree(g, err) < 0 ||
		git_heads(g->c->git, GIT_BRANCHES, watch_branch, g, err) < 0 ||
		git_heads(g->c->git, GIT_TAGS, set_tag, g, err) < 0 ||
		watch_line(g, head, parts, err) < 0)
		return -1;
	return *base && strcmp(base, head) ? watch_line(g, base, parts, err) : 0;
}

static int check_repository(const struct context *c, struct err *err)
{
	if (!c->git)
		return err_set(err, ERR_GIT,
			"%s; what its branches are judged by would not be known",
			context_no_head(c));
	if (git_shallow(c->git))
		return err_set(err, ERR_GIT,
			"this clone is shallow: what its branches are judged by is not known; git fetch --unshallow brings the rest");
	return 0;
}

int prune_guard_init(struct prune_guard *g, struct context *c, const char *store, struct err *err)
{
	struct progress *p;
	size_t i;
	int r;

	*g = (struct prune_guard){
		.c = c, .store = store, .judged = intern_new(), .branches = intern_new()};
	if (check_repository(c, err) < 0 || store_runs_exported(c->store, &g->all, err) < 0)
		return -1;
	for (i = 0; i < g->all.n; i++)
		if ((size_t)g->all.v[i].id >= g->n_stays)
			g->n_stays = (size_t)g->all.v[i].id + 1;
	g->stays = xcalloc(g->n_stays + 1, sizeof(*g->stays));
	p = progress_start("looking at what gates look at");
	r = watch_all(g, err);
	progress_end(p);
	return r;
}

void prune_guard_release(struct prune_guard *g)
{
	store_runs_release(&g->all);
	intern_free(g->judged);
	intern_free(g->branches);
	free(g->stays);
}

bool prune_guard_branch(const struct prune_guard *g, const char *name)
{
	return intern_find(g->branches, name, strlen(name)) != INTERN_NONE;
}

int prune_guard_verify(struct prune_guard *g, struct err *err)
{
	struct gating gate;
	char digest[65];
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < g->n_heads; i++) {
		r = judge(g, &gate, g->heads[i].sha, false, err);
		if (r == 0)
			r = digest_report(&gate.r, digest, err);
		gating_release(&gate);
		if (r == 0 && strcmp(digest, g->heads[i].digest) != 0)
			r = err_set(err, ERR_STORE,
				"%s would be judged otherwise than before: nothing was pruned; keep more, and please report it",
				*g->heads[i].sha ? g->heads[i].sha : "HEAD");
	}
	return r;
}
