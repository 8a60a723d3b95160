/*
 * The report as CSV (RFC 4180), one line a series below a line of names. A text that a spreadsheet
 * would take for a formula gets an apostrophe in front.
 */
#include "report.h"

#include "csv.h"
#include "drift.h"
#include "explain.h"

#include <math.h>

static void add_decimal(struct buf *b, bool any, struct decimal value)
{
	csv_separator(b);
	if (any)
		decimal_format(b, value);
}

/* ---- columns ---- */

static const char names[] =
	"verdict,gates,suite,benchmark,metric,unit,variant,runner,class,judge,direction,"
	"base,base_distance,base_n,base_median,head,head_n,head_median,change,tolerance,floor,"
	"method,p,level,low,high,detectable,n_base,n_head,needed,family,"
	"culprit,section,without,crept,earlier,reason,base_why,environment\r\n";

static void add_sides(struct buf *b, const struct judged *j, const struct report *r)
{
	const struct side *base = &j->pair->base, *head = &j->pair->head;

	csv_text(b, base->n ? base->sha : r->base.sha);
	csv_separator(b);
	if (base->n ? base->distance > 0 : r->base.sha && r->base.distance > 0)
		buf_addf(b, "%d", base->n ? base->distance : r->base.distance);
	csv_count(b, base->n);
	add_decimal(b, base->n > 0, j->base_exact);
	csv_text(b, r->head.sha ? r->head.sha : r->head.label);
	csv_count(b, head->n);
	add_decimal(b, head->n > 0, j->head_exact);
	csv_real(b, j->has_change ? j->change : NAN);
	add_decimal(b, true, j->tolerance);
	add_decimal(b, true, j->decision.floor);
}

static void add_proof(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;
	int i;

	if (!p) {
		for (i = 0; i < 10; i++)
			csv_separator(b);
		return;
	}
	csv_text(b, proof_method_name(p->method));
	csv_real(b, p->p);
	csv_real(b, p->level);
	csv_real(b, p->low);
	csv_real(b, p->high);
	csv_real(b, j->has_change ? p->detectable : NAN);
	csv_count(b, p->n_base);
	csv_count(b, p->n_head);
	csv_count(b, p->needed);
	csv_count(b, p->family);
}

static void add_line(struct buf *b, const struct judged *j, const struct report *r)
{
	_cleanup_(buf_release) struct buf reason = BUF_INIT;
	const bool gates = r->exit_counts && report_status(r, j) != 0;

	explain(&reason, j, 0);
	csv_text(b, verdict_name(j->verdict));
	csv_text(b, gates ? "yes" : "no");
	csv_series(b, &j->pair->key, &j->decision);
	add_sides(b, j, r);
	add_proof(b, j);
	csv_text(b, j->culprit);
	csv_text(b, j->section);
	csv_text(b, j->section ? verdict_name(j->without) : NULL);
	csv_text(b, j->crept ? "yes" : "no");
	csv_text(b, j->differed ? verdict_name(j->earlier) : NULL);
	csv_text(b, buf_str(&reason));
	csv_text(b, r->base.why);
	csv_text(b, j->environment ? bound_name(j->environment->bound) : NULL);
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
