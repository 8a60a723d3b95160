#include "noisy.h"

#include "buf.h"
#include "chain.h"
#include "order.h"
#include "signflip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct step_rule step_rule_of(const struct judged *j, const struct decimal *accept)
{
	return (struct step_rule){.direction = j->decision.direction,
		.tolerance = j->tolerance,
		.floor = j->decision.floor,
		.accepts = accept != NULL,
		.accept = accept ? *accept : (struct decimal){0, 0}};
}

/* ---- samples against samples ---- */

/* The caller frees. */
static double *doubles(const struct side *s)
{
	double *v = xmalloc(s->n * sizeof(*v));
	size_t i;

	for (i = 0; i < s->n; i++)
		v[i] = num_double(s->values[i]);
	return v;
}

bool lower_is_better(const struct judged *j)
{
	return j->decision.direction == DIRECTION_LOWER;
}

static double p_worse(const struct judged *j, const struct evidence *e)
{
	return lower_is_better(j) ? e->p_up : e->p_down;
}

static double p_better(const struct judged *j, const struct evidence *e)
{
	return lower_is_better(j) ? e->p_down : e->p_up;
}

double worsening(const struct judged *j, double change)
{
	return lower_is_better(j) ? change : -change;
}

static void compare_samples(const struct side *head, const struct side *base, struct evidence *ret)
{
	_cleanup_(freep) double *h = doubles(head), *b = doubles(base);

	evidence_compare(h, head->n, b, base->n, ret);
}

/* ---- pairs against pairs ---- */

struct paired {
	double head[SIGNFLIP_MAX], base[SIGNFLIP_MAX]; /* a number for each run */
	size_t n, left_out;
};

/* How many samples the run of a pair gave, and their median where there are some. */
static size_t run_median(const struct side *s, size_t pair, double *ret)
{
	_cleanup_(freep) double *v = xmalloc(s->n * sizeof(*v));
	size_t n = 0, i;

	for (i = 0; i < s->n; i++)
		if (s->pairs[i] == pair)
			v[n++] = num_double(s->values[i]);
	order_doubles(v, n);
	if (n)
		*ret = order_median(v, n);
	return n;
}

/* Run against run: what one of them gave and the other did not, or not as often, tells nothing of
 * the pair. */
static void pair_runs(const struct side *head, const struct side *base, struct paired *ret)
{
	size_t pair, of_head, of_base;

	*ret = (struct paired){0};
	for (pair = 1; pair <= SIGNFLIP_MAX; pair++) {
		of_head = run_median(head, pair, &ret->head[ret->n]);
		of_base = run_median(base, pair, &ret->base[ret->n]);
		if (of_head == of_base)
			ret->n += of_head != 0;
		else
			ret->left_out++;
	}
}

bool noisy_compare(const struct side *head, const struct side *base, struct evidence *ret)
{
	struct paired runs;

	if (!head->pairs || !base->pairs) {
		compare_samples(head, base, ret);
		return true;
	}
	pair_runs(head, base, &runs);
	if (runs.n)
		signflip_compare(runs.head, runs.base, runs.n, ret);
	return runs.n > 0;
}

static bool in_pairs(const struct pair *p)
{
	return p->one_session && p->head.pairs && p->base.pairs;
}

static void keep_evidence(struct judged *j, enum method method, const struct evidence *e)
{
	struct proof *proof = j->proof;

	proof->method = method;
	proof->evidence = *e;
	proof->n_head = e->n_head;
	proof->n_base = e->n_base;
	proof->low = e->low;
	proof->high = e->high;
	j->has_change = e->relative && isfinite(e->change);
	j->change = j->has_change ? e->change : 0;
	proof->p = worsening(j, e->change) >= 0 ? p_worse(j, e) : p_better(j, e);
}

/* false: there is no pair to judge by. */
static bool judge_pairs(struct judged *j)
{
	struct evidence e;
	struct paired runs;

	pair_runs(&j->pair->head, &j->pair->base, &runs);
	if (!runs.n)
		return false;
	signflip_compare(runs.head, runs.base, runs.n, &e);
	keep_evidence(j, METHOD_PAIRS, &e);
	j->proof->left_out = runs.left_out;
	return true;
}

