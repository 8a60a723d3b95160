#include "compare-private.h"

#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* What one session has of a series. */
static struct side side_in(const struct measured *x, const struct session_values *session,
	const char *label, int distance, const char *runner)
{
	return (struct side){.sha = label,
		.distance = distance,
		.session = session->session && *session->session ? session->session : NULL,
		.values = session->values,
		.pairs = session->pairs,
		.n = session->n,
		.absence = session->n ? NULL : x->absence,
		.runner = strcmp(x->key.runner, runner) ? x->key.runner : NULL};
}

static struct side side_of(
	const struct measured *x, const char *label, int distance, const char *runner)
{
	return side_in(x, &x->newest, label, distance, runner);
}

static struct pair *new_pair(struct comparison *x, const struct series_key *key)
{
	x->pairs = xgrow(x->pairs, x->n, &x->cap, sizeof(*x->pairs));
	x->pairs[x->n] = (struct pair){.key = *key};
	return &x->pairs[x->n++];
}

static const char *what_differs(
	struct comparison *x, const struct measured *h, const struct measured *b)
{
	const struct series_key *was = &b->key, *is = &h->key;

	if (strcmp(was->unit, is->unit) || was->direction != is->direction)
		return comparison_own(
			x, xasprintf("its unit was '%.60s' (%s is better), it is '%.60s' (%s)",
				   was->unit, direction_name(was->direction), is->unit,
				   direction_name(is->direction)));
	if (strcmp(was->variant, is->variant))
		return comparison_own(x, xasprintf("its variant was '%.100s', it is '%.100s'",
						 was->variant, is->variant));
	if (strcmp(was->runner, is->runner))
		return comparison_own(
			x, xasprintf("the base was measured on %.100s, HEAD on %.100s", was->runner,
				   is->runner));
	return comparison_own(x,
		xasprintf("its quantity was '%.60s', it is '%.60s'", was->quantity, is->quantity));
}

/* A base series of the same name that no head series is compared with: what became of it is that it
 * cannot be compared any more. NULL: there is none. */
static struct measured *left_alone(struct comparison *x, struct measured *h)
{
	struct measured *b;
	size_t i;

	for (i = 0; i < x->n_bases; i++) {
		struct measurements *m = &x->bases[i].m;
		for (b = measurements_named(m, h); b; b = measurements_next_named(m, b))
			if (b->newest.n && !b->paired)
				return b;
	}
	return NULL;
}

/* ---- sessions ---- */

static const struct session_values *session_named(const struct measured *x, const char *session)
{
	const struct session_values *s;

	for (s = &x->newest; s; s = s->older)
		if (s->session == session && s->n)
			return s;
	return NULL;
}

/* The newest of head's sessions in which base was measured too, with what base has of it. */
static const struct session_values *shared_session(
	const struct measured *h, const struct measured *b, const struct session_values **ret_base)
{
	const struct session_values *s;

	for (s = &h->newest; s; s = s->older) {
		*ret_base = s->n && *s->session ? session_named(b, s->session) : NULL;
		if (*ret_base)
			return s;
	}
	return NULL;
}

/* base in those sessions of head that are older than the shared one. */
static void add_then(struct comparison *x, struct pair *p, const struct measured *b,
	const struct session_values *than)
{
	const struct session_values *s, *of_base;
	struct side *then;
	size_t i = 0;

	if (!p->n_earlier)
		return;
	p->then = then = comparison_own(x, xcalloc(p->n_earlier, sizeof(*then)));
	for (s = than->older; s; s = s->older, i++) {
		of_base = *s->session ? session_named(b, s->session) : NULL;
		if (of_base)
			then[i] = side_in(b, of_base, p->base.sha, p->base.distance, p->key.runner);
	}
}

/* head again, in the sessions that are older than the one that is judged. */
static void add_earlier(struct comparison *x, struct pair *p, const struct measured *h,
	const struct session_values *than)
{
	const struct session_values *s;
	struct side *earlier;
	size_t n = 0;

	for (s = than->older; s; s = s->older)
		n++;
	if (!n)
		return;
	p->earlier = earlier = comparison_own(x, xmalloc(n * sizeof(*earlier)));
	for (s = than->older; s; s = s->older)
		earlier[p->n_earlier++] = side_in(h, s, x->head_label, 0, h->key.runner);
}

/* Newest first, ending with NULL; the comparison's. */
static const char *const *names_of(struct comparison *x, const struct session_values *of)
{
	const struct session_values *s;
	const char **names;
	size_t n = 0;

	for (s = of; s; s = s->older)
		n++;
	names = comparison_own(x, xcalloc(n + 1, sizeof(*names)));
	for (n = 0, s = of; s; s = s->older)
		if (s->n)
			names[n++] = s->session;
	return names;
}

