#include "verdict.h"

#include "exact.h"
#include "noisy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *proof_method_name(enum method m)
{
	static const char *const names[] = {
		[METHOD_RANKS] = "ranks", [METHOD_SESSIONS] = "sessions", [METHOD_PAIRS] = "pairs"};

	return names[m];
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_REGRESSED] = "regressed",
		[VERDICT_LOST] = "lost",
		[VERDICT_MISSING] = "missing",
		[VERDICT_NOT_MEASURED] = "not-measured",
		[VERDICT_INCOMPARABLE] = "incomparable",
		[VERDICT_NO_BASE] = "no-base",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_SUSPECT] = "suspect",
		[VERDICT_INHERITED] = "inherited",
		[VERDICT_ACCEPTED] = "accepted",
		[VERDICT_WAIVED] = "waived",
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

/* ---- exact ---- */

static enum verdict against(
	const struct judged *j, struct decimal head, struct decimal than, struct decimal tolerance)
{
	return exact_verdict(head, than, j->decision.direction, tolerance, j->decision.floor);
}

/* What is no worse than its base, and yet worse than the last good level, was worse before. */
static enum verdict exact_of(const struct judged *j, struct decimal head)
{
	const struct pair *p = j->pair;
	const enum verdict v = against(j, head, j->base_exact, j->tolerance);

	if (v == VERDICT_PASS && p->good.n &&
		against(j, head, median(&p->good), j->tolerance) == VERDICT_REGRESSED)
		return VERDICT_INHERITED;
	return v;
}

/* Many small steps: against the pinned revision, and whether the base had gone that far already. */
static enum verdict creep_of(
	const struct judged *j, struct decimal head, enum verdict v, bool on_line, bool *crept)
{
	const struct pair *p = j->pair;
	struct decimal pinned;

	*crept = false;
	if (v == VERDICT_REGRESSED || !p->reference || !p->reference->n ||
		j->decision.by[ATTR_CREEP] < 0)
		return v;
	pinned = median(p->reference);
	if (against(j, head, pinned, j->decision.creep) != VERDICT_REGRESSED)
		return v;
	*crept = true;
	if (on_line || against(j, j->base_exact, pinned, j->decision.creep) != VERDICT_REGRESSED)
		return VERDICT_REGRESSED;
	return VERDICT_INHERITED;
}

static bool spreads(const struct judged *j, const struct side *s, struct decimal middle)
{
	return exact_spread(s->values, s->n, middle, j->tolerance).exceeds;
}

static void judge_exact(struct judged *j, bool on_line)
{
	const struct pair *p = j->pair;

	j->verdict = creep_of(j, j->head_exact, exact_of(j, j->head_exact), on_line, &j->crept);
	if (!j->crept && (j->verdict == VERDICT_INHERITED || j->verdict == VERDICT_REGRESSED))
		j->culprit = p->culprit && (on_line || j->verdict == VERDICT_INHERITED) ? p->culprit
											: NULL;
	j->unstable = spreads(j, &p->head, j->head_exact) || spreads(j, &p->base, j->base_exact);
}

/* ---- older sessions of head ---- */

static enum verdict of_session(
	const struct judged *j, const struct side *s, const struct decimal *accept, bool on_line)
{
	const struct decimal middle = median(s);
	bool crept;

	if (j->decision.judge == JUDGE_NOISY)
		return noisy_earlier(j, s, accept, on_line);
	return creep_of(j, middle, exact_of(j, middle), on_line, &crept);
}

/* The newest session decides; that an older one said otherwise is worth a word. */
static void look_back(struct judged *j, const struct decimal *accept, bool on_line)
{
	size_t i;

	for (i = 0; i < j->pair->n_earlier && !j->differed; i++) {
		const struct side *s = &j->pair->earlier[i];
		if (!s->n)
			continue;
		j->earlier = of_session(j, s, accept, on_line);
		j->earlier_session = s->session;
		j->differed = j->earlier != j->verdict;
	}
}

