#include "circle.h"

#include <stdlib.h>

enum { WALKERS = 64, MARKS_MAX = 4096, PENDING = 32 };

int64_t circle_fit(int64_t bytes)
{
	return bytes / (CIRCLE_NODE + (int64_t)sizeof(uint32_t));
}

void **circle_node(const struct circle *c, int64_t i)
{
	size_t lines = c->stride / CIRCLE_NODE, line = (size_t)i * 37 % lines;

	return (void **)(void *)(c->area.p + (size_t)i * c->stride + line * CIRCLE_NODE);
}

static int64_t index_of(const struct circle *c, void **node)
{
	return ((char *)node - c->area.p) / (int64_t)c->stride;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014) of a counter; below n. */
static uint32_t random_below(uint32_t counter, uint32_t n)
{
	uint64_t z = (counter + UINT64_C(1)) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)((z >> 32) * n >> 32);
}

/* Fills next[0..n) with a cyclic permutation. Partners are drawn some steps ahead and fetched. */
static void sattolo(uint32_t *next, uint32_t n)
{
	uint32_t partners[PENDING], i;

	for (i = 0; i < n; i++)
		next[i] = i;
	for (i = n - 1; i > 0 && i + PENDING >= n; i--)
		partners[i % PENDING] = random_below(i, i);
	for (i = n - 1; i > 0; i--) {
		uint32_t j = partners[i % PENDING], value = next[i];
		if (i > PENDING) {
			uint32_t later = i - PENDING;
			partners[i % PENDING] = random_below(later, later);
			__builtin_prefetch(&next[partners[i % PENDING]], 1);
		}
		next[i] = next[j];
		next[j] = value;
	}
}

static int link_at_random(struct circle *c, struct err *err)
{
	struct area order = AREA_INIT;
	uint32_t *next;

	if (area_take(&order, c->n * (int64_t)sizeof(*next), PAGES_HUGE, err) < 0)
		return -1;
	next = (uint32_t *)(void *)order.p;
	sattolo(next, (uint32_t)c->n);
	for (int64_t i = 0; i < c->n; i++)
		*circle_node(c, i) = circle_node(c, next[i]);
	area_release(&order);
	return 0;
}

int circle_build(
	struct circle *c, int64_t n, size_t stride, enum circle_order order, struct err *err)
{
	*c = (struct circle){.n = n, .stride = stride};
	if (area_take(&c->area, n * (int64_t)stride, PAGES_SMALL, err) < 0)
		return -1;
	if (order == CIRCLE_RANDOM)
		return link_at_random(c, err);
	for (int64_t i = 0; i < n; i++)
		*circle_node(c, i) = circle_node(c, (i + 1) % n);
	return 0;
}

void circle_release(struct circle *c)
{
	area_release(&c->area);
}

/* ---- the check ---- */

/*
 * Every `gap`-th node in memory is marked. From each mark a walk goes to the next one; the walks
 * put together are the circle. What no walk reaches makes the steps too few; two ways into a node
 * make a walk that never ends, hence the limit.
 */
struct survey {
	const struct circle *c;
	int64_t gap, marks, begun, steps;
	int64_t *lengths, *next; /* of each mark: steps to the next mark, and which */
};

struct walker {
	void **at;
	int64_t mark, steps; /* mark -1: idle */
};

static void walker_begin(struct survey *s, struct walker *w)
{
	*w = (struct walker){.mark = -1};
	if (s->begun >= s->marks)
		return;
	w->mark = s->begun++;
	w->at = circle_node(s->c, w->mark * s->gap);
}

static void walker_step(struct survey *s, struct walker *w)
{
	int64_t i;

	w->at = *w->at;
	w->steps++;
	i = index_of(s->c, w->at);
	if (i % s->gap)
		return;
	s->next[w->mark] = i / s->gap;
	s->lengths[w->mark] = w->steps;
	s->steps += w->steps;
	walker_begin(s, w);
}

