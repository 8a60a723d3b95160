#include "measuring.h"

#include "command.h"
#include "scratch.h"
#include "term.h"
#include "worktree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *unit_of(const struct measuring *m)
{
	return m->n_trees > 2 ? "round" : m->n_trees > 1 ? "pair" : "run";
}

static int stopped(const struct measuring *m, struct err *err)
{
	const char *signal = strsignal(m->stop.got);

	if (!m->job)
		return err_set(err, ERR_CANCELLED, "stopped by a signal (%s)", signal);
	return err_set(err, ERR_CANCELLED, "stopped by a signal (%s) after %zu of %zu %ss%s%s",
		signal, m->complete, m->job->pairs, unit_of(m), m->job->name ? " of " : "",
		m->job->name ? m->job->name : "");
}

static char *output_file(const struct measuring *m)
{
	return xasprintf("%s/output", m->folder);
}

/* ---- one command ---- */

static void show_output(const char *path)
{
	_cleanup_(buf_release) struct buf tail = BUF_INIT;
	char *line, *rest;

	buf_addstr(&tail, "");
	launch_last_lines(path, &tail);
	if (tail.len == 0)
		return;
	complain("the last lines of its output:");
	rest = tail.p;
	while ((line = strsep(&rest, "\n")))
		complain("| %s", line);
}

/* "the command of HEAD~1", with its job where there are several. */
static void name_run(
	const struct measuring *m, const struct tree *t, const char *what, char ret[240])
{
	snprintf(ret, 240, "%s of %.80s%s%.80s%s", what, t->rev, m->job->name ? " (" : "",
		m->job->name ? m->job->name : "", m->job->name ? ")" : "");
}

static int how_it_ended(const struct measuring *m, const struct tree *t, const char *what,
	const struct launched *r, struct err *err)
{
	char name[240];

	name_run(m, t, what, name);
	switch (r->end) {
	case LAUNCH_STOPPED:
		return stopped(m, err);
	case LAUNCH_TIMED_OUT:
		return err_set(err, ERR_USAGE,
			"%s did not end within %lld s (--timeout) and was killed", name,
			(long long)(m->job->timeout / 1000000000));
	case LAUNCH_KILLED:
		return err_set(
			err, ERR_USAGE, "%s was ended by a signal: %s", name, strsignal(r->status));
	case LAUNCH_HALTED:
		return err_set(err, ERR_USAGE, "%s was stopped by a signal and was killed", name);
	default:
		return r->status ? err_set(err, ERR_USAGE, "%s failed with status %d", name,
					   r->status)
				 : 0;
	}
}

/* What a hook's git says of its repository holds in the tree that is there, and in no other. */
static const char *const elsewhere[] = {GIT_HOOK_VARIABLES, NULL};

static int run_in(struct measuring *m, struct tree *t, const char *what, struct launch *l,
	struct launched *ret, struct err *err)
{
	_cleanup_(freep) char *output = output_file(m);

	l->dir = t->dir;
	l->env = t->here ? NULL : elsewhere;
	l->elsewhere = !t->here;
	l->output = output;
	if (stop_asked(&m->stop))
		return stopped(m, err);
	if (launch(l, &m->stop, ret, err) < 0)
		return -1;
	if (how_it_ended(m, t, what, ret, err) == 0)
		return 0;
	if (ret->end != LAUNCH_STOPPED)
		show_output(output);
	return -1;
}

/* ---- work trees ---- */

static struct worktrees worktrees_of(struct measuring *m, const char *output)
{
	return (struct worktrees){.git = m->git, .stop = &m->stop, .output = output};
}

static int make_folder(struct measuring *m, struct err *err)
{
	const char *tmp = getenv("TMPDIR");

	m->folder = xasprintf("%s/" WORKTREE_FOLDER "XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (mkdtemp(m->folder)) {
		m->lock = worktree_lock(m->folder, err);
		return m->lock < 0 ? -1 : 0;
	}
	err_set(err, ERR_IO, "cannot make a temporary folder %s: %s", m->folder, strerror(errno));
	free(m->folder);
	m->folder = NULL;
	return -1;
}

static int add_tree(struct measuring *m, struct tree *t, struct err *err)
{
	_cleanup_(freep) char *output = output_file(m);
	const struct worktrees w = worktrees_of(m, output);

	if (t->here)
		return 0;
	if (stop_asked(&m->stop))
		return stopped(m, err);
	t->dir =
		xasprintf("%s/tree-%zu-%.8s", m->folder, (size_t)(t - m->trees) + 1, t->commit.sha);
	t->added = true;
	return worktree_add(&w, t->dir, t->commit.sha, err);
}

int measuring_prepare(struct measuring *m, struct err *err)
{
	_cleanup_(freep) char *output = NULL;
	struct worktrees w;
	struct progress *p;
	size_t i;
	int r = make_folder(m, err);

	if (r < 0)
		return -1;
	output = output_file(m);
	w = worktrees_of(m, output);
	worktree_sweep(&w);
	p = progress_start("checking out");
	for (i = 0; r == 0 && i < m->n_trees; i++) {
		progress_say(p, " %s", m->trees[i].rev);
		r = add_tree(m, &m->trees[i], err);
	}
	progress_end(p);
	return r;
}

