#include "command.h"

#include "ancestry.h"
#include "binding.h"
#include "collected.h"
#include "judge.h"
#include "storing.h"
#include "term.h"
#include "weather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS = 10, TIMEOUT_S = 3600, TIMEOUT_MAX = 30 * 24 * 3600 };

struct measure {
	const char *store, *setup, *timeout, *name, *cpus;
	int64_t pairs;
	bool keep, alone, exit_code;
	struct opt_rest command;
	struct judge_settings judge;
};

#define O(field) offsetof(struct measure, field)

static const struct opt opts[] = {OPT_STORE(struct measure), OPT_JUDGE(struct measure),
	{"pairs", 'p', OPT_INT, O(pairs), "N",
		"how often each side runs (default: measure.pairs of perfgate.conf, else 10)"},
	{"setup", 0, OPT_STRING, O(setup), "CMD",
		"a line for the shell, run once in each work tree before (default: measure.setup)"},
	{"timeout", 0, OPT_STRING, O(timeout), "TIME",
		"when a run counts as hanging: 90, 90s, 5m, 2h (default: 1h)"},
	{"cpus", 0, OPT_STRING, O(cpus), "LIST",
		"bind the command to CPUs, such as 2 or 0-3,8; none; auto: isolated ones (default)"},
	{"name", 0, OPT_STRING, O(name), "NAME",
		"the benchmark's name where no document has one (default: the command's)"},
	{"alone", 0, OPT_FLAG, O(alone), NULL, "measure the revision, compare it with nothing"},
	{"keep", 0, OPT_FLAG, O(keep), NULL, "leave the temporary work trees there"},
	{"exit-code", 0, OPT_FLAG, O(exit_code), NULL,
		"exit as the gate would (default: 0 whatever there is)"},
	{"", 0, OPT_REST, O(command), NULL, NULL}, OPT_END};

#undef O

/* One call, and what one side of it is stored and judged by. */
struct side_of {
	struct place_options options;
	struct place place;
	struct collected collected;
};

struct call {
	const struct measure *o;
	struct context c;
	struct measuring m;
	struct side_of sides[2];
	const char **command; /* with NULL at its end */
	char *session;
	struct cpus cpus;
	struct weather earlier;
	struct spell spell;
	struct buf events; /* lines on what happened meanwhile */
	char *facts;
};

static void note(const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	complain("note: %s", buf_str(&b));
}

/* ---- what is asked for ---- */

static int parse_time(const char *text, int64_t *ret_ns, struct err *err)
{
	const size_t n = strlen(text), digits = strspn(text, "0123456789");
	const char *unit = text + digits;
	const int64_t factor = !*unit || !strcmp(unit, "s") ? 1
			       : !strcmp(unit, "m")         ? 60
			       : !strcmp(unit, "h")         ? 3600
							    : 0;
	struct err number = ERR_INIT;
	int64_t count;

	if (!n || !factor ||
		num_parse_int(text, digits, 1, TIMEOUT_MAX / factor, &count, &number) < 0)
		return err_set(err, ERR_USAGE,
			"--timeout %.40s: expected a time of at most 30 days, such as 90, 90s, 5m or 2h",
			text);
	*ret_ns = count * factor * 1000000000;
	return 0;
}

static int choose_command(struct call *x, struct err *err)
{
	const struct measure *o = x->o;
	const char *const *words = (const char *const *)o->command.v;
	size_t n = (size_t)o->command.n, i;

	if (!words)
		n = policy_measure_command(x->c.policy, &words);
	if (n == 0)
		return err_set(err, ERR_USAGE,
			"measure what? perfgate measure [REV]... -- COMMAND [ARG...], or [measure] command = in perfgate.conf");
	x->command = xcalloc(n + 1, sizeof(*x->command));
	for (i = 0; i < n; i++)
		x->command[i] = words[i];
	x->m.command = (char *const *)x->command;
	return 0;
}

