/*
 * The report in the text format of OpenMetrics 1.0, which Prometheus and GitLab read. Series keep
 * the order of the verdicts; the unit of a value is a label, since it is the benchmark's.
 */
#include "report.h"

#include "drift.h"
#include "openmetrics.h"
#include "report-words.h"

#include <math.h>
#include <string.h>

/* ---- a number a series ---- */

static bool head_of(const struct judged *j, double *ret)
{
	*ret = j->head_median;
	return j->pair->head.n > 0;
}

static bool base_of(const struct judged *j, double *ret)
{
	*ret = j->base_median;
	return j->pair->base.n > 0;
}

static bool change_of(const struct judged *j, double *ret)
{
	*ret = j->change;
	return j->has_change;
}

static bool low_of(const struct judged *j, double *ret)
{
	*ret = j->proof ? j->proof->low : NAN;
	return j->has_change && !isnan(*ret);
}

static bool high_of(const struct judged *j, double *ret)
{
	*ret = j->proof ? j->proof->high : NAN;
	return j->has_change && !isnan(*ret);
}

static bool detectable_of(const struct judged *j, double *ret)
{
	*ret = j->proof ? j->proof->detectable : NAN;
	return !isnan(*ret);
}

static bool p_of(const struct judged *j, double *ret)
{
	*ret = j->proof ? j->proof->p : NAN;
	return !isnan(*ret);
}

static const struct family {
	const char *name, *unit, *help;
	bool (*value)(const struct judged *j, double *ret);
} families[] = {
	{"perfgate_base", NULL, "Median at the base, in the unit that the label names.", base_of},
	{"perfgate_head", NULL, "Median at head, in the unit that the label names.", head_of},
	{"perfgate_change_ratio", "ratio", "Change of the median, (head - base) / |base|.",
		change_of},
	{"perfgate_change_low_ratio", "ratio", "Lower end of the 95 % interval of the change.",
		low_of},
	{"perfgate_change_high_ratio", "ratio", "Upper end of the 95 % interval of the change.",
		high_of},
	{"perfgate_detectable_ratio", "ratio",
		"The smallest worsening that would be seen 95 times of 100.", detectable_of},
	{"perfgate_p", NULL, "One-sided p.", p_of},
};

static int write_family(
	const struct family *f, const struct report *r, struct buf *b, FILE *out, struct err *err)
{
	double value;
	size_t i;

	openmetrics_family(b, f->name, "gauge", f->unit, f->help);
	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		if (!f->value(j, &value))
			continue;
		buf_addf(b, "%s{", f->name);
		openmetrics_series(b, &j->pair->key);
		buf_addstr(b, "} ");
		openmetrics_real(b, value);
		buf_addch(b, '\n');
		if (report_put(b, out, err) < 0)
			return -1;
	}
	return 0;
}

static int write_verdicts(const struct report *r, struct buf *b, FILE *out, struct err *err)
{
	size_t i;

	openmetrics_family(b, "perfgate_verdict", "gauge", NULL,
		"1 for each series, with its verdict; gates tells whether it fails the gate.");
	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		const bool gates = r->exit_counts && report_status(r, j) != 0;
		buf_addstr(b, "perfgate_verdict{");
		openmetrics_series(b, &j->pair->key);
		openmetrics_label(b, "class", gate_class_name(j->decision.class_));
		openmetrics_label(b, "verdict", verdict_name(j->verdict));
		openmetrics_label(b, "gates", gates ? "yes" : "no");
		buf_addstr(b, "} 1\n");
		if (report_put(b, out, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- the machine ---- */

static const char *session_of(const struct drifts *d, bool of_head)
{
	return of_head ? d->head_session : d->base_session;
}

static void add_reading(
	struct buf *b, const struct drifts *all, const struct drift *d, bool of_head)
{
	const struct drift_side *s = of_head ? &d->head : &d->base;

	if (!s->n)
		return;
	buf_addstr(b, "perfgate_probe{");
	openmetrics_label(b, "side", of_head ? "head" : "base");
	openmetrics_label(b, "bound", bound_name(d->bound));
	openmetrics_label(b, "session", session_of(all, of_head));
	openmetrics_series(b, &d->key);
	buf_addstr(b, "} ");
	openmetrics_real(b, s->median);
	buf_addch(b, '\n');
}

/* Comparisons may share a session, and of one session and series there is one value. */
static bool is_told(const struct report *r, size_t n, bool of_head)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(r->drifts[i].runner, r->drifts[n].runner) &&
			!strcmp(session_of(&r->drifts[i], of_head),
				session_of(&r->drifts[n], of_head)))
			return true;
	return false;
}

static void add_side(struct buf *b, const struct report *r, size_t n, bool of_head)
{
	size_t k;

	if (is_told(r, n, of_head))
		return;
	for (k = 0; k < r->drifts[n].n; k++)
		add_reading(b, &r->drifts[n], &r->drifts[n].v[k], of_head);
}

static void add_probes(struct buf *b, const struct report *r)
{
	size_t i;

	openmetrics_family(b, "perfgate_probe", "gauge", NULL,
		"Median of what probes of the machine read, in the unit that the label names.");
	for (i = 0; i < r->n_drifts; i++) {
		add_side(b, r, i, false);
		add_side(b, r, i, true);
	}
}

/* ---- the whole ---- */

static void add_info(struct buf *b, const struct report *r)
{
	openmetrics_family(b, "perfgate_report", "info", NULL, "What was compared with what.");
	buf_addstr(b, "perfgate_report_info{");
	openmetrics_label(b, "command", r->command);
	openmetrics_label(b, "result", words_outcome(r));
	openmetrics_label(b, "head", r->head.sha ? r->head.sha : r->head.label);
	openmetrics_label(b, "base", r->base.sha ? r->base.sha : "");
	openmetrics_label(b, "base_asked", r->base.asked);
	openmetrics_label(b, "base_why", r->base.why);
	openmetrics_label(b, "policy", r->policy_name);
	buf_addstr(b, "} 1\n");
}

static void add_totals(struct buf *b, const struct report *r)
{
	int v;

	openmetrics_family(b, "perfgate_exit_status", "gauge", NULL,
		"0 pass, 1 a regression that gates, 3 something could not be judged.");
	buf_addf(b, "perfgate_exit_status %d\n", r->exit_counts ? r->exit : 0);
	openmetrics_family(
		b, "perfgate_judged", "gauge", NULL, "Series that a comparison stands behind.");
	buf_addf(b, "perfgate_judged %zu\n", r->judged);
	openmetrics_family(b, "perfgate_series", "gauge", NULL, "Series with each verdict.");
	for (v = 0; v < VERDICT_COUNT; v++)
		buf_addf(b, "perfgate_series{verdict=\"%s\"} %zu\n", verdict_name((enum verdict)v),
			r->counts[v]);
	openmetrics_family(b, "perfgate_base_distance", "gauge", NULL,
		"First parents from head back to the base, where known.");
	if (r->base.sha && r->base.distance > 0)
		buf_addf(b, "perfgate_base_distance %d\n", r->base.distance);
}

static int openmetrics_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	(void)style;
	add_info(&b, r);
	add_totals(&b, r);
	if (write_verdicts(r, &b, out, err) < 0)
		return -1;
	for (i = 0; i < ARRAY_LEN(families); i++)
		if (write_family(&families[i], r, &b, out, err) < 0)
			return -1;
	add_probes(&b, r);
	buf_addstr(&b, "# EOF\n");
	return report_end(&b, out, err);
}

const struct report_format report_openmetrics = {.name = "openmetrics",
	.summary = "gauges for Prometheus and GitLab",
	.write = openmetrics_write};
