#include "compare-private.h"

#include "pattern.h"
#include "term.h"

#include <stdarg.h>
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

void comparison_init(struct comparison *x, struct context *c, const struct narrowing *w)
{
	*x = (struct comparison){.c = c, .narrowing = w};
	names_init(&x->names);
	measurements_init(&x->head, &x->names);
}

void comparison_release(struct comparison *x)
{
	size_t i;

	for (i = 0; i < x->n_bases; i++) {
		measurements_release(&x->bases[i].m);
		free(x->bases[i].nearest);
	}
	for (i = 0; i < x->n_notes; i++)
		free(x->notes[i]);
	for (i = 0; i < x->n_owned; i++)
		free(x->owned[i]);
	if (x->ids)
		free(x->ids->v);
	free(x->ids);
	free(x->owned);
	free(x->notes);
	free(x->bases);
	free(x->wants);
	free(x->pairs);
	measurements_release(&x->head);
	names_release(&x->names);
}

const char *comparison_own(struct comparison *x, char *s)
{
	x->owned = xgrow(x->owned, x->n_owned, &x->cap_owned, sizeof(*x->owned));
	x->owned[x->n_owned++] = s;
	return s;
}

void comparison_note(struct comparison *x, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	x->notes = xgrow(x->notes, x->n_notes, &x->cap_notes, sizeof(*x->notes));
	x->notes[x->n_notes++] = buf_take(&b);
}

int comparison_begin(struct comparison *x, struct err *err)
{
	size_t i;

	(void)err;
	x->wants = xcalloc(x->head.n, sizeof(*x->wants));
	for (i = 0; i < x->head.n; i++)
		if (x->head.v[i].n)
			x->wants[x->n_wants++] = (struct want){
				.head = i, .decided = x->any_runner, .across = ACROSS_YES};
	x->open = x->n_wants;
	return 0;
}

/* What the policy says of other runners. */
static int decide(struct comparison *x, struct want *w, struct err *err)
{
	struct decision d;

	if (w->decided)
		return 0;
	if (policy_decide(x->c->policy, &x->head.v[w->head].key, &d, err) < 0)
		return -1;
	w->across = d.across;
	w->decided = true;
	return 0;
}

/* ---- matching one base ---- */

static bool same_architecture(const char *a, const char *b)
{
	size_t n = strcspn(a, "/");

	return n == strcspn(b, "/") && !strncmp(a, b, n);
}

/* The first measurement of an identity on another runner that has numbers. */
struct measured *on_other_runner(struct measurements *m, struct measured *like, bool same_arch)
{
	const char *runner = like->key.runner;
	size_t i;

	for (i = 0; i < m->n_runners; i++) {
		const char *other = m->runners[i];
		struct measured *b;
		if (!strcmp(other, runner) || (same_arch && !same_architecture(other, runner)))
			continue;
		b = measurements_find_on(m, like, other);
		if (b && b->n)
			return b;
	}
	return NULL;
}

static int match(struct comparison *x, struct want *w, size_t set, struct err *err)
{
	struct measurements *m = &x->bases[set].m;
	struct measured *h = &x->head.v[w->head], *b;

	if (w->base)
		return 0;
	b = measurements_find(m, h);
	if (!b || !b->n) {
		if (decide(x, w, err) < 0)
			return -1;
		b = w->across == ACROSS_YES ? on_other_runner(m, h, false) : NULL;
	}
	if (b) {
		w->base = b;
		w->base_set = set;
		b->paired = true;
		x->open--;
	} else if (w->across == ACROSS_FALLBACK && !w->fallback) {
		w->fallback = on_other_runner(m, h, true);
		w->fallback_set = set;
	}
	return 0;
}

static int match_all(struct comparison *x, size_t set, struct err *err)
{
	size_t i;

	for (i = 0; i < x->n_wants; i++)
		if (match(x, &x->wants[i], set, err) < 0)
			return -1;
	return 0;
}

bool covered_before(const struct comparison *x, const char *suite, const char *component)
{
	size_t i, k;

	for (i = 0; i < x->n_bases; i++)
		for (k = 0; k < x->bases[i].n_nearest; k++)
			if (!strcmp(x->bases[i].nearest[k].suite, suite) &&
				!strcmp(x->bases[i].nearest[k].component, component))
				return true;
	return false;
}

/* Takes over m as a further base. Returns its number. */
static size_t new_base(
	struct comparison *x, struct measurements *m, const char *label, int distance)
{
	struct base_set *b;
	struct coverage *nearest = xcalloc(m->n_covered, sizeof(*nearest));
	size_t i, n = 0;

	for (i = 0; i < m->n_covered; i++)
		if (!covered_before(x, m->covered[i].suite, m->covered[i].component))
			nearest[n++] = m->covered[i];
	x->bases = xgrow(x->bases, x->n_bases, &x->cap_bases, sizeof(*x->bases));
	b = &x->bases[x->n_bases];
	*b = (struct base_set){.m = *m, .distance = distance, .nearest = nearest, .n_nearest = n};
	snprintf(b->label, sizeof(b->label), "%s", label);
	*m = (struct measurements){0};
	return x->n_bases++;
}

int comparison_add_base(struct comparison *x, struct measurements *m, const char *label,
	int distance, struct err *err)
{
	return match_all(x, new_base(x, m, label, distance), err);
}

/* ---- walking ---- */

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
	struct series_key k = stored_key(s, NULL);

	(void)err;
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

/* Series that no nearer commit had, one by one: reading whole runs for them would cost more. */
static int look_up_rest(
	struct comparison *x, struct measurements *m, const struct candidate *c, struct err *err)
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
				    m, x->c->store, &c->runs, x->ids->v[k].id, err) < 0)
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

/* Suites, and components of suites, that this commit measured and HEAD did not. */
static void note_unmeasured(struct comparison *x, const struct candidate *c)
{
	size_t i, k;

	for (i = 0; i < c->runs.n; i++) {
		const struct store_run *r = &c->runs.v[i];
		struct pair *p;
		bool known = measurements_covers(&x->head, r->suite, r->component, NULL) ||
			     !narrowing_suite(x->narrowing, r->suite);
		for (k = 0; k < i && !known; k++)
			known = same_part(&c->runs.v[k], r);
		if (!known && suite_ran(x, r->suite)) {
			comparison_note(x, "%s of %s was measured at %.12s, not at HEAD", r->suite,
				*r->component ? r->component : "no component", c->commit.sha);
			continue;
		}
		if (known || already_not_measured(x, r->suite))
			continue;
		p = pair_not_measured(x, comparison_own(x, xstrdup(r->suite)));
		p->base = (struct side){
			.sha = comparison_own(x, xstrdup(c->commit.sha)), .distance = c->distance};
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
	if (chosen)
		r = measurements_add_runs(&m, x->c->store, &c->runs, use, x->narrowing, err);
	if (r == 0 && x->n_bases)
		r = look_up_rest(x, &m, c, err);
	if (r == 0 && (m.n || m.n_covered)) {
		note_candidate(x, c);
		r = match_all(x, new_base(x, &m, c->commit.sha, c->distance), err);
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
