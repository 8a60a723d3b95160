#include "command.h"

#include "ancestry.h"
#include "bisect-result.h"
#include "each-series.h"
#include "scratch.h"
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COULD_NOT_TELL = 3, PAIRS_MAX = MEASURE_PAIRS_MAX };

struct bisect {
	const char *store, *from, *to, *setup, *timeout, *jobs, *cpus, *name;
	int64_t pairs;
	bool list, first_parent, verbose, json;
	struct opt_rest command;
};

#define O(field) offsetof(struct bisect, field)

static const struct opt opts[] = {
	{"from", 0, OPT_STRING, O(from), "REV",
		"the good side (default: the newest step for the worse in the store)"},
	{"to", 0, OPT_STRING, O(to), "REV",
		"the bad side, or where to look for it (default: HEAD)"},
	{"list", 'l', OPT_FLAG, O(list), NULL, "name the commits of the range, measure nothing"},
	{"first-parent", 0, OPT_FLAG, O(first_parent), NULL,
		"a merged branch is one step, whatever is on it"},
	{"pairs", 'p', OPT_COUNT, O(pairs), "N", "how often each side runs, as measure has it"},
	{"setup", 0, OPT_STRING, O(setup), "CMD",
		"a line for the shell, run once in each work tree before (default: measure.setup)"},
	{"timeout", 0, OPT_STRING, O(timeout), "TIME",
		"when a run counts as hanging: 90, 90s, 5m, 2h (default: 1h)"},
	{"cpus", 0, OPT_STRING, O(cpus), "LIST", "bind the command to these CPUs, as measure does"},
	{"jobs", 0, OPT_STRING, O(jobs), "PATTERN",
		"without a command: only [measure] sections whose name matches (PCRE2)"},
	{"name", 0, OPT_STRING, O(name), "NAME",
		"the benchmark's name where no document has one (default: the command's)"},
	{"verbose", 'v', OPT_FLAG, O(verbose), NULL, "print git's bisect log on standard error"},
	OPT_STORE(struct bisect), OPT_JSON(struct bisect),
	{"", 0, OPT_REST, O(command), NULL, NULL}, OPT_END};

#undef O

struct search {
	const struct bisect *o;
	struct context c;
	struct stop stop;
	struct scratch scratch;
	struct series_pick pick;
	const struct picked *meant; /* of pick; NULL: the store does not have it */
	struct series_past past;
	struct trials trials;
	struct shas good; /* what was said to be good */
	char worst[65];   /* the last that was said to be bad */
	struct bisect_result r;
};

/* ---- which series, which commits ---- */

static int consider(
	void *ctx, const struct series_key *key, const struct store_series *stored, struct err *err)
{
	(void)stored;
	return series_pick_add(ctx, key->suite, key->benchmark, key->metric, err);
}

static int pick_stored(struct search *s, struct err *err)
{
	struct intern *names = intern_new();
	int r = each_series(s->c.store, s->c.policy, NULL, names, consider, &s->pick, err);

	intern_free(names);
	if (r < 0)
		return -1;
	s->meant = series_pick_one(&s->pick, err);
	if (err->code)
		return -1;
	if (!s->meant)
		return s->o->from
			       ? 0
			       : err_set(err, ERR_USAGE,
					 "the store has no series '%.100s' (SUITE:BENCHMARK:METRIC); perfgate show and perfgate log list what it has",
					 s->pick.text);
	s->r.name = s->meant->name;
	if (series_past_init(&s->past, &s->c, s->meant, err) < 0)
		return -1;
	s->r.past = &s->past;
	return 0;
}

/* Given a range, the series may be one that was never stored. */
static int find_series(struct search *s, struct err *err)
{
	s->r.name = s->pick.text;
	if (s->o->from && s->c.store_path && access(s->c.store_path, F_OK) != 0)
		return 0;
	return context_open_store(&s->c, STORE_READ, err) < 0 ? -1 : pick_stored(s, err);
}

/* The store knows commits that a shallow clone lacks. */
static int find_side(struct search *s, const char *rev, const char *what, struct git_commit *ret,
	struct err *err)
{
	struct git_commit here;
	int r = require_commit(&s->c, rev, ret, err);

	if (r == 0)
		r = git_commit(s->c.git, ret->sha, &here, err);
	if (r == 0)
		return err_set(err, ERR_GIT,
			"this clone lacks the %s side, %.12s; git fetch --unshallow brings it",
			what, ret->sha);
	return r < 0 ? -1 : 0;
}

