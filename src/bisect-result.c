#include "bisect-result.h"

#include "command.h"
#include "figure.h"
#include "json-out.h"
#include "term.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMITS_SHOWN = 20 };

static const char *const say_names[] = {
	[BISECT_GOOD] = "good", [BISECT_BAD] = "bad", [BISECT_SKIP] = "skipped"};

static const char *const end_names[] = {[BISECT_NONE] = "none",
	[BISECT_RANGE] = "range",
	[BISECT_FOUND] = "found",
	[BISECT_SEVERAL] = "several",
	[BISECT_NOT_REPRODUCED] = "not-reproduced",
	[BISECT_UNKNOWN] = "unknown"};

static const struct trial *trial_of(const struct bisect_result *r, const char *sha)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (!strcmp(r->trials[i].sha, sha))
			return &r->trials[i];
	return NULL;
}

static bool change_of(struct decimal was, struct decimal is, double *ret)
{
	*ret = decimal_sign(was)
		       ? decimal_double(decimal_sub(is, was)) / decimal_double(decimal_abs(was))
		       : INFINITY;
	return isfinite(*ret);
}

/* "100 -> 120 (+20 %)" */
static void add_change(struct buf *b, struct decimal was, struct decimal is, const char *unit)
{
	_cleanup_(buf_release) struct buf from = BUF_INIT, to = BUF_INIT;
	double change;

	figure_pair(&from, &to, &was, &is, unit);
	buf_addf(b, "%s -> %s", buf_str(&from), buf_str(&to));
	if (!change_of(was, is, &change))
		return;
	buf_addstr(b, " (");
	figure_change(b, change, (struct decimal){0, 0}, 1);
	buf_addch(b, ')');
}

/* ---- commits ---- */

static int add_value(
	const struct bisect_result *r, struct table *t, const char *sha, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT, none = BUF_INIT;
	struct decimal value;
	const char *unit;
	int found = r->past ? series_past_at(r->past, sha, &value, &unit, err) : 0;

	if (found > 0)
		figure_pair(&text, &none, &value, NULL, unit);
	table_cell(t, "%s", found > 0 ? buf_str(&text) : "-");
	return found < 0 ? -1 : 0;
}

static int add_row(const struct bisect_result *r, struct table *t, const char *sha,
	const char *what, struct err *err)
{
	struct git_commit c;
	int known = git_commit(r->git, sha, &c, err);

	table_cell(t, "%.12s", sha);
	table_cell(t, "%s", what);
	if (known < 0 || add_value(r, t, sha, err) < 0)
		return -1;
	table_cell(t, "%s", known ? c.subject : "");
	return 0;
}

static struct table *new_table(void)
{
	return table_new("=COMMIT", "", ">STORED", "SUBJECT", NULL);
}

static int finish(struct table *t, int r, size_t left_out)
{
	if (r < 0)
		table_free(t);
	else
		table_write(t, stdout);
	if (r == 0 && left_out)
		print_line("... and %zu more", left_out);
	return r;
}

int bisect_result_range(const struct bisect_result *r, struct err *err)
{
	struct table *t = new_table();
	size_t i, shown = 0;
	int ret = add_row(r, t, r->bad.sha, "bad", err);

	for (i = 0; ret == 0 && i < r->range.n && shown < COMMITS_SHOWN; i++) {
		if (!strcmp(r->range.v[i], r->bad.sha))
			continue;
		ret = add_row(r, t, r->range.v[i], "", err);
		shown++;
	}
	if (ret == 0)
		ret = add_row(r, t, r->good.sha, "good", err);
	if (ret == 0 && r->range.n > 1)
		print_line("%s: one of %zu commits made it worse", r->name, r->range.n);
	else if (ret == 0)
		print_line("%s: one commit between good and bad", r->name);
	return finish(t, ret, r->range.n - shown - 1);
}

static int list_left(const struct bisect_result *r, struct err *err)
{
	struct table *t = new_table();
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < r->left.n && i < COMMITS_SHOWN; i++) {
		const struct trial *x = trial_of(r, r->left.v[i]);
		ret = add_row(r, t, r->left.v[i], x ? say_names[x->say] : "", err);
	}
	return finish(t, ret, r->left.n - i);
}

/* ---- one measurement ---- */

void bisect_result_trial(const struct bisect_result *r, const struct trial *t)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct err ignored = ERR_INIT;
	struct git_commit c;

	if (t->numbers)
		add_change(&b, t->good, t->here, t->unit);
	if (t->why)
		buf_addf(&b, "%s%s", b.len ? ", " : "", t->why);
	if (git_commit(r->git, t->sha, &c, &ignored) > 0)
		buf_addf(&b, "; %s", c.subject);
	complain("%.12s %s: %s", t->sha, say_names[t->say], buf_str(&b));
}

/* ---- the end ---- */

static size_t count(const struct bisect_result *r, bool skipped)
{
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		n += !skipped || r->trials[i].say == BISECT_SKIP;
	return n;
}

static void print_effect(const struct bisect_result *r, const char *sha)
{
	const struct trial *t = trial_of(r, sha);
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (t && t->numbers)
		add_change(&b, t->good, t->here, t->unit);
	else if (r->stepped && !strcmp(sha, r->bad.sha))
		add_change(&b, r->step.was, r->step.is, r->step.unit);
	if (b.len)
		print_line("%s: %s%s", r->name, b.p,
			t && t->numbers ? ", measured against the good side" : ", as stored");
}

