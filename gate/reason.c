/*
 * What the numbers alone say of a verdict; explain.c adds how sure that is and what else decided.
 */
#include "verdict.h"

#include "buf.h"
#include "exact.h"
#include "figure.h"

#include <math.h>
#include <string.h>

static void add_plural(struct buf *b, const char *before, size_t n, const char *noun)
{
	buf_addf(b, "%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

/* "692 more than 33131 (+2.09 %)" */
static void add_difference(struct buf *b, const struct judged *j)
{
	struct decimal d = decimal_sub(j->head_exact, j->base_exact);

	if (!decimal_sign(d)) {
		decimal_format(b, j->base_exact);
		buf_addstr(b, " on both sides");
		return;
	}
	decimal_format(b, decimal_abs(d));
	buf_addstr(b, decimal_sign(d) > 0 ? " more than " : " less than ");
	decimal_format(b, j->base_exact);
	if (!j->has_change)
		return;
	buf_addstr(b, " (");
	figure_change(b, j->change, j->tolerance, 2);
	buf_addch(b, ')');
}

/* "121 is 21 more than the last good level, 100" */
static void add_level(
	struct buf *b, const struct judged *j, const struct side *level, const char *what)
{
	const struct decimal than = decimal_median(level->values, level->n);
	const struct decimal d = decimal_sub(j->head_exact, than);

	decimal_format(b, j->head_exact);
	buf_addstr(b, " is ");
	decimal_format(b, decimal_abs(d));
	buf_addf(b, " %s than %s, ", decimal_sign(d) > 0 ? "more" : "less", what);
	decimal_format(b, than);
}

static void add_runner(struct buf *b, const char *side, const char *runner)
{
	enum { SHOWN = 60 };
	size_t n = strlen(runner);

	if (n <= SHOWN)
		buf_addf(b, "; %s measured on %s", side, runner);
	else
		buf_addf(b, "; %s measured on %.*s...", side, SHOWN, runner);
}

static void add_spread(
	struct buf *b, const struct judged *j, struct exact_spread head, struct exact_spread base)
{
	const bool of_base = base.exceeds && (!head.exceeds || base.share > head.share);
	const double share = of_base ? base.share : head.share;

	buf_addstr(b, "; samples spread ");
	if (isfinite(share))
		figure_percent(b, share, j->tolerance, 1);
	else
		buf_addstr(b, "around 0");
	buf_addf(b,
		" (%s), more than the tolerance: `judge = noisy` in a [rule] would allow for it",
		of_base ? "base" : "head");
}

/* On the base's branch the base of a series is its last good level, once it got worse than that:
 * another commit's than the report's base. */
static bool is_held(const struct judged *j)
{
	const struct pair *p = j->pair;

	return !j->crept && p->culprit && !p->good.n && p->base.sha;
}

static void explain_exact(const struct judged *j, struct buf *b)
{
	const struct pair *p = j->pair;

	if (j->crept)
		add_level(b, j, p->reference, "at the reference");
	else if (j->verdict == VERDICT_INHERITED)
		add_level(b, j, &p->good, "the last good level");
	else
		add_difference(b, j);
	if (is_held(j))
		buf_addf(b, ", the last good level (%.7s)", p->base.sha);
	buf_addstr(b, "; allowed ");
	figure_share(b, j->tolerance);
	if (decimal_sign(j->decision.floor)) {
		buf_addstr(b, " and ");
		decimal_format(b, j->decision.floor);
	}
	if (p->base.runner)
		add_runner(b, "base", p->base.runner);
	if (p->head.runner)
		add_runner(b, "head", p->head.runner);
	if (j->unstable)
		add_spread(b, j,
			exact_spread(p->head.values, p->head.n, j->head_exact, j->tolerance),
			exact_spread(p->base.values, p->base.n, j->base_exact, j->tolerance));
}

static void explain_head_only(const struct judged *j, struct buf *b)
{
	if (j->pair->base.absence)
		buf_addf(b, "the base has no number: %s", j->pair->base.absence);
	else
		buf_addstr(b, "the base does not have it");
}

static void explain_base_only(const struct judged *j, struct buf *b)
{
	const struct pair *p = j->pair;

	if (p->head.absence) {
		buf_addstr(b, p->head.absence);
	} else {
		add_plural(b, "the base has ", p->base.n, "sample");
		buf_addstr(b, ", head none");
	}
	if (j->decision.missing == MISSING_IGNORE ||
		(j->decision.class_ == CLASS_HARD && j->decision.missing == MISSING_WARN))
		buf_addf(b, " (missing = %s)", missing_rule_name(j->decision.missing));
}

static void explain_neither(const struct judged *j, struct buf *b)
{
	const struct pair *p = j->pair;
	const char *absence = p->head.absence ? p->head.absence : p->base.absence;

	buf_addf(b, "no number on either side%s%s", absence ? ": " : "", absence ? absence : "");
}

void judged_reason(const struct judged *j, struct buf *out)
{
	if (j->why)
		buf_addstr(out, j->why);
	else if (j->pair->head.n && j->pair->base.n)
		explain_exact(j, out);
	else if (j->pair->head.n)
		explain_head_only(j, out);
	else if (j->pair->base.n)
		explain_base_only(j, out);
	else
		explain_neither(j, out);
}
