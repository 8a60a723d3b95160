#include "edpelt.h"

#include "buf.h"
#include "order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A point counts two where it is less than a quantile and one where it is equal to it. */
struct tally {
	size_t n, k;
	uint32_t *below; /* n + 1 rows of k: what the points before count */
	double *entropy; /* of 0 ... 2 n: half of it times the logarithm of its half */
	double weight;
};

/* The i-th quantile of k, from 0, is at this share of the points. */
static double quantile_at(size_t n, size_t k, size_t i)
{
	double c = log(2 * (double)n - 1);

	return 1 / (1 + exp(c * (1 - (2 * (double)i + 1) / (double)k)));
}

static void find_quantiles(const double *x, size_t n, size_t k, double *ret)
{
	_cleanup_(freep) double *sorted = xmalloc(n * sizeof(*sorted));
	size_t i;

	memcpy(sorted, x, n * sizeof(*x));
	order_doubles(sorted, n);
	for (i = 0; i < k; i++)
		ret[i] = order_at_least(sorted, n, quantile_at(n, k, i));
}

static void count_below(struct tally *t, const double *x)
{
	_cleanup_(freep) double *q = xmalloc(t->k * sizeof(*q));
	uint32_t *row = t->below;
	size_t i, k;

	find_quantiles(x, t->n, t->k, q);
	for (k = 0; k < t->k; k++)
		row[k] = 0;
	for (i = 0; i < t->n; i++, row += t->k)
		for (k = 0; k < t->k; k++)
			row[t->k + k] = row[k] + (x[i] < q[k]) + (x[i] <= q[k]);
}

static void tally_init(struct tally *t, const double *x, size_t n)
{
	size_t i;

	t->n = n;
	t->k = (size_t)ceil(4 * log((double)n));
	t->below = xmalloc((n + 1) * t->k * sizeof(*t->below));
	t->entropy = xmalloc((2 * n + 1) * sizeof(*t->entropy));
	t->entropy[0] = 0;
	for (i = 1; i <= 2 * n; i++)
		t->entropy[i] = (double)i / 2 * log((double)i / 2);
	t->weight = 2 * log(2 * (double)n - 1) / (double)t->k;
	count_below(t, x);
}

static void tally_release(struct tally *t)
{
	free(t->below);
	free(t->entropy);
}

static double entropies(const struct tally *t, size_t whole, size_t below)
{
	return t->entropy[below] + t->entropy[whole - below];
}

/* What a segment of points from ... to - 1 costs. Two sums, since each addition waits for that
 * before it. */
static double cost(const struct tally *t, size_t from, size_t to)
{
	const uint32_t *a = t->below + from * t->k, *b = t->below + to * t->k;
	size_t k, whole = 2 * (to - from);
	double even = 0, odd = 0;

	for (k = 0; k + 1 < t->k; k += 2) {
		even += entropies(t, whole, b[k] - a[k]);
		odd += entropies(t, whole, b[k + 1] - a[k + 1]);
	}
	if (k < t->k)
		even += entropies(t, whole, b[k] - a[k]);
	return t->weight * ((double)t->k * t->entropy[whole] - (even + odd));
}

/* Dynamic programming over the places where the last segment before a point may begin. */
struct search {
	double *least;        /* cost of the points before each */
	size_t *start;        /* of the last segment of these */
	size_t *open, n_open; /* where it may yet begin for later ones */
	double *with;         /* what each of open costs, without the penalty of the change */
};

/* A place that is no better now than one more change here will not be later, as no segment costs
 * less than its parts. */
static void close_places(struct search *s, double least)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n_open; i++)
		if (s->with[i] < least)
			s->open[kept++] = s->open[i];
	s->n_open = kept;
}

static void extend(struct search *s, const struct tally *t, size_t to, double penalty)
{
	double best = INFINITY;
	size_t i;

	for (i = 0; i < s->n_open; i++) {
		s->with[i] = s->least[s->open[i]] + cost(t, s->open[i], to);
		if (s->with[i] < best) {
			best = s->with[i];
			s->start[to] = s->open[i];
		}
	}
	s->least[to] = best + penalty;
	close_places(s, s->least[to]);
	s->open[s->n_open++] = to;
}

static size_t trace_back(const size_t *start, size_t n, size_t *ret)
{
	size_t at, count = 0, i;

	for (at = start[n]; at; at = start[at])
		count++;
	for (at = start[n], i = count; at; at = start[at])
		ret[--i] = at;
	return count;
}

size_t edpelt(const double *x, size_t n, double penalty, size_t *ret)
{
	_cleanup_(freep) double *costs = xmalloc((2 * n + 2) * sizeof(*costs));
	_cleanup_(freep) size_t *places = xmalloc((2 * n + 2) * sizeof(*places));
	struct search s = {
		.least = costs, .with = costs + n + 1, .start = places, .open = places + n + 1};
	struct tally t;
	size_t to;

	if (n < 2)
		return 0;
	tally_init(&t, x, n);
	s.least[0] = 0;
	s.open[s.n_open++] = 0;
	for (to = 1; to <= n; to++)
		extend(&s, &t, to, penalty * log((double)n));
	tally_release(&t);
	return trace_back(s.start, n, ret);
}