static int find_given(struct search *s, struct err *err)
{
	char base[65];
	int r;

	if (find_side(s, s->o->from, "good", &s->r.good, err) < 0)
		return -1;
	if (!strcmp(s->r.good.sha, s->r.bad.sha))
		return err_set(err, ERR_USAGE, "both sides are %.12s", s->r.bad.sha);
	r = git_merge_base(s->c.git, s->r.good.sha, s->r.bad.sha, base, err);
	if (r < 0)
		return -1;
	if (r == 0 || strcmp(base, s->r.good.sha) != 0)
		return err_set(err, ERR_USAGE,
			"the good side, %.12s, is no ancestor of the bad one, %.12s", s->r.good.sha,
			s->r.bad.sha);
	return 1;
}

/* 1, 0 there is no step in the store, -1. */
static int find_stored(struct search *s, struct err *err)
{
	int r = series_past_step(&s->past, s->r.bad.sha, &s->r.step, err);

	if (r <= 0)
		return r;
	s->r.stepped = true;
	return find_side(s, s->r.step.good, "good", &s->r.good, err) < 0 ||
			       find_side(s, s->r.step.bad, "bad", &s->r.bad, err) < 0
		       ? -1
		       : 1;
}

static int find_range(struct search *s, struct err *err)
{
	_cleanup_(freep) char *parent = xasprintf("%s/perfgate", git_common_dir(s->c.git));
	struct shas good = {0};
	int r;

	s->r.end = BISECT_NONE;
	if (find_side(s, s->o->to ? s->o->to : "HEAD", "bad", &s->r.bad, err) < 0)
		return -1;
	r = s->o->from ? find_given(s, err) : find_stored(s, err);
	if (r <= 0)
		return r;
	if (scratch_make(&s->scratch, parent, "bisect-", err) < 0 ||
		bisecting_open(&s->r.b, s->c.git, s->scratch.path, s->r.bad.sha, s->o->first_parent,
			err) < 0)
		return -1;
	shas_add(&good, s->r.good.sha);
	r = bisecting_range(s->r.b, s->r.bad.sha, &good, &s->r.range, err);
	shas_release(&good);
	s->r.end = BISECT_RANGE;
	return r < 0 ? -1 : 1;
}

/* ---- measuring ---- */

static void set_up_trials(struct search *s)
{
	const struct bisect *o = s->o;

	s->trials = (struct trials){.folder = s->scratch.path,
		.good = s->r.good.sha,
		.pick = &s->pick,
		.meant = s->meant,
		.exact = s->meant && s->past.exact,
		.store = o->store,
		.setup = o->setup,
		.timeout = o->timeout,
		.cpus = o->cpus,
		.jobs = o->jobs,
		.name = o->name,
		.pairs = o->pairs,
		.command = o->command.v,
		.n_command = o->command.n,
		.stop = &s->stop};
}

static int try(struct search *s, const char *sha, int more, struct trial **ret, struct err *err)
{
	struct progress *p = progress_start("bisecting");
	struct bisect_result *b = &s->r;
	int r;

	b->trials = xgrow(b->trials, b->n, &b->cap, sizeof(*b->trials));
	progress_say(p, more > 0 ? " %.12s, and about %d more" : " %.12s", sha, more);
	r = trial_run(&s->trials, sha, &b->trials[b->n], err);
	progress_end(p);
	if (r < 0) {
		trial_release(&b->trials[b->n]);
		return -1;
	}
	*ret = &b->trials[b->n++];
	bisect_result_trial(b, *ret);
	return 0;
}

static int say(void *ctx, const char *sha, int more, enum bisect_say *ret, struct err *err)
{
	struct search *s = ctx;
	struct trial *t;

	if (try(s, sha, more, &t, err) < 0)
		return -1;
	*ret = t->say;
	if (t->say == BISECT_GOOD)
		shas_add(&s->good, sha);
	else if (t->say == BISECT_BAD)
		snprintf(s->worst, sizeof(s->worst), "%s", sha);
	return 0;
}

static int show_log(struct search *s, struct err *err)
{
	_cleanup_(buf_release) struct buf log = BUF_INIT;
	char *line, *rest;

	if (!s->o->verbose)
		return 0;
	buf_addstr(&log, "");
	if (bisecting_log(s->r.b, &log, err) < 0)
		return -1;
	rest = log.p;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			complain("| %s", line);
	return 0;
}

static int drive(struct search *s, struct err *err)
{
	struct bisect_result *r = &s->r;

	shas_add(&s->good, r->good.sha);
	snprintf(s->worst, sizeof(s->worst), "%s", r->bad.sha);
	if (r->range.n > 1 && (bisecting_run(r->b, r->bad.sha, r->good.sha, say, s, err) < 0 ||
				      show_log(s, err) < 0))
		return -1;
	if (bisecting_range(r->b, s->worst, &s->good, &r->left, err) < 0)
		return -1;
	r->end = r->left.n == 1 ? BISECT_FOUND : BISECT_SEVERAL;
	return 0;
}

