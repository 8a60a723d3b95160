#include "explain.h"

#include "buf.h"
#include "drift.h"
#include "figure.h"
#include "signflip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHIFT_APART .01 /* shares this far apart read differently */

static void separate(struct buf *b, size_t start, const char *separator)
{
	if (b->len > start)
		buf_addstr(b, separator);
}

/* ---- figures ---- */

/* One end of an interval, in percent and without its unit. */
static void add_end(struct buf *b, double share, int places)
{
	double percent = share * 100;

	if (isinf(share))
		buf_addstr(b, share < 0 ? "-inf" : "+inf");
	else if (fabs(percent) >= 1e5)
		buf_addf(b, "%+.3g", percent);
	else if (fabs(percent) * pow(10, places) < .5)
		buf_addch(b, '0');
	else
		buf_addf(b, "%+.*f", places, percent);
}

void explain_interval(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;
	int places;

	if (!p || !j->has_change || isnan(p->low) || isnan(p->high) ||
		(isinf(p->low) && isinf(p->high)))
		return;
	places = p->high - p->low < .002 ? 2 : 1;
	add_end(b, p->low, places);
	buf_addstr(b, "..");
	add_end(b, p->high, places);
	buf_addstr(b, " %");
}

/* ".004", "<.0001", "1": two significant digits. */
static void add_p(struct buf *b, double p)
{
	char text[32];

	if (p < .0001) {
		buf_addstr(b, "<.0001");
		return;
	}
	snprintf(text, sizeof(text), "%.2g", p);
	buf_addstr(b, text + (text[0] == '0' && text[1] == '.'));
}

static bool too_few_sessions(const struct proof *p)
{
	return p->method == METHOD_SESSIONS && p->needed > p->n_base;
}

void explain_evidence(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;

	if (!p)
		return;
	if (too_few_sessions(p)) {
		buf_addf(b, "%zu of %zu sessions", p->n_base, p->needed);
	} else if (p->method == METHOD_SESSIONS) {
		buf_addf(b, "%zu session%s", p->n_base, p->n_base == 1 ? "" : "s");
	} else if (!isnan(p->p)) {
		buf_addstr(b, "p ");
		add_p(b, p->p);
	}
}

void explain_detectable(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;

	if (!p || !j->has_change || isnan(p->detectable))
		return;
	if (isinf(p->detectable))
		buf_addstr(b, "none");
	else
		figure_percent(b, p->detectable, j->tolerance, 1);
}

void explain_allowed(struct buf *b, const struct judged *j)
{
	figure_share(b, j->tolerance);
	if (decimal_sign(j->decision.floor)) {
		buf_addstr(b, ", ");
		decimal_format(b, j->decision.floor);
	}
}

/* ---- a proof in words ---- */

static bool worse_than_all(const struct judged *j)
{
	return j->proof->method == METHOD_SESSIONS && !j->crept &&
	       (j->verdict == VERDICT_SUSPECT || j->verdict == VERDICT_REGRESSED);
}

/* The p that would have done, where it was not reached. */
static void add_level(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;

	if (j->verdict != VERDICT_INCONCLUSIVE || p->method == METHOD_SESSIONS || isnan(p->level) ||
		isnan(p->p) || p->p <= p->level)
		return;
	buf_addstr(b, " (at most ");
	add_p(b, p->level);
	buf_addstr(b, " counts)");
}

/* What the column of a session verdict has no room for. */
static void add_session_p(struct buf *b, const struct judged *j, size_t start)
{
	const struct proof *p = j->proof;

	if (p->method != METHOD_SESSIONS || too_few_sessions(p) || isnan(p->p))
		return;
	separate(b, start, ", ");
	buf_addstr(b, "p ");
	add_p(b, p->p);
}

static void add_evidence(struct buf *b, const struct judged *j)
{
	const size_t start = b->len;

	if (worse_than_all(j))
		buf_addstr(b, "worse than all of ");
	explain_evidence(b, j);
	add_session_p(b, j, start);
	add_level(b, j);
}

static void add_pairs(struct buf *b, const struct proof *p)
{
	buf_addf(b, "%zu pair%s", p->n_head, p->n_head == 1 ? "" : "s");
	if (p->left_out)
		buf_addf(b, " (not %zu with unlike numbers of samples)", p->left_out);
}

