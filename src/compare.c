#include "compare-private.h"

#include "past.h"
#include "pattern.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void comparison_init(struct comparison *x, struct context *c, const struct narrowing *w)
{
	*x = (struct comparison){.c = c, .narrowing = w};
	names_init(&x->names);
	measurements_init(&x->head, &x->names);
	measurements_init(&x->reference, &x->names);
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
	id_map_free(x->ids);
	pasts_free(x->pasts);
	free(x->absent_runners);
	free(x->owned);
	free(x->machine);
	free(x->notes);
	free(x->bases);
	free(x->wants);
	free(x->pairs);
	measurements_release(&x->head);
	measurements_release(&x->reference);
	names_release(&x->names);
}

void *comparison_own(struct comparison *x, void *p)
{
	x->owned = xgrow(x->owned, x->n_owned, &x->cap_owned, sizeof(*x->owned));
	x->owned[x->n_owned++] = p;
	return p;
}

void comparison_take_machine(struct comparison *x, char *line)
{
	size_t i;

	comparison_own(x, line);
	for (i = 0; i < x->n_machine; i++)
		if (!strcmp(x->machine[i], line))
			return;
	x->machine = xgrow(x->machine, x->n_machine, &x->cap_machine, sizeof(*x->machine));
	x->machine[x->n_machine++] = line;
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
		if (x->head.v[i].newest.n)
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

/* Of the same architecture before others, then by name: never by the order in which runs came. */
static bool is_nearer(const char *a, const char *than, const char *runner)
{
	const bool same_a = same_architecture(a, runner), same_b = same_architecture(than, runner);

	return same_a != same_b ? same_a : strcmp(a, than) < 0;
}

/* The measurement of an identity on the nearest other runner that has numbers. */
struct measured *on_other_runner(struct measurements *m, struct measured *like, bool same_arch)
{
	const char *runner = like->key.runner;
	struct measured *ret = NULL;
	size_t i;

	for (i = 0; i < m->n_runners; i++) {
		const char *other = m->runners[i];
		struct measured *b;
		if (!strcmp(other, runner) || (same_arch && !same_architecture(other, runner)) ||
			(ret && !is_nearer(other, ret->key.runner, runner)))
			continue;
		b = measurements_find_on(m, like, other);
		if (b && b->newest.n)
			ret = b;
	}
	return ret;
}

static int match(struct comparison *x, struct want *w, size_t set, struct err *err)
{
	struct measurements *m = &x->bases[set].m;
	struct measured *h = &x->head.v[w->head], *b;

	if (w->base)
		return 0;
	b = measurements_find(m, h);
	if (!b || !b->newest.n) {
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

int comparison_match(struct comparison *x, size_t set, struct err *err)
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

size_t comparison_new_base(
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
	return comparison_match(x, comparison_new_base(x, m, label, distance), err);
}