static void walk_parts(struct survey *s)
{
	struct walker walkers[WALKERS];
	int64_t turns;
	bool busy = true;
	int i;

	for (i = 0; i < WALKERS; i++)
		walker_begin(s, &walkers[i]);
	for (turns = 0; busy && turns <= s->c->n; turns++) {
		busy = false;
		for (i = 0; i < WALKERS; i++)
			if (walkers[i].mark >= 0) {
				walker_step(s, &walkers[i]);
				busy = true;
			}
	}
}

/* Follows the marks round the circle; how many steps that is, 0 if it is no circle of all. */
static int64_t put_together(const struct survey *s, void **ret_starts[], int k)
{
	int64_t mark = 0, sum = 0, i;
	int found = 0;

	for (i = 0; i < s->marks; i++) {
		while (found < k && sum >= s->c->n * found / k)
			ret_starts[found++] = circle_node(s->c, mark * s->gap);
		if (s->lengths[mark] == 0)
			return 0;
		sum += s->lengths[mark];
		mark = s->next[mark];
		if (mark == 0)
			break;
	}
	while (found < k)
		ret_starts[found++] = circle_node(s->c, 0);
	return i == s->marks - 1 ? sum : 0;
}

int circle_check(const struct circle *c, void **ret_starts[], int k, struct err *err)
{
	struct survey s = {.c = c, .gap = (c->n + MARKS_MAX - 1) / MARKS_MAX};
	int64_t sum;

	s.marks = (c->n + s.gap - 1) / s.gap;
	s.lengths = xcalloc((size_t)s.marks, sizeof(*s.lengths));
	s.next = xcalloc((size_t)s.marks, sizeof(*s.next));
	walk_parts(&s);
	sum = put_together(&s, ret_starts, k);
	free(s.lengths);
	free(s.next);
	if (sum == c->n)
		return 0;
	return err_set(err, ERR_FORMAT, "there is no circle of all %lld nodes", (long long)c->n);
}

/* ---- what is measured ---- */

void **circle_walk(void **from, int64_t steps)
{
	for (; steps >= 8; steps -= 8) {
		from = *from;
		from = *from;
		from = *from;
		from = *from;
		from = *from;
		from = *from;
		from = *from;
		from = *from;
	}
	for (; steps > 0; steps--)
		from = *from;
	return from;
}

void circle_walk_many(void **at[], int k, int64_t steps)
{
	for (; steps > 0; steps--)
		for (int i = 0; i < k; i++)
			at[i] = *at[i];
}

enum { SMALL = 1000 };

/* Each node once in as many steps as there are nodes, one step at a time and all at once. */
static int check_walk(const struct circle *c, struct err *err)
{
	bool seen[SMALL] = {false};
	void **at = circle_node(c, 0);

	for (int i = 0; i < SMALL; i++) {
		int64_t node = index_of(c, at = circle_walk(at, 1));
		if (node < 0 || node >= SMALL || seen[node])
			return err_set(err, ERR_FORMAT, "a walk visits a node twice");
		seen[node] = true;
	}
	if (at != circle_node(c, 0) || circle_walk(at, SMALL) != at ||
		circle_walk(at, SMALL + 1) != *at)
		return err_set(err, ERR_FORMAT, "a walk goes too far, or not far enough");
	return 0;
}

static int check_walk_many(const struct circle *c, struct err *err)
{
	void **at[8], **alone[8];
	int i;

	for (i = 0; i < 8; i++)
		at[i] = alone[i] = circle_node(c, i);
	circle_walk_many(at, 8, 77);
	for (i = 0; i < 8; i++)
		if (at[i] != circle_walk(alone[i], 77))
			return err_set(err, ERR_FORMAT, "a walk beside others goes elsewhere");
	return 0;
}

int circle_check_walks(struct err *err)
{
	_cleanup_(circle_release) struct circle c = CIRCLE_INIT;

	if (circle_build(&c, SMALL, CIRCLE_NODE, CIRCLE_RANDOM, err) < 0)
		return -1;
	if (check_walk(&c, err) < 0)
		return -1;
	return check_walk_many(&c, err);
}
