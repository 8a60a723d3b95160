#include "command.h"

#include "ancestry.h"
#include "documents.h"
#include "head.h"
#include "judge.h"
#include "machine.h"
#include "measure.h"
#include "past.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct diff {
	const char *store, *format, *name;
	bool exit_code, allow_truncated, measure;
	struct judge_settings judge;
};

static const struct opt opts[] = {OPT_STORE(struct diff), OPT_JUDGE(struct diff),
	{"exit-code", 0, OPT_FLAG, offsetof(struct diff, exit_code), NULL,
		"exit as the gate would (default: 0 whatever there is)"},
	{"measure", 0, OPT_FLAG, offsetof(struct diff, measure), NULL,
		"run the benchmark of perfgate.conf for both in turns, instead of what is stored"},
	{"format", 'f', OPT_STRING, offsetof(struct diff, format), "FORMAT",
		"do not detect the format of documents"},
	{"name", 0, OPT_STRING, offsetof(struct diff, name), "NAME",
		"the benchmark's name where a document has none"},
	{"allow-truncated", 0, OPT_FLAG, offsetof(struct diff, allow_truncated), NULL,
		"take a trace that was cut off"},
	OPT_END};

/* One side as the user named it. */
struct operand {
	char *text; /* NULL: not given */
	bool is_document;
	struct git_commit commit;
};

static void report_error(const struct err *err)
{
	complain("%s", err->msg);
}

/* A path wins when it looks like one or is no revision. */
static int classify(struct context *c, char *text, struct operand *ret, struct err *err)
{
	bool exists = !strcmp(text, "-") || access(text, F_OK) == 0;
	int r = resolve_commit(c, text, &ret->commit, err);

	ret->text = text;
	if (r < 0)
		return -1;
	if (exists && r > 0 && !strchr(text, '/'))
		return err_set(err, ERR_USAGE,
			"'%.100s' is both a revision and a file; write ./%.100s for the file", text,
			text);
	ret->is_document = exists;
	if (!exists && r == 0)
		return err_set(err, ERR_USAGE, "'%.100s' is neither a file nor a revision%s%s",
			text, c->git ? " of this repository" : "; ",
			c->git ? context_shallow(c) : context_no_head(c));
	return 0;
}

/* ---- documents ---- */

/* A side of a comparison is one commit; a document may tell of several. */
static int check_one_commit(struct batch *b, const char *name, struct err *err)
{
	size_t i;

	for (i = 1; i < batch_runs(b); i++) {
		const char *first = batch_run(b, 0)->head.sha, *sha = batch_run(b, i)->head.sha;
		if (strcmp(first ? first : "", sha ? sha : ""))
			return err_set(err, ERR_USAGE,
				"%s holds runs of several commits (%.12s, %.12s); ingest it and compare the commits",
				name, first ? first : "none", sha ? sha : "none");
	}
	return 0;
}

static int load_document(struct comparison *x, struct document *d, const struct read_options *read,
	const char *name, const char *runner, struct measurements *m, struct err *err)
{
	_cleanup_(batch_freep) struct batch *b = document_read(d, read, NULL, BATCH_COMPARE, err);
	char *const *notes;
	size_t n, i;

	if (!b || check_one_commit(b, name, err) < 0)
		return -1;
	n = batch_notes(b, &notes);
	for (i = 0; i < n; i++)
		comparison_note(x, "%s: %s", name, notes[i]);
	return measurements_add_batch(m, b, runner, x->narrowing, err);
}

static int load_documents(struct comparison *x, const struct diff *o, struct operand *p,
	struct measurements *m, struct err *err)
{
	struct read_options read = {.name = o->name, .allow_truncated = o->allow_truncated};
	struct search search = {
		.format = o->format, .newer_than = TIME_UNKNOWN, .report = report_error};
	_cleanup_(buf_release) struct buf runner = BUF_INIT;
	struct documents docs;
	size_t i;
	int r = documents_find(&docs, &p->text, 1, &search, err);

	if (r < 0)
		return -1;
	machine_runner(&runner);
	for (i = 0; r == 0 && i < docs.n; i++)
		r = load_document(x, &docs.v[i], &read, p->text, runner.p, m, err);
	if (r == 0 && docs.failed)
		r = err_set(err, ERR_FORMAT, "%s could not be read", p->text);
	documents_release(&docs);
	return r;
}

/* ---- sides ---- */

