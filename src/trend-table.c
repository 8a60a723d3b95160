/*
 * The trends as a person reads them: a row a series, worst first, and what is to be known of them.
 */
#include "trend-cells.h"

#include "layout.h"
#include "sparkline.h"
#include "term.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPARK_NARROWEST = 10, SPARK_WIDEST = 40, NAMED_MAX = 3 /* series of a note */ };

/* Series that a note tells of. */
struct noted {
	size_t n;
	struct buf names;
};

struct listing {
	struct trend_view *v;
	struct trend_line *lines;
	size_t n, cap;
	size_t counts[STANDING_KINDS], minor, info, seen;
	bool newest;                    /* points are suspect */
	bool suites, variants, runners; /* of which lines differ */
	struct noted correlated, machine;
	bool weak;
	struct trend_looks looks;
};

/* ---- lines ---- */

static void note_series(struct noted *to, const char *what)
{
	if (to->n++ < NAMED_MAX)
		buf_addf(&to->names, "%s%s", to->n > 1 ? ", " : "", what);
}

static void note_correlated(struct listing *l, const struct trending_series *s)
{
	_cleanup_(freep) char *name =
		xasprintf("%s:%s:%s", s->key.suite, s->key.benchmark, s->key.metric);

	note_series(&l->correlated, name);
}

/* Each probe is named once, as long as there are few. */
static void note_machine(struct listing *l, const char *probe)
{
	if (l->machine.n && strstr(buf_str(&l->machine.names), probe))
		l->machine.n++;
	else
		note_series(&l->machine, probe);
}

/* A counter that changed by what the policy tolerates, or a noisy series that may have: nobody
 * wants to know. */
static bool is_minor(const struct trend_seen *x)
{
	return x->standing.kind == STANDING_MOVED &&
	       x->s->trend.steps[x->standing.step].strength != STEP_CONFIRMED;
}

static bool is_listed(const struct listing *l, const struct trend_seen *x)
{
	if (l->v->all)
		return true;
	return x->standing.kind < STANDING_FEW && x->s->decision.class_ != CLASS_INFO &&
	       !is_minor(x);
}

static int add_line(void *ctx, const struct trend_seen *x, struct err *err)
{
	struct listing *l = ctx;
	const struct trending_series *s = x->s;
	struct trend_line *to;

	(void)err;
	l->seen++;
	if (s->decision.class_ == CLASS_INFO)
		l->info++;
	else
		l->counts[x->standing.kind]++;
	l->minor += s->decision.class_ != CLASS_INFO && is_minor(x);
	if (!is_listed(l, x))
		return 0;
	l->lines = xgrow(l->lines, l->n, &l->cap, sizeof(*l->lines));
	to = &l->lines[l->n];
	*to = (struct trend_line){
		.key = s->key, .kind = x->standing.kind, .size = x->standing.size, .number = l->n};
	trend_fill(to, l->v, x, &l->looks);
	l->newest |= x->standing.kind == STANDING_SUSPECT && standing_is_newest(&x->standing);
	if (s->trend.autocorrelated && x->standing.step != SIZE_MAX)
		note_correlated(l, s);
	l->weak |= x->standing.step != SIZE_MAX &&
		   s->trend.steps[x->standing.step].strength == STEP_WEAK;
	if (x->standing.step != SIZE_MAX && s->machine && s->machine[x->standing.step])
		note_machine(l, s->machine[x->standing.step]);
	l->suites |= strcmp(s->key.suite, l->lines[0].key.suite) != 0;
	l->variants |= strcmp(s->key.variant, l->lines[0].key.variant) != 0;
	l->runners |= strcmp(s->key.runner, l->lines[0].key.runner) != 0;
	l->n++;
	return 0;
}

