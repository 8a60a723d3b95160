#include "shift.h"

#include "buf.h"
#include "order.h"
#include "ranks.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* So many differences are sorted rather than counted again and again. */
enum { SORTED_PAIRS = 1024 };

/* The differences of all pairs in their order; of one kind or the other. */
struct pairs {
	const double *x, *y; /* ascending */
	size_t n, m;
	uint64_t total;
	uint64_t (*count)(const struct pairs *p, double limit); /* how many are at most limit */
	double least, most;
	double *sorted; /* NULL: too many */
};

/* Stays finite, and as monotone as rounding is. */
static double difference(double a, double b)
{
	double d = a - b;

	return d > DBL_MAX ? DBL_MAX : d < -DBL_MAX ? -DBL_MAX : d;
}

static uint64_t count_between(const struct pairs *p, double limit)
{
	uint64_t count = 0;
	size_t i, j = 0;

	for (i = 0; i < p->n; i++) {
		while (j < p->m && difference(p->x[i], p->y[j]) > limit)
			j++;
		count += p->m - j;
	}
	return count;
}

static uint64_t count_inside(const double *x, size_t n, double limit)
{
	uint64_t count = 0;
	size_t i, j = 0;

	for (i = 0; i < n; i++) {
		while (j < i && difference(x[i], x[j]) > limit)
			j++;
		count += i - j;
	}
	return count;
}

static uint64_t count_within(const struct pairs *p, double limit)
{
	return count_inside(p->x, p->n, limit) + count_inside(p->y, p->m, limit);
}

static void sort_between(struct pairs *p)
{
	double *next = p->sorted = xmalloc(p->total * sizeof(*next));

	/* Downwards in y, so that each row ascends. */
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = p->m; j-- > 0;)
			*next++ = difference(p->x[i], p->y[j]);
	order_doubles(p->sorted, p->total);
}

static double *list_inside(const double *x, size_t n, double *next)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j-- > 0;)
			*next++ = difference(x[i], x[j]);
	return next;
}

static void sort_within(struct pairs *p)
{
	p->sorted = xmalloc(p->total * sizeof(*p->sorted));
	list_inside(p->y, p->m, list_inside(p->x, p->n, p->sorted));
	order_doubles(p->sorted, p->total);
}

/* Doubles as integers in the same order, and back. */
static uint64_t double_key(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double key_double(uint64_t key)
{
	uint64_t bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

/* The k-th least, from 0. Halving what doubles there are between the least and the most ends after
 * 64 steps, at the difference itself. */
static double pairs_select(const struct pairs *p, uint64_t k)
{
	uint64_t low, high;

	if (p->sorted)
		return p->sorted[k];
	for (low = double_key(p->least), high = double_key(p->most); low < high;) {
		uint64_t middle = low + (high - low) / 2;

		if (p->count(p, key_double(middle)) > k)
			high = middle;
		else
			low = middle + 1;
	}
	return key_double(low) + 0.0; /* no minus zero */
}

static double pairs_median(const struct pairs *p)
{
	double low = pairs_select(p, (p->total - 1) / 2);

	return p->total % 2 ? low : low / 2 + pairs_select(p, p->total / 2) / 2;
}

struct shift shift_estimate(const double *x, size_t n, const double *y, size_t m)
{
	struct pairs p = {x, y, n, m, (uint64_t)n * m, count_between, difference(x[0], y[m - 1]),
		difference(x[n - 1], y[0]), NULL};
	struct shift s = {.low = -INFINITY, .high = INFINITY};
	size_t refused;

	if (p.total <= SORTED_PAIRS)
		sort_between(&p);
	s.estimate = pairs_median(&p);
	if (ranks_critical(n, m, 0.025, &refused)) {
		s.low = pairs_select(&p, refused);
		s.high = pairs_select(&p, p.total - 1 - refused);
	}
	free(p.sorted);
	return s;
}

double shift_spread(const double *x, size_t n, const double *y, size_t m)
{
	struct pairs p = {x, y, n, m, ((uint64_t)n * (n - 1) + (uint64_t)m * (m - 1)) / 2,
		count_within, 0, fmax(difference(x[n - 1], x[0]), difference(y[m - 1], y[0])),
		NULL};
	double median;

	if (!p.total)
		return 0;
	if (p.total <= SORTED_PAIRS)
		sort_within(&p);
	median = pairs_median(&p);
	free(p.sorted);
	return median / (M_SQRT2 * 0.67448975019608171);
}