static int choose_cpus(struct call *x, struct err *err)
{
	const char *text = x->o->cpus ? x->o->cpus : policy_measure_cpus(x->c.policy);
	_cleanup_(buf_release) struct buf list = BUF_INIT;
	enum binding binding;

	if (binding_choose(text ? text : "auto", "", &binding, &x->cpus, err) < 0)
		return err_prefix(err, x->o->cpus ? "--cpus" : "perfgate.conf: cpus");
	if (binding != BINDING_NONE)
		x->m.cpus = &x->cpus;
	cpus_format(&list, &x->cpus);
	if (binding == BINDING_ISOLATED)
		note("the command is bound to the isolated CPU %s, between which no thread moves; --cpus none lets it go",
			buf_str(&list));
	return 0;
}

static int choose_settings(struct call *x, struct err *err)
{
	const struct measure *o = x->o;
	const int configured = policy_measure_pairs(x->c.policy);

	if (o->pairs < 0 || o->pairs > MEASURE_PAIRS_MAX)
		return err_set(err, ERR_USAGE, "--pairs %lld: expected 1 to %d",
			(long long)o->pairs, MEASURE_PAIRS_MAX);
	x->m.pairs = o->pairs ? (size_t)o->pairs : configured ? (size_t)configured : PAIRS;
	x->m.setup = o->setup ? o->setup : policy_measure_setup(x->c.policy);
	x->m.timeout = TIMEOUT_S * INT64_C(1000000000);
	x->m.keep = o->keep;
	if (o->timeout && parse_time(o->timeout, &x->m.timeout, err) < 0)
		return -1;
	return choose_cpus(x, err) < 0 ? -1 : choose_command(x, err);
}

static int add_side(struct call *x, const char *rev, struct err *err)
{
	struct tree *t = &x->m.trees[x->m.n_trees];
	int r;

	*t = (struct tree){.rev = rev, .here = !strcmp(rev, ".")};
	r = git_commit(x->c.git, t->here ? "HEAD" : rev, &t->commit, err);
	if (r == 0)
		return err_set(err, ERR_GIT, "'%.100s' is no revision of this repository",
			t->here ? "HEAD" : rev);
	if (r < 0)
		return -1;
	if (t->here)
		t->dir = xstrdup(git_toplevel(x->c.git));
	x->m.n_trees++;
	return 0;
}

/* A revision is the base of the work tree as it is, unless it is alone. */
static int choose_sides(struct call *x, char **revs, int n, struct err *err)
{
	const char *first = n > 0 ? revs[0] : ".";
	const char *second = n > 1                                          ? revs[1]
			     : n == 1 && !x->o->alone && strcmp(first, ".") ? "."
									    : NULL;

	if (!x->c.git || !git_toplevel(x->c.git))
		return err_set(err, ERR_GIT,
			"perfgate measure needs the work tree of a git repository%s",
			x->c.git_missing ? " and the git program" : "");
	if (x->o->alone && n > 1)
		return err_set(err, ERR_USAGE, "--alone measures one revision, not %d", n);
	if (second && !strcmp(first, ".") && !strcmp(second, "."))
		return err_set(err, ERR_USAGE,
			"the work tree is named twice; HEAD is what was committed last");
	return add_side(x, first, err) < 0 || (second && add_side(x, second, err) < 0) ? -1 : 0;
}

/* Where the runs of a side belong, as it is before anything runs in it. */
static int place_side(struct call *x, size_t i, struct err *err)
{
	struct side_of *s = &x->sides[i];
	const struct tree *t = &x->m.trees[i];
	const char *state;

	s->options = (struct place_options){.commit = t->commit.sha, .clean = !t->here};
	if (place_init(&s->place, &x->c, &s->options, err) < 0)
		return -1;
	s->place.note = note;
	return place_tree_state(&s->place, &state, err);
}

static int prepare(struct call *x, char **revs, int n, struct err *err)
{
	size_t i;

	if (context_init(&x->c, x->o->store, err) < 0 ||
		context_load_policy(&x->c, NULL, err) < 0 || choose_settings(x, err) < 0 ||
		choose_sides(x, revs, n, err) < 0)
		return -1;
	for (i = 0; i < x->m.n_trees; i++)
		if (place_side(x, i, err) < 0)
			return -1;
	return context_open_store(&x->c, STORE_WRITE, err);
}

/* ---- what became of it ---- */

