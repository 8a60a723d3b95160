/*
 * The report as CSV (RFC 4180), one line a series below a line of names. A text that a spreadsheet
 * would take for a formula gets an apostrophe in front.
 */
#include "report.h"

#include "drift.h"
#include "explain.h"
#include "figure.h"
#include "text.h"

#include <math.h>
#include <string.h>

static void add_separator(struct buf *b)
{
	if (b->len && b->p[b->len - 1] != '\n')
		buf_addch(b, ',');
}

static void add_quoted(struct buf *b, const char *s)
{
	buf_addch(b, '"');
	for (; *s; s++) {
		if (*s == '"')
			buf_addch(b, '"');
		buf_addch(b, *s);
	}
	buf_addch(b, '"');
}

/* NULL: an empty cell. */
static void add_text(struct buf *b, const char *s)
{
	_cleanup_(buf_release) struct buf cell = BUF_INIT;

	add_separator(b);
	if (!s || !*s)
		return;
	if (strchr("=+-@\t\r", *s))
		buf_addch(&cell, '\'');
	text_escape(&cell, s, strlen(s));
	if (strpbrk(cell.p, ",\"\r\n;'"))
		add_quoted(b, cell.p);
	else
		buf_addstr(b, cell.p);
}

static void add_count(struct buf *b, size_t n)
{
	add_separator(b);
	buf_addf(b, "%zu", n);
}

static void add_decimal(struct buf *b, bool any, struct decimal value)
{
	add_separator(b);
	if (any)
		decimal_format(b, value);
}

/* What is not finite is an empty cell. */
static void add_real(struct buf *b, bool any, double value)
{
	add_separator(b);
	if (any && isfinite(value))
		figure_real(b, value);
}

/* ---- columns ---- */

static const char names[] =
	"verdict,gates,suite,benchmark,metric,unit,variant,runner,class,judge,direction,"
	"base,base_distance,base_n,base_median,head,head_n,head_median,change,tolerance,floor,"
	"method,p,level,low,high,detectable,n_base,n_head,needed,family,"
	"culprit,section,without,crept,earlier,reason,base_why,environment\r\n";

static void add_key(struct buf *b, const struct judged *j)
{
	const struct series_key *k = &j->pair->key;

	add_text(b, k->suite);
	add_text(b, k->benchmark);
	add_text(b, k->metric);
	add_text(b, k->unit);
	add_text(b, k->variant);
	add_text(b, k->runner);
	add_text(b, gate_class_name(j->decision.class_));
	add_text(b, judge_name(j->decision.judge));
	add_text(b, direction_name(j->decision.direction));
}

static void add_sides(struct buf *b, const struct judged *j, const struct report *r)
{
	const struct side *base = &j->pair->base, *head = &j->pair->head;

	add_text(b, base->n ? base->sha : r->base.sha);
	add_separator(b);
	if (base->n ? base->distance > 0 : r->base.sha && r->base.distance > 0)
		buf_addf(b, "%d", base->n ? base->distance : r->base.distance);
	add_count(b, base->n);
	add_decimal(b, base->n > 0, j->base_exact);
	add_text(b, r->head.sha ? r->head.sha : r->head.label);
	add_count(b, head->n);
	add_decimal(b, head->n > 0, j->head_exact);
	add_real(b, j->has_change, j->change);
	add_decimal(b, true, j->tolerance);
	add_decimal(b, true, j->decision.floor);
}

static void add_proof(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;
	int i;

	if (!p) {
		for (i = 0; i < 10; i++)
			add_separator(b);
		return;
	}
	add_text(b, proof_method_name(p->method));
	add_real(b, true, p->p);
	add_real(b, true, p->level);
	add_real(b, true, p->low);
	add_real(b, true, p->high);
	add_real(b, j->has_change, p->detectable);
	add_count(b, p->n_base);
	add_count(b, p->n_head);
	add_count(b, p->needed);
	add_count(b, p->family);
}

static void add_line(struct buf *b, const struct judged *j, const struct report *r)
{
	_cleanup_(buf_release) struct buf reason = BUF_INIT;
	const bool gates = r->exit_counts && report_status(r, j) != 0;

	explain(&reason, j, 0);
	add_text(b, verdict_name(j->verdict));
	add_text(b, gates ? "yes" : "no");
	add_key(b, j);
	add_sides(b, j, r);
	add_proof(b, j);
	add_text(b, j->culprit);
	add_text(b, j->section);
	add_text(b, j->section ? verdict_name(j->without) : NULL);
	add_text(b, j->crept ? "yes" : "no");
	add_text(b, j->differed ? verdict_name(j->earlier) : NULL);
	add_text(b, buf_str(&reason));
	add_text(b, r->base.why);
	add_text(b, j->environment ? bound_name(j->environment->bound) : NULL);
	buf_addstr(b, "\r\n");
}

static int csv_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	enum { CHUNK = 64 << 10 };
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	(void)style;
	buf_addstr(&b, names);
	for (i = 0; i < r->n; i++) {
		if (b.len >= CHUNK && report_put(&b, out, err) < 0)
			return -1;
		add_line(&b, &r->verdicts[i], r);
	}
	return report_end(&b, out, err);
}

const struct report_format report_csv = {
	.name = "csv", .summary = "a line a series, for spreadsheets", .write = csv_write};
