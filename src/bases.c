/*
 * Looking for bases, commit by commit: each suite and component of HEAD is compared with the
 * nearest commit that measured it, and a series that this one lacks with the nearest that has it.
 * What perfgate measure ran there is a base of its series, and of no others (measured.h).
 */
#include "compare-private.h"

#include "stage.h"
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The store's series by identity, for looking on other runners. */
struct id_entry {
	uint32_t identity;
	int64_t id;
};

struct id_map {
	struct id_entry *v;
	size_t n;
};

void id_map_free(struct id_map *map)
{
	if (map)
		free(map->v);
	free(map);
}

static int compare_ids(const void *pa, const void *pb)
{
	const struct id_entry *a = pa, *b = pb;

	if (a->identity != b->identity)
		return a->identity < b->identity ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

struct collecting {
	struct comparison *x;
	struct id_map *map;
	size_t cap;
};

static int collect_id(void *ctx, const struct store_series *s, struct err *err)
{
	struct collecting *c = ctx;
	struct series_key k;

	if (names_present_key(&c->x->names, s, NULL, &k, err) < 0)
		return -1;
	c->map->v = xgrow(c->map->v, c->map->n, &c->cap, sizeof(*c->map->v));
	c->map->v[c->map->n++] = (struct id_entry){names_identity(&c->x->names, &k), s->id};
	return 0;
}

static int need_ids(struct comparison *x, struct err *err)
{
	struct collecting c = {.x = x};

	if (x->ids)
		return 0;
	x->ids = c.map = xcalloc(1, sizeof(*x->ids));
	if (store_each_series(x->c->store, collect_id, &c, err) < 0)
		return -1;
	if (c.map->n)
		qsort(c.map->v, c.map->n, sizeof(*c.map->v), compare_ids);
	return 0;
}

static size_t first_id(const struct id_map *map, uint32_t identity)
{
	size_t lo = 0, hi = map->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (map->v[mid].identity < identity)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Series that no nearer commit had, one by one: reading whole runs for them would cost more. Those
 * of runs that were read are there already. */
static int look_up_rest(struct comparison *x, struct measurements *m, const struct candidate *c,
	const bool *read, struct err *err)
{
	size_t i, k;

	for (i = 0; i < x->n_wants; i++) {
		const struct want *w = &x->wants[i];
		const struct measured *h = &x->head.v[w->head];
		uint32_t identity;

		if (w->base)
			continue;
		if (need_ids(x, err) < 0)
			return -1;
		identity = names_identity(&x->names, &h->key);
		for (k = first_id(x->ids, identity);
			k < x->ids->n && x->ids->v[k].identity == identity; k++) {
			const struct store_series *s =
				store_series(x->c->store, x->ids->v[k].id, err);
			const char *runner =
				s ? store_runner_key(x->c->store, s->runner_id, err) : NULL;
			if (!runner)
				return -1;
			if (w->across == ACROSS_NO && strcmp(runner, h->key.runner))
				continue;
			if (measurements_add_series(
				    m, x->c->store, &c->runs, read, x->ids->v[k].id, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Which of a commit's runs are the nearest of their suite and component that HEAD measured too. */
static size_t choose_runs(struct comparison *x, const struct candidate *c, bool *use)
{
	size_t i, n = 0;

	for (i = 0; i < c->runs.n; i++) {
		const struct store_run *r = &c->runs.v[i];
		use[i] = measurements_covers(&x->head, r->suite, r->component, NULL) &&
			 !covered_before(x, r->suite, r->component) &&
			 narrowing_suite(x->narrowing, r->suite);
		n += use[i];
	}
	return n;
}

bool suite_ran(const struct comparison *x, const char *suite)
{
	size_t i;

	for (i = 0; i < x->head.n_covered; i++)
		if (!strcmp(x->head.covered[i].suite, suite))
			return true;
	return false;
}

static bool same_part(const struct store_run *a, const struct store_run *b)
{
	return !strcmp(a->suite, b->suite) && !strcmp(a->component, b->component);
}

static void not_at_head(struct comparison *x, const char *suite, const char *component,
	const char *sha, int distance)
{
	struct pair *p;

	if (suite_ran(x, suite)) {
		comparison_note(x, "%s of %s was measured at %.12s, not at HEAD", suite,
			*component ? component : "no component", sha);
		return;
	}
	if (already_not_measured(x, suite))
		return;
	p = pair_not_measured(x, comparison_own(x, xstrdup(suite)));
	p->base = (struct side){.sha = comparison_own(x, xstrdup(sha)), .distance = distance};
}

/* Suites, and components of suites, that this commit measured and HEAD did not. */
static void note_unmeasured(struct comparison *x, const struct candidate *c)
{
	size_t i, k;

	for (i = 0; i < c->runs.n; i++) {
		const struct store_run *r = &c->runs.v[i];
		bool known = measurements_covers(&x->head, r->suite, r->component, NULL) ||
			     !narrowing_suite(x->narrowing, r->suite) ||
			     measured_is_partial(&x->head, r);
		for (k = 0; k < i && !known; k++)
			known = same_part(&c->runs.v[k], r);
		if (known)
			continue;
		store_use(x->c->store, r->id);
		not_at_head(x, r->suite, r->component, c->commit.sha, c->distance);
	}
}

void comparison_unmeasured(struct comparison *x, const struct measurements *base, const char *sha)
{
	size_t i;

	for (i = 0; i < base->n_covered; i++) {
		const struct coverage *c = &base->covered[i];
		if (!measurements_covers(&x->head, c->suite, c->component, NULL))
			not_at_head(x, c->suite, c->component, sha, 0);
	}
}

static void note_candidate(struct comparison *x, const struct candidate *c)
{
	if (c->guess)
		comparison_note(x,
			"the base is a guess: ancestry is unknown, so the newest run recorded on its branch serves");
	if (*c->borrowed)
		comparison_note(x,
			"%.12s has no run of its own; those of %.12s serve, which has the same tree",
			c->commit.sha, c->borrowed);
	if (*x->base_sha)
		return;
	snprintf(x->base_sha, sizeof(x->base_sha), "%s", c->commit.sha);
	snprintf(x->base_subject, sizeof(x->base_subject), "%s", c->commit.subject);
	x->base_distance = c->distance;
	x->base_guess = c->guess;
}

static int try_candidate(struct comparison *x, const struct candidate *c, struct err *err)
{
	_cleanup_(freep) bool *use = xcalloc(c->runs.n, sizeof(*use));
	struct measurements m;
	size_t chosen = choose_runs(x, c, use);
	int r = 0;

	note_unmeasured(x, c);
	measurements_init(&m, &x->names);
	m.beside = &x->head;
	if (chosen)
		r = measurements_add_runs(&m, x->c->store, &c->runs, use, x->narrowing, err);
	if (r == 0 && x->n_bases)
		r = look_up_rest(x, &m, c, use, err);
	if (r == 0 && (m.n || m.n_covered)) {
		note_candidate(x, c);
		r = comparison_match(
			x, comparison_new_base(x, &m, c->commit.sha, c->distance), err);
	}
	measurements_release(&m);
	return r;
}

static bool all_covered(const struct comparison *x)
{
	size_t i;

	for (i = 0; i < x->head.n_covered; i++)
		if (!covered_before(x, x->head.covered[i].suite, x->head.covered[i].component))
			return false;
	return true;
}

int comparison_walk(struct comparison *x, struct walk *w, struct err *err)
{
	struct progress *progress = progress_start("looking for a base");
	struct candidate c;
	bool first = true;
	int r = 0;

	PERFGATE_SCOPE("look for measured commits");
	/* the series have to stay where they are once they are pointed to */
	if (store_series_load(x->c->store, err) < 0)
		r = -1;
	while (r == 0 && (x->open || !all_covered(x) || first)) {
		w->guess_wanted = !all_covered(x) || first;
		r = walk_next(w, &c, err);
		if (r <= 0)
			break;
		r = try_candidate(x, &c, err);
		progress_update(progress, w->steps, w->max);
		candidate_release(&c);
		first = false;
	}
	progress_end(progress);
	return r < 0 ? -1 : 0;
}