/* Runs of both sides belong to one session, that no other call has. */
static void name_session(struct call *x)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	buf_addf(&b, MEASURE_SESSION "%zu/", x->m.complete);
	time_format(&b, x->m.trees[0].runs[0].launched.started_at);
	buf_addf(&b, "-%ld", (long)getpid());
	x->session = buf_take(&b);
	for (i = 0; i < x->m.n_trees; i++) {
		struct place *p = &x->sides[i].place;

		free(p->this_session);
		p->this_session = xstrdup(x->session);
		x->sides[i].options.session = x->session;
	}
}

static int store_one(
	struct storing *g, struct batch *b, const char *name, size_t *added, struct err *err)
{
	_cleanup_(freep) struct placing *placings = xcalloc(batch_runs(b), sizeof(*placings));
	_cleanup_(freep) enum placed *placed = xcalloc(batch_runs(b), sizeof(*placed));
	size_t i;

	for (i = 0; i < batch_runs(b); i++)
		if (place_run(g->place, batch_run(b, i), name, &placings[i], err) < 0)
			return -1;
	if (storing_add(g, b, placings, placed, err) < 0)
		return -1;
	for (i = 0; i < batch_runs(b); i++)
		*added += placed[i] == PLACED_STORED;
	return 0;
}

static int store_side(struct call *x, size_t side, struct err *err)
{
	struct side_of *s = &x->sides[side];
	struct storing g = {.c = &x->c, .place = &s->place};
	size_t i, added = 0, runs = 0;
	const char *state;

	for (i = 0; i < s->collected.n; i++) {
		runs += batch_runs(s->collected.v[i]);
		if (store_one(&g, s->collected.v[i], s->collected.names[i], &added, err) < 0)
			return -1;
	}
	if (place_tree_state(&s->place, &state, err) < 0)
		return -1;
	complain("%s: commit %.12s%s measured %zu time%s, %zu of %zu document%s new in the store",
		x->m.trees[side].rev, x->m.trees[side].commit.sha,
		strcmp(state, "clean") ? " (changed)" : "", x->m.complete,
		x->m.complete == 1 ? "" : "s", added, runs, runs == 1 ? "" : "s");
	return 0;
}

/* All is read before any of it is stored. */
static int store_all(struct call *x, struct err *err)
{
	size_t i;

	name_session(x);
	for (i = 0; i < x->m.n_trees; i++)
		if (collect(&x->sides[i].collected, &x->m.trees[i], x->m.complete, x->command[0],
			    x->o->name, err) < 0)
			return -1;
	for (i = 0; i < x->m.n_trees; i++) {
		x->sides[i].place.more_facts = x->facts;
		if (store_side(x, i, err) < 0)
			return -1;
	}
	return 0;
}

static int load(
	struct comparison *k, struct measurements *m, const struct side_of *s, struct err *err)
{
	size_t i;

	for (i = 0; i < s->collected.n; i++)
		if (measurements_add_batch(
			    m, s->collected.v[i], s->place.this_runner, k->narrowing, err) < 0)
			return -1;
	return 0;
}

static void describe(struct report *r, const struct call *x)
{
	const struct tree *base = &x->m.trees[0], *head = &x->m.trees[1];
	const bool dirty = strcmp(x->sides[1].place.tree_state, "clean") != 0;

	r->head = (struct report_commit){.sha = head->commit.sha,
		.subject = *head->commit.subject ? head->commit.subject : NULL,
		.tree_state = dirty ? "dirty" : "clean",
		.label = head->here ? "the work tree" : head->rev};
	r->base = (struct report_base){.asked = base->rev,
		.why = "measured in turns with it",
		.sha = base->commit.sha,
		.subject = *base->commit.subject ? base->commit.subject : NULL};
	r->options.head_time = head->commit.committed_at;
}

static int fill(struct call *x, struct comparison *k, struct err *err)
{
	struct measurements m;
	int r;

	k->any_runner = true;
	k->paired = x->m.complete;
	snprintf(k->head_label, sizeof(k->head_label), "%s", x->m.trees[1].commit.sha);
	measurements_init(&m, &k->names);
	r = load(k, &m, &x->sides[0], err);
	if (r == 0)
		r = load(k, &k->head, &x->sides[1], err);
	if (r == 0)
		r = comparison_begin(k, err);
	if (r == 0)
		r = comparison_add_base(k, &m, x->m.trees[0].commit.sha, 0, err);
	if (r == 0)
		r = comparison_end(k, "the base wrote nothing of its suite", err);
	measurements_release(&m);
	return r;
}

