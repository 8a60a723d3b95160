/*
 * Sections of the policy that turn verdicts: what was accepted, waived or retired on purpose.
 */
#include "noisy.h"

static void turn(struct policy *p, struct judged *j, int section, enum verdict v)
{
	policy_turned(p, section);
	j->section = policy_section_name(p, section);
	j->section_reason = policy_section_reason(p, section);
	j->without = j->verdict;
	j->verdict = v;
	j->why = NULL;
}

static int accept(struct policy *p, struct judged *j, struct err *err)
{
	struct turn t;
	struct step_rule rule;
	int r;

	if (j->verdict != VERDICT_REGRESSED && j->verdict != VERDICT_INHERITED)
		return 0;
	r = policy_accept(p, &j->pair->key, &t, err);
	if (r <= 0)
		return r;
	rule = step_rule_of(j, &t.to);
	if (step_accepted(&rule, j->head_exact))
		turn(p, j, t.section, VERDICT_ACCEPTED);
	return 0;
}

/* The level that the base has is good only by it. */
static int keep_accept(struct policy *p, const struct judged *j, struct err *err)
{
	struct turn t;
	int r = policy_accept(p, &j->pair->key, &t, err);

	if (r > 0)
		policy_turned(p, t.section);
	return r < 0 ? -1 : 0;
}

static bool is_gone(const struct judged *j)
{
	return j->verdict == VERDICT_MISSING || j->verdict == VERDICT_LOST;
}

static int retire(struct policy *p, struct judged *j, struct err *err)
{
	struct turn t;
	int r = is_gone(j) ? policy_retire(p, &j->pair->key, &t, err) : 0;

	if (r > 0)
		turn(p, j, t.section, VERDICT_INFO);
	return r < 0 ? -1 : 0;
}

static int waive(
	struct policy *p, struct judged *j, const struct judge_options *opts, struct err *err)
{
	struct turn t;
	int r;

	if (j->verdict != VERDICT_REGRESSED && !is_gone(j) && !verdict_status(j, opts))
		return 0;
	r = policy_waive(p, &j->pair->key, &t, err);
	if (r <= 0)
		return r;
	if (!opts->head_time || opts->head_time < t.until) {
		turn(p, j, t.section, VERDICT_WAIVED);
		return 0;
	}
	j->section = policy_section_name(p, t.section);
	j->section_reason = policy_section_reason(p, t.section);
	j->without = j->verdict;
	j->expired = true;
	return 0;
}

int verdicts_settle(struct policy *p, struct judged *j, size_t n, const struct judge_options *opts,
	struct err *err)
{
	size_t i;

	noisy_settle(j, n, opts->on_line);
	for (i = 0; i < n; i++) {
		if (j[i].pair->not_measured)
			continue;
		/* a section that has nothing to turn may still have its series */
		if (policy_note_sections(p, &j[i].pair->key, err) < 0)
			return -1;
		if (j[i].proof && j[i].proof->used_accept && keep_accept(p, &j[i], err) < 0)
			return -1;
		if (j[i].verdict > VERDICT_INHERITED)
			continue;
		if (accept(p, &j[i], err) < 0 || retire(p, &j[i], err) < 0 ||
			waive(p, &j[i], opts, err) < 0)
			return -1;
	}
	return 0;
}
