#include "ranks-exact.h"

#include "buf.h"
#include "ranks.h"

#include <string.h>

static void scale(double *p, size_t n, double factor)
{
	for (size_t i = 0; i < n; i++)
		p[i] *= factor;
}

/* Dividing comes first: then all numbers are counts, whole and not negative, and what rounding
 * there is beyond 2^53 is relative to a count that is no larger than those it goes into. */
double *ranks_distinct(size_t n, size_t m, size_t last)
{
	size_t i, u, few = n < m ? n : m, many = n + m - few;
	double *ways = xcalloc(last + 1, sizeof(*ways));

	ways[0] = 1;
	for (i = 1; i <= few; i++) {
		for (u = i; u <= last; u++)
			ways[u] += ways[u - i];
		for (u = last; u >= many + i; u--)
			ways[u] -= ways[u - many - i];
	}
	scale(ways, last + 1, ranks_share(n, m));
	return ways;
}

/* The ways of all divisions of the samples seen so far: row k has those that gave k of them to x,
 * column s those with 2 U = s. */
struct table {
	double *ways;
	size_t n, last;
};

static double *row(const struct table *t, size_t k)
{
	return t->ways + k * (t->last + 1);
}

/* Sends those that gave k to x, and b to y, on through a group. */
static void divide_group(struct table *t, size_t k, size_t b, size_t size)
{
	size_t s, end, most = 2 * k * b < t->last ? 2 * k * b : t->last;
	const double *from = row(t, k);
	double ways = 1;

	for (size_t j = 1; j <= size && k + j <= t->n; j++) {
		size_t add = j * (2 * b + size - j);
		double *to = row(t, k + j) + add;

		ways *= (double)(size - j + 1) / (double)j;
		if (add > t->last)
			continue;
		end = most < t->last - add ? most : t->last - add;
		for (s = 0; s <= end; s++)
			to[s] += ways * from[s];
	}
}

double *ranks_tied(const size_t *groups, size_t n_groups, size_t n, size_t m, size_t last)
{
	struct table t = {.n = n, .last = last};
	size_t i, k, before = 0;

	t.ways = xcalloc((n + 1) * (last + 1), sizeof(*t.ways));
	t.ways[0] = 1;
	for (i = 0; i < n_groups; before += groups[i++])
		/* Downwards, so that a group is not divided twice. */
		for (k = before < n ? before : n; k + m >= before; k--) {
			divide_group(&t, k, before - k, groups[i]);
			if (!k)
				break;
		}
	memmove(t.ways, row(&t, n), (last + 1) * sizeof(*t.ways));
	scale(t.ways, last + 1, ranks_share(n, m));
	return t.ways;
}
