/*
 * The report for programs: schema "perfgate/report", version 1. A reader has to ignore keys that
 * it does not know; new keys leave the version as it is. One verdict a line.
 */
#include "report.h"

#include "drift.h"
#include "explain.h"
#include "json-out.h"
#include "text.h"

#include <math.h>
#include <string.h>

static void add_decimal(struct buf *b, const char *key, struct decimal value)
{
	json_key(b, key);
	decimal_format(b, value);
}

static void add_strings(struct buf *b, const char *const *values, size_t n)
{
	size_t i;

	buf_addch(b, '[');
	for (i = 0; i < n; i++) {
		buf_addstr(b, i ? ", " : "");
		text_json_str(b, values[i]);
	}
	buf_addch(b, ']');
}

/* "-9223372036854775807.5". What is longer is a mean of doubles, and its nearest double says it. */
enum { LONGEST_EXACT = 22 };

static void add_median(struct buf *b, struct decimal exact, double nearest)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	decimal_format(&text, exact);
	json_key(b, "median");
	if (text.len > LONGEST_EXACT)
		num_format(b, num_real(nearest));
	else
		buf_addstr(b, text.p);
}

/* 0 is not known: a guess, a document. */
static void add_distance(struct buf *b, int distance)
{
	json_key(b, "distance");
	if (distance > 0)
		buf_addf(b, "%d", distance);
	else
		buf_addstr(b, "null");
}

static void add_side(struct buf *b, const char *key, const struct side *s, struct decimal exact,
	double nearest, bool is_base)
{
	json_key(b, key);
	if (!s->n) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	if (is_base) {
		json_string(b, "sha", s->sha);
		add_distance(b, s->distance);
	}
	if (s->runner)
		json_string(b, "runner", s->runner);
	json_int(b, "n", (long long)s->n);
	add_median(b, exact, nearest);
	buf_addch(b, '}');
}

static void add_proof(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;

	json_key(b, "proof");
	if (!p) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	json_string(b, "method", proof_method_name(p->method));
	json_real(b, "p", p->p);
	json_real(b, "level", p->level);
	json_real(b, "low", p->low);
	json_real(b, "high", p->high);
	json_real(b, "detectable", j->has_change ? p->detectable : NAN);
	json_int(b, "n_base", (long long)p->n_base);
	json_int(b, "n_head", (long long)p->n_head);
	json_int(b, "needed", (long long)p->needed);
	json_int(b, "family", (long long)p->family);
	buf_addch(b, '}');
}

/* The verdict of an older session of head, where it was another. */
static void add_earlier(struct buf *b, const struct judged *j)
{
	json_key(b, "earlier");
	if (!j->differed) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	json_string(b, "verdict", verdict_name(j->earlier));
	json_string(b, "session", j->earlier_session);
	buf_addch(b, '}');
}

/* What else decided, or did not in the end. */
static void add_turns(struct buf *b, const struct judged *j)
{
	json_string(b, "culprit", j->culprit);
	json_string(b, "section", j->section);
	json_string(b, "section_reason", j->section_reason);
	json_string(b, "without", j->section ? verdict_name(j->without) : NULL);
	json_bool(b, "crept", j->crept);
	json_string(
		b, "reference", j->crept && j->pair->reference ? j->pair->reference->sha : NULL);
	add_earlier(b, j);
}

/* As a change is: signed as measured. */
static double drift_change(const struct drift *d)
{
	return d->base.n && d->head.n ? (d->head.median - d->base.median) / fabs(d->base.median)
				      : NAN;
}

static void add_environment(struct buf *b, const struct drift *d)
{
	json_key(b, "environment");
	if (!d) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	json_string(b, "bound", bound_name(d->bound));
	json_real(b, "change", drift_change(d));
	buf_addch(b, '}');
}

static void add_verdict(struct buf *b, const struct judged *j, const struct report *r)
{
	const struct series_key *k = &j->pair->key;
	_cleanup_(buf_release) struct buf reason = BUF_INIT;

	explain(&reason, j, 0);
	buf_addch(b, '{');
	json_string(b, "suite", k->suite);
	json_string(b, "benchmark", k->benchmark ? k->benchmark : "");
	json_string(b, "metric", k->metric ? k->metric : "");
	json_string(b, "unit", k->unit ? k->unit : "");
	json_string(b, "variant", k->variant ? k->variant : "");
	json_string(b, "runner", k->runner ? k->runner : "");
	json_string(b, "class", gate_class_name(j->decision.class_));
	json_string(b, "judge", judge_name(j->decision.judge));
	json_string(b, "verdict", verdict_name(j->verdict));
	json_string(b, "reason", buf_str(&reason));
	json_string(b, "direction", direction_name(j->decision.direction));
	add_side(b, "base", &j->pair->base, j->base_exact, j->base_median, true);
	add_side(b, "head", &j->pair->head, j->head_exact, j->head_median, false);
	json_real(b, "change", j->has_change ? j->change : NAN);
	add_decimal(b, "tolerance", j->tolerance);
	add_decimal(b, "floor", j->decision.floor);
	json_bool(b, "unstable", j->unstable);
	add_environment(b, j->environment);
	json_bool(b, "gates", report_status(r, j) != 0);
	if (j->pair->not_measured)
		json_bool(b, "expected", j->pair->expected);
	json_string(b, "absence", j->pair->head.n ? NULL : j->pair->head.absence);
	add_proof(b, j);
	add_turns(b, j);
	buf_addch(b, '}');
}