/* The samples of all sessions of a commit, oldest session first. */
static void pool(struct comparison *x, struct side *side, const struct session_values *of)
{
	const struct session_values *s;
	struct num *all;
	size_t n = 0;

	for (s = of; s; s = s->older)
		n += s->n;
	all = xmalloc(n * sizeof(*all));
	comparison_own(x, all);
	side->values = all;
	side->pairs = NULL;
	side->n = n;
	side->session = NULL;
	side->pooled = names_of(x, of);
	for (s = of; s; s = s->older) {
		n -= s->n;
		memcpy(all + n, s->values, s->n * sizeof(*all));
	}
}

/* Samples share their weather only within a session: a noisy series whose sides were both measured
 * in one is judged by that alone, unless the policy says that sessions are alike. */
static int choose_sessions(struct comparison *x, const struct measured *h, const struct measured *b,
	struct pair *p, struct err *err)
{
	const struct session_values *of_head, *of_base;
	struct decision d;

	p->one_session = x->any_runner;
	of_head = x->any_runner ? NULL : shared_session(h, b, &of_base);
	if ((of_head || h->newest.older || b->newest.older) &&
		policy_decide(x->c->policy, &p->key, &d, err) < 0)
		return -1;
	if ((h->newest.older || b->newest.older) && d.judge == JUDGE_NOISY &&
		d.sessions == SESSIONS_POOL) {
		pool(x, &p->head, &h->newest);
		pool(x, &p->base, &b->newest);
	} else if (of_head && d.judge == JUDGE_NOISY) {
		p->one_session = true;
		p->head = side_in(h, of_head, p->head.sha, 0, h->key.runner);
		p->base = side_in(b, of_base, p->base.sha, p->base.distance, h->key.runner);
		add_earlier(x, p, h, of_head);
		add_then(x, p, b, of_head);
	} else {
		add_earlier(x, p, h, &h->newest);
	}
	return 0;
}

static int pair_compared(struct comparison *x, const struct want *w, struct err *err)
{
	struct measured *h = &x->head.v[w->head], *b = w->base ? w->base : w->fallback;
	size_t set = w->base ? w->base_set : w->fallback_set;
	struct pair *p = new_pair(x, &h->key);

	b->paired = true;
	p->head = side_of(h, x->head_label, 0, h->key.runner);
	p->base = side_of(b, x->bases[set].label, x->bases[set].distance, h->key.runner);
	return choose_sessions(x, h, b, p, err);
}

/* Whether the history of a suite is not empty, but out of reach. The last answer is kept. */
static int is_elsewhere(struct comparison *x, const char *suite, struct err *err)
{
	if (!x->c->store)
		return 0;
	if (!x->asked_suite || strcmp(x->asked_suite, suite)) {
		int r = store_suite_elsewhere(x->c->store, suite, x->head_label, err);
		if (r < 0)
			return -1;
		x->asked_suite = suite;
		x->asked_elsewhere = r > 0;
	}
	return x->asked_elsewhere;
}

static int pair_alone(
	struct comparison *x, const struct want *w, const char *why_no_base, struct err *err)
{
	struct measured *h = &x->head.v[w->head], *b = left_alone(x, h);
	struct pair *p = new_pair(x, &h->key);

	p->head = side_of(h, x->head_label, 0, h->key.runner);
	if (b) {
		b->paired = true;
		p->gap = GAP_INCOMPARABLE;
		p->gap_reason = what_differs(x, h, b);
	} else if (covered_before(x, h->key.suite, h->component)) {
		p->gap = GAP_NEW;
		p->gap_reason = "the base measured its suite without it";
	} else {
		int elsewhere = is_elsewhere(x, h->key.suite, err);
		if (elsewhere < 0)
			return -1;
		p->gap = GAP_NO_BASE;
		p->gap_reason = why_no_base;
		p->elsewhere = elsewhere;
	}
	return 0;
}

/* What HEAD's machines are not: nothing is gone, and yet it was not measured. */
static void count_absent_runner(
	struct comparison *x, const struct base_set *set, const struct measured *b)
{
	size_t i;

	for (i = 0; i < x->n_absent_runners; i++)
		if (!strcmp(x->absent_runners[i].runner, b->key.runner))
			break;
	if (i == x->n_absent_runners) {
		x->absent_runners = xgrow(
			x->absent_runners, i, &x->cap_absent_runners, sizeof(*x->absent_runners));
		x->absent_runners[x->n_absent_runners++] =
			(struct absent_runner){.runner = b->key.runner, .sha = set->label};
	}
	x->absent_runners[i].series++;
}

static void note_absent_runners(struct comparison *x)
{
	size_t i;

	for (i = 0; i < x->n_absent_runners; i++) {
		const struct absent_runner *a = &x->absent_runners[i];
		comparison_note(x,
			"not measured at head on %.100s: %zu series that %.12s has there",
			a->runner, a->series, a->sha);
	}
}

static void note_unasked(struct comparison *x)
{
	if (x->n_unasked)
		comparison_note(x,
			"HEAD was asked for a part of the readings only, as with perfgate probe --quick: %zu that the base has %s not missing",
			x->n_unasked, x->n_unasked == 1 ? "is" : "are");
}

