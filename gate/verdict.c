#include "verdict.h"

#include "buf.h"
#include "exact.h"
#include "figure.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *verdict_name(enum verdict v)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_REGRESSED] = "regressed",
		[VERDICT_LOST] = "lost",
		[VERDICT_MISSING] = "missing",
		[VERDICT_NOT_MEASURED] = "not-measured",
		[VERDICT_INCOMPARABLE] = "incomparable",
		[VERDICT_NO_BASE] = "no-base",
		[VERDICT_IMPROVED] = "improved",
		[VERDICT_NEW] = "new",
		[VERDICT_PASS] = "pass",
		[VERDICT_INFO] = "info",
	};

	return names[v];
}

static void give(struct judged *j, enum verdict v, const char *why)
{
	j->verdict = v;
	j->why = why;
}

static void add_plural(struct buf *b, const char *before, size_t n, const char *noun)
{
	buf_addf(b, "%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

static struct decimal median(const struct side *s)
{
	return decimal_median(s->values, s->n);
}

/* Medians, their change and the tolerance that applies. */
static void measure(struct judged *j)
{
	const struct pair *p = j->pair;
	struct decimal d;

	j->tolerance = p->base.runner || p->head.runner ? j->decision.cross_tolerance
							: j->decision.tolerance;
	if (p->head.n)
		j->head_exact = median(&p->head);
	if (p->base.n)
		j->base_exact = median(&p->base);
	j->head_median = decimal_double(j->head_exact);
	j->base_median = decimal_double(j->base_exact);
	if (!p->head.n || !p->base.n || !decimal_sign(j->base_exact))
		return;
	d = decimal_sub(j->head_exact, j->base_exact);
	j->change = decimal_double(d) / decimal_double(decimal_abs(j->base_exact));
	j->has_change = isfinite(j->change);
	if (!j->has_change)
		j->change = 0;
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

static void judge_exact(struct judged *j)
{
	const struct pair *p = j->pair;

	j->verdict = exact_verdict(j->head_exact, j->base_exact, j->decision.direction,
		j->tolerance, j->decision.floor);
	j->unstable =
		exact_spread(p->head.values, p->head.n, j->head_exact, j->tolerance).exceeds ||
		exact_spread(p->base.values, p->base.n, j->base_exact, j->tolerance).exceeds;
}

static void explain_exact(const struct judged *j, struct buf *b)
{
	const struct pair *p = j->pair;

	add_difference(b, j);
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

static void judge_both(struct judged *j)
{
	if (j->decision.direction == DIRECTION_NONE)
		give(j, VERDICT_INFO, "no direction: neither higher nor lower is better");
	else if (j->decision.judge == JUDGE_NOISY)
		give(j, VERDICT_INFO, "judged from step 2 on");
	else
		judge_exact(j);
}

static void judge_head_only(struct judged *j)
{
	static const enum verdict of_gap[] = {[GAP_NONE] = VERDICT_NEW,
		[GAP_NEW] = VERDICT_NEW,
		[GAP_NO_BASE] = VERDICT_NO_BASE,
		[GAP_INCOMPARABLE] = VERDICT_INCOMPARABLE};

	give(j, of_gap[j->pair->gap], j->pair->gap_reason);
}

static void explain_head_only(const struct judged *j, struct buf *b)
{
	if (j->pair->base.absence)
		buf_addf(b, "the base has no number: %s", j->pair->base.absence);
	else
		buf_addstr(b, "the base does not have it");
}

static void judge_base_only(struct judged *j)
{
	j->verdict = j->pair->head.absence ? VERDICT_LOST : VERDICT_MISSING;
	if (j->decision.missing == MISSING_IGNORE)
		j->verdict = VERDICT_INFO;
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

static void inform(struct judged *j)
{
	const struct pair *p = j->pair;

	if (p->head.n && p->base.n)
		give(j, VERDICT_INFO, "for information");
	else if (p->head.n)
		give(j, VERDICT_INFO, "for information; not in the base");
	else
		give(j, VERDICT_INFO, "for information; gone at head");
}

static void judge_suite(struct judged *j)
{
	int a;

	j->decision = (struct decision){.class_ = CLASS_HARD, .judge = JUDGE_EXACT};
	for (a = 0; a < ATTR_COUNT; a++)
		j->decision.by[a] = -1;
	give(j, VERDICT_NOT_MEASURED,
		j->pair->expected ? "head has no run of this suite, which gate.expect lists"
				  : "head has no run of this suite");
}

int judge_pair(struct policy *p, const struct pair *pair, const struct judge_options *opts,
	struct judged *ret, struct err *err)
{
	struct judged j = {.pair = pair};

	(void)opts; /* they change what a verdict does, not the verdict */
	if (pair->not_measured) {
		judge_suite(&j);
		*ret = j;
		return 0;
	}
	if (policy_decide(p, &pair->key, &j.decision, err) < 0)
		return -1;
	measure(&j);
	if (!pair->head.n && !pair->base.n)
		j.verdict = VERDICT_INFO;
	else if (j.decision.class_ == CLASS_INFO)
		inform(&j);
	else if (!pair->base.n)
		judge_head_only(&j);
	else if (!pair->head.n)
		judge_base_only(&j);
	else
		judge_both(&j);
	*ret = j;
	return 0;
}

int verdict_status(const struct judged *j, const struct judge_options *opts)
{
	const bool hard = j->decision.class_ == CLASS_HARD;

	switch (j->verdict) {
	case VERDICT_REGRESSED:
		return hard || (opts->strict && j->decision.class_ == CLASS_ADVISORY) ? 1 : 0;
	case VERDICT_MISSING:
	case VERDICT_LOST:
		return hard && j->decision.missing == MISSING_ERROR ? 3 : 0;
	case VERDICT_NO_BASE:
		return hard && opts->require && !opts->first_run ? 3 : 0;
	case VERDICT_INCOMPARABLE:
		return hard && opts->require ? 3 : 0;
	case VERDICT_NOT_MEASURED:
		return j->pair->expected && opts->require ? 3 : 0;
	default:
		return 0;
	}
}

int verdicts_status(const struct judged *j, size_t n, const struct judge_options *opts)
{
	int status = 0;
	size_t i;

	for (i = 0; i < n && status != 1; i++) {
		int one = verdict_status(&j[i], opts);
		status = one ? one : status;
	}
	return status;
}

/* 1 before 3 before 0. */
static int status_rank(int status)
{
	return status == 1 ? 0 : status == 3 ? 1 : 2;
}

/* A change from 0 is larger than any other. */
static double change_size(const struct judged *j)
{
	if (!j->pair->head.n || !j->pair->base.n)
		return 0;
	if (j->has_change)
		return fabs(j->change);
	return decimal_cmp(j->head_exact, j->base_exact) ? INFINITY : 0;
}

/* A suite that was not measured has no other names. */
static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_keys(const struct series_key *a, const struct series_key *b)
{
	int r = compare_text(a->suite, b->suite);

	r = r ? r : compare_text(a->benchmark, b->benchmark);
	r = r ? r : compare_text(a->metric, b->metric);
	r = r ? r : compare_text(a->variant, b->variant);
	r = r ? r : compare_text(a->runner, b->runner);
	r = r ? r : compare_text(a->unit, b->unit);
	return r ? r : compare_text(a->quantity, b->quantity);
}

/* What decides mostly, close together: verdicts are large and far apart. */
struct sort_key {
	unsigned rank; /* status, verdict, class */
	double size;
	const struct judged *j;
};

static int compare(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return compare_keys(&a->j->pair->key, &b->j->pair->key);
}

/* Puts j[keys[k].j] in place k for all k, along the cycles of the permutation. */
static void permute(struct judged *j, struct sort_key *keys, size_t n)
{
	size_t i, k, from;

	for (i = 0; i < n; i++) {
		struct judged held;
		if (!keys[i].j)
			continue;
		held = j[i];
		for (k = i;; k = from) {
			from = (size_t)(keys[k].j - j);
			keys[k].j = NULL; /* done */
			if (from == i)
				break;
			j[k] = j[from];
		}
		j[k] = held;
	}
}

void verdicts_sort(struct judged *j, size_t n, const struct judge_options *opts)
{
	struct sort_key *keys = xmalloc(n * sizeof(*keys));
	size_t i;

	for (i = 0; i < n; i++)
		keys[i] = (struct sort_key){
			(unsigned)status_rank(verdict_status(&j[i], opts)) << 16 |
				(unsigned)j[i].verdict << 8 | (unsigned)j[i].decision.class_,
			change_size(&j[i]), &j[i]};
	if (n)
		qsort(keys, n, sizeof(*keys), compare);
	permute(j, keys, n);
	free(keys);
}