/* That the bad side is worse here and now: otherwise each commit would seem good. */
static int confirm(struct search *s, struct err *err)
{
	struct trial *t;

	set_up_trials(s);
	if (try(s, s->r.bad.sha, -1, &t, err) < 0)
		return -1;
	if (s->trials.meant)
		s->r.name = s->trials.meant->name;
	if (t->failed)
		return err_set(err, ERR_USAGE, "measuring %.12s against %.12s: %s", s->r.bad.sha,
			s->r.good.sha, t->why);
	if (t->say == BISECT_BAD)
		return drive(s, err);
	s->r.end = t->say == BISECT_GOOD ? BISECT_NOT_REPRODUCED : BISECT_UNKNOWN;
	return 0;
}

/* Meanwhile the store is measure's: a snapshot put in its place cannot be written to while it is
 * read. */
static int measure_all(struct search *s, struct err *err)
{
	int r;

	if (s->c.store)
		store_end_read(s->c.store);
	r = confirm(s, err);
	return r < 0 || !s->c.store ? r : store_begin_read(s->c.store, err);
}

static bool can_measure(const struct search *s)
{
	return s->o->command.v || policy_measures(s->c.policy);
}

/* ---- the command ---- */

static int go_on(struct search *s, struct err *err)
{
	struct bisect_result *r = &s->r;

	if (stop_asked(&s->stop))
		return err_set(
			err, ERR_CANCELLED, "stopped by a signal (%s)", strsignal(s->stop.got));
	if (s->o->list)
		return 0;
	if (r->stepped && r->range.n == 1) {
		shas_add(&r->left, r->range.v[0]);
		r->end = BISECT_FOUND;
		return 0;
	}
	if (can_measure(s))
		return measure_all(s, err);
	complain(
		"to find out which: perfgate bisect ... -- COMMAND [ARG...], or [measure] command = in perfgate.conf");
	return 0;
}

static int tell(struct search *s, struct err *err)
{
	struct bisect_result *r = &s->r;

	if ((s->o->json ? bisect_result_json(r, err) : bisect_result_end(r, err)) < 0)
		return -1;
	return r->end == BISECT_FOUND || (r->end == BISECT_RANGE && s->o->list) ? 0
										: COULD_NOT_TELL;
}

/* The exit status, or -1. */
static int search(struct search *s, struct err *err)
{
	int found = find_series(s, err);

	if (found == 0)
		found = find_range(s, err);
	if (found > 0 && !s->o->json) {
		found = bisect_result_range(&s->r, err) < 0 ? -1 : 1;
		fflush(stdout);
	}
	if (found > 0)
		found = go_on(s, err);
	return found < 0 ? -1 : tell(s, err);
}

static int prepare(struct search *s, struct err *err)
{
	if (s->o->pairs > PAIRS_MAX)
		return err_set(err, ERR_USAGE, "--pairs %lld: expected 1 to %d",
			(long long)s->o->pairs, PAIRS_MAX);
	if (context_init(&s->c, s->o->store, err) < 0 || context_load_policy(&s->c, NULL, err) < 0)
		return -1;
	if (!s->c.git || !git_toplevel(s->c.git))
		return err_set(err, ERR_GIT,
			"perfgate bisect needs the work tree of a git repository%s",
			s->c.git_missing ? " and the git program" : "");
	s->r.git = s->c.git;
	return 0;
}

static void release(struct search *s)
{
	size_t i;

	for (i = 0; i < s->r.n; i++)
		trial_release(&s->r.trials[i]);
	free(s->r.trials);
	shas_release(&s->r.range);
	shas_release(&s->r.left);
	shas_release(&s->good);
	bisecting_close(s->r.b);
	scratch_remove(&s->scratch);
	series_past_release(&s->past);
	series_pick_release(&s->pick);
	context_release(&s->c);
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct search s = {.o = values};
	int r;

	(void)n;
	stop_hold(&s.stop);
	series_pick_init(&s.pick, args[0]);
	r = prepare(&s, err);
	if (r == 0)
		r = search(&s, err);
	release(&s);
	stop_release(&s.stop);
	return r;
}

const struct command cmd_bisect = {.name = "bisect",
	.args = "SERIES [-- COMMAND [ARG...]]",
	.summary = "find the commit that made a series worse",
	.help = "SERIES is SUITE:BENCHMARK:METRIC, or a pattern (PCRE2) on that which matches one series.\n"
		"Names the commits between the last good and the first bad value in the store, or of the\n"
		"range given, and finds the first bad one: git bisect, where each step is perfgate measure\n"
		"against the good side. A commit that is regressed beyond the tolerance is bad; one that\n"
		"cannot be measured or judged is skipped. Nothing in the repository changes.",
	.opts = opts,
	.values_size = sizeof(struct bisect),
	.min_args = 1,
	.max_args = 1,
	.run = run};