static void add_samples(struct buf *b, const struct proof *p)
{
	if (p->method == METHOD_PAIRS)
		add_pairs(b, p);
	else if (p->n_head == p->n_base)
		buf_addf(b, "%zu sample%s a side", p->n_head, p->n_head == 1 ? "" : "s");
	else
		buf_addf(b, "%zu and %zu samples", p->n_base, p->n_head);
}

/* One number in the metric's unit, with its sign. */
static void add_size(struct buf *b, const struct judged *j, double size)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT, other = BUF_INIT;
	const struct decimal d = decimal_from(num_real(size));

	figure_pair(&text, &other, &d, NULL, j->pair->key.unit);
	buf_addf(b, "%s%s", size > 0 ? "+" : "", buf_str(&text));
}

/* Where the base is 0 there are no shares, and how much it is stands in the metric's unit. */
static void add_sizes(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;

	if (j->has_change || p->method == METHOD_SESSIONS || p->evidence.relative ||
		!isfinite(p->evidence.change))
		return;
	add_size(b, j, p->evidence.change);
	if (!isfinite(p->low) || !isfinite(p->high))
		return;
	buf_addstr(b, ", ");
	add_size(b, j, p->low);
	buf_addstr(b, " .. ");
	add_size(b, j, p->high);
	buf_addstr(b, " (95 %)");
}

/* The change is no quotient of the medians that stand beside it: where the two read differently a
 * word says so. */
static void add_shift(struct buf *b, const struct judged *j, size_t start)
{
	const double medians = (j->head_median - j->base_median) / fabs(j->base_median);

	if (j->proof->method == METHOD_SESSIONS || !j->has_change || !isfinite(medians) ||
		(fabs(medians - j->change) < SHIFT_APART && medians * j->change >= 0))
		return;
	separate(b, start, "; ");
	buf_addf(b, "the change is the shift %s, the medians differ by ",
		j->proof->method == METHOD_PAIRS ? "within the pairs"
						 : "over all pairs of samples");
	figure_change(b, medians, j->tolerance, 1);
}

/* Of what passed, or might be worse, how small a worsening would have shown. */
static bool says_detectable(const struct judged *j)
{
	const struct proof *p = j->proof;

	switch (j->verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_INHERITED:
	case VERDICT_SUSPECT:
	case VERDICT_PASS:
	case VERDICT_INCONCLUSIVE:
		break;
	default:
		return false;
	}
	return isfinite(p->detectable) && p->detectable > 0;
}

static void add_detectable(struct buf *b, const struct judged *j, size_t start)
{
	separate(b, start, ", ");
	buf_addstr(b, "would see ");
	if (j->has_change)
		explain_detectable(b, j);
	else
		add_size(b, j, j->proof->detectable);
}

static void add_found(struct buf *b, const struct judged *j, unsigned leave_out)
{
	const struct proof *p = j->proof;
	const size_t start = b->len;
	size_t before;

	if (!(leave_out & EXPLAIN_INTERVAL)) {
		explain_interval(b, j);
		if (b->len > start)
			buf_addstr(b, " (95 %)");
	}
	add_sizes(b, j);
	if (leave_out & EXPLAIN_EVIDENCE)
		add_session_p(b, j, start);
	else {
		separate(b, start, ", ");
		before = b->len;
		add_evidence(b, j);
		if (b->len == before && before > start)
			b->len -= strlen(", ");
	}
	if (!(leave_out & EXPLAIN_SAMPLES) && p->method != METHOD_SESSIONS) {
		separate(b, start, ", ");
		add_samples(b, p);
	}
	if (!(leave_out & EXPLAIN_ALLOWED)) {
		separate(b, start, "; ");
		buf_addstr(b, "allowed ");
		explain_allowed(b, j);
	}
	if (!(leave_out & EXPLAIN_DETECTABLE) && says_detectable(j))
		add_detectable(b, j, start);
	add_shift(b, j, start);
	b->p[b->len] = '\0';
}