static int print_found(const struct bisect_result *r, struct err *err)
{
	_cleanup_(buf_release) struct buf date = BUF_INIT;
	const char *sha = r->left.v[0];
	struct git_commit c;

	if (git_commit(r->git, sha, &c, err) < 0 || bisecting_date(r->b, sha, &date, err) < 0)
		return -1;
	print_line("first bad commit: %s", sha);
	print_line("%s  %s", buf_str(&date), c.subject);
	print_effect(r, sha);
	return 0;
}

static void print_count(const struct bisect_result *r)
{
	const size_t n = count(r, false), skipped = count(r, true);

	if (!n)
		return;
	if (skipped)
		print_line("%zu commit%s measured, %zu of them skipped", n, n == 1 ? "" : "s",
			skipped);
	else
		print_line("%zu commit%s measured", n, n == 1 ? "" : "s");
}

static int print_several(const struct bisect_result *r, struct err *err)
{
	print_line(
		"one of these %zu commits made it worse; which, could not be measured:", r->left.n);
	return list_left(r, err);
}

/* What became of the bad side, where that is the end of it. */
static void print_bad(const struct bisect_result *r)
{
	const struct trial *t = &r->trials[0];
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (t->numbers)
		add_change(&b, t->good, t->here, t->unit);
	if (t->why)
		buf_addf(&b, "%s%s", b.len ? ", " : "", t->why);
	if (r->end == BISECT_UNKNOWN)
		print_line("cannot tell whether %.12s is worse than %.12s: %s", r->bad.sha,
			r->good.sha, buf_str(&b));
	else
		print_line("cannot reproduce: measured now, %.12s is not worse than %.12s: %s",
			r->bad.sha, r->good.sha, buf_str(&b));
}

static int print_end(const struct bisect_result *r, struct err *err)
{
	switch (r->end) {
	case BISECT_NONE:
		print_line("%s: no step for the worse among the %zu measured commits up to %.12s",
			r->name, r->step.measured, r->bad.sha);
		print_line("next: name a range, --from GOOD --to BAD");
		return 0;
	case BISECT_FOUND:
		return print_found(r, err);
	case BISECT_SEVERAL:
		return print_several(r, err);
	case BISECT_NOT_REPRODUCED:
	case BISECT_UNKNOWN:
		print_bad(r);
		return 0;
	default:
		return 0;
	}
}

int bisect_result_end(const struct bisect_result *r, struct err *err)
{
	if (print_end(r, err) < 0)
		return -1;
	print_count(r);
	if (r->end == BISECT_FOUND)
		print_line(
			"next: git show %.12s; mend it, or where it is meant: perfgate accept --reason TEXT",
			r->left.v[0]);
	return 0;
}

/* ---- JSON ---- */

static void add_commit(struct buf *b, const struct bisect_result *r, const char *sha)
{
	struct err ignored = ERR_INIT;
	struct git_commit c;
	int known = git_commit(r->git, sha, &c, &ignored);

	buf_addch(b, '{');
	json_string(b, "sha", sha);
	json_string(b, "subject", known > 0 ? c.subject : NULL);
	buf_addch(b, '}');
}

static void add_decimal(struct buf *b, const char *key, const struct decimal *value)
{
	json_key(b, key);
	if (value)
		decimal_format(b, *value);
	else
		buf_addstr(b, "null");
}

static void add_trial(struct buf *b, const struct trial *t)
{
	double change = NAN;

	if (t->numbers && !change_of(t->good, t->here, &change))
		change = NAN;
	buf_addch(b, '{');
	json_string(b, "sha", t->sha);
	json_string(b, "says", say_names[t->say]);
	add_decimal(b, "good", t->numbers ? &t->good : NULL);
	add_decimal(b, "here", t->numbers ? &t->here : NULL);
	json_real(b, "change", change);
	json_string(b, "unit", t->unit);
	json_string(b, "why", t->why);
	buf_addch(b, '}');
}

static void add_side(struct buf *b, const struct bisect_result *r, const char *key, const char *sha)
{
	buf_addf(b, ",\n \"%s\": ", key);
	if (*sha)
		add_commit(b, r, sha);
	else
		buf_addstr(b, "null");
}

static void add_commits(
	struct buf *b, const struct bisect_result *r, const char *key, const struct shas *s)
{
	size_t i;

	buf_addf(b, ",\n \"%s\": [", key);
	for (i = 0; i < s->n; i++) {
		buf_addstr(b, i ? ",\n  " : "\n  ");
		add_commit(b, r, s->v[i]);
	}
	buf_addstr(b, s->n ? "\n ]" : "]");
}

int bisect_result_json(const struct bisect_result *r, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	buf_addch(&b, '{');
	json_string(&b, "schema", "perfgate/bisect");
	json_int(&b, "version", 1);
	json_string(&b, "series", r->name);
	json_string(&b, "result", end_names[r->end]);
	add_side(&b, r, "good", r->good.sha);
	add_side(&b, r, "bad", r->bad.sha);
	add_commits(&b, r, "range", &r->range);
	add_commits(&b, r, "left", &r->left);
	buf_addstr(&b, ",\n \"measured\": [");
	for (i = 0; i < r->n; i++) {
		buf_addstr(&b, i ? ",\n  " : "\n  ");
		add_trial(&b, &r->trials[i]);
	}
	buf_addstr(&b, r->n ? "\n ]}\n" : "]}\n");
	if (fputs(b.p, stdout) < 0)
		return err_set(err, ERR_IO, "cannot write the output");
	return 0;
}