static int fill_head(struct comparison *x, const struct diff *o, struct operand *head,
	struct head_side *side, struct err *err)
{
	if (!head->text)
		return head_find(x, NULL, HEAD_WORK_TREE, side, err);
	if (!head->is_document)
		return head_find(x, head->text, HEAD_COMMIT_FIRST, side, err);
	snprintf(x->head_label, sizeof(x->head_label), "%.79s", head->text);
	side->any = true;
	return load_documents(x, o, head, &x->head, err);
}

static int base_from_documents(
	struct comparison *x, const struct diff *o, struct operand *base, struct err *err)
{
	struct measurements m;
	int r;

	measurements_init(&m, &x->names);
	r = load_documents(x, o, base, &m, err);
	if (r == 0)
		r = comparison_add_base(x, &m, base->text, 0, err);
	measurements_release(&m);
	return r;
}

/* Where the walk from a named commit starts: there, unless that is what is compared. */
static int base_line(struct context *c, struct operand *base, const struct head_side *head,
	bool head_is_document, struct baseline *ret, struct err *err)
{
	bool self;

	if (!base->text) {
		/* nothing named: the commit below what is in front of the developer */
		if (resolve_commit(c, "HEAD", &base->commit, err) <= 0)
			return err->code
				       ? -1
				       : err_set(err, ERR_USAGE,
						 "compare with what? perfgate diff COMMIT or perfgate diff OLD NEW");
		base->text = (char *)(uintptr_t) "HEAD";
	}
	self = !head_is_document && !strcmp(base->commit.sha, head->commit.sha) &&
	       !strcmp(head->tree_state, "clean");
	ret->asked = xstrdup(base->text);
	if (self && base->commit.n_parents > 0) {
		snprintf(ret->start, sizeof(ret->start), "%s", base->commit.parents[0]);
		ret->why = xasprintf("%s is what is compared, so its first parent", base->text);
	} else if (!self) {
		snprintf(ret->start, sizeof(ret->start), "%s", base->commit.sha);
		ret->why = xasprintf(
			"%s or the nearest first parent of it that has a run", base->text);
	} else {
		ret->why = xstrdup("it has no parent");
	}
	return 0;
}

static int base_from_commits(struct comparison *x, struct operand *base,
	const struct head_side *head, bool head_is_document, struct baseline *line, struct err *err)
{
	struct walk w;

	if (base_line(x->c, base, head, head_is_document, line, err) < 0)
		return -1;
	if (walk_start(&w, x->c, line, head_is_document ? "" : head->commit.sha,
		    policy_max_distance(x->c->policy), strcmp(head->tree_state, "clean") != 0,
		    err) < 0)
		return -1;
	return comparison_walk(x, &w, err);
}

static void describe(struct report *r, const struct comparison *x, const struct operand *base,
	const struct operand *head, const struct head_side *side, const struct baseline *line)
{
	bool dirty = strcmp(side->tree_state, "clean") != 0 && *side->tree_state;

	r->head = (struct report_commit){.sha = head->is_document ? NULL : side->commit.sha,
		.subject =
			head->is_document || !*side->commit.subject ? NULL : side->commit.subject,
		.tree_state = head->is_document ? NULL
			      : dirty           ? "dirty"
						: "clean",
		.label = head->text ? head->text
			 : dirty    ? "the work tree"
				    : "HEAD"};
	r->base = (struct report_base){.asked = base->text,
		.why = base->is_document ? "the document given" : line->why,
		.sha = *x->base_sha ? x->base_sha : NULL,
		.subject = *x->base_subject ? x->base_subject : NULL,
		.distance = x->base_distance};
}

enum { NEXT_MAX = 2 };

/* What to do where there is nothing to compare. */
static size_t missing_steps(struct comparison *x, const struct operand *base,
	const struct operand *head, const struct head_side *side, const char **ret)
{
	size_t n = 0;

	if (!side->any)
		ret[n++] =
			strcmp(side->tree_state, "clean")
				? "the work tree has changed since its last run: run the benchmarks, then: perfgate ingest results/"
				: "run the benchmarks, then: perfgate ingest results/";
	if ((!side->any || !*x->base_sha) && !head->is_document && !base->is_document)
		ret[n] =
			judge_measure_step(x, "or run them for both sides", base->text, head->text);
	return n + (ret[n] != NULL);
}

static int judge(struct comparison *x, const struct diff *o, const struct operand *head,
	struct report *r, const char **next, struct err *err)
{
	if (judge_verdicts(x, &o->judge, r, err) < 0)
		return -1;
	if (!r->n_next)
		next[0] = judge_environment_step(x, r, head->text);
	if (!r->n_next && !next[0])
		next[0] = judge_missing_session(x, r, head->text);
	r->n_next += !r->n_next && next[0];
	return judge_report(r, &o->judge, x->c, err);
}