/*
 * Whether HEAD says nothing more of a base series. *absent: HEAD's entry without numbers, if any.
 * Where HEAD has no run of its suite on its runner, a number on another runner excuses it: hosted
 * machines change from job to job. So does that HEAD was asked for a part only, and the base for
 * all: a quick probe after the full one of a night.
 */
static bool is_gone(struct comparison *x, const struct base_set *set, struct measured *b,
	struct measured **absent)
{
	bool covered = measurements_covers(&x->head, b->key.suite, b->component, b->key.runner);

	*absent = measurements_find(&x->head, b);
	if (b->paired || (*absent && (*absent)->newest.n))
		return false;
	if (!*absent && measurements_narrowed(&x->head, b) && !measurements_narrowed(&set->m, b)) {
		x->n_unasked++;
		return false;
	}
	if (*absent || covered)
		return true;
	if (on_other_runner(&x->head, b, false)) {
		count_absent_runner(x, set, b);
		return false;
	}
	*absent = measurements_any(&x->head, b);
	return true;
}

static bool is_nearest(const struct base_set *s, const struct measured *b)
{
	size_t i;

	for (i = 0; i < s->n_nearest; i++)
		if (!strcmp(s->nearest[i].suite, b->key.suite) &&
			!strcmp(s->nearest[i].component, b->component))
			return true;
	return false;
}

static void pair_gone(struct comparison *x, struct base_set *s)
{
	struct measured *absent;
	size_t i;

	for (i = 0; i < s->m.n; i++) {
		struct measured *b = &s->m.v[i];
		struct pair *p;

		if (b->paired || !b->newest.n || !is_nearest(s, b) ||
			!measurements_covers(&x->head, b->key.suite, b->component, NULL) ||
			!is_gone(x, s, b, &absent))
			continue;
		p = new_pair(x, &b->key);
		p->base = side_of(b, s->label, s->distance, b->key.runner);
		if (absent)
			p->head = side_of(absent, x->head_label, 0, b->key.runner);
	}
}

bool already_not_measured(const struct comparison *x, const char *suite)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (x->pairs[i].not_measured && !strcmp(x->pairs[i].key.suite, suite))
			return true;
	return false;
}

struct pair *pair_not_measured(struct comparison *x, const char *suite)
{
	const struct series_key key = {.suite = suite,
		.benchmark = "",
		.metric = "",
		.unit = "",
		.quantity = "",
		.variant = "",
		.runner = ""};
	struct pair *p = new_pair(x, &key);

	p->not_measured = true;
	p->expected = policy_expects(x->c->policy, suite);
	return p;
}

/* Suites of gate.expect that HEAD did not run and that no base made known either. */
static void pair_expected(struct comparison *x)
{
	const char *const *suites;
	size_t n = policy_expected(x->c->policy, &suites), i;

	for (i = 0; i < n; i++)
		if (!suite_ran(x, suites[i]) && narrowing_suite(x->narrowing, suites[i]) &&
			!already_not_measured(x, suites[i]))
			pair_not_measured(x, suites[i]);
}

static const char probes[] = "clpeak";

static bool is_probed_only(const struct comparison *x)
{
	size_t i;

	for (i = 0; i < x->head.n_covered; i++)
		if (strcmp(x->head.covered[i].suite, probes) != 0)
			return false;
	return x->c->store && !x->narrowing->n_suites && !policy_expects(x->c->policy, probes);
}

/* Whether other commits have more than probes: 1, 0, -1. */
static int is_more_elsewhere(struct comparison *x, struct err *err)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && readers[i]; i++)
		if (strcmp(readers[i]->suite, probes) != 0)
			r = store_suite_elsewhere(
				x->c->store, readers[i]->suite, x->head_label, err);
	return r;
}

/* Probes of the machine say nothing of a commit. */
static int note_measured(struct comparison *x, struct err *err)
{
	const int more = is_probed_only(x) ? is_more_elsewhere(x, err) : 0;

	x->measured = x->head.n_covered > 0 && more == 0;
	return more < 0 ? -1 : 0;
}

int comparison_end(struct comparison *x, const char *why_no_base, struct err *err)
{
	size_t i;

	for (i = 0; i < x->n_wants; i++)
		if ((x->wants[i].base || x->wants[i].fallback) &&
			pair_compared(x, &x->wants[i], err) < 0)
			return -1;
	for (i = 0; i < x->n_wants; i++)
		if (!x->wants[i].base && !x->wants[i].fallback &&
			pair_alone(x, &x->wants[i], why_no_base, err) < 0)
			return -1;
	for (i = 0; i < x->n_bases; i++)
		pair_gone(x, &x->bases[i]);
	note_absent_runners(x);
	note_unasked(x);
	pair_expected(x);
	return note_measured(x, err);
}