static void add_head(struct buf *b, const struct report_commit *c)
{
	buf_addch(b, '{');
	json_string(b, "label", c->label);
	json_string(b, "sha", c->sha);
	json_string(b, "subject", c->subject);
	json_string(b, "tree_state", c->tree_state);
	json_string(b, "merged", c->merged);
	buf_addch(b, '}');
}

static void add_base(struct buf *b, const struct report_base *base)
{
	buf_addch(b, '{');
	json_string(b, "asked", base->asked);
	json_string(b, "sha", base->sha);
	json_string(b, "subject", base->subject);
	add_distance(b, base->sha ? base->distance : 0);
	json_string(b, "why", base->why);
	json_bool(b, "guess", base->guess);
	buf_addch(b, '}');
}

static void add_summary(struct buf *b, const struct report *r)
{
	int v;

	buf_addch(b, '{');
	for (v = 0; v < VERDICT_COUNT; v++)
		json_int(b, verdict_name((enum verdict)v), (long long)r->counts[v]);
	buf_addch(b, '}');
}

/* ---- the machine ---- */

static void add_readings(struct buf *b, const char *key, const struct drift_side *s)
{
	json_key(b, key);
	if (!s->n) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	json_int(b, "n", (long long)s->n);
	json_real(b, "low", s->low);
	json_real(b, "median", s->median);
	json_real(b, "high", s->high);
	buf_addch(b, '}');
}

static void add_drift(struct buf *b, const struct drift *d)
{
	buf_addch(b, '{');
	json_string(b, "bound", bound_name(d->bound));
	json_string(b, "benchmark", d->key.benchmark);
	json_string(b, "metric", d->key.metric);
	json_string(b, "variant", d->key.variant);
	json_string(b, "unit", d->key.unit);
	json_string(b, "drift", drift_say_name(d->say));
	json_real(b, "change", drift_change(d));
	add_readings(b, "base", &d->base);
	add_readings(b, "head", &d->head);
	buf_addch(b, '}');
}

static void add_drifts(struct buf *b, const struct drifts *d)
{
	size_t i;

	buf_addch(b, '{');
	json_string(b, "runner", d->runner);
	json_string(b, "base_session", d->base_session);
	json_int(b, "base_sessions", (long long)d->n_base_sessions);
	json_string(b, "head_session", d->head_session);
	json_int(b, "head_sessions", (long long)d->n_head_sessions);
	json_key(b, "readings");
	buf_addch(b, '[');
	for (i = 0; i < d->n; i++) {
		buf_addstr(b, i ? ", " : "");
		add_drift(b, &d->v[i]);
	}
	buf_addstr(b, "]}");
}

static void add_probes(struct buf *b, const struct report *r)
{
	size_t i;

	buf_addch(b, '[');
	for (i = 0; i < r->n_drifts; i++) {
		buf_addstr(b, i ? ",\n  " : "\n  ");
		add_drifts(b, &r->drifts[i]);
	}
	buf_addstr(b, r->n_drifts ? "\n ]" : "]");
}

/* Each part of the document begins a line. */
static void add_part(struct buf *b, const char *key)
{
	buf_addf(b, ",\n \"%s\": ", key);
}

static void add_document_head(struct buf *b, const struct report *r)
{
	buf_addch(b, '{');
	json_string(b, "schema", "perfgate/report");
	json_int(b, "version", 1);
	json_string(b, "command", r->command);
	json_int(b, "exit", r->exit_counts ? r->exit : 0);
	json_bool(b, "exit_counts", r->exit_counts);
	json_string(b, "policy", r->policy_name);
	json_int(b, "judged", (long long)r->judged);
}

static int write_verdicts(const struct report *r, struct buf *b, FILE *out, struct err *err)
{
	enum { CHUNK = 64 << 10 };
	size_t i;

	for (i = 0; i < r->n; i++) {
		buf_addstr(b, i ? ",\n  " : "\n  ");
		add_verdict(b, &r->verdicts[i], r);
		if (b->len >= CHUNK && report_put(b, out, err) < 0)
			return -1;
	}
	return 0;
}

static int json_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	(void)style;
	add_document_head(&b, r);
	add_part(&b, "head");
	add_head(&b, &r->head);
	add_part(&b, "base");
	add_base(&b, &r->base);
	add_part(&b, "summary");
	add_summary(&b, r);
	add_part(&b, "policy_changes");
	add_strings(&b, r->policy_changes, r->n_policy_changes);
	add_part(&b, "machine");
	add_strings(&b, r->machine, r->n_machine);
	add_part(&b, "probes");
	add_probes(&b, r);
	add_part(&b, "notes");
	add_strings(&b, r->notes, r->n_notes);
	add_part(&b, "next");
	add_strings(&b, r->next, r->n_next);
	add_part(&b, "verdicts");
	buf_addch(&b, '[');
	if (write_verdicts(r, &b, out, err) < 0)
		return -1;
	buf_addstr(&b, r->n ? "\n ]}\n" : "]}\n");
	return report_end(&b, out, err);
}

const struct report_format report_json = {
	.name = "json", .summary = "everything, for programs", .write = json_write};