static void add_needed(struct buf *b, const struct judged *j)
{
	const struct proof *p = j->proof;

	if (p->method == METHOD_SESSIONS)
		buf_addf(b,
			"it takes %zu sessions, or both sides measured in one (perfgate measure)",
			p->needed);
	else if (p->method == METHOD_PAIRS && p->needed > SIGNFLIP_MAX)
		buf_addf(b,
			"it takes more than %d pairs, the most there can be: less noise, or a larger tolerance",
			SIGNFLIP_MAX);
	else if (p->method == METHOD_PAIRS)
		buf_addf(b, "it takes %zu pairs", p->needed);
	else
		buf_addf(b, "it takes %zu%s samples a side", p->needed,
			p->needed >= MOST_NEEDED ? " or more" : "");
}

/* What the verdict means beyond its numbers. */
static void add_meaning(struct buf *b, const struct judged *j, size_t start)
{
	if (j->verdict == VERDICT_INCONCLUSIVE && j->proof->needed) {
		separate(b, start, "; ");
		add_needed(b, j);
	} else if (j->verdict == VERDICT_INCONCLUSIVE) {
		separate(b, start, "; ");
		buf_addstr(b, "a change beyond what is allowed is not ruled out");
	} else if (j->verdict == VERDICT_SUSPECT) {
		separate(b, start, "; ");
		buf_addf(b, "%d commits in a row would make it regressed", SESSIONS_IN_A_ROW);
	}
}

static void add_proof(struct buf *b, const struct judged *j, unsigned leave_out)
{
	_cleanup_(buf_release) struct buf found = BUF_INIT;
	const size_t start = b->len;

	if (j->why)
		buf_addstr(b, j->why);
	buf_addstr(&found, "");
	add_found(&found, j, leave_out);
	if (found.len) {
		separate(b, start, "; ");
		buf_addstr(b, found.p);
	}
	if (!j->why)
		add_meaning(b, j, start);
}

/* ---- whatever else decided ---- */

static void add_sha(struct buf *b, const char *sha)
{
	buf_add(b, sha, strnlen(sha, SHA_SHOWN));
}

static void add_creep(struct buf *b, const struct judged *j)
{
	const struct side *reference = j->pair->reference;

	buf_addstr(b, "it crept: against the reference");
	if (reference && reference->sha) {
		buf_addch(b, ' ');
		add_sha(b, reference->sha);
	}
	buf_addstr(b, " allowed is ");
	figure_share(b, j->decision.creep);
}

static void add_culprit(struct buf *b, const struct judged *j)
{
	buf_addstr(b, "worse since ");
	add_sha(b, j->culprit);
	if (j->verdict == VERDICT_INHERITED)
		buf_addstr(b, ", which the base has too");
}

static void add_section(struct buf *b, const struct judged *j)
{
	if (j->expired)
		buf_addstr(b, "this is over: ");
	buf_addstr(b, j->section);
	if (j->section_reason)
		buf_addf(b, ": %s", j->section_reason);
	if (j->without != j->verdict)
		buf_addf(b, " (without it: %s)", verdict_name(j->without));
}

static void add_earlier(struct buf *b, const struct judged *j)
{
	buf_addstr(b, "an older session");
	if (j->earlier_session)
		buf_addf(b, " (%s)", j->earlier_session);
	buf_addf(b, " would have been %s", verdict_name(j->earlier));
}

static void add_environment(struct buf *b, const struct judged *j)
{
	const struct drift *d = j->environment;

	buf_addf(b, "environment: the machine was slower too, its %s probe %s by ",
		bound_name(d->bound), d->bound == BOUND_LATENCY ? "rose" : "fell");
	drift_size(b, d);
	buf_addstr(b, "; perfgate measure, which runs both sides in turns, can tell");
}

void explain(struct buf *b, const struct judged *j, unsigned leave_out)
{
	const size_t start = b->len;

	if (j->said) {
		buf_addstr(b, j->said);
		return;
	}
	if (j->proof)
		add_proof(b, j, leave_out);
	else
		judged_reason(j, b);
	if (j->crept) {
		separate(b, start, "; ");
		add_creep(b, j);
	}
	if (j->culprit) {
		separate(b, start, "; ");
		add_culprit(b, j);
	}
	if (j->section) {
		separate(b, start, "; ");
		add_section(b, j);
	}
	if (j->differed) {
		separate(b, start, "; ");
		add_earlier(b, j);
	}
	if (j->environment) {
		separate(b, start, "; ");
		add_environment(b, j);
	}
}