static void judge_samples(struct judged *j)
{
	struct evidence e;

	j->verdict = VERDICT_INCONCLUSIVE;
	if (!in_pairs(j->pair)) {
		compare_samples(&j->pair->head, &j->pair->base, &e);
		keep_evidence(j, METHOD_RANKS, &e);
	} else if (!judge_pairs(j)) {
		free(j->proof);
		j->proof = NULL;
		j->why = "in no pair of runs did both give as many samples";
	}
}

/* ---- sessions ---- */

static const struct past_commit *culprit_of(const struct past *past, const struct sessions *s)
{
	return s->culprit < past->n ? &past->commits[past->v[s->culprit].commit] : NULL;
}

/* What its base's branch did is not a change request's own doing; what it adds to that is. */
static enum verdict of_others(const struct sessions *s)
{
	if (!s->beyond_base)
		return VERDICT_INHERITED;
	return s->beyond_base >= SESSIONS_IN_A_ROW ? VERDICT_REGRESSED : VERDICT_SUSPECT;
}

static enum verdict verdict_of(
	const struct sessions *s, const struct past_commit *culprit, bool on_line)
{
	const bool others = !on_line && culprit && !culprit->own;

	switch (s->say) {
	case SESSIONS_FEW:
	case SESSIONS_BLIND:
		return VERDICT_INCONCLUSIVE;
	case SESSIONS_REGRESSED:
		return others ? of_others(s) : VERDICT_REGRESSED;
	case SESSIONS_SUSPECT:
		return VERDICT_SUSPECT;
	case SESSIONS_IMPROVED:
		return VERDICT_IMPROVED;
	default:
		return VERDICT_PASS;
	}
}

static const struct past no_past = {0};

static const struct past *past_of(const struct judged *j)
{
	return j->pair->past ? j->pair->past : &no_past;
}

/* While an accepted level has too few sessions of its own, those before it are asked, and whether
 * what they say is accepted is the section's to settle. */
static void ask_history(
	const struct judged *j, const struct decimal *accept, double head, struct sessions *ret)
{
	struct step_rule rule = step_rule_of(j, accept);
	struct sessions without;

	history_sessions(past_of(j), &rule, head, ret);
	if (!ret->used_accept)
		return;
	rule = step_rule_of(j, NULL);
	history_sessions(past_of(j), &rule, head, &without);
	if (ret->say == SESSIONS_FEW)
		*ret = without;
	else
		ret->used_accept = ret->say != without.say || ret->n != without.n;
}

static bool judge_sessions(struct judged *j, const struct decimal *accept, bool on_line)
{
	const struct past_commit *culprit;
	struct sessions s;

	ask_history(j, accept, j->head_median, &s);
	*j->proof = (struct proof){.method = METHOD_SESSIONS,
		.p = s.p,
		.level = NAN,
		.low = s.low,
		.high = s.high,
		.detectable = s.detectable,
		.n_head = 1,
		.n_base = s.n,
		.needed = s.say == SESSIONS_FEW ? SESSIONS_NEEDED : 0,
		.family = 1};
	culprit = culprit_of(past_of(j), &s);
	j->verdict = verdict_of(&s, culprit, on_line);
	if ((j->verdict == VERDICT_INHERITED || j->verdict == VERDICT_REGRESSED) && culprit &&
		(on_line || !s.beyond_base))
		j->culprit = culprit->sha;
	if (s.n) {
		j->base_median = s.median;
		j->base_exact = decimal_from(num_real(s.median));
		j->has_change = isfinite(s.change);
		j->change = j->has_change ? s.change : 0;
	}
	return s.used_accept;
}

static bool by_samples(const struct judged *j)
{
	return j->pair->one_session || j->decision.sessions == SESSIONS_POOL;
}

bool noisy_judge(struct judged *j, const struct decimal *accept, bool on_line)
{
	j->proof = xcalloc(1, sizeof(*j->proof));
	if (!by_samples(j))
		return judge_sessions(j, accept, on_line);
	j->proof->accepts = accept != NULL;
	if (accept)
		j->proof->accept = *accept;
	judge_samples(j);
	return false;
}

