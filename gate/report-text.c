/*
 * The report for a terminal. It answers in this order: pass or not, how many, which, by how much,
 * how sure, what next.
 */
#include "report.h"

#include "layout.h"
#include "report-table.h"
#include "report-words.h"
#include "text.h"

#include <string.h>

enum { CHANGES_SHOWN = 10 };

static void add_headline(struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	const char *word = words_outcome(r);
	const char *colour = r->exit ? "1;31" : r->judged ? "1;32" : "1;33";

	words_counts(&text, r);
	buf_addstr(&text, ": ");
	words_sides(&text, r);
	layout_paint(b, style, colour, word);
	layout_pad(b, 2);
	layout_wrap(b, style, NULL, text.p, strlen(word) + 2, 6);
}

/* A plain diff takes no side. */
static void add_diff_line(struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	words_sides(&text, r);
	buf_addstr(&text, ": ");
	words_counts(&text, r);
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

/* What the policy of head says that the base's does not. */
static void add_changes(struct buf *b, const struct report *r, const struct report_style *style)
{
	const size_t most = style->all ? r->n_policy_changes : CHANGES_SHOWN;
	size_t i;

	if (r->n_policy_changes)
		layout_paint(b, style, PAINT_YELLOW, "policy differs from the base's:\n");
	for (i = 0; i < r->n_policy_changes && i < most; i++) {
		_cleanup_(freep) char *escaped = layout_escape(r->policy_changes[i]);
		layout_pad(b, 2);
		layout_wrap(b, style, NULL, escaped, 2, 4);
	}
	if (i < r->n_policy_changes)
		buf_addf(b, "  and %zu more: --all lists them\n", r->n_policy_changes - i);
}

static void add_not_measured(
	struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf suites = BUF_INIT;
	bool expected = words_not_measured(&suites, r);

	if (suites.len)
		add_remark(b, style, expected ? PAINT_RED : PAINT_YELLOW, "not measured", suites.p);
}

static void add_why(struct buf *b, const struct report *r, const struct report_style *style)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	words_base(&text, r);
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
		if (text.len)
			buf_addstr(&text, ", ");
		words_count(&text, left[v], (enum verdict)v);
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
	add_changes(&b, r, style);
	add_not_measured(&b, r, style);
	add_why(&b, r, style);
	for (i = 0; i < r->n_machine; i++)
		add_remark(&b, style, PAINT_DIM, "machine", r->machine[i]);
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