/* ---- before the first run ---- */

static int set_up_in(struct measuring *m, struct tree *t, struct err *err)
{
	char *const argv[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
		(char *)(uintptr_t)m->job->setup, NULL};
	struct launch l = {.argv = argv, .leaves = true};
	struct launched r;

	return run_in(m, t, "the set-up", &l, &r, err);
}

static int set_up(struct measuring *m, struct err *err)
{
	const char *line = m->job->setup;
	struct progress *p;
	size_t i;
	int r = 0;

	if (!line || (m->set_up && !strcmp(m->set_up, line)))
		return 0;
	m->set_up = line;
	p = progress_start("setting up");
	for (i = 0; r == 0 && i < m->n_trees; i++) {
		progress_say(p, " %s", m->trees[i].rev);
		r = set_up_in(m, &m->trees[i], err);
	}
	progress_end(p);
	return r;
}

/* ---- the runs ---- */

static int run_once(struct measuring *m, struct tree *t, struct err *err)
{
	struct measured_run *run = &t->runs[t->n++];
	struct launch l = {.argv = m->job->command,
		.counted = true,
		.timeout = m->job->timeout,
		.cpus = m->job->cpus};

	run->documents = xasprintf(
		"%s/out-%zu-%zu-%02zu", m->folder, m->jobs, (size_t)(t - m->trees) + 1, t->n);
	if (mkdir(run->documents, 0700) < 0)
		return err_set(err, ERR_IO, "%s: %s", run->documents, strerror(errno));
	l.documents = run->documents;
	return run_in(m, t, "the command", &l, &run->launched, err);
}

/* Whether a round goes from behind: the first of each block alternates, and its second round turns
 * round. */
static bool from_behind(size_t round)
{
	return (round ^ round >> 1) & 1;
}

static int run_round(struct measuring *m, struct err *err)
{
	const size_t n = m->n_trees;
	size_t i;

	for (i = 0; i < n; i++)
		if (run_once(m, &m->trees[from_behind(m->complete) ? n - 1 - i : i], err) < 0)
			return -1;
	m->complete++;
	return 0;
}

static void say_progress(const struct measuring *m, struct progress *p)
{
	const char *name = m->job->name ? m->job->name : "", *colon = *name ? ": " : "";
	double spent = 0;
	size_t i, k;

	for (i = 0; i < m->n_trees; i++)
		for (k = 0; k < m->complete; k++)
			spent += (double)m->trees[i].runs[k].launched.wall * 1e-9;
	if (m->complete == 0)
		progress_say(p, " %.40s%s%s 1 of %zu", name, colon, unit_of(m), m->job->pairs);
	else
		progress_say(p, " %.40s%s%s %zu of %zu, ends in about %.0f s", name, colon,
			unit_of(m), m->complete + 1, m->job->pairs,
			spent / (double)m->complete * (double)(m->job->pairs - m->complete));
}

static void forget_runs(struct measuring *m)
{
	size_t i, k;

	for (i = 0; i < m->n_trees; i++) {
		struct tree *t = &m->trees[i];
		for (k = 0; k < t->n; k++)
			free(t->runs[k].documents);
		free(t->runs);
		t->runs = NULL;
		t->n = 0;
	}
}

int measuring_begin(struct measuring *m, const struct job *job, struct err *err)
{
	size_t i;

	forget_runs(m);
	m->job = job;
	m->jobs++;
	m->complete = 0;
	for (i = 0; i < m->n_trees; i++)
		m->trees[i].runs = xcalloc(job->pairs, sizeof(*m->trees[i].runs));
	return set_up(m, err);
}

int measuring_run(struct measuring *m, struct err *err)
{
	struct progress *p = progress_start("measuring");
	int r = 0;

	while (r == 0 && m->complete < m->job->pairs) {
		say_progress(m, p);
		r = run_round(m, err);
	}
	progress_end(p);
	return r;
}

/* ---- afterwards ---- */

static void remove_tree(struct measuring *m, struct tree *t)
{
	_cleanup_(freep) char *output = output_file(m);
	const struct worktrees w = worktrees_of(m, output);
	struct err err = ERR_INIT;

	if (t->added && worktree_remove(&w, t->dir, &err) < 0 && access(t->dir, F_OK) == 0)
		complain("%s", err.msg);
}

static void remove_folder(struct measuring *m)
{
	size_t i;

	for (i = 0; i < m->n_trees; i++)
		remove_tree(m, &m->trees[i]);
	remove_all(m->folder);
	if (access(m->folder, F_OK) == 0)
		complain("could not remove all of %s", m->folder);
	if (m->lock >= 0)
		close(m->lock);
}

static void keep_folder(struct measuring *m)
{
	if (m->lock >= 0)
		worktree_unlock(m->folder, m->lock);
	complain("kept: %s (git worktree remove takes its trees away)", m->folder);
}

void measuring_release(struct measuring *m)
{
	size_t i;

	if (m->folder && m->keep)
		keep_folder(m);
	else if (m->folder)
		remove_folder(m);
	forget_runs(m);
	for (i = 0; i < m->n_trees; i++)
		free(m->trees[i].dir);
	free(m->folder);
}
