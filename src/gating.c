#include "gating.h"

#include "ancestry.h"
#include "past.h"
#include "reference.h"
#include "sha256.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char policy_file[] = "perfgate.conf";

/* ---- whose policy ---- */

/* perfgate.conf of the work tree serves, so that it can be tried out; elsewhere that of the commit
 * does. */
static int note_policy(struct comparison *x, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	struct context *c = x->c;
	bool here = !strcmp(c->policy_name, policy_file);
	char digest[65];
	int committed;

	if (!c->git || !git_toplevel(c->git))
		return 0;
	committed = git_file(c->git, "HEAD", policy_file, &text, err);
	if (committed < 0)
		return -1;
	sha256_hex(buf_str(&text), text.len, digest);
	if (committed != here || (here && strcmp(digest, policy_digest(c->policy))))
		comparison_note(x,
			"perfgate.conf is judged by as it is in the work tree; HEAD has %s",
			committed ? "another" : "none");
	return 0;
}

/* The policy of HEAD holds: the file in the work tree, *ret NULL, when that is what is judged. A
 * revision that is unknown is reported when it is resolved. */
static int policy_commit(struct context *c, const char *rev, struct git_commit *head,
	const char **ret, struct err *err)
{
	struct git_commit checkout;
	int r;

	*ret = NULL;
	if (!rev || !c->git)
		return 0;
	r = git_commit(c->git, rev, head, err);
	r = r > 0 ? git_commit(c->git, "HEAD", &checkout, err) : r;
	if (r > 0 && strcmp(head->sha, checkout.sha) != 0)
		*ret = head->sha;
	return r < 0 ? -1 : 0;
}

/* The branch that sections like [gate "release/x"] are for. */
static const char *target_of(const struct gating *g)
{
	const struct context *c = &g->c;
	const char *target = g->base.asked ? g->base.asked : c->git ? git_branch(c->git) : NULL;
	static const char *const prefixes[] = {"refs/heads/", "refs/remotes/", "origin/"};
	size_t i;

	for (i = 0; target && i < ARRAY_LEN(prefixes); i++)
		if (!strncmp(target, prefixes[i], strlen(prefixes[i])))
			target += strlen(prefixes[i]);
	return target;
}

/* Takes the base's policy with head's accepts, renames and retirements in place of head's. */
static int graft_policy(struct gating *g, const struct buf *base, struct err *err)
{
	struct context *c = &g->c;
	struct policy *p = policy_new_grafted(
		policy_file, buf_str(base), base->len, c->policy_text.p, c->policy_text.len, err);

	if (!p)
		return err_prefix(err, "policy-from = base");
	policy_free(c->policy);
	c->policy = p;
	policy_set_target(p, target_of(g));
	comparison_note(&g->x,
		"judged by perfgate.conf of the base (policy-from = base), with the accepts, renames and retirements of head");
	return 0;
}

/* A change request could say policy-from = head: what the base says of it counts too. */
static bool wants_base_policy(struct gating *g, const struct buf *base)
{
	struct err ignored = ERR_INIT;
	struct policy *p = policy_new(policy_file, buf_str(base), base->len, &ignored);
	bool ret = policy_from_base(g->c.policy);

	if (p) {
		policy_set_target(p, target_of(g));
		ret |= policy_from_base(p);
	}
	policy_free(p);
	return ret;
}

/* The clone lacks the commit whose policy counts. */
static int policy_unknown(struct gating *g, struct err *err)
{
	if (policy_from_base(g->c.policy))
		return err_set(err, ERR_GIT,
			"policy-from = base: perfgate.conf of %.12s cannot be read, since this clone lacks that commit; this brings it: git fetch --depth 1 origin %s",
			g->base.start, g->base.start);
	if (g->c.policy_text.p)
		comparison_note(&g->x,
			"whether perfgate.conf differs from that of %.12s is not known: this clone lacks that commit",
			g->base.start);
	return 0;
}

static int compare_policies(struct gating *g, struct err *err)
{
	struct context *c = &g->c;
	_cleanup_(buf_release) struct buf base = BUF_INIT;
	struct git_commit known;
	int found;

	if (!c->git || !*g->base.start)
		return 0;
	found = git_commit(c->git, g->base.start, &known, err);
	if (found <= 0)
		return found < 0 ? -1 : policy_unknown(g, err);
	found = git_file(c->git, g->base.start, policy_file, &base, err);
	if (found < 0)
		return -1;
	g->n_policy_changes = policy_diff(found ? buf_str(&base) : NULL, base.len, c->policy_text.p,
		c->policy_text.len, &g->policy_changes);
	g->r.policy_changes = (const char *const *)g->policy_changes;
	g->r.n_policy_changes = g->n_policy_changes;
	return found && wants_base_policy(g, &base) ? graft_policy(g, &base, err) : 0;
}

/* ---- the gate ---- */

