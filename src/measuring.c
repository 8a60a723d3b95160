#include "measuring.h"

#include "command.h"
#include "term.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 32 };

static int stopped(const struct measuring *m, struct err *err)
{
	return err_set(err, ERR_CANCELLED, "stopped by a signal (%s) after %zu of %zu %s",
		strsignal(m->stop.got), m->complete, m->pairs, m->n_trees > 1 ? "pairs" : "runs");
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

static int how_it_ended(const struct measuring *m, const struct tree *t, const char *what,
	const struct launched *r, struct err *err)
{
	switch (r->end) {
	case LAUNCH_STOPPED:
		return stopped(m, err);
	case LAUNCH_TIMED_OUT:
		return err_set(err, ERR_USAGE,
			"%s of %.80s did not end within %lld s (--timeout) and was killed", what,
			t->rev, (long long)(m->timeout / 1000000000));
	case LAUNCH_KILLED:
		return err_set(err, ERR_USAGE, "%s of %.80s was ended by a signal: %s", what,
			t->rev, strsignal(r->status));
	case LAUNCH_HALTED:
		return err_set(err, ERR_USAGE, "%s of %.80s was stopped by a signal and was killed",
			what, t->rev);
	default:
		return r->status ? err_set(err, ERR_USAGE, "%s of %.80s failed with status %d",
					   what, t->rev, r->status)
				 : 0;
	}
}

static int run_in(struct measuring *m, struct tree *t, const char *what, struct launch *l,
	struct launched *ret, struct err *err)
{
	_cleanup_(freep) char *output = output_file(m);

	l->dir = t->dir;
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

/* ---- before the first run ---- */

static int make_folder(struct measuring *m, struct err *err)
{
	const char *tmp = getenv("TMPDIR");

	m->folder = xasprintf("%s/perfgate-measure.XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (mkdtemp(m->folder))
		return 0;
	err_set(err, ERR_IO, "cannot make a temporary folder %s: %s", m->folder, strerror(errno));
	free(m->folder);
	m->folder = NULL;
	return -1;
}

static int add_tree(struct measuring *m, struct tree *t, struct err *err)
{
	if (t->here)
		return 0;
	t->dir =
		xasprintf("%s/tree-%zu-%.8s", m->folder, (size_t)(t - m->trees) + 1, t->commit.sha);
	t->added = true;
	return git_worktree_add(t->dir, t->commit.sha, err);
}

static int set_up(struct measuring *m, struct tree *t, struct err *err)
{
	char *const argv[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
		(char *)(uintptr_t)m->setup, NULL};
	struct launch l = {.argv = argv, .leaves = true};
	struct launched r;

	return m->setup ? run_in(m, t, "the set-up", &l, &r, err) : 0;
}

int measuring_prepare(struct measuring *m, struct err *err)
{
	struct progress *p = progress_start("setting up");
	size_t i;
	int r = make_folder(m, err);

	for (i = 0; r == 0 && i < m->n_trees; i++) {
		m->trees[i].runs = xcalloc(m->pairs, sizeof(*m->trees[i].runs));
		progress_say(p, " %s", m->trees[i].rev);
		r = stop_asked(&m->stop) ? stopped(m, err) : add_tree(m, &m->trees[i], err);
		if (r == 0)
			r = set_up(m, &m->trees[i], err);
	}
	progress_end(p);
	return r;
}

/* ---- the runs ---- */

static int run_once(struct measuring *m, struct tree *t, struct err *err)
{
	struct measured_run *run = &t->runs[t->n++];
	struct launch l = {
		.argv = m->command, .counted = true, .timeout = m->timeout, .cpus = m->cpus};

	run->documents = xasprintf("%s/out-%zu-%02zu", m->folder, (size_t)(t - m->trees) + 1, t->n);
	if (mkdir(run->documents, 0700) < 0)
		return err_set(err, ERR_IO, "%s: %s", run->documents, strerror(errno));
	l.documents = run->documents;
	return run_in(m, t, "the command", &l, &run->launched, err);
}

/* Which tree runs first in a pair: the first of each block alternates, and its second pair turns
 * round. */
static size_t first_of(const struct measuring *m, size_t pair)
{
	return m->n_trees > 1 ? (pair ^ pair >> 1) & 1 : 0;
}

static void say_progress(const struct measuring *m, struct progress *p)
{
	double spent = 0;
	size_t i, k;

	for (i = 0; i < m->n_trees; i++)
		for (k = 0; k < m->complete; k++)
			spent += (double)m->trees[i].runs[k].launched.wall * 1e-9;
	if (m->complete == 0)
		progress_say(p, " %s 1 of %zu", m->n_trees > 1 ? "pair" : "run", m->pairs);
	else
		progress_say(p, " %s %zu of %zu, ends in about %.0f s",
			m->n_trees > 1 ? "pair" : "run", m->complete + 1, m->pairs,
			spent / (double)m->complete * (double)(m->pairs - m->complete));
}

int measuring_run(struct measuring *m, struct err *err)
{
	struct progress *p = progress_start("measuring");
	int r = 0;
	size_t i;

	while (r == 0 && m->complete < m->pairs) {
		say_progress(m, p);
		for (i = 0; r == 0 && i < m->n_trees; i++)
			r = run_once(m, &m->trees[first_of(m, m->complete) ^ i], err);
		m->complete += r == 0;
	}
	progress_end(p);
	return r;
}

/* ---- afterwards ---- */

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static void remove_tree(struct tree *t)
{
	struct err err = ERR_INIT;

	if (t->added && git_worktree_remove(t->dir, &err) < 0 && access(t->dir, F_OK) == 0)
		complain("%s", err.msg);
}

static void remove_folder(struct measuring *m)
{
	size_t i;

	for (i = 0; i < m->n_trees; i++)
		remove_tree(&m->trees[i]);
	nftw(m->folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	if (access(m->folder, F_OK) == 0)
		complain("could not remove all of %s", m->folder);
}

void measuring_release(struct measuring *m)
{
	size_t i, k;

	if (m->folder && m->keep)
		complain("kept: %s (git worktree remove takes its trees away)", m->folder);
	else if (m->folder)
		remove_folder(m);
	for (i = 0; i < m->n_trees; i++) {
		for (k = 0; k < m->trees[i].n; k++)
			free(m->trees[i].runs[k].documents);
		free(m->trees[i].runs);
		free(m->trees[i].dir);
	}
	free(m->folder);
}
