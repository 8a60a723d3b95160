#include "order.h"

#include "buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the run that begins at start ends. */
static size_t run_end(const double *v, size_t n, size_t start)
{
	size_t i = start + 1;

	while (i < n && v[i - 1] <= v[i])
		i++;
	return i < n ? i : n;
}

static void merge(const double *a, size_t n, const double *b, size_t m, double *to)
{
	const double *a_end = a + n, *b_end = b + m;

	while (a < a_end && b < b_end) {
		bool second = *b < *a;

		*to++ = second ? *b : *a;
		b += second;
		a += !second;
	}
	memcpy(to, a, (size_t)(a_end - a) * sizeof(*a));
	memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof(*b));
}

/* Merges the runs two by two; returns how many that makes. */
static size_t merge_runs(const double *from, double *to, size_t n)
{
	size_t start, middle, end, runs = 0;

	for (start = 0; start < n; start = end, runs++) {
		middle = run_end(from, n, start);
		end = middle < n ? run_end(from, n, middle) : n;
		merge(from + start, middle - start, from + middle, end - middle, to + start);
	}
	return runs;
}

void order_doubles(double *v, size_t n)
{
	_cleanup_(freep) double *room = NULL;
	double *from = v, *to, *other;
	size_t runs;

	if (!n || run_end(v, n, 0) == n)
		return;
	to = room = xmalloc(n * sizeof(*room));
	do {
		runs = merge_runs(from, to, n);
		other = from;
		from = to;
		to = other;
	} while (runs > 1);
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

double order_median(const double *sorted, size_t n)
{
	if (!n)
		return NAN;
	return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
}

double order_and_median(double *v, size_t n)
{
	order_doubles(v, n);
	return order_median(v, n);
}

static double middle_of_three(double a, double b, double c)
{
	double lo = a < b ? a : b, hi = a < b ? b : a;

	return c < lo ? lo : c > hi ? hi : c;
}

/* Hoare's partition: what is less than pivot, which is one of v, or equal comes first. Returns
 * where the rest begins, which is neither 0 nor n. */
static size_t partition(double *v, size_t n, double pivot)
{
	size_t i = 0, j = n;
	double other;

	for (;;) {
		while (v[i] < pivot)
			i++;
		do
			j--;
		while (v[j] > pivot);
		if (i >= j)
			return j + 1 < n ? j + 1 : n - 1;
		other = v[i];
		v[i++] = v[j];
		v[j] = other;
	}
}

enum { FEW_TO_SELECT = 32 };

/* Puts the k-th in its place, none greater before it, none less behind it (Hoare, "Algorithm 65:
 * Find", CACM 1961). Where the pivots are bad time after time the rest is sorted. */
static void put_in_place(double *v, size_t n, size_t k)
{
	size_t work = 8 * n, left;

	while (n > FEW_TO_SELECT && work > n) {
		work -= n;
		left = partition(v, n, middle_of_three(v[0], v[n / 2], v[n - 1]));
		if (k < left) {
			n = left;
			continue;
		}
		v += left;
		n -= left;
		k -= left;
	}
	order_doubles(v, n);
}

double order_any_median(double *v, size_t n)
{
	double below;
	size_t i;

	if (!n)
		return NAN;
	put_in_place(v, n, n / 2);
	if (n % 2)
		return v[n / 2];
	below = v[0];
	for (i = 1; i < n / 2; i++)
		below = v[i] > below ? v[i] : below;
	return below / 2 + v[n / 2] / 2;
}

double order_quantile(const double *sorted, size_t n, double p)
{
	double at = p * ((double)n - 1);
	size_t i = (size_t)fmax(at, 0);

	if (i + 1 >= n)
		return n ? sorted[n - 1] : NAN;
	at -= (double)i;
	return (1 - at) * sorted[i] + at * sorted[i + 1];
}

double order_at_least(const double *sorted, size_t n, double p)
{
	size_t rank = (size_t)ceil(p * (double)n);

	return n ? sorted[rank ? rank - 1 : 0] : NAN;
}

bool of_one_sign(const double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i] == 0 || (v[i] < 0) != (v[0] < 0))
			return false;
	return true;
}