static int compare(struct comparison *x, const struct diff *o, struct operand *base,
	struct operand *head, int *status, struct err *err)
{
	struct report r = {.command = "diff", .exit_counts = o->exit_code};
	struct baseline line = {0};
	struct head_side side = {0};
	const char *next[NEXT_MAX] = {NULL};
	int ret;

	x->any_runner = base->is_document && head->is_document;
	ret = fill_head(x, o, head, &side, err);
	if (ret == 0)
		ret = comparison_begin(x, err);
	if (ret == 0)
		ret = base->is_document
			      ? base_from_documents(x, o, base, err)
			      : base_from_commits(x, base, &side, head->is_document, &line, err);
	if (ret == 0)
		ret = comparison_end(x, "the base has no run of its suite", err);
	if (ret == 0 && !base->is_document)
		ret = comparison_past(x, &line, head->is_document ? "" : side.commit.sha,
			PAST_NO_LEVELS, false, err);
	if (ret == 0) {
		r.next = next;
		r.n_next = missing_steps(x, base, head, &side, next);
		describe(&r, x, base, head, &side, &line);
		r.options.head_time = head->is_document ? 0 : side.commit.committed_at;
		ret = judge(x, o, head, &r, next, err);
	}
	*status = r.exit;
	verdicts_free(&r);
	baseline_release(&line);
	return ret;
}

/* ---- the command ---- */

static int classify_all(struct context *c, char **args, int n, struct operand *base,
	struct operand *head, struct err *err)
{
	if (n == 0)
		return 0;
	if (classify(c, args[0], base, err) < 0)
		return -1;
	if (n == 1 && base->is_document) {
		/* one document is what is new */
		*head = *base;
		*base = (struct operand){0};
		return 0;
	}
	return n == 2 ? classify(c, args[1], head, err) : 0;
}

static int prepare(struct context *c, const struct diff *o, char **args, int n,
	struct operand *base, struct operand *head, struct err *err)
{
	struct err store_err = ERR_INIT;
	bool opened;

	if (context_init(c, o->store, err) < 0 || context_load_policy(c, NULL, err) < 0)
		return -1;
	/* two documents need no store; what its lack means is known once it is known what is
	 * compared */
	opened = context_open_store(c, STORE_READ, &store_err) == 0;
	if (classify_all(c, args, n, base, head, err) < 0)
		return -1;
	if (!opened && !(base->is_document && head->is_document)) {
		*err = store_err;
		return -1;
	}
	return 0;
}

/* Against the work tree as it is, where there is one revision, and against HEAD where there is
 * none. */
static int measure_instead(const struct diff *o, char **args, int n, int *status, struct err *err)
{
	const struct measure m = {
		.store = o->store, .name = o->name, .exit_code = o->exit_code, .judge = o->judge};
	char head[] = "HEAD", *only_head[] = {head};

	if (o->format || o->allow_truncated)
		return err_set(err, ERR_USAGE,
			"--measure takes revisions; %s is for documents that there are",
			o->format ? "--format" : "--allow-truncated");
	return measure(&m, n ? args : only_head, n ? n : 1, status, err);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct diff *o = values;
	struct operand base = {0}, head = {0};
	struct narrowing narrowing;
	struct context c;
	struct comparison x;
	int status = 0, r;

	if (o->measure)
		return measure_instead(o, args, n, &status, err) < 0 ? -1
		       : o->exit_code                                ? status
								     : 0;
	if (judge_settings_check(&o->judge, &narrowing, err) < 0)
		return -1;
	r = prepare(&c, o, args, n, &base, &head, err);
	comparison_init(&x, &c, &narrowing);
	if (r == 0)
		r = compare(&x, o, &base, &head, &status, err);
	comparison_release(&x);
	context_release(&c);
	narrowing_release(&narrowing);
	return r < 0 ? -1 : o->exit_code ? status : 0;
}

const struct command cmd_diff = {.name = "diff",
	.args = "[COMMIT | DOCUMENT | OLD NEW]",
	.summary = "show what changed between two commits, documents or one of each",
	.help = "With one commit: what the work tree's present run (changed or not) measured, against that\n"
		"commit or the nearest first parent of it that has a run. Without one: against HEAD, or\n"
		"HEAD's first parent when nothing is changed. A document alone is compared with HEAD. OLD\n"
		"and NEW are commits or documents; two documents need neither a repository nor a store.",
	.opts = opts,
	.values_size = sizeof(struct diff),
	.max_args = 2,
	.run = run};