/* Worst first. */
static int compare_lines(const void *pa, const void *pb)
{
	const struct trend_line *a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void name_line(const struct listing *l, struct trend_line *x)
{
	const struct series_key *k = &x->key;
	struct buf b = BUF_INIT;

	if (l->suites)
		x->cells[COLUMN_SUITE] = xstrdup(k->suite);
	buf_addf(&b, "%s %s", k->benchmark, k->metric);
	if (l->variants && *k->variant)
		buf_addf(&b, " [%s]", k->variant);
	if (l->runners)
		buf_addf(&b, " on %s", k->runner);
	x->cells[COLUMN_SERIES] = buf_take(&b);
}

/* ---- the words around it ---- */

static void say(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A paragraph. */
static void say(const char *fmt, ...)
{
	const struct report_style style = {.width = term_fits(stdout) ? term_width(stdout) : 1000};
	_cleanup_(buf_release) struct buf raw = BUF_INIT, safe = BUF_INIT, b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	text_escape(&safe, buf_str(&raw), raw.len);
	layout_wrap(&b, &style, NULL, buf_str(&safe), 0, 2);
	fputs(buf_str(&b), stdout);
}

/* Whether more than a tip is known of it. */
static bool has_line(const struct trending *t)
{
	return t->line && (t->n_commits - t->n_by_time > 1 || t->n_commits == 1);
}

static void say_others(const struct trending *t)
{
	if (t->n_elsewhere)
		say("%zu commit%s with runs %s on other branches and left out", t->n_elsewhere,
			plural(t->n_elsewhere), t->n_elsewhere == 1 ? "is" : "are");
	if (t->n_by_time && has_line(t))
		say("%zu commit%s %s place on the line known and stand%s by time", t->n_by_time,
			plural(t->n_by_time), t->n_by_time == 1 ? "has no" : "have no",
			t->n_by_time == 1 ? "s" : "");
}

static void say_line(const struct trending *t)
{
	_cleanup_(buf_release) struct buf first = BUF_INIT, last = BUF_INIT, line = BUF_INIT;

	if (!t->n_commits) {
		say("there is no clean run%s%s yet", t->line ? " on the line of " : "",
			t->line ? t->line : "");
		return;
	}
	time_format(&first, t->commits[0].at);
	time_format(&last, t->commits[t->n_commits - 1].at);
	if (has_line(t) && git_is_sha(t->line))
		buf_addf(&line, "%.7s", t->tip);
	else if (has_line(t))
		buf_addf(&line, "%s (%.7s)", t->line, t->tip);
	say("%s: %zu commit%s with runs, %.10s to %.10s", has_line(t) ? buf_str(&line) : "by time",
		t->n_commits, plural(t->n_commits), first.p, last.p);
}

static void add_count(struct buf *b, size_t n, const char *what)
{
	if (n)
		buf_addf(b, "%s%zu %s", b->len ? ", " : "", n, what);
}

static void say_counts(const struct listing *l)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t k;

	for (k = 0; k < STANDING_KINDS; k++)
		if (k != STANDING_FEW)
			add_count(&b, l->counts[k], standing_name((enum standing_kind)k));
	if (l->counts[STANDING_FEW])
		buf_addf(&b, "%s%zu with fewer than %d points", b.len ? ", " : "",
			l->counts[STANDING_FEW], STANDING_POINTS_NEEDED);
	add_count(&b, l->info, "that nobody judges (info)");
	if (l->seen || (l->v->since == TIME_UNKNOWN && !l->v->since_sha))
		say("%zu series%s%s", l->seen, b.len ? ": " : "", buf_str(&b));
	else
		say("no series has a point since then");
	if (l->minor && !l->v->all)
		say("%zu that moved within the tolerance %s listed by --all", l->minor,
			l->minor == 1 ? "is" : "are");
}

static const char *more(const struct noted *n)
{
	return n->n > NAMED_MAX ? ", ..." : "";
}

static bool has_kind(const struct listing *l, enum standing_kind k)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->lines[i].kind == k)
			return true;
	return false;
}

static void say_notes(const struct listing *l)
{
	if (l->newest)
		say("suspect: the newest points may be the beginning of another level; the next runs will tell");
	if (has_kind(l, STANDING_MISSING))
		say("missing: what is gone for good can be retired, in a section [retire] of perfgate.conf");
	if (l->weak)
		say("weak, with a question mark: a second method does not find the step");
	if (l->machine.n)
		say("the machine's: a probe of the same runner stepped with %zu of these: %s%s",
			l->machine.n, buf_str(&l->machine.names), more(&l->machine));
	if (l->correlated.n)
		say("autocorrelated, so that steps are less sure than they look: %zu of these: %s%s",
			l->correlated.n, buf_str(&l->correlated.names), more(&l->correlated));
}

static void print(struct listing *l)
{
	size_t i;

	say_line(&l->v->t);
	say_others(&l->v->t);
	for (i = 0; i < l->n; i++)
		name_line(l, &l->lines[i]);
	if (l->n) {
		qsort(l->lines, l->n, sizeof(*l->lines), compare_lines);
		puts("");
		trend_write_lines(l->lines, l->n);
		puts("");
	}
	say_counts(l);
	say_notes(l);
}

static void release(struct listing *l)
{
	size_t i, c;

	for (i = 0; i < l->n; i++)
		for (c = 0; c < COLUMN_COUNT; c++)
			free(l->lines[i].cells[c]);
	free(l->lines);
	buf_release(&l->correlated.names);
	buf_release(&l->machine.names);
}

int trend_table(struct trend_view *v, struct err *err)
{
	const int width = term_fits(stdout) ? term_width(stdout) / 8 : 20;
	struct listing l = {.v = v,
		.looks.spark = width < SPARK_NARROWEST ? SPARK_NARROWEST
			       : width > SPARK_WIDEST  ? SPARK_WIDEST
						       : (size_t)width,
		.looks.unicode = sparkline_unicode()};
	int r = trend_view_each(v, add_line, &l, err);

	progress_end(v->progress);
	v->progress = NULL;
	if (r == 0)
		print(&l);
	release(&l);
	return r;
}
