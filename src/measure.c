#include "measure-private.h"

#include "binding.h"
#include "command.h"
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 10 };

#define TIMEOUT_NS (3600 * INT64_C(1000000000))

/* ---- jobs ---- */

static int choose_cpus(
	struct measure_call *x, const struct measure_job *section, struct job *j, struct err *err)
{
	const char *text = x->o->cpus ? x->o->cpus : section->cpus;
	_cleanup_(buf_release) struct buf list = BUF_INIT;
	struct cpus *cpus = &x->cpus[j - x->jobs];
	enum binding binding;

	if (binding_choose(text ? text : "auto", "", &binding, cpus, err) < 0)
		return err_prefix(err, x->o->cpus ? "--cpus" : "perfgate.conf: cpus");
	if (binding != BINDING_NONE)
		j->cpus = cpus;
	cpus_format(&list, cpus);
	if (binding == BINDING_ISOLATED)
		note("the command is bound to the isolated CPU %s, between which no thread moves; --cpus none lets it go",
			buf_str(&list));
	return 0;
}

/* The command line counts before the policy. */
static int add_job(struct measure_call *x, const struct measure_job *section, struct err *err)
{
	const struct measure *o = x->o;
	const char **words = xcalloc(section->n_command + 1, sizeof(*words));
	struct job *j = &x->jobs[x->n_jobs++];

	memcpy(words, section->command, section->n_command * sizeof(*words));
	*j = (struct job){.name = section->name,
		.benchmark = section->named ? section->name : NULL,
		.command = (char *const *)(uintptr_t)words,
		.setup = o->setup ? o->setup : section->setup,
		.pairs = (size_t)(o->pairs         ? o->pairs
				  : section->pairs ? section->pairs
						   : PAIRS),
		.timeout = section->timeout ? section->timeout : TIMEOUT_NS};
	if (o->timeout && span_parse(o->timeout, &j->timeout, err) < 0) {
		err->code = ERR_USAGE;
		return err_prefix(err, "--timeout");
	}
	return choose_cpus(x, section, j, err);
}

/* Where there is a COMMAND, [measure] says how it is run. */
static int add_command(struct measure_call *x, struct err *err)
{
	struct measure_job section = policy_measure(x->c.policy);

	if (x->o->jobs)
		return err_set(err, ERR_USAGE,
			"--jobs chooses from the [measure] sections of perfgate.conf; a COMMAND is not one of them");
	if (x->o->command.n == 0)
		return err_set(err, ERR_USAGE, "measure what? Behind -- stands no COMMAND");
	section.command = (const char *const *)x->o->command.v;
	section.n_command = (size_t)x->o->command.n;
	x->jobs = xcalloc(1, sizeof(*x->jobs));
	x->cpus = xcalloc(1, sizeof(*x->cpus));
	return add_job(x, &section, err);
}

