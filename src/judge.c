#include "judge.h"

#include "pattern.h"
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
			"no git repository here: say which commit is meant: perfgate gate BASE HEAD");
	if (!rev)
		rev = c->git ? "HEAD" : c->ci.sha;
	r = resolve_commit(c, rev, &h->commit, err);
	if (r == 0)
		return err_set(
			err, ERR_GIT, "no revision '%.100s' in this repository or its store", rev);
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

static int choose_state(struct comparison *x, const struct store_runs *runs,
	enum head_choice choice, struct head_side *h, struct err *err)
{
	bool *use = xcalloc(runs->n, sizeof(*use));
	bool clean = keep_state(runs, "clean", use) > 0;
	int r = 0;

	snprintf(h->tree_state, sizeof(h->tree_state), "clean");
	if (h->checkout && (choice == HEAD_WORK_TREE || (!clean && any_dirty(runs))))
		r = present_state(x->c, h->tree_state, sizeof(h->tree_state), err);
	h->any = r == 0 && keep_state(runs, h->tree_state, use) > 0;
	if (h->any) {
		if (strcmp(h->tree_state, "clean"))
			comparison_note(x,
				"judged is the work tree as it is now: tracked files differ from %.12s",
				h->commit.sha);
		r = measurements_add_runs(&x->head, x->c->store, runs, use, x->narrowing, err);
		if (r == 0 && x->head.sessions > 1)
			comparison_note(x,
				"%.12s was measured in %zu sessions; for each series the newest that has it counts",
				h->commit.sha, x->head.sessions);
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

int judge_report(struct comparison *x, const struct judge_settings *s, struct report *r,
	int *exit_status, struct err *err)
{
	struct judged *judged = xcalloc(x->n, sizeof(*judged));
	size_t i;
	int ret = 0;

	r->options = (struct judge_options){.strict = s->strict,
		.first_run = s->first_run,
		.require = policy_require(x->c->policy)};
	for (i = 0; ret == 0 && i < x->n; i++)
		ret = judge_pair(x->c->policy, &x->pairs[i], &r->options, &judged[i], err);
	if (ret == 0) {
		verdicts_sort(judged, x->n, &r->options);
		r->verdicts = judged;
		r->n = x->n;
		r->notes = (const char *const *)x->notes;
		r->n_notes = x->n_notes;
		r->policy_name = x->c->policy_name;
		report_count(r);
		/* a commit that nobody measured is never passed */
		if (x->head.n_covered == 0 && r->exit == 0)
			r->exit = 3;
		*exit_status = r->exit;
		ret = write_reports(r, s, err);
	}
	free(judged);
	return ret;
}