static void note_events(struct call *x, struct comparison *k)
{
	char *rest = x->events.p, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			comparison_note(k, "%s", line);
}

static int judge(struct call *x, const struct narrowing *narrowing, int *status, struct err *err)
{
	struct report r = {.command = "measure", .exit_counts = x->o->exit_code};
	struct comparison k;
	int ret;

	comparison_init(&k, &x->c, narrowing);
	note_events(x, &k);
	ret = fill(x, &k, err);
	if (ret == 0) {
		describe(&r, x);
		ret = judge_verdicts(&k, &x->o->judge, &r, err);
	}
	if (ret == 0)
		ret = judge_report(&r, &x->o->judge, &x->c, err);
	*status = r.exit;
	verdicts_free(&r);
	comparison_release(&k);
	return ret;
}

/* ---- the command ---- */

static void say_lines(const char *what, struct buf *lines)
{
	char *rest = lines->p, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			complain("%s: %s", what, line);
}

static void look_before(struct call *x)
{
	_cleanup_(buf_release) struct buf lines = BUF_INIT;

	weather_look(&x->spell.before, "", x->m.cpus);
	weather_warnings(&x->earlier, &x->spell.before, &lines);
	say_lines("warning", &lines);
}

/* What happened is said beside the verdict where there is one. */
static void look_after(struct call *x)
{
	struct buf facts = BUF_INIT;

	weather_look(&x->spell.after, "", x->m.cpus);
	x->spell.runs = x->m.complete * x->m.n_trees;
	spell_events(&x->spell, &x->events);
	if (x->m.n_trees < 2)
		say_lines("note", &x->events);
	buf_addstr(&facts, "\"measure\":{");
	spell_facts(&x->spell, &facts);
	buf_addch(&facts, '}');
	x->facts = buf_take(&facts);
}

/* What was measured until something went wrong is kept, and judged when it was a signal. */
static int measure(struct call *x, const struct narrowing *narrowing, int *status, struct err *err)
{
	struct err later = ERR_INIT;
	int r, s;

	weather_look(&x->earlier, "", x->m.cpus);
	if (measuring_prepare(&x->m, err) < 0)
		return -1;
	look_before(x);
	r = measuring_run(&x->m, err);
	look_after(x);
	if (x->m.complete == 0)
		return r;
	s = store_all(x, &later);
	if (s == 0 && x->m.n_trees > 1 && (r == 0 || err->code == ERR_CANCELLED))
		s = judge(x, narrowing, status, &later);
	if (s < 0 && r < 0)
		complain("%s", later.msg);
	else if (s < 0)
		*err = later;
	return s < 0 ? s : r;
}

static void release(struct call *x)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		collected_release(&x->sides[i].collected);
		place_release(&x->sides[i].place);
	}
	free(x->command);
	free(x->session);
	free(x->facts);
	buf_release(&x->events);
	context_release(&x->c);
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct call x = {.o = values};
	struct narrowing narrowing;
	int status = 0, r;

	if (judge_settings_check(&x.o->judge, &narrowing, err) < 0)
		return -1;
	stop_hold(&x.m.stop);
	r = prepare(&x, args, n, err);
	if (r == 0)
		r = measure(&x, &narrowing, &status, err);
	measuring_release(&x.m);
	stop_release(&x.m.stop);
	release(&x);
	narrowing_release(&narrowing);
	return r < 0 ? -1 : x.o->exit_code ? status : 0;
}

const struct command cmd_measure = {.name = "measure",
	.args = "[REV|.]... [-- COMMAND [ARG...]]",
	.summary = "run a benchmark of two revisions in turns and judge them",
	.help = "Runs COMMAND in a temporary work tree of each revision, in pairs whose order alternates,\n"
		"stores what it measured and judges the pairs. '.' is the work tree as it is. A revision\n"
		"alone is compared with the work tree; '.', or a revision with --alone, is only measured.\n"
		"COMMAND writes its documents into the folder $PERFGATE_OUT, which is a fresh one for each\n"
		"run; where it writes none, its own time and memory are what is measured. What it needs\n"
		"is built by --setup.",
	.opts = opts,
	.values_size = sizeof(struct measure),
	.max_args = 2,
	.run = run};
