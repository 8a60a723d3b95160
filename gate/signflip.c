#include "signflip.h"

#include "buf.h"
#include "distribution.h"
#include "order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1000 }; /* powers of two */
enum { TOO_MANY = SIGNFLIP_MAX + 1 };
enum { HALF_MAX = 1 << (SIGNFLIP_MAX / 2), WALSH_MAX = SIGNFLIP_MAX * (SIGNFLIP_MAX + 1) / 2 };

#define POWER_Z 1.6448536269514722    /* the normal quantile of .95 */
#define EFFICIENCY 1.0233267079464885 /* sqrt(pi / 3): the estimate's error over the mean's */
#define ROUNDING 1e-12
#define OUTSIDE .025 /* of the 95 % interval, on each side */

/* ---- p ---- */

/* The sums of all sign patterns of d, ascending; returns how many. */
static size_t all_sums(const double *d, size_t n, double *sums)
{
	size_t count = 1, i, k;

	sums[0] = 0;
	for (i = 0; i < n; i++) {
		const double size = fabs(d[i]);
		for (k = 0; k < count; k++) {
			sums[count + k] = sums[k] + size;
			sums[k] -= size;
		}
		count *= 2;
		/* both halves ascend: only to be merged */
		order_doubles(sums, count);
	}
	return count;
}

static double sum_of(const double *d, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += d[i];
	return sum;
}

static double magnitude_of(const double *d, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += fabs(d[i]);
	return sum;
}

/* Each half has few patterns, and the pairs of sums that reach the limit are counted along both
 * sorted lists. */
static double share_of_patterns(const double *d, size_t n)
{
	const size_t half = n / 2;
	double *low = xmalloc(HALF_MAX * sizeof(*low)), *high = xmalloc(HALF_MAX * sizeof(*high));
	const size_t n_low = all_sums(d, half, low), n_high = all_sums(d + half, n - half, high);
	const double limit = sum_of(d, n) - ROUNDING * magnitude_of(d, n);
	double reached = 0;
	size_t i, k = n_high;

	for (i = 0; i < n_low; i++) {
		while (k > 0 && low[i] + high[k - 1] >= limit)
			k--;
		reached += (double)(n_high - k);
	}
	free(low);
	free(high);
	return ldexp(reached, -(int)n);
}

/* No sum of them is beyond what a double holds: a power of two changes none of them. */
double signflip_p(const double *d, size_t n)
{
	double scaled[SIGNFLIP_MAX];
	size_t i;

	for (i = 0; i < n; i++)
		scaled[i] = ldexp(d[i], -LARGE);
	return share_of_patterns(magnitude_of(d, n) > ldexp(1, LARGE) ? scaled : d, n);
}

/* ---- how much ---- */

/* The means of all pairs of differences, each with itself too; ascending. */
static size_t walsh_averages(const double *d, size_t n, double *ret)
{
	size_t i, k, count = 0;

	for (i = 0; i < n; i++)
		for (k = i; k < n; k++)
			ret[count++] = d[i] / 2 + d[k] / 2;
	order_doubles(ret, count);
	return count;
}

/* How many averages lie outside the 95 % interval on each side: the largest k at which the
 * signed-rank statistic is below k in at most 2.5 % of the patterns of signs. */
static size_t left_outside(size_t n)
{
	double share[WALSH_MAX + 1] = {1}, sum = 0;
	size_t most = 0, rank, t;

	for (rank = 1; rank <= n; rank++) {
		most += rank;
		for (t = most + 1; t-- > 0;)
			share[t] = (share[t] + (t >= rank ? share[t - rank] : 0)) / 2;
	}
	for (t = 0; t <= most && sum + share[t] <= OUTSIDE; t++)
		sum += share[t];
	return t;
}

static double spread_of(const double *d, size_t n)
{
	double v[SIGNFLIP_MAX], middle;
	size_t i;

	memcpy(v, d, n * sizeof(*v));
	order_doubles(v, n);
	middle = order_median(v, n);
	for (i = 0; i < n; i++)
		v[i] = fabs(v[i] - middle);
	order_doubles(v, n);
	return MAD_SD * order_median(v, n);
}

/* ---- both ---- */