/* ---- which rule ---- */

static int judge_noisy(
	struct policy *p, struct judged *j, const struct judge_options *opts, struct err *err)
{
	const struct decimal *accept;
	struct turn turn;
	int r = policy_accept(p, &j->pair->key, &turn, err);

	if (r < 0)
		return -1;
	accept = r ? &turn.to : NULL;
	if (noisy_judge(j, accept, opts->on_line))
		policy_turned(p, turn.section);
	look_back(j, accept, opts->on_line);
	return 0;
}

static int judge_both(
	struct policy *p, struct judged *j, const struct judge_options *opts, struct err *err)
{
	if (j->decision.direction == DIRECTION_NONE) {
		give(j, VERDICT_INFO, "no direction: neither higher nor lower is better");
		return 0;
	}
	if (j->decision.judge == JUDGE_NOISY)
		return judge_noisy(p, j, opts, err);
	judge_exact(j, opts->on_line);
	look_back(j, NULL, opts->on_line);
	return 0;
}

static void judge_head_only(struct judged *j)
{
	static const enum verdict of_gap[] = {[GAP_NONE] = VERDICT_NEW,
		[GAP_NEW] = VERDICT_NEW,
		[GAP_NO_BASE] = VERDICT_NO_BASE,
		[GAP_INCOMPARABLE] = VERDICT_INCOMPARABLE};

	give(j, of_gap[j->pair->gap], j->pair->gap_reason);
}

static void judge_base_only(struct judged *j)
{
	j->verdict = j->pair->head.absence ? VERDICT_LOST : VERDICT_MISSING;
	if (j->decision.missing == MISSING_IGNORE)
		j->verdict = VERDICT_INFO;
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
	int r = 0;

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
		r = judge_both(p, &j, opts, err);
	*ret = j;
	return r;
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
		return hard && opts->require && (!opts->first_run || j->pair->elsewhere) ? 3 : 0;
	case VERDICT_INCOMPARABLE:
	case VERDICT_INCONCLUSIVE:
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

void verdicts_release(struct judged *j, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(j[i].proof);
}

/* What the base would be if it were that observation. */
static struct side side_at(const struct pair *pair, size_t at)
{
	const struct observation *o = &pair->past->v[at];
	const struct past_commit *c =
		&pair->past->commits[o->until > o->commit ? o->until : o->commit];

	return (struct side){.sha = c->sha,
		.distance = c->distance,
		.runner = pair->base.runner,
		.values = &o->median,
		.n = 1};
}

/* Whether the level would be another one without what the rule accepts. */
static bool is_needed(
	const struct past *past, const struct step_rule *rule, const struct level *with)
{
	struct step_rule plain = *rule;
	struct level level;

	plain.accepts = false;
	history_level(past, &plain, &level);
	return level.at != with->at || level.regressed != with->regressed;
}

int pair_take_level(struct policy *p, struct pair *pair, bool on_line, struct err *err)
{
	struct judged j = {.pair = pair};
	struct step_rule rule;
	struct level level;
	struct turn turn;
	struct side good;
	int accepts;

	if (policy_decide(p, &pair->key, &j.decision, err) < 0)
		return -1;
	accepts = policy_accept(p, &pair->key, &turn, err);
	if (accepts < 0)
		return -1;
	measure(&j);
	rule = step_rule_of(&j, accepts ? &turn.to : NULL);
	history_level(pair->past, &rule, &level);
	if (level.used_accept && is_needed(pair->past, &rule, &level))
		policy_turned(p, turn.section);
	if (!level.known || !level.regressed)
		return 0;
	good = side_at(pair, level.at);
	pair->culprit = pair->past->commits[pair->past->v[level.culprit].commit].sha;
	*(on_line ? &pair->base : &pair->good) = good;
	return 0;
}