/* ---- what sessions say beside samples ---- */

/* On head's own commits it is for the samples to tell. */
static const struct past_commit *others_before(const struct judged *j, const struct sessions *s)
{
	const struct past_commit *c = culprit_of(past_of(j), s);

	return c && !c->own && (s->base_regressed || s->say == SESSIONS_REGRESSED) ? c : NULL;
}

/* What samples say of head and its base is not what the base is worth: one that the sessions before
 * it call regressed is no level to be held to, and what was not told apart takes nothing back. */
static void hold_to_sessions(struct judged *j, bool on_line)
{
	const struct decimal accept = j->proof->accept,
			     *accepts = j->proof->accepts ? &accept : NULL;
	const struct past_commit *culprit;
	struct sessions s;

	if (j->verdict == VERDICT_REGRESSED || !past_of(j)->n)
		return;
	ask_history(j, accepts, j->head_median, &s);
	culprit = others_before(j, &s);
	j->proof->used_accept |= s.used_accept;
	if (j->verdict == VERDICT_INCONCLUSIVE && s.say == SESSIONS_REGRESSED) {
		judge_sessions(j, accepts, on_line);
		j->proof->used_accept = s.used_accept;
	} else if (culprit && (j->verdict != VERDICT_IMPROVED || (on_line && s.worse))) {
		j->verdict = on_line ? VERDICT_REGRESSED : VERDICT_INHERITED;
		j->culprit = culprit->sha;
	}
}

/* ---- what depends on the family ---- */

/* Whether the medians are as far apart as the floor asks. */
static bool beyond_floor(const struct judged *j)
{
	struct decimal d = decimal_abs(decimal_sub(j->head_exact, j->base_exact));

	return decimal_cmp(d, j->decision.floor) >= 0;
}

/* Whether a worsening (a share, or in the unit where base's median is 0) is beyond what is allowed.
 */
static bool beyond(const struct judged *j, double worse)
{
	const double allowed = j->proof->evidence.relative ? decimal_double(j->tolerance) : 0;

	return worse > allowed;
}

/* The most that it may have got worse is allowed, or below the floor. */
static bool surely_small(const struct judged *j)
{
	const struct evidence *e = &j->proof->evidence;
	const double most = lower_is_better(j) ? e->high : -e->low;
	const double unit = e->relative ? fabs(j->base_median) : 1;

	return !beyond(j, most) || most * unit < decimal_double(j->decision.floor);
}

static double detectable(const struct judged *j)
{
	const struct proof *p = j->proof;
	const double tolerance = decimal_double(j->tolerance);

	if (!p->evidence.relative)
		return NAN;
	return p->method == METHOD_PAIRS ? signflip_detectable(&p->evidence, p->level, tolerance)
					 : evidence_detectable(&p->evidence, p->level, tolerance);
}

static size_t samples_needed(const struct judged *j, double level)
{
	const struct evidence *e = &j->proof->evidence;
	const size_t least = e->n_head < e->n_base ? e->n_head : e->n_base;
	const size_t n = evidence_needed(e, level, decimal_double(j->tolerance));

	return n > least ? n : least * 2;
}

static size_t pairs_needed(const struct judged *j, double level)
{
	const struct evidence *e = &j->proof->evidence;
	const size_t n = signflip_needed(e, level, decimal_double(j->tolerance));

	if (n > e->n_head)
		return n;
	return e->n_head * 2 <= SIGNFLIP_MAX ? e->n_head * 2
	       : e->n_head < SIGNFLIP_MAX    ? SIGNFLIP_MAX
					     : SIGNFLIP_MAX + 1;
}

static size_t needed(const struct judged *j, double level)
{
	return j->proof->method == METHOD_PAIRS ? pairs_needed(j, level) : samples_needed(j, level);
}

/* worse, better: the largest p that is a hit, negative where none is. */
static enum verdict decide_samples(const struct judged *j, double worse, double better)
{
	const struct evidence *e = &j->proof->evidence;
	const double w = worsening(j, e->change);

