/*
 * The report for a terminal. It answers in this order: pass or not, how many, which, by how much,
 * how sure, what next.
 */
#include "report.h"

#include "layout.h"
#include "report-table.h"
#include "text.h"

#include <string.h>

enum { SHA_SHOWN = 7, LABEL_MAX = 40 };

/* How the headline counts a verdict; those without a phrase are counted in other ways. */
static const char *const phrases[VERDICT_COUNT] = {
	[VERDICT_REGRESSED] = "regressed",
	[VERDICT_LOST] = "lost",
	[VERDICT_MISSING] = "missing",
	[VERDICT_NOT_MEASURED] = "not measured",
	[VERDICT_INCOMPARABLE] = "incomparable",
	[VERDICT_NO_BASE] = "without a base",
};

struct tally {
	size_t gating[VERDICT_COUNT], other[VERDICT_COUNT];
};

static struct tally tally_of(const struct report *r)
{
	struct tally t = {0};
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		if (verdict_status(j, &r->options))
			t.gating[j->verdict]++;
		else
			t.other[j->verdict]++;
	}
	return t;
}

static void add_comma(struct buf *b, size_t start)
{
	if (b->len > start)
		buf_addstr(b, ", ");
}

/* "2 missing, 1 lost": what is bad among counts. */
static void add_phrases(struct buf *b, const size_t counts[VERDICT_COUNT], size_t start)
{
	int v;

	for (v = 0; v < VERDICT_COUNT; v++) {
		if (!counts[v] || !phrases[v])
			continue;
		add_comma(b, start);
		buf_addf(b, "%zu %s", counts[v], phrases[v]);
	}
}

/* ---- which commits ---- */

static void add_label(struct buf *b, const char *label)
{
	_cleanup_(freep) char *escaped = layout_escape(label);

	layout_shorten(b, escaped, LABEL_MAX);
}

static void add_sha(struct buf *b, const char *sha)
{
	text_escape(b, sha, strnlen(sha, SHA_SHOWN));
}

static void add_head(struct buf *b, const struct report_commit *c)
{
	if (!c->sha) {
		add_label(b, c->label ? c->label : "head");
		return;
	}
	add_sha(b, c->sha);
	if (c->tree_state && !strcmp(c->tree_state, "dirty"))
		buf_addstr(b, " with changes");
}

static void add_base(struct buf *b, const struct report_base *base)
{
	if (base->sha)
		add_sha(b, base->sha);
	else if (base->asked)
		add_label(b, base->asked);
	else
		buf_addstr(b, "nothing");
	if (base->sha && base->distance > 0)
		buf_addf(b, " (%d commit%s back%s)", base->distance, base->distance == 1 ? "" : "s",
			base->guess ? ", a guess" : "");
	else if (base->sha && base->guess)
		buf_addstr(b, " (a guess)");
}

/* ---- the first line ---- */

static void add_judged(struct buf *b, const struct report *r, const struct tally *t, size_t start)
{
	if (t->gating[VERDICT_REGRESSED]) {
		buf_addf(b, "%zu regressed of %zu judged", t->gating[VERDICT_REGRESSED], r->judged);
	} else if (r->judged) {
		add_comma(b, start);
		buf_addf(b, "%zu judged", r->judged);
	}
}

/* What else there is: "(not gating: 1 regressed)". */
static void add_other(struct buf *b, const struct tally *t)
{
	size_t start;

	buf_addstr(b, " (not gating: ");
	start = b->len;
	add_phrases(b, t->other, start);
	if (b->len > start)
		buf_addch(b, ')');
	else
		b->len = start - strlen(" (not gating: ");
	b->p[b->len] = '\0';
}

static void add_gate_summary(struct buf *b, const struct report *r)
{
	struct tally t = tally_of(r), gaps = t;
	size_t start = b->len;

	/* Worst first: what regressed, what could not be judged, what is well. */
	gaps.gating[VERDICT_REGRESSED] = 0;
	if (t.gating[VERDICT_REGRESSED])
		add_judged(b, r, &t, start);
	add_phrases(b, gaps.gating, start);
	if (!t.gating[VERDICT_REGRESSED])
		add_judged(b, r, &t, start);
	if (r->counts[VERDICT_IMPROVED]) {
		add_comma(b, start);
		buf_addf(b, "%zu improved", r->counts[VERDICT_IMPROVED]);
	}
	if (b->len == start)
		buf_addstr(b, r->n ? "nothing to judge" : "nothing to compare");
	add_other(b, &t);
	buf_addstr(b, ": ");
	add_head(b, &r->head);
	buf_addstr(b, " against ");
	add_base(b, &r->base);
}