static int find_pairs(struct gating *g, enum past_levels levels, struct err *err)
{
	const bool changed = strcmp(g->head.tree_state, "clean") != 0;
	struct comparison *x = &g->x;
	struct walk w;

	if (comparison_begin(x, err) < 0 ||
		walk_start(&w, &g->c, &g->base, g->head.commit.sha,
			policy_max_distance(g->c.policy), changed, err) < 0 ||
		comparison_walk(x, &w, err) < 0 ||
		comparison_end(
			x, "no commit that could serve as base has a run of its suite", err) < 0)
		return -1;
	if (comparison_past(x, &g->base, g->head.commit.sha, levels, g->base.on_line, err) < 0)
		return -1;
	return comparison_reference(x, err);
}

/* The commands below are to be pasted: what a shell would take apart stands in quotes. */
static void add_argument(struct buf *b, const char *s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_./:@%+=,-";

	if (*s && strspn(s, plain) == strlen(s)) {
		buf_addstr(b, s);
		return;
	}
	buf_addch(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_addstr(b, "'\\'");
		buf_addch(b, *s);
	}
	buf_addch(b, '\'');
}

/* Where a store was named: an address without its password. */
static void add_store(struct buf *b, const struct gating *g, const char *store)
{
	if (!store)
		return;
	buf_addstr(b, " --store ");
	add_argument(b, store_path(g->c.store));
}

/* A command that brings runs of head into this store. */
static const char *ingest_step(struct gating *g, const char *store)
{
	struct buf b = BUF_INIT;

	if (g->head.checkout)
		buf_addstr(&b, "run the benchmarks, then: perfgate ingest");
	else
		buf_addf(&b,
			"check out %.12s and run the benchmarks there, then: perfgate ingest "
			"--commit %.12s",
			g->head.commit.sha, g->head.commit.sha);
	add_store(&b, g, store);
	buf_addstr(&b, " results/");
	return comparison_own(&g->x, buf_take(&b));
}

/* What makes a base where there is none. */
static const char *base_step(struct gating *g, bool may_first_run)
{
	const char *start = g->base.start;

	if (!*start)
		return "measure the next commit too, and ingest its runs: they are judged against these";
	return comparison_own(
		&g->x, xasprintf("check out %.12s, run the same benchmarks there and ingest them%s",
			       start, may_first_run ? "; or add --first-run, this once" : ""));
}

/* Whether series were measured on both sides, but on machines of different names. */
static bool other_runner(const struct comparison *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (x->pairs[i].gap == GAP_INCOMPARABLE &&
			strstr(x->pairs[i].gap_reason, "measured on"))
			return true;
	return false;
}

/* What to type next, worst obstacle first. The strings are the comparison's. */
static void next_steps(struct gating *g, const char *store, bool may_first_run)
{
	struct report *r = &g->r;
	const struct baseline *base = &g->base;
	const bool measured = g->x.measured;

	r->next = g->next;
	if (!measured)
		g->next[r->n_next++] = ingest_step(g, store);
	if (base->remedy && (base->branch || r->base.guess || !r->base.sha || g->x.line_cut))
		g->next[r->n_next++] = base->remedy;
	if (measured && !r->base.sha && (*base->start || !r->n_next))
		g->next[r->n_next++] = base_step(g, may_first_run);
	if (other_runner(&g->x))
		g->next[r->n_next++] =
			"machines that are alike share a name: perfgate ingest --runner NAME; for those that are not: across-runners = yes in a [rule] of perfgate.conf";
}

/* A name that stands in a report as it is: one that can be pasted. */
static bool is_plain(const char *name)
{
	enum { LONGEST = 200 };
	const size_t n = strlen(name);

	return n <= LONGEST && utf8_valid(name, n) && !text_has_control(name, n);
}

/* A command that finds the commit, where more than one may have done it. */
static const char *bisect_command(struct gating *g, const struct judged *j, const char *store)
{
	const struct series_key *k = &j->pair->key;
	_cleanup_(freep) char *name = xasprintf("%s:%s:%s", k->suite, k->benchmark, k->metric);
	struct buf b = BUF_INIT;

	if (j->verdict != VERDICT_REGRESSED || j->crept || j->pair->base.distance < 2 ||
		!is_plain(name))
		return NULL;
	buf_addstr(&b, "find the commit: perfgate bisect ");
	add_argument(&b, name);
	if (j->decision.judge == JUDGE_NOISY)
		buf_addf(&b, " --from %.12s", j->pair->base.sha);
	if (!g->head.checkout)
		buf_addf(&b, " --to %.12s", g->head.commit.sha);
	add_store(&b, g, store);
	if (!policy_measures(g->c.policy))
		buf_addstr(&b, " -- COMMAND");
	return comparison_own(&g->x, buf_take(&b));
}

static const char *accept_command(struct gating *g, const char *store)
{
	struct buf b = BUF_INIT;

	buf_addstr(&b, "mend it, or where it is meant: perfgate accept");
	add_store(&b, g, store);
	buf_addstr(&b, " --reason TEXT");
	return comparison_own(&g->x, buf_take(&b));
}

