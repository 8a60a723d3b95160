#include "command.h"

#include "judge.h"
#include "sha256.h"

#include <string.h>

struct gate {
	const char *store;
	struct judge_settings judge;
};

static const struct opt opts[] = {OPT_STORE(struct gate), OPT_JUDGE(struct gate), OPT_END};

enum { NEXT_MAX = 4 };

/* What to type next, worst obstacle first. The strings are the comparison's. */
static void next_steps(struct report *r, struct comparison *x, const struct baseline *base,
	bool may_first_run, const char **next)
{
	bool measured = x->head.n_covered > 0;

	r->next = next;
	if (!measured)
		next[r->n_next++] = "run the benchmarks, then: perfgate ingest results/";
	if (base->remedy && (base->branch || r->base.guess || !r->base.sha))
		next[r->n_next++] = base->remedy;
	if (measured && !r->base.sha && *base->start)
		next[r->n_next++] = comparison_own(x,
			xasprintf(
				"check out %.12s, run the same benchmarks there and ingest them%s",
				base->start,
				may_first_run ? "; or add --first-run, this once" : ""));
}

/* perfgate.conf of the work tree serves, so that it can be tried out; elsewhere that of the commit
 * does. */
static int note_policy(struct comparison *x, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	struct context *c = x->c;
	bool here = !strcmp(c->policy_name, "perfgate.conf");
	char digest[65];
	int committed;

	if (!c->git || !git_toplevel(c->git))
		return 0;
	committed = git_file(c->git, "HEAD", "perfgate.conf", &text, err);
	if (committed < 0)
		return -1;
	sha256_hex(buf_str(&text), text.len, digest);
	if (committed != here || (here && strcmp(digest, policy_digest(c->policy))))
		comparison_note(x,
			"perfgate.conf is judged by as it is in the work tree; HEAD has %s",
			committed ? "another" : "none");
	return 0;
}

static int compare(struct comparison *x, const struct gate *o, const char *asked, const char *rev,
	int *status, struct err *err)
{
	struct context *c = x->c;
	struct baseline base = {0};
	struct head_side head;
	struct report r = {.command = "gate", .exit_counts = true};
	const char *next[NEXT_MAX];
	struct walk w;
	int ret;

	ret = rev ? 0 : note_policy(x, err);
	if (ret == 0)
		ret = judge_head(x, rev, HEAD_COMMIT_FIRST, &head, err);
	if (ret == 0)
		ret = baseline_find(
			c, asked, &head.commit, rev ? rev : "HEAD", head.checkout, &base, err);
	if (ret == 0)
		ret = comparison_begin(x, err);
	if (ret == 0)
		ret = walk_start(&w, c, &base, head.commit.sha, policy_max_distance(c->policy),
			strcmp(head.tree_state, "clean") != 0, err);
	if (ret == 0)
		ret = comparison_walk(x, &w, err);
	if (ret == 0)
		ret = comparison_end(
			x, "no commit that could serve as base has a run of its suite", err);
	if (ret == 0) {
		r.head = (struct report_commit){.sha = head.commit.sha,
			.subject = *head.commit.subject ? head.commit.subject : NULL,
			.tree_state = strcmp(head.tree_state, "clean") ? "dirty" : "clean",
			.label = rev ? rev : "HEAD"};
		r.base = (struct report_base){.asked = base.asked,
			.sha = *x->base_sha ? x->base_sha : NULL,
			.subject = *x->base_subject ? x->base_subject : NULL,
			.distance = x->base_distance,
			.why = base.why,
			.guess = x->base_guess};
		next_steps(&r, x, &base, policy_require(c->policy) && !o->judge.first_run, next);
		ret = judge_report(x, &o->judge, &r, status, err);
	}
	baseline_release(&base);
	return ret;
}

/* The policy of HEAD holds: the file in the work tree when that is what is judged. */
static const char *policy_of(
	struct context *c, const char *rev, struct git_commit *head, struct err *err)
{
	struct git_commit checkout;

	if (!rev || !c->git || git_commit(c->git, rev, head, err) <= 0 ||
		git_commit(c->git, "HEAD", &checkout, err) <= 0)
		return NULL;
	return strcmp(head->sha, checkout.sha) ? head->sha : NULL;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct gate *o = values;
	const char *rev = n > 1 ? args[1] : NULL;
	struct narrowing narrowing;
	struct git_commit head;
	struct context c;
	struct comparison x;
	int status = 0, r;

	if (judge_settings_check(&o->judge, &narrowing, err) < 0)
		return -1;
	r = context_init(&c, o->store, err);
	if (r == 0)
		r = context_load_policy(&c, policy_of(&c, rev, &head, err), err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	comparison_init(&x, &c, &narrowing);
	if (r == 0)
		r = compare(&x, o, n > 0 ? args[0] : NULL, rev, &status, err);
	comparison_release(&x);
	context_release(&c);
	narrowing_release(&narrowing);
	return r < 0 ? -1 : status;
}

const struct command cmd_gate = {.name = "gate",
	.args = "[BASE [HEAD]]",
	.summary = "judge a commit against its base: pass or fail",
	.help = "Compares the runs of HEAD (default: the commit checked out) with those of BASE (default:\n"
		"the branch a change request targets, else base in perfgate.conf, else the upstream\n"
		"branch, else HEAD's first parent). The base is the nearest commit with a run, from the\n"
		"merge base along first parents, and the report says which it is and why.\n"
		"Exit status: 0 pass, 1 a regression that gates, 3 something could not be judged that\n"
		"had to be, 2 usage, unreadable input or trouble with the store.",
	.opts = opts,
	.values_size = sizeof(struct gate),
	.max_args = 2,
	.run = run};
