#include "judge.h"

#include "doubts.h"
#include "past-order.h"
#include "pattern.h"
#include "probed.h"
#include "reader.h"
#include "renamed.h"
#include "reports.h"
#include "signs.h"
#include "stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

int judge_settings_check(const struct judge_settings *s, struct narrowing *ret, struct err *err)
{
	if (reports_check(&s->reports, err) < 0)
		return -1;
	*ret = (struct narrowing){.suites = s->suites.v, .n_suites = s->suites.n};
	if (s->only) {
		ret->only = pattern_new(s->only, err);
		if (!ret->only) {
			err->code = ERR_USAGE;
			return err_prefix(err, "--only");
		}
	}
	return 0;
}

void narrowing_release(struct narrowing *w)
{
	pattern_free(w->only);
}

/* ---- what the verdicts leave unsaid ---- */

static void note_counts(
	struct comparison *x, const struct judged *judged, const struct judge_options *opts)
{
	size_t unstable = 0, missing = 0, i;

	for (i = 0; i < x->n; i++) {
		const struct judged *j = &judged[i];
		unstable += j->unstable;
		missing += j->verdict == VERDICT_MISSING && verdict_status(j, opts) != 0;
	}
	if (unstable)
		comparison_note(x,
			"unstable, since samples of one side differ by more than the tolerance: %zu series (--all shows which)",
			unstable);
	if (missing)
		comparison_note(x,
			"what is gone on purpose is told by a [retire] section in perfgate.conf");
}

/* Not even differences that all have one sign could have been called worse. */
static bool had_no_chance(const struct judged *j)
{
	const struct proof *p = j->proof;

	return j->verdict == VERDICT_INCONCLUSIVE && p && p->method == METHOD_PAIRS &&
	       ldexp(1, -(int)p->n_head) > p->level;
}

/* That many series are tested together is what a report of few lines does not show. */
static void note_few_pairs(struct comparison *x, const struct judged *judged)
{
	size_t n = 0, family = 0, needed = 0, i;
	char among[64] = "";

	for (i = 0; i < x->n; i++) {
		const struct judged *j = &judged[i];
		if (!had_no_chance(j))
			continue;
		n++;
		family = j->proof->family > family ? j->proof->family : family;
		needed = j->proof->needed > needed ? j->proof->needed : needed;
	}
	if (!n)
		return;
	needed = needed < MEASURE_PAIRS_MAX ? needed : MEASURE_PAIRS_MAX;
	if (family > 1)
		snprintf(among, sizeof(among), " among %zu that are tested together", family);
	comparison_note(x,
		"too few pairs for anything to be called worse alone%s: %zu series, inconclusive (--all shows which); try --pairs %zu",
		among, n, needed);
}

/* Such sections go with the change that they were for; a part of the series cannot tell. */
static void note_idle(struct comparison *x, const struct judge_settings *s, const struct report *r)
{
	_cleanup_(freep) int *idle = NULL;
	size_t n;

	if (strcmp(r->command, "gate") != 0 || s->suites.n || s->only || !x->head.n_covered)
		return;
	n = policy_idle(x->c->policy, &idle);
	if (n == 1)
		comparison_note(x,
			"%s changes no verdict here; `perfgate accept --tidy` drops accepts that have done their work",
			policy_section_name(x->c->policy, idle[0]));
	else if (n)
		comparison_note(x,
			"%s and %zu more change no verdict here; `perfgate accept --tidy` drops accepts that have done their work",
			policy_section_name(x->c->policy, idle[0]), n - 1);
}

static void note_unused(struct comparison *x)
{
	const char **unused;
	size_t n = policy_unused(x->c->policy, &unused), i;

	for (i = 0; i < n; i++)
		comparison_note(x, "%s matches no series here", unused[i]);
	free(unused);
}

/* ---- what they say together ---- */

static void note_lines(struct comparison *x, char *lines)
{
	char *line, *rest = lines;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			comparison_note(x, "%s", line);
}

static int note_renamed(struct comparison *x, const struct renamed *r, struct err *err)
{
	_cleanup_(buf_release) struct buf from = BUF_INIT;

	if (pattern_exact(&from, &r->from, 1, err) < 0)
		return -1;
	comparison_note(x,
		"%.200s may be called %.200s now, since all exact values agree: in perfgate.conf, [rename \"...\"] with suite = ^%s$, from = %s and to = %s tells so",
		r->from, r->to, r->suite, from.p, r->to);
	return 0;
}

enum { RENAMES_SHOWN = 10 };

static int note_together(struct comparison *x, const struct judged *judged, struct err *err)
{
	_cleanup_(buf_release) struct buf lines = BUF_INIT;
	_cleanup_(freep) struct renamed *renamed = NULL;
	size_t n, i;

	signs_remarks(judged, x->n, &lines);
	if (lines.len)
		note_lines(x, lines.p);
	n = renamed_find(judged, x->n, &renamed);
	for (i = 0; i < n && i < RENAMES_SHOWN; i++)
		if (note_renamed(x, &renamed[i], err) < 0)
			return -1;
	if (n > RENAMES_SHOWN)
		comparison_note(x, "%zu more benchmarks may have been renamed", n - RENAMES_SHOWN);
	return 0;
}

/* ---- filters that match nothing ---- */

struct suite_names {
	const struct narrowing *w;
	bool *known;
	struct buf all;
};

static int note_suite(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners,
	struct err *err)
{
	struct suite_names *n = ctx;
	size_t i;