	if (p_worse(j, e) <= worse && beyond(j, w) && beyond_floor(j))
		return VERDICT_REGRESSED;
	if (p_better(j, e) <= better && beyond(j, -w) && beyond_floor(j))
		return VERDICT_IMPROVED;
	return surely_small(j) ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

/* What an older session that both sides share would have been given, beside the same others. */
static enum verdict then_verdict(
	const struct judged *j, const struct pair *then, double worse, double better)
{
	struct proof proof = *j->proof;
	struct judged x = *j;

	x.pair = then;
	x.proof = &proof;
	x.head_exact = decimal_median(then->head.values, then->head.n);
	x.base_exact = decimal_median(then->base.values, then->base.n);
	x.base_median = decimal_double(x.base_exact);
	return judge_pairs(&x) ? decide_samples(&x, worse, better) : j->verdict;
}

/* The newest session decides; that an older one said otherwise is worth a word. */
static void look_back(struct judged *j, double worse, double better)
{
	const struct pair *p = j->pair;
	size_t i;

	if (j->proof->method != METHOD_PAIRS || j->culprit || !p->then)
		return;
	for (i = 0; i < p->n_earlier && !j->differed; i++) {
		struct pair then = *p;

		then.head = p->earlier[i];
		then.base = p->then[i];
		if (!in_pairs(&then))
			continue;
		j->earlier = then_verdict(j, &then, worse, better);
		j->earlier_session = then.head.session;
		j->differed = j->earlier != j->verdict;
	}
}

static int compare_families(const struct judged *a, const struct judged *b)
{
	const struct series_key *ka = &a->pair->key, *kb = &b->pair->key;
	int r = strcmp(ka->suite, kb->suite);

	r = r ? r : strcmp(ka->runner, kb->runner);
	return r ? r : strcmp(ka->metric, kb->metric);
}

static int compare_entries(const void *pa, const void *pb)
{
	return compare_families(*(struct judged *const *)pa, *(struct judged *const *)pb);
}

static void settle_family(struct judged **j, size_t m, bool on_line)
{
	double *p = xmalloc(m * sizeof(*p)), worse, better;
	size_t i;

	for (i = 0; i < m; i++)
		p[i] = p_worse(j[i], &j[i]->proof->evidence);
	worse = evidence_hits(p, m, DISCOVERY_RATE);
	for (i = 0; i < m; i++)
		p[i] = p_better(j[i], &j[i]->proof->evidence);
	better = evidence_hits(p, m, DISCOVERY_RATE);
	free(p);
	for (i = 0; i < m; i++) {
		struct proof *proof = j[i]->proof;
		proof->family = m;
		proof->level = DISCOVERY_RATE / (double)m;
		proof->detectable = detectable(j[i]);
		j[i]->verdict = decide_samples(j[i], worse, better);
		if (j[i]->verdict == VERDICT_INCONCLUSIVE)
			proof->needed = needed(j[i], proof->level);
	}
	chain_hold(j, m, on_line);
	for (i = 0; i < m; i++) {
		const double level = j[i]->proof->level;

		hold_to_sessions(j[i], on_line);
		look_back(j[i], fmax(worse, level), fmax(better, level));
	}
}

void noisy_settle(struct judged *j, size_t n, bool on_line)
{
	struct judged **entries = xmalloc(n * sizeof(*entries));
	size_t i, first, m = 0;

	for (i = 0; i < n; i++)
		if (j[i].proof && j[i].proof->method != METHOD_SESSIONS)
			entries[m++] = &j[i];
	if (m)
		qsort(entries, m, sizeof(*entries), compare_entries);
	for (first = 0; first < m; first = i) {
		for (i = first + 1; i < m && compare_families(entries[first], entries[i]) == 0;)
			i++;
		settle_family(entries + first, i - first, on_line);
	}
	free(entries);
}

/* ---- older sessions of head ---- */

enum verdict noisy_earlier(
	const struct judged *j, const struct side *head, const struct decimal *accept, bool on_line)
{
	const double middle = decimal_double(decimal_median(head->values, head->n));
	struct sessions s;

	if (by_samples(j))
		return j->verdict; /* a session that both sides share waits for the others */
	ask_history(j, accept, middle, &s);
	return verdict_of(&s, culprit_of(past_of(j), &s), on_line);
}
