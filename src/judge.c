#include "ancestry.h"
#include "judge.h"

#include "pattern.h"
#include "reader.h"
#include "term.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

static const struct report_format *format_of(const char *report, const char **file)
{
	const char *colon = strchr(report, ':');
	_cleanup_(freep) char *name =
		colon ? xstrndup(report, (size_t)(colon - report)) : xstrdup(report);

	*file = colon ? colon + 1 : NULL;
	return report_find(name);
}

int judge_settings_check(const struct judge_settings *s, struct narrowing *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf names = BUF_INIT;
	const char *file;
	size_t i, k;

	for (i = 0; i < s->reports.n; i++) {
		if (format_of(s->reports.v[i], &file))
			continue;
		for (k = 0; report_formats[k]; k++)
			buf_addf(&names, "%s%s", k ? ", " : "", report_formats[k]->name);
		return err_set(err, ERR_USAGE, "--report %.60s: no such format; there are %s",
			s->reports.v[i], names.p);
	}
	*ret = (struct narrowing){.suites = s->suites.v, .n_suites = s->suites.n};
	if (s->only) {
		ret->only = pattern_new(s->only, err);
		if (!ret->only) {
			err->code = ERR_USAGE;
			return err_prefix(err, "--only");
		}
	}
	return 0;
}

void narrowing_release(struct narrowing *w)
{
	pattern_free(w->only);
}

/* ---- head ---- */