/* For the worst of what is regressed. */
static void regressed_steps(struct gating *g, const char *store)
{
	const char *find = NULL;
	size_t i;

	for (i = 0; i < g->r.n && !find && g->c.git && git_toplevel(g->c.git); i++)
		find = bisect_command(g, &g->r.verdicts[i], store);
	if (find)
		g->next[g->r.n_next++] = find;
	g->next[g->r.n_next++] = accept_command(g, store);
}

/* Where head was not measured there is nothing to compare, and yet a commit to compare it with. */
static const struct side *measured_before(const struct comparison *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (x->pairs[i].not_measured && x->pairs[i].base.sha)
			return &x->pairs[i].base;
	return NULL;
}

static void describe(struct gating *g, const char *rev)
{
	const struct git_commit *head = &g->head.commit;
	struct comparison *x = &g->x;
	const struct side *before = *x->base_sha ? NULL : measured_before(x);

	g->r.head = (struct report_commit){.sha = head->sha,
		.subject = *head->subject ? head->subject : NULL,
		.tree_state = strcmp(g->head.tree_state, "clean") ? "dirty" : "clean",
		.merged = *g->base.merged ? g->base.merged : NULL,
		.label = rev ? rev : "HEAD"};
	g->r.base = (struct report_base){.asked = g->base.asked,
		.sha = *x->base_sha ? x->base_sha : NULL,
		.subject = *x->base_subject ? x->base_subject : NULL,
		.distance = x->base_distance,
		.why = g->base.why,
		.guess = x->base_guess};
	if (before) {
		g->r.base.sha = before->sha;
		g->r.base.distance = before->distance;
	}
	g->r.options.on_line = g->base.on_line;
	g->r.options.head_time = head->committed_at;
}

/* A store that was named may be another repository's: then nothing in it is about this one. */
static int note_store(struct gating *g, struct err *err)
{
	struct context *c = &g->c;
	struct git_commit known;
	char root[65];
	int found;

	if (c->own_store || !c->git || git_shallow(c->git))
		return 0;
	found = store_root(c->store, root, err);
	if (found > 0) {
		found = git_commit(c->git, root, &known, err);
		if (found == 0)
			comparison_note(&g->x,
				"%.300s is the store of another repository: its first commit, %.12s, is not in this one",
				store_path(c->store), root);
	}
	return found < 0 ? -1 : 0;
}

static int judge(struct gating *g, const char *store, const char *asked, const char *rev,
	const struct judge_settings *s, struct err *err)
{
	struct comparison *x = &g->x;
	const char *again, *sure;

	if (note_store(g, err) < 0 || (!rev && note_policy(x, err) < 0) ||
		head_resolve(&g->c, rev, &g->head, err) < 0 ||
		baseline_find(&g->c, asked, &g->head.commit, rev ? rev : "HEAD", g->head.checkout,
			&g->base, err) < 0)
		return -1;
	policy_set_target(g->c.policy, target_of(g));
	if (compare_policies(g, err) < 0 || head_load(x, HEAD_COMMIT_FIRST, &g->head, err) < 0 ||
		find_pairs(g, s->ever ? PAST_EVER : PAST_LEVELS, err) < 0)
		return -1;
	describe(g, rev);
	next_steps(g, store, policy_require(g->c.policy) && !s->first_run);
	if (judge_verdicts(x, s, &g->r, err) < 0)
		return -1;
	sure = judge_environment_step(x, &g->r, rev);
	again = sure || g->r.n_next ? NULL : judge_missing_session(x, &g->r, rev);
	if (sure)
		g->next[g->r.n_next++] = sure;
	if (g->r.exit == 1)
		regressed_steps(g, store);
	if (again)
		g->next[g->r.n_next++] = again;
	return 0;
}

static int open_store(struct context *c, const struct judge_settings *s, struct err *err)
{
	if (!s->lent)
		return context_open_store(c, STORE_READ, err);
	context_lend_store(c, s->lent);
	return 0;
}

int gating_judge(struct gating *g, const char *store, const char *asked, const char *rev,
	const struct judge_settings *s, struct err *err)
{
	struct git_commit head;
	const char *from;

	*g = (struct gating){.r = {.command = "gate", .exit_counts = true}};
	if (judge_settings_check(s, &g->narrowing, err) < 0 ||
		context_init(&g->c, store, err) < 0 ||
		policy_commit(&g->c, rev, &head, &from, err) < 0 ||
		context_load_policy(&g->c, from, err) < 0 || open_store(&g->c, s, err) < 0)
		return -1;
	comparison_init(&g->x, &g->c, &g->narrowing);
	return judge(g, store, asked, rev, s, err);
}

void gating_release(struct gating *g)
{
	size_t i;

	verdicts_free(&g->r);
	for (i = 0; i < g->n_policy_changes; i++)
		free(g->policy_changes[i]);
	free(g->policy_changes);
	baseline_release(&g->base);
	if (g->x.c)
		comparison_release(&g->x);
	context_release(&g->c);
	narrowing_release(&g->narrowing);
}
