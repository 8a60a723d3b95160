/*
 * The report as JUnit XML, in the dialect that Jenkins and GitLab read: a testsuite a suite, a
 * testcase a series. What fails the gate is a failure, what could not be judged and had to be an
 * error, everything else that was not judged is skipped.
 */
#include "report.h"

#include "explain.h"
#include "report-words.h"
#include "markup.h"

#include <stdlib.h>
#include <string.h>

/* ---- XML ---- */

static void add_attribute(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, " %s=\"", name);
	markup_text(b, value);
	buf_addch(b, '"');
}

static void add_count(struct buf *b, const char *name, size_t n)
{
	buf_addf(b, " %s=\"%zu\"", name, n);
}

static void add_property(struct buf *b, const char *name, const char *value)
{
	if (!value)
		return;
	buf_addf(b, "   <property name=\"%s\"", name);
	add_attribute(b, "value", value);
	buf_addstr(b, "/>\n");
}

/* ---- order: by suite and name ---- */

struct entry {
	const struct judged *j;
	bool twin; /* another has the same names and variant */
};

static int compare(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int r = series_names_compare(&a->j->pair->key, &b->j->pair->key);

	if (r)
		return r;
	return a->j < b->j ? -1 : a->j > b->j; /* the verdicts are sorted */
}

static struct entry *sorted(const struct report *r)
{
	struct entry *e = xcalloc(r->n, sizeof(*e));
	size_t i;

	for (i = 0; i < r->n; i++)
		e[i].j = &r->verdicts[i];
	if (r->n)
		qsort(e, r->n, sizeof(*e), compare);
	for (i = 1; i < r->n; i++)
		if (!series_names_compare(&e[i - 1].j->pair->key, &e[i].j->pair->key))
			e[i - 1].twin = e[i].twin = true;
	return e;
}

/* ---- a test case ---- */

enum outcome { OUTCOME_PASS, OUTCOME_FAILURE, OUTCOME_ERROR, OUTCOME_SKIPPED, OUTCOMES };

static enum outcome outcome_of(const struct judged *j, const struct report *r)
{
	int status = r->exit_counts ? report_status(r, j) : 0;

	if (status)
		return status == 1 ? OUTCOME_FAILURE : OUTCOME_ERROR;
	return words_is_judged(j->verdict) ? OUTCOME_PASS : OUTCOME_SKIPPED;
}

static void add_case_name(struct buf *b, const struct entry *e)
{
	const struct series_key *k = &e->j->pair->key;
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	buf_addstr(&name, e->j->pair->not_measured ? "runs" : k->metric);
	if (k->variant && *k->variant)
		buf_addf(&name, " [%s]", k->variant);
	if (e->twin)
		buf_addf(&name, " (%s) @%s", k->unit, k->runner);
	add_attribute(b, "name", buf_str(&name));
}

static void add_class_name(struct buf *b, const struct series_key *k)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	buf_addstr(&name, k->suite);
	if (k->benchmark && *k->benchmark)
		buf_addf(&name, ".%s", k->benchmark);
	add_attribute(b, "classname", buf_str(&name));
}

/* "regressed, advisory: +3.9..+6.4 % (95 %), ..." */
static void add_message(struct buf *b, const struct judged *j)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	buf_addstr(&text, verdict_name(j->verdict));
	if (!j->pair->not_measured)
		buf_addf(&text, ", %s", gate_class_name(j->decision.class_));
	buf_addstr(&text, ": ");
	explain(&text, j, 0);
	add_attribute(b, "message", text.p);
}

static void add_case(struct buf *b, const struct entry *e, const struct report *r)
{
	static const char *const elements[OUTCOMES] = {[OUTCOME_FAILURE] = "failure",
		[OUTCOME_ERROR] = "error",
		[OUTCOME_SKIPPED] = "skipped"};
	const struct judged *j = e->j;
	const enum outcome outcome = outcome_of(j, r);

	buf_addstr(b, "  <testcase");
	add_class_name(b, &j->pair->key);
	add_case_name(b, e);
	if (!elements[outcome] && j->verdict == VERDICT_PASS) {
		buf_addstr(b, "/>\n");
		return;
	}
	buf_addstr(b, ">\n");
	if (elements[outcome]) {
		buf_addf(b, "   <%s", elements[outcome]);
		add_message(b, j);
		if (outcome != OUTCOME_SKIPPED)
			add_attribute(b, "type", verdict_name(j->verdict));
		buf_addstr(b, "/>\n");
	} else {
		_cleanup_(freep) char *reason = words_reason(j, 0);
		buf_addf(b, "   <system-out>%s: ", verdict_name(j->verdict));
		markup_text(b, reason);
		buf_addstr(b, "</system-out>\n");
	}
	buf_addstr(b, "  </testcase>\n");
}

/* ---- suites ---- */

static void add_remarks(struct buf *b, const struct report *r)
{
	size_t i;

	for (i = 0; i < r->n_policy_changes; i++)
		add_property(b, "policy.change", r->policy_changes[i]);
	for (i = 0; i < r->n_machine; i++)
		add_property(b, "machine", r->machine[i]);
	for (i = 0; i < r->n_notes; i++)
		add_property(b, "note", r->notes[i]);
}

