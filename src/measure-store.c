#include "measure-private.h"

#include "collected.h"
#include "command.h"
#include "storing.h"

#include <stdlib.h>
#include <string.h>

/* Runs of all sides belong to one session, that no other call has, wherever that is. */
static void name_session(struct measure_call *x)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	buf_addstr(&b, MEASURE_SESSION);
	time_format(&b, x->m.trees[0].runs[0].launched.started_at);
	buf_addf(&b, "-%s", x->m.folder + strlen(x->m.folder) - 6);
	free(x->session);
	x->session = buf_take(&b);
	for (i = 0; i < x->m.n_trees; i++) {
		struct place *p = &x->sides[i].place;

		free(p->this_session);
		p->this_session = xstrdup(x->session);
		x->sides[i].options.session = x->session;
	}
}

/* ---- the work tree ---- */

static int changed(const char *what, struct err *err)
{
	return err_set(err, ERR_USAGE,
		"%s while the work tree was measured, so that nobody can say what was: nothing of it is stored. Measure again, or name a revision instead of '.'",
		what);
}

enum { NAMES_SHOWN = 5 };

/* What differs from HEAD now, of which something did not before, or otherwise. */
static int files_changed(struct measure_call *x, struct err *err)
{
	_cleanup_(buf_release) struct buf lines = BUF_INIT, what = BUF_INIT;
	const char *const *globs;
	const size_t n = policy_ignore_dirty(x->c.policy, &globs);
	char *rest, *line;
	size_t shown = 0;

	if (git_differing(x->c.git, globs, n, &lines, err) < 0)
		return -1;
	buf_addstr(&what, "tracked files changed");
	rest = lines.p;
	while ((line = strsep(&rest, "\n")) && *line && shown < NAMES_SHOWN)
		buf_addf(&what, "%s%.60s", shown++ ? ", " : " (now unlike HEAD: ", line);
	buf_addstr(&what, !shown ? "" : line && *line ? ", ...)" : ")");
	return changed(what.p, err);
}

/* Whether a side still is what it was before anything ran. */
static int check_side(struct measure_call *x, size_t side, struct err *err)
{
	struct measured_side *s = &x->sides[side];
	struct git_commit head;
	const char *state;
	int r;

	if (!x->m.trees[side].here)
		return 0;
	r = git_commit(x->c.git, "HEAD", &head, err);
	if (r < 0)
		return -1;
	if (r == 0 || strcmp(head.sha, x->m.trees[side].commit.sha) != 0)
		return changed("HEAD moved", err);
	s->place.dirty = -1;
	if (place_tree_state(&s->place, &state, err) < 0)
		return -1;
	return strcmp(state, s->tree_state) ? files_changed(x, err) : 0;
}

static int check_sides(struct measure_call *x, struct err *err)
{
	size_t i;

	for (i = 0; i < x->m.n_trees; i++)
		if (check_side(x, i, err) < 0)
			return -1;
	return 0;
}

/* ---- storing ---- */

static int place_all(
	struct measure_call *x, struct collected *c, struct placing *placings, struct err *err)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		const struct origin *o = &c->origins[i];
		struct place *p = &x->sides[o->tree].place;
		p->pair = o->pair;
		p->more_facts = x->facts;
		if (place_run(p, batch_run(c->b, i), o->name, &placings[i], err) < 0)
			return -1;
	}
	return 0;
}

static void say_stored(
	struct measure_call *x, const struct collected *c, size_t side, const enum placed *placed)
{
	const struct tree *t = &x->m.trees[side];
	const char *job = x->m.job->name;
	size_t runs = 0, added = 0, i;

	for (i = 0; i < c->n; i++) {
		runs += c->origins[i].tree == side;
		added += c->origins[i].tree == side && placed[i] == PLACED_STORED;
	}
	complain("%s%s%s: commit %.12s%s measured %zu time%s, %zu of %zu run%s new in the store",
		t->rev, job ? ", " : "", job ? job : "", t->commit.sha,
		strcmp(x->sides[side].tree_state, "clean") ? " (changed)" : "", x->m.complete,
		x->m.complete == 1 ? "" : "s", added, runs, runs == 1 ? "" : "s");
}

static void remember(struct measured_side *s, const struct tree *t, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		s->began = xgrow(s->began, s->n, &s->cap, sizeof(*s->began));
		s->began[s->n++] = t->runs[i].launched.started_at;
	}
}

static int store_collected(struct measure_call *x, struct collected *c, struct err *err)
{
	_cleanup_(freep) struct placing *placings = xcalloc(c->n, sizeof(*placings));
	_cleanup_(freep) enum placed *placed = xcalloc(c->n, sizeof(*placed));
	struct storing g = {.c = &x->c, .place = &x->sides[0].place};
	size_t i;

	if (check_sides(x, err) < 0 || place_all(x, c, placings, err) < 0 ||
		storing_add(&g, c->b, placings, placed, err) < 0)
		return -1;
	for (i = 0; i < x->m.n_trees; i++) {
		remember(&x->sides[i], &x->m.trees[i], x->m.complete);
		say_stored(x, c, i, placed);
	}
	return 0;
}

/* The command's name in the suite of commands. */
static const char *name_of(const struct measure_call *x)
{
	const char *command = x->m.job->command[0], *slash = strrchr(command, '/');

	if (x->o->name)
		return x->o->name;
	if (x->m.job->benchmark)
		return x->m.job->benchmark;
	return slash && slash[1] ? slash + 1 : command;
}

int measure_store(struct measure_call *x, struct err *err)
{
	struct collected c = {0};
	int r;

	name_session(x);
	r = collect(&c, &x->m, x->o->name, name_of(x), err);
	if (r == 0)
		r = store_collected(x, &c, err);
	collected_release(&c);
	return r;
}