static bool both_of_one_sign(const double *head, const double *base, size_t n)
{
	return of_one_sign(head, n) && of_one_sign(base, n) && (head[0] > 0) == (base[0] > 0);
}

static double magnitude_of_median(const double *v, size_t n)
{
	double sorted[SIGNFLIP_MAX];

	memcpy(sorted, v, n * sizeof(*v));
	order_doubles(sorted, n);
	return fabs(order_median(sorted, n));
}

/* From the scale of the differences to shares, or to the metric's unit where there are none. */
static double as_change(const struct evidence *e, double shift, double sign, double unit)
{
	return e->logs ? sign * expm1(shift) : shift / unit;
}

/* A quotient may be too large or too small for a double, and so may a difference. */
static double logarithm_of_quotient(double a, double b)
{
	const double q = a / b;

	return q >= DBL_MIN && q <= DBL_MAX ? log(q) : log(fabs(a)) - log(fabs(b));
}

static double difference(double a, double b)
{
	return fmax(-DBL_MAX, fmin(a - b, DBL_MAX));
}

static void swap(double *a, double *b)
{
	const double t = *a;

	*a = *b;
	*b = t;
}

static void fill_change(struct evidence *e, const double *d, size_t n, double sign, double unit)
{
	double walsh[WALSH_MAX];
	const size_t count = walsh_averages(d, n, walsh), k = left_outside(n);

	e->change = as_change(e, order_median(walsh, count), sign, unit);
	e->low = k ? as_change(e, walsh[k - 1], sign, unit) : -INFINITY;
	e->high = k ? as_change(e, walsh[count - k], sign, unit) : INFINITY;
	if (sign < 0 && k)
		swap(&e->low, &e->high);
	e->spread = n < 2 ? 0 : e->logs ? expm1(spread_of(d, n)) : spread_of(d, n) / unit;
}

void signflip_compare(const double *head, const double *base, size_t n, struct evidence *ret)
{
	const bool logs = both_of_one_sign(head, base, n);
	const double sign = logs && head[0] < 0 ? -1 : 1, median = magnitude_of_median(base, n);
	double d[SIGNFLIP_MAX], opposite[SIGNFLIP_MAX];
	size_t i;

	for (i = 0; i < n; i++) {
		d[i] = logs ? logarithm_of_quotient(head[i], base[i])
			    : difference(head[i], base[i]);
		opposite[i] = -d[i];
	}
	*ret = (struct evidence){
		.n_head = n, .n_base = n, .logs = logs, .relative = logs || median > 0};
	ret->p_up = signflip_p(sign > 0 ? d : opposite, n);
	ret->p_down = signflip_p(sign > 0 ? opposite : d, n);
	fill_change(ret, d, n, sign, ret->relative && !logs ? median : 1);
}

/* ---- what would show ---- */

static double on_scale(const struct evidence *e, double share)
{
	return e->logs ? log1p(share) : share;
}

/* In standard deviations of one difference: how far it takes for p to reach the level 95 times of
 * 100. */
static double detectable_shift(size_t n, double level)
{
	if (ldexp(1, -(int)n) > level)
		return INFINITY;
	return EFFICIENCY * (POWER_Z - normal_quantile(level)) / sqrt((double)n);
}

double signflip_detectable(const struct evidence *e, double level, double tolerance)
{
	const double sd = on_scale(e, e->spread), limit = e->relative ? on_scale(e, tolerance) : 0;
	const double error = EFFICIENCY * sd / sqrt((double)e->n_head);
	const double units = detectable_shift(e->n_head, level);
	double shift;

	if (isinf(units))
		return INFINITY;
	shift = fmax(units * sd, limit + POWER_Z * error);
	return e->logs ? expm1(shift) : shift;
}

size_t signflip_needed(const struct evidence *e, double level, double tolerance)
{
	const double sd = on_scale(e, e->spread), limit = on_scale(e, tolerance);
	size_t n = 1;

	/* p has to reach the level, and the interval to have an end */
	while (n < TOO_MANY && ldexp(1, -(int)n) > fmin(level, OUTSIDE))
		n++;
	if (!(tolerance > 0) || !e->relative || !(sd > 0))
		return n;
	while (n < TOO_MANY && detectable_shift(n, level) * sd > limit)
		n++;
	return n;
}