/* What may be long stands in the first suite only. */
static void add_suite_properties(struct buf *b, const struct report *r, bool first)
{
	_cleanup_(freep) char *distance = xasprintf("%d", r->base.distance);
	_cleanup_(buf_release) struct buf counts = BUF_INIT, missing = BUF_INIT;

	words_counts(&counts, r);
	words_not_measured(&missing, r);
	buf_addstr(b, "  <properties>\n");
	add_property(b, "result", words_outcome(r));
	add_property(b, "counts", buf_str(&counts));
	add_property(b, "head", r->head.sha ? r->head.sha : r->head.label);
	add_property(b, "head.tree_state", r->head.tree_state);
	add_property(b, "base", r->base.sha);
	add_property(b, "base.asked", r->base.asked);
	add_property(b, "base.distance", r->base.sha && r->base.distance > 0 ? distance : NULL);
	add_property(b, "base.why", r->base.why);
	add_property(b, "base.guess", r->base.guess ? "true" : NULL);
	add_property(b, "policy", r->policy_name);
	add_property(b, "not-measured", missing.len ? missing.p : NULL);
	if (first)
		add_remarks(b, r);
	buf_addstr(b, "  </properties>\n");
}

static void add_counts(struct buf *b, size_t tests, const size_t n[OUTCOMES])
{
	add_count(b, "tests", tests);
	add_count(b, "failures", n[OUTCOME_FAILURE]);
	add_count(b, "errors", n[OUTCOME_ERROR]);
	add_count(b, "skipped", n[OUTCOME_SKIPPED]);
}

static void begin_suite(struct buf *b, const char *name, size_t tests, const size_t n[OUTCOMES],
	const struct report *r, bool first)
{
	buf_addstr(b, " <testsuite");
	add_attribute(b, "name", name);
	add_counts(b, tests, n);
	buf_addstr(b, ">\n");
	add_suite_properties(b, r, first);
}

static int add_suite(struct buf *b, const struct entry *e, size_t n, const struct report *r,
	bool first, FILE *out, struct err *err)
{
	enum { CHUNK = 64 << 10 };
	size_t outcomes[OUTCOMES] = {0}, i;

	for (i = 0; i < n; i++)
		outcomes[outcome_of(e[i].j, r)]++;
	begin_suite(b, e->j->pair->key.suite, n, outcomes, r, first);
	for (i = 0; i < n; i++) {
		add_case(b, &e[i], r);
		if (b->len >= CHUNK && report_put(b, out, err) < 0)
			return -1;
	}
	buf_addstr(b, " </testsuite>\n");
	return 0;
}

/* A gate that judged nothing has no test that passed, and one that says so. */
static void add_nothing(struct buf *b, const struct report *r)
{
	const size_t outcomes[OUTCOMES] = {
		[OUTCOME_ERROR] = r->exit != 0, [OUTCOME_SKIPPED] = r->exit == 0};
	_cleanup_(buf_release) struct buf counts = BUF_INIT;

	words_counts(&counts, r);
	begin_suite(b, "perfgate", 1, outcomes, r, true);
	buf_addf(b, "  <testcase classname=\"perfgate\" name=\"judged\">\n   <%s",
		r->exit ? "error" : "skipped");
	add_attribute(b, "message", buf_str(&counts));
	buf_addstr(b, "/>\n  </testcase>\n </testsuite>\n");
}

static bool nothing_judged(const struct report *r)
{
	return r->exit_counts && !r->judged;
}

static void add_document_head(struct buf *b, const struct report *r)
{
	size_t n[OUTCOMES] = {0}, i;

	for (i = 0; i < r->n; i++)
		n[outcome_of(&r->verdicts[i], r)]++;
	if (nothing_judged(r))
		n[r->exit ? OUTCOME_ERROR : OUTCOME_SKIPPED]++;
	buf_addstr(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"perfgate\"");
	add_counts(b, r->n + nothing_judged(r), n);
	buf_addstr(b, ">\n");
}

static int write_suites(
	const struct report *r, const struct entry *e, struct buf *b, FILE *out, struct err *err)
{
	size_t first, next;

	for (first = 0; first < r->n; first = next) {
		const char *suite = e[first].j->pair->key.suite;
		for (next = first + 1; next < r->n; next++)
			if (strcmp(e[next].j->pair->key.suite, suite) != 0)
				break;
		if (add_suite(b, e + first, next - first, r, !first && !nothing_judged(r), out,
			    err) < 0)
			return -1;
	}
	return 0;
}

static int junit_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	_cleanup_(freep) struct entry *e = sorted(r);
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	(void)style;
	add_document_head(&b, r);
	if (nothing_judged(r))
		add_nothing(&b, r);
	if (write_suites(r, e, &b, out, err) < 0)
		return -1;
	buf_addstr(&b, "</testsuites>\n");
	return report_end(&b, out, err);
}

const struct report_format report_junit = {
	.name = "junit", .summary = "JUnit XML: a test case a series", .write = junit_write};