static void add_headline(struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	const char *word = !r->judged ? "NOT JUDGED" : r->exit ? "FAIL" : "PASS";
	const char *colour = r->exit ? "1;31" : r->judged ? "1;32" : "1;33";

	add_gate_summary(&text, r);
	layout_paint(b, style, colour, word);
	layout_pad(b, 2);
	layout_wrap(b, style, NULL, text.p, strlen(word) + 2, 6);
}

/* A plain diff takes no side. */
static void add_diff_line(struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	size_t start, counts[VERDICT_COUNT], v;

	add_base(&text, &r->base);
	buf_addstr(&text, " -> ");
	add_head(&text, &r->head);
	buf_addstr(&text, ": ");
	start = text.len;
	if (r->judged)
		buf_addf(&text, "%zu worse, %zu better, %zu same", r->counts[VERDICT_REGRESSED],
			r->counts[VERDICT_IMPROVED], r->counts[VERDICT_PASS]);
	else
		buf_addstr(&text, r->n ? "nothing judged" : "nothing to compare");
	for (v = 0; v < VERDICT_COUNT; v++)
		counts[v] = v == VERDICT_REGRESSED ? 0 : r->counts[v];
	add_phrases(&text, counts, start);
	if (r->counts[VERDICT_NEW])
		buf_addf(&text, ", %zu new", r->counts[VERDICT_NEW]);
	layout_wrap(b, style, PAINT_BOLD, text.p, 0, 6);
}

/* ---- what stands around the table ---- */

/* "note: TEXT", wrapped below itself. */
static void add_remark(struct buf *b, const struct report_style *style, const char *sgr,
	const char *what, const char *text)
{
	_cleanup_(freep) char *escaped = layout_escape(text);
	size_t indent = strlen(what) + 2;

	layout_paint(b, style, sgr, what);
	buf_addstr(b, ": ");
	layout_wrap(b, style, NULL, escaped, indent, indent);
}

static void add_not_measured(
	struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf suites = BUF_INIT;
	bool expected = false;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct pair *p = r->verdicts[i].pair;
		if (r->verdicts[i].verdict != VERDICT_NOT_MEASURED)
			continue;
		add_comma(&suites, 0);
		buf_addstr(&suites, p->key.suite);
		if (p->expected)
			buf_addstr(&suites, " (expected)");
		expected |= p->expected;
	}
	if (suites.len)
		add_remark(b, style, expected ? PAINT_RED : PAINT_YELLOW, "not measured", suites.p);
}

static void add_why(struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	if (r->base.subject && r->base.sha)
		buf_addf(&text, "\"%s\"", r->base.subject);
	if (r->base.why) {
		buf_addstr(&text, text.len ? ", " : "");
		buf_addstr(&text, r->base.why);
	}
	if (text.len)
		add_remark(b, style, PAINT_DIM, "base", text.p);
}

static void add_left(
	struct buf *b, const struct report_style *style, const size_t left[VERDICT_COUNT])
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	int v;

	for (v = 0; v < VERDICT_COUNT; v++) {
		if (!left[v])
			continue;
		add_comma(&text, 0);
		buf_addf(&text, "%zu %s", left[v],
			phrases[v] ? phrases[v] : verdict_name((enum verdict)v));
	}
	if (!text.len)
		return;
	buf_addstr(&text, ": --all lists them");
	layout_wrap(b, style, PAINT_DIM, text.p, 0, 0);
}

/* Each command on a line of its own, whole, to be copied. */
static void add_next(struct buf *b, const struct report *r, const struct report_style *style)
{
	size_t i;

	for (i = 0; i < r->n_next; i++) {
		if (i)
			layout_pad(b, strlen("next: "));
		else
			layout_paint(b, style, PAINT_BOLD, "next: ");
		text_escape(b, r->next[i], strlen(r->next[i]));
		buf_addch(b, '\n');
	}
}

static int text_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, table = BUF_INIT;
	size_t left[VERDICT_COUNT], i;

	report_table(&table, r, style, left);
	if (r->exit_counts)
		add_headline(&b, r, style);
	else
		add_diff_line(&b, r, style);
	add_not_measured(&b, r, style);
	add_why(&b, r, style);
	for (i = 0; i < r->n_notes; i++)
		add_remark(&b, style, PAINT_DIM, "note", r->notes[i]);
	if (table.len) {
		buf_addch(&b, '\n');
		buf_add(&b, table.p, table.len);
		buf_addch(&b, '\n');
	}
	add_left(&b, style, left);
	add_next(&b, r, style);
	return report_end(&b, out, err);
}

const struct report_format report_text = {
	.name = "text", .summary = "for a terminal, worst first", .write = text_write};