static int resolve_head(struct context *c, const char *rev, struct head_side *h, struct err *err)
{
	struct git_commit checkout;
	int r;

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

int judge_head(struct comparison *x, const char *rev, enum head_choice choice,
	struct head_side *ret, struct err *err)
{
	struct store_runs runs = {0}, borrowed = {0};
	char from[65];
	int r;

	*ret = (struct head_side){0};
	if (resolve_head(x->c, rev, ret, err) < 0)
		return -1;
	snprintf(x->head_label, sizeof(x->head_label), "%s", ret->commit.sha);
	/* what is measured is looked up by its numbers: let them be loaded in one go */
	if (store_series_load(x->c->store, err) < 0)
		return -1;
	r = store_runs_of_commit(x->c->store, ret->commit.sha, &runs, err);
	if (r == 0)
		r = choose_state(x, &runs, choice, ret, err);
	if (r == 0 && !ret->any && !strcmp(ret->tree_state, "clean")) {
		r = runs_of(x->c, &ret->commit, NULL, &borrowed, from, err);
		if (r == 0 && borrowed.n) {
			ret->any = true;
			comparison_note(x,
				"%.12s has no run of its own; those of %.12s are judged, which has the same tree",
				ret->commit.sha, from);
			r = measurements_add_runs(
				&x->head, x->c->store, &borrowed, NULL, x->narrowing, err);
		}
	}
	store_runs_release(&runs);
	store_runs_release(&borrowed);
	return r;
}

/* ---- verdicts and reports ---- */

static int write_one(const struct report *r, const struct report_format *f, const char *path,
	const struct judge_settings *s, struct err *err)
{
	struct report_style style = {.all = s->all, .width = 80};
	FILE *out;
	int ret;

	if (!path) {
		style.width = term_width(stdout);
		style.colour = term_colour(stdout);
		return f->write(r, &style, stdout, err);
	}
	out = fopen(path, "we");
	if (!out)
		return err_set(err, ERR_IO, "--report: %s: %s", path, strerror(errno));
	ret = f->write(r, &style, out, err);
	if (ret < 0)
		err_prefix(err, "--report: %s", path);
	if (fclose(out) != 0 && ret == 0)
		ret = err_set(err, ERR_IO, "--report: %s: %s", path, strerror(errno));
	return ret;
}

static int write_reports(const struct report *r, const struct judge_settings *s, struct err *err)
{
	bool printed = false;
	const char *file;
	size_t i;

	for (i = 0; i < s->reports.n; i++) {
		const struct report_format *f = format_of(s->reports.v[i], &file);
		printed |= !file;
		if (write_one(r, f, file, s, err) < 0)
			return -1;
	}
	return printed ? 0 : write_one(r, report_find("text"), NULL, s, err);
}

/* ---- what the verdicts leave unsaid ---- */

static void note_counts(
	struct comparison *x, const struct judged *judged, const struct judge_options *opts)
{
	size_t unjudged = 0, unstable = 0, missing = 0, i;

	for (i = 0; i < x->n; i++) {
		const struct judged *j = &judged[i];
		unjudged += j->verdict == VERDICT_INFO && j->decision.class_ == CLASS_HARD &&
			    j->decision.judge == JUDGE_NOISY;
		unstable += j->unstable;
		missing += j->verdict == VERDICT_MISSING && verdict_status(j, opts) != 0;
	}
	if (unjudged)
		comparison_note(x,
			"hard by policy but noisy, and so not judged yet: %zu series; `judge = exact` judges them",
			unjudged);
	if (unstable)
		comparison_note(x,
			"unstable, since samples of one side differ by more than the tolerance: %zu series (--all shows which)",
			unstable);
	if (missing)
		comparison_note(x,
			"what is gone on purpose is told by `missing = ignore` in a [rule] of perfgate.conf");
}

static void note_unused(struct comparison *x)
{
	int *unused;
	size_t n = policy_unused(x->c->policy, &unused), i;

	for (i = 0; i < n; i++)
		comparison_note(
			x, "%s matches no series here", policy_rule_name(x->c->policy, unused[i]));
	free(unused);
}

/* ---- filters that match nothing ---- */

struct suite_names {
	const struct narrowing *w;
	bool *known;
	struct buf all;
};

static int note_suite(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners,
	struct err *err)
{
	struct suite_names *n = ctx;
	size_t i;

	(void)runs;
	(void)samples;
	(void)runners;
	(void)err;
	buf_addf(&n->all, "%s%s", n->all.len ? ", " : "", suite);
	for (i = 0; i < n->w->n_suites; i++)
		n->known[i] |= !strcmp(n->w->suites[i], suite);
	return 0;
}

static bool reader_of_suite(const char *suite)
{
	size_t i;

	for (i = 0; readers[i]; i++)
		if (!strcmp(readers[i]->suite, suite))
			return true;
	return false;
}

static int check_suites(struct comparison *x, struct err *err)
{
	const struct narrowing *w = x->narrowing;
	struct suite_names n = {.w = w};
	size_t i;
	int r = 0;

	if (!w->n_suites || !x->c->store)
		return 0;
	n.known = xcalloc(w->n_suites, sizeof(*n.known));
	r = store_info_suites(x->c->store, note_suite, &n, err);
	for (i = 0; r == 0 && i < w->n_suites; i++)
		if (!n.known[i] && !reader_of_suite(w->suites[i]))
			r = err_set(err, ERR_USAGE,
				"--suite %.60s: there is no such suite; the store has %s",
				w->suites[i], n.all.len ? n.all.p : "none");
	free(n.known);
	buf_release(&n.all);
	return r;
}

static int check_filters(struct comparison *x, const struct judge_settings *s, struct err *err)
{
	size_t i;

	if (check_suites(x, err) < 0)
		return -1;
	for (i = 0; s->only && i < x->n; i++)
		if (!x->pairs[i].not_measured)
			return 0;
	/* without a run at HEAD there is nothing that could match */
	if (s->only && x->head.n_covered)
		return err_set(err, ERR_USAGE, "--only %.100s: matches no benchmark on either side",
			s->only);
	return 0;
}

/* A commit that nobody measured is never passed. */
static void demand_a_run(struct comparison *x, struct report *r)
{
	size_t i;

	if (x->head.n_covered)
		return;
	r->options.require = true;
	for (i = 0; i < x->n; i++)
		x->pairs[i].expected = true;
}

int judge_report(struct comparison *x, const struct judge_settings *s, struct report *r,
	int *exit_status, struct err *err)
{
	struct judged *judged = xcalloc(x->n, sizeof(*judged));
	size_t i;
	int ret = check_filters(x, s, err);

	r->options = (struct judge_options){.strict = s->strict,
		.first_run = s->first_run,
		.require = policy_require(x->c->policy)};
	demand_a_run(x, r);
	for (i = 0; ret == 0 && i < x->n; i++)
		ret = judge_pair(x->c->policy, &x->pairs[i], &r->options, &judged[i], err);
	if (ret == 0) {
		note_counts(x, judged, &r->options);
		note_unused(x);
		verdicts_sort(judged, x->n, &r->options);
		r->verdicts = judged;
		r->n = x->n;
		r->notes = (const char *const *)x->notes;
		r->n_notes = x->n_notes;
		r->policy_name = x->c->policy_name;
		report_count(r);
		if (x->head.n_covered == 0)
			r->exit = 3;
		*exit_status = r->exit;
		ret = write_reports(r, s, err);
	}
	free(judged);
	return ret;
}
