#include "prune.h"

#include "buf.h"
#include "distribution.h"
#include "order.h"
#include "ranks.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST = 60 };

struct change {
	size_t at;
	size_t before, after; /* the neighbours' numbers; NONE at the ends */
	double p, effect;
	size_t place; /* in the heap */
};

#define NONE SIZE_MAX

struct pruning {
	const double *x;
	size_t n;
	const struct prune_rule *rule;
	struct change *v;
	size_t *heap, count; /* numbers of changes, the one to go next first */
	double scratch[2 * PRUNE_SIDE];
};

/* ---- one change ---- */

/* The p of a normal deviate that is less by the root of the inflation. */
static double deflated(double p, double inflation)
{
	if (!(inflation > 1) || !(p < 1))
		return p;
	return erfc(-normal_quantile(fmax(p, 1e-300) / 2) / sqrt(inflation) * M_SQRT1_2);
}

/* x[from .. to) ascending. */
static const double *ascending(struct pruning *r, size_t from, size_t to, double *room)
{
	memcpy(room, r->x + from, (to - from) * sizeof(*room));
	order_doubles(room, to - from);
	return room;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Of the n before c, sorted at the beginning of scratch, and the m from it on, sorted behind them.
 */
static double rank_p(struct pruning *r, const struct change *c, size_t n, size_t m)
{
	size_t few = ranks_tested(n, m, NEAREST), many = ranks_tested(m, n, NEAREST);
	const double *before = r->scratch, *after = r->scratch + n;
	struct tails t;

	if (few < n)
		before = ascending(r, c->at - few, c->at, r->scratch);
	if (many < m)
		after = ascending(r, c->at, c->at + many, r->scratch + n);
	t = ranks_test(after, many, before, few);
	return deflated(fmin(1, 2 * fmin(t.up, t.down)), r->rule->inflation);
}

static void weigh(struct pruning *r, struct change *c)
{
	size_t from = c->before == NONE ? 0 : r->v[c->before].at;
	size_t to = c->after == NONE ? r->n : r->v[c->after].at;
	size_t n = least(c->at - from, PRUNE_SIDE), m = least(to - c->at, PRUNE_SIDE);
	const double *before = ascending(r, c->at - n, c->at, r->scratch);
	const double *after = ascending(r, c->at, c->at + m, r->scratch + n);

	c->effect = fabs(order_median(after, m) - order_median(before, n));
	c->p = r->rule->p < 1 ? rank_p(r, c, n, m) : 0;
}

static bool is_unlikely(const struct pruning *r, const struct change *c)
{
	return c->p > r->rule->p;
}

/* Whether a is to go before b: first those that the test does not bear out, by p; then by size. */
static bool goes_before(const struct pruning *r, size_t a, size_t b)
{
	const struct change *c = &r->v[a], *d = &r->v[b];

	if (is_unlikely(r, c) != is_unlikely(r, d))
		return is_unlikely(r, c);
	if (is_unlikely(r, c) && c->p != d->p)
		return c->p > d->p;
	return c->effect != d->effect ? c->effect < d->effect : a < b;
}

static bool may_stay(const struct pruning *r, size_t i)
{
	return !is_unlikely(r, &r->v[i]) && !(r->v[i].effect < r->rule->min_effect);
}

/* ---- the heap ---- */

static void put(struct pruning *r, size_t place, size_t i)
{
	r->heap[place] = i;
	r->v[i].place = place;
}

static void sift_up(struct pruning *r, size_t place, size_t i)
{
	for (; place && goes_before(r, i, r->heap[(place - 1) / 2]); place = (place - 1) / 2)
		put(r, place, r->heap[(place - 1) / 2]);
	put(r, place, i);
}

static void sift_down(struct pruning *r, size_t place, size_t i)
{
	size_t child;

	for (; (child = 2 * place + 1) < r->count; place = child) {
		if (child + 1 < r->count && goes_before(r, r->heap[child + 1], r->heap[child]))
			child++;
		if (!goes_before(r, r->heap[child], i))
			break;
		put(r, place, r->heap[child]);
	}
	put(r, place, i);
}

static void weigh_anew(struct pruning *r, size_t i)
{
	if (i == NONE)
		return;
	weigh(r, &r->v[i]);
	sift_down(r, r->v[i].place, i);
	sift_up(r, r->v[i].place, i);
}

/* The first of the heap leaves it, and its neighbours meet. */
static void drop_first(struct pruning *r)
{
	struct change *c = &r->v[r->heap[0]];

	if (--r->count)
		sift_down(r, 0, r->heap[r->count]);
	c->place = NONE;
	if (c->before != NONE)
		r->v[c->before].after = c->after;
	if (c->after != NONE)
		r->v[c->after].before = c->before;
	weigh_anew(r, c->before);
	weigh_anew(r, c->after);
}

/* ---- all of them ---- */

static void begin(struct pruning *r, const size_t *at, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		r->v[i] = (struct change){.at = at[i],
			.before = i ? i - 1 : NONE,
			.after = i + 1 < count ? i + 1 : NONE};
	for (i = 0; i < count; i++)
		weigh(r, &r->v[i]);
	for (; r->count < count; r->count++)
		sift_up(r, r->count, r->count);
}

size_t prune_changes(
	const double *x, size_t n, const struct prune_rule *rule, size_t *at, size_t count)
{
	_cleanup_(freep) struct change *changes = xmalloc((count + 1) * sizeof(*changes));
	_cleanup_(freep) size_t *heap = xmalloc((count + 1) * sizeof(*heap));
	struct pruning r = {.x = x, .n = n, .rule = rule, .v = changes, .heap = heap};
	size_t i, left = 0;

	begin(&r, at, count);
	while (r.count && !may_stay(&r, r.heap[0]))
		drop_first(&r);
	for (i = 0; i < count; i++)
		if (changes[i].place != NONE)
			at[left++] = changes[i].at;
	return left;
}