	(void)runs;
	(void)samples;
	(void)runners;
	(void)err;
	buf_addf(&n->all, "%s%s", n->all.len ? ", " : "", suite);
	for (i = 0; i < n->w->n_suites; i++)
		n->known[i] |= !strcmp(n->w->suites[i], suite);
	return 0;
}

static bool reader_of_suite(const char *suite)
{
	size_t i;

	for (i = 0; readers[i]; i++)
		if (!strcmp(readers[i]->suite, suite))
			return true;
	return false;
}

static int check_suites(struct comparison *x, struct err *err)
{
	const struct narrowing *w = x->narrowing;
	struct suite_names n = {.w = w};
	size_t i;
	int r = 0;

	if (!w->n_suites || !x->c->store)
		return 0;
	n.known = xcalloc(w->n_suites, sizeof(*n.known));
	r = store_info_suites(x->c->store, note_suite, &n, err);
	for (i = 0; r == 0 && i < w->n_suites; i++)
		if (!n.known[i] && !reader_of_suite(w->suites[i]))
			r = err_set(err, ERR_USAGE,
				"--suite %.60s: there is no such suite; the store has %s",
				w->suites[i], n.all.len ? n.all.p : "none");
	free(n.known);
	buf_release(&n.all);
	return r;
}

static int check_filters(struct comparison *x, const struct judge_settings *s, struct err *err)
{
	size_t i;

	if (check_suites(x, err) < 0)
		return -1;
	for (i = 0; s->only && i < x->n; i++)
		if (!x->pairs[i].not_measured)
			return 0;
	/* without a run at HEAD there is nothing that could match */
	if (s->only && x->head.n_covered)
		return err_set(err, ERR_USAGE, "--only %.100s: matches no benchmark on either side",
			s->only);
	return 0;
}

/* A commit that nobody measured is never passed, whatever probes of its machine there are. */
static void demand_a_run(const struct comparison *x, struct report *r)
{
	r->unmeasured = !x->measured;
	r->options.require |= r->unmeasured;
}

static int judge_all(struct comparison *x, struct judged *judged, struct report *r, struct err *err)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (judge_pair(x->c->policy, &x->pairs[i], &r->options, &judged[i], err) < 0)
			return -1;
	return verdicts_settle(x->c->policy, judged, x->n, &r->options, err);
}

int judge_verdicts(
	struct comparison *x, const struct judge_settings *s, struct report *r, struct err *err)
{
	struct judged *judged;

	PERFGATE_SCOPE("judge");
	if (check_filters(x, s, err) < 0)
		return -1;
	r->options.strict = s->strict;
	r->options.first_run = s->first_run;
	r->options.require = policy_require(x->c->policy);
	demand_a_run(x, r);
	judged = xcalloc(x->n, sizeof(*judged));
	r->verdicts = judged;
	r->n = x->n;
	if (judge_all(x, judged, r, err) < 0 || probed_find(x, r, judged, err) < 0 ||
		doubts_find(x, judged, r->n, err) < 0)
		return -1;
	note_counts(x, judged, &r->options);
	note_few_pairs(x, judged);
	note_unused(x);
	note_idle(x, s, r);
	if (note_together(x, judged, err) < 0)
		return -1;
	verdicts_sort(judged, x->n, &r->options);
	r->machine = x->machine;
	r->n_machine = x->n_machine;
	r->notes = (const char *const *)x->notes;
	r->n_notes = x->n_notes;
	r->policy_name = x->c->policy_name;
	report_count(r);
	return 0;
}

static bool is_plain(const char *rev)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./~^@-";

	return rev[strspn(rev, plain)] == '\0';
}

const char *judge_measure_step(
	struct comparison *x, const char *lead, const char *base, const char *head)
{
	if (!is_plain(base) || (head && !is_plain(head)))
		return NULL;
	return comparison_own(
		x, xasprintf("%s: perfgate measure %s%s%s%s", lead, base, head ? " " : "",
			   head ? head : "", policy_measures(x->c->policy) ? "" : " -- COMMAND"));
}

const char *judge_missing_session(struct comparison *x, const struct report *r, const char *head)
{
	char base[13];
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		if (j->verdict != VERDICT_INCONCLUSIVE || past_is_by_time(&j->pair->key) ||
			!j->proof || j->proof->method != METHOD_SESSIONS || !j->pair->base.sha ||
			!git_is_sha(j->pair->base.sha))
			continue;
		snprintf(base, sizeof(base), "%s", j->pair->base.sha);
		return judge_measure_step(
			x, "to judge noisy series, measure both sides in turns", base, head);
	}
	return NULL;
}

const char *judge_environment_step(struct comparison *x, const struct report *r, const char *head)
{
	char base[13];
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		if (!j->environment || !j->pair->base.sha || !git_is_sha(j->pair->base.sha))
			continue;
		snprintf(base, sizeof(base), "%s", j->pair->base.sha);
		return judge_measure_step(x,
			"the machine was slower too; to be sure, measure both sides in turns", base,
			head);
	}
	return NULL;
}

void verdicts_free(struct report *r)
{
	struct judged *judged = (struct judged *)(uintptr_t)r->verdicts;

	if (judged)
		verdicts_release(judged, r->n);
	free(judged);
	r->verdicts = NULL;
	r->n = 0;
}

int judge_report(const struct report *r, const struct judge_settings *s, const struct context *c,
	struct err *err)
{
	return reports_write(r, &s->reports, s->all, c, err);
}