static int no_job(const struct measure_call *x, size_t n, struct err *err)
{
	_cleanup_(buf_release) struct buf names = BUF_INIT;
	size_t i;

	if (n == 0)
		return err_set(err, ERR_USAGE,
			"measure what? perfgate measure [REV]... -- COMMAND [ARG...], or [measure] command = in perfgate.conf");
	for (i = 0; i < n; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", x->sections[i].name);
	return err_set(err, ERR_USAGE, "--jobs %.80s matches none of %.300s", x->o->jobs, names.p);
}

static int add_chosen(struct measure_call *x, size_t n, struct pattern *chosen, struct err *err)
{
	size_t i;
	int r;

	for (i = 0; i < n; i++) {
		const char *name = x->sections[i].name;
		r = chosen ? pattern_match(chosen, name, strlen(name), err) : 1;
		if (r < 0 || (r > 0 && add_job(x, &x->sections[i], err) < 0))
			return -1;
	}
	return x->n_jobs ? 0 : no_job(x, n, err);
}

static int add_configured(struct measure_call *x, struct err *err)
{
	const size_t n = policy_measure_jobs(x->c.policy, &x->sections);
	struct pattern *chosen = NULL;
	int r;

	x->jobs = xcalloc(n, sizeof(*x->jobs));
	x->cpus = xcalloc(n, sizeof(*x->cpus));
	if (x->o->jobs) {
		chosen = pattern_new(x->o->jobs, err);
		if (!chosen) {
			err->code = ERR_USAGE;
			return err_prefix(err, "--jobs");
		}
	}
	r = add_chosen(x, n, chosen, err);
	pattern_free(chosen);
	return r;
}

static int choose_jobs(struct measure_call *x, struct err *err)
{
	const struct measure *o = x->o;

	if (o->pairs > MEASURE_PAIRS_MAX)
		return err_set(err, ERR_USAGE, "--pairs %lld: expected 1 to %d",
			(long long)o->pairs, MEASURE_PAIRS_MAX);
	if ((o->command.v ? add_command(x, err) : add_configured(x, err)) < 0)
		return -1;
	if (x->n_jobs == 1)
		x->jobs[0].name = NULL;
	return 0;
}

/* ---- sides ---- */

static int no_revision(const struct measure_call *x, const char *rev, struct err *err)
{
	if (!strcmp(rev, "HEAD"))
		return err_set(err, ERR_GIT, "%s", context_no_head(&x->c));
	return err_set(err, ERR_GIT, "'%.100s' is no revision of this repository%s", rev,
		context_shallow(&x->c));
}

static int add_side(struct measure_call *x, const char *rev, struct err *err)
{
	struct tree *t = &x->m.trees[x->m.n_trees];
	int r;

	*t = (struct tree){.rev = rev, .here = !strcmp(rev, ".")};
	if (t->here && !git_toplevel(x->c.git))
		return err_set(err, ERR_GIT,
			"this repository has no work tree that could be measured: name revisions");
	r = git_commit(x->c.git, t->here ? "HEAD" : rev, &t->commit, err);
	if (r == 0)
		return no_revision(x, t->here ? "HEAD" : rev, err);
	if (r < 0)
		return -1;
	if (t->here)
		t->dir = xstrdup(git_toplevel(x->c.git));
	x->m.n_trees++;
	return 0;
}

/* One revision is the base of the work tree as it is, unless it is to be alone. */
static int choose_sides(struct measure_call *x, char **revs, int n, struct err *err)
{
	int i;

	if (!x->c.git)
		return err_set(err, ERR_GIT, "perfgate measure needs a git repository%s",
			x->c.git_missing ? " and the git program" : "");
	if (x->o->alone && n > 1)
		return err_set(err, ERR_USAGE, "--alone measures one revision, not %d", n);
	x->m.git = x->c.git;
	x->m.keep = x->o->keep;
	for (i = 0; i < n; i++)
		if (add_side(x, revs[i], err) < 0)
			return -1;
	if (n > 2 && x->o->judge.reports.n)
		return err_set(err, ERR_USAGE,
			"--report holds one comparison, and %d revisions are %d; measure two", n,
			n - 1);
	if (n == 0 || (n == 1 && !x->o->alone && strcmp(revs[0], ".") != 0))
		return add_side(x, ".", err);
	return 0;
}

/* Where the runs of a side belong, as it is before anything runs in it. */
static int place_side(struct measure_call *x, size_t i, struct err *err)
{
	struct measured_side *s = &x->sides[i];
	const struct tree *t = &x->m.trees[i];
	const char *state;

	s->options = (struct place_options){.commit = t->commit.sha, .clean = !t->here};
	if (place_init(&s->place, &x->c, &s->options, err) < 0)
		return -1;
	s->place.note = note;
	if (place_tree_state(&s->place, &state, err) < 0)
		return -1;
	snprintf(s->tree_state, sizeof(s->tree_state), "%s", state);
	return 0;
}

/* The store cannot tell the runs of the same tree in one session apart; two sides are all that such
 * a comparison has. */
static int check_twice(const struct measure_call *x, size_t i, struct err *err)
{
	const struct tree *t = x->m.trees;
	size_t k;

	for (k = 0; k < i && x->m.n_trees > 2; k++)
		if (!strcmp(t[k].commit.sha, t[i].commit.sha) &&
			!strcmp(x->sides[k].tree_state, x->sides[i].tree_state))
			return err_set(err, ERR_USAGE,
				"'%.80s' and '%.80s' are the same commit, %.12s: measure it once, or those two and nothing else",
				t[k].rev, t[i].rev, t[i].commit.sha);
	return 0;
}

static int prepare(struct measure_call *x, char **revs, int n, struct err *err)
{
	size_t i;

	if (context_init(&x->c, x->o->store, err) < 0 ||
		context_load_policy(&x->c, NULL, err) < 0 || choose_jobs(x, err) < 0 ||
		choose_sides(x, revs, n, err) < 0)
		return -1;
	for (i = 0; i < x->m.n_trees; i++)
		if (place_side(x, i, err) < 0 || check_twice(x, i, err) < 0)
			return -1;
	return context_open_store(&x->c, STORE_WRITE, err);
}

/* ---- all of it ---- */

static void say_lines(const char *what, const char *text)
{
	_cleanup_(freep) char *lines = xstrdup(text);
	char *rest = lines, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			complain("%s: %s", what, line);
}

/* What is so before the first job is said once. */
static void look_before(struct measure_call *x, const struct job *job)
{
	_cleanup_(buf_release) struct buf lines = BUF_INIT;

	weather_look(&x->spell.before, "", job->cpus);
	if (job != x->jobs)
		return;
	weather_warnings(&x->earlier, &x->spell.before, &lines);
	say_lines("warning", buf_str(&lines));
}

/* What happened is said beside the verdict where there is one. */
static void look_after(struct measure_call *x, const struct job *job)
{
	_cleanup_(buf_release) struct buf events = BUF_INIT;
	struct buf facts = BUF_INIT;

	weather_look(&x->spell.after, "", job->cpus);
	x->spell.runs = x->m.complete * x->m.n_trees;
	spell_events(&x->spell, &events);
	if (x->m.n_trees < 2)
		say_lines("note", buf_str(&events));
	buf_addf(&x->events, "%s", buf_str(&events));
	buf_addstr(&facts, "\"measure\":{");
	spell_facts(&x->spell, &facts);
	buf_addch(&facts, '}');
	free(x->facts);
	x->facts = buf_take(&facts);
}

/* What was measured until something went wrong is kept. */
static int run_job(struct measure_call *x, const struct job *job, struct err *err)
{
	struct err later = ERR_INIT;
	int r;

	if (measuring_begin(&x->m, job, err) < 0)
		return -1;
	look_before(x, job);
	r = measuring_run(&x->m, err);
	look_after(x, job);
	if (x->m.complete == 0 || measure_store(x, &later) == 0)
		return r;
	if (r < 0)
		complain("%s", later.msg);
	else
		*err = later;
	return -1;
}

/* After a signal what there is is judged as well. */
static int run_all(
	struct measure_call *x, const struct narrowing *narrowing, int *status, struct err *err)
{
	struct err later = ERR_INIT;
	size_t i;
	int r;

	weather_look(&x->earlier, "", x->jobs[0].cpus);
	r = measuring_prepare(&x->m, err);
	if (r < 0)
		return -1;
	for (i = 0; r == 0 && i < x->n_jobs; i++)
		r = run_job(x, &x->jobs[i], err);
	if (x->sides[0].n == 0 || (r < 0 && err->code != ERR_CANCELLED) ||
		measure_judge(x, narrowing, status, &later) == 0)
		return r;
	if (r == 0)
		*err = later;
	else
		complain("%s", later.msg);
	return -1;
}

static void release(struct measure_call *x)
{
	size_t i;

	for (i = 0; i < TREES_MAX; i++) {
		place_release(&x->sides[i].place);
		free(x->sides[i].began);
	}
	for (i = 0; i < x->n_jobs; i++)
		free((void *)(uintptr_t)x->jobs[i].command);
	free(x->jobs);
	free(x->cpus);
	free(x->sections);
	free(x->session);
	free(x->facts);
	buf_release(&x->events);
	context_release(&x->c);
}

int measure(const struct measure *o, char **revs, int n, int *status, struct err *err)
{
	struct measure_call x = {.o = o};
	struct narrowing narrowing;
	int r;

	*status = 0;
	if (judge_settings_check(&o->judge, &narrowing, err) < 0)
		return -1;
	stop_hold(&x.m.stop);
	r = prepare(&x, revs, n, err);
	if (r == 0)
		r = run_all(&x, &narrowing, status, err);
	measuring_release(&x.m);
	stop_release(&x.m.stop);
	release(&x);
	narrowing_release(&narrowing);
	return r;
}
