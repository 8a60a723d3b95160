#include "report-words.h"

#include "explain.h"
#include "layout.h"
#include "text.h"

#include <string.h>

enum { LABEL_MAX = 40 };

struct tally {
	size_t gating[VERDICT_COUNT], other[VERDICT_COUNT];
};

static struct tally tally_of(const struct report *r)
{
	struct tally t = {0};
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		if (report_status(r, j))
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

void words_count(struct buf *b, size_t n, enum verdict v)
{
	static const char *const phrases[VERDICT_COUNT] = {
		[VERDICT_NOT_MEASURED] = "not measured", [VERDICT_NO_BASE] = "without a base"};

	buf_addf(b, "%zu %s", n, phrases[v] ? phrases[v] : verdict_name(v));
}

/* "2 missing, 1 lost": what is not as it should be among counts. */
static void add_phrases(struct buf *b, const size_t counts[VERDICT_COUNT], size_t start)
{
	int v;

	for (v = 0; v < VERDICT_IMPROVED; v++) {
		if (!counts[v])
			continue;
		add_comma(b, start);
		words_count(b, counts[v], (enum verdict)v);
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

void words_sides(struct buf *b, const struct report *r)
{
	if (r->exit_counts) {
		add_head(b, &r->head);
		buf_addstr(b, " against ");
		add_base(b, &r->base);
	} else {
		add_base(b, &r->base);
		buf_addstr(b, " -> ");
		add_head(b, &r->head);
	}
}

void words_base(struct buf *b, const struct report *r)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	if (r->base.subject && r->base.sha)
		buf_addf(&text, "\"%s\"", r->base.subject);
	if (r->base.why) {
		add_comma(&text, 0);
		buf_addstr(&text, r->base.why);
	}
	if (text.len)
		text_escape(b, text.p, text.len);
}

bool words_not_measured(struct buf *b, const struct report *r)
{
	const size_t start = b->len;
	bool expected = false;
	size_t i;

	for (i = 0; i < r->n && r->counts[VERDICT_NOT_MEASURED]; i++) {
		const struct pair *p = r->verdicts[i].pair;
		if (r->verdicts[i].verdict != VERDICT_NOT_MEASURED)
			continue;
		add_comma(b, start);
		text_escape(b, p->key.suite, strlen(p->key.suite));
		if (p->expected)
			buf_addstr(b, " (expected)");
		expected |= p->expected || r->unmeasured;
	}
	return expected;
}

/* ---- what came out ---- */

const char *words_outcome(const struct report *r)
{
	if (!r->exit_counts)
		return "DIFF";
	return !r->judged ? "NOT JUDGED" : r->exit ? "FAIL" : "PASS";
}

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
	_cleanup_(buf_release) struct buf other = BUF_INIT;

	add_phrases(&other, t->other, 0);
	if (other.len)
		buf_addf(b, " (not gating: %s)", other.p);
}

static void count_gate(struct buf *b, const struct report *r)
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
}

static void count_diff(struct buf *b, const struct report *r)
{
	size_t start = b->len, counts[VERDICT_COUNT];

	if (r->judged)
		buf_addf(b, "%zu worse, %zu better, %zu same", r->counts[VERDICT_REGRESSED],
			r->counts[VERDICT_IMPROVED], r->counts[VERDICT_PASS]);
	else
		buf_addstr(b, r->n ? "nothing judged" : "nothing to compare");
	memcpy(counts, r->counts, sizeof(counts));
	counts[VERDICT_REGRESSED] = 0;
	add_phrases(b, counts, start);
	if (r->counts[VERDICT_NEW])
		buf_addf(b, ", %zu new", r->counts[VERDICT_NEW]);
}

void words_counts(struct buf *b, const struct report *r)
{
	if (r->exit_counts)
		count_gate(b, r);
	else
		count_diff(b, r);
}

/* ---- one series ---- */

void words_series(struct buf *b, const struct series_key *k)
{
	text_escape(b, k->suite, strlen(k->suite));
	if (!k->benchmark || (!*k->benchmark && !(k->metric && *k->metric)))
		return;
	buf_addstr(b, ": ");
	text_escape(b, k->benchmark, strlen(k->benchmark));
	if (k->variant && *k->variant) {
		buf_addstr(b, " [");
		text_escape(b, k->variant, strlen(k->variant));
		buf_addch(b, ']');
	}
	if (k->metric) {
		buf_addch(b, ' ');
		text_escape(b, k->metric, strlen(k->metric));
	}
}

char *words_reason(const struct judged *j, unsigned leave_out)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	explain(&b, j, leave_out);
	return layout_escape(buf_str(&b));
}

void words_cut(struct buf *b, const char *s, size_t max)
{
	size_t len = strlen(s), used = 0, n;

	if (len <= max) {
		buf_add(b, s, len);
		return;
	}
	while ((n = utf8_sequence(s + used, len - used)) > 0 && used + n + 2 <= max)
		used += n;
	buf_add(b, s, used);
	buf_addstr(b, "..");
}

bool words_is_judged(enum verdict v)
{
	switch (v) {
	case VERDICT_PASS:
	case VERDICT_IMPROVED:
	case VERDICT_REGRESSED:
	case VERDICT_SUSPECT:
	case VERDICT_INHERITED:
	case VERDICT_ACCEPTED:
		return true;
	default:
		return false;
	}
}
