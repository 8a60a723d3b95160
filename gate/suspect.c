#include "suspect.h"

#include "buf.h"
#include "focus.h"
#include "order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the points of a level are known by. */
struct known {
	double median, sd;
	double mean, spread; /* of how far points count */
};

static double distance(const struct known *k, double v)
{
	return fmax(-SUSPECT_FARTHEST, fmin(SUSPECT_FARTHEST, (v - k->median) / k->sd));
}

static void learn_median(const double *v, size_t n, double least_sd, struct known *k)
{
	_cleanup_(freep) double *room = xmalloc(n * sizeof(*room));
	size_t i;

	memcpy(room, v, n * sizeof(*room));
	k->median = order_and_median(room, n);
	for (i = 0; i < n; i++)
		room[i] = fabs(v[i] - k->median);
	k->sd = fmax(MAD_SD * order_and_median(room, n), least_sd);
}

static void learn(const double *v, size_t n, double least_sd, struct known *k)
{
	double sum = 0, squares = 0;
	size_t i;

	learn_median(v, n, least_sd, k);
	for (i = 0; i < n; i++)
		sum += distance(k, v[i]);
	k->mean = sum / (double)n;
	for (i = 0; i < n; i++)
		squares += pow(distance(k, v[i]) - k->mean, 2);
	k->spread = fmax(1, sqrt(squares / (double)(n - 1)));
}

/* Risen for sign 1, fallen for -1. */
static double most(const struct known *k, const double *v, size_t n, int sign, size_t *ret_from)
{
	struct focus f = {0};
	double ratio;
	size_t i;

	for (i = 0; i < n; i++)
		focus_add(&f, sign * (distance(k, v[i]) - k->mean) / k->spread);
	ratio = focus_most(&f, ret_from);
	focus_release(&f);
	return ratio;
}

size_t suspect_newest(size_t n)
{
	size_t newest = n / 3 < SUSPECT_NEWEST ? n / 3 : SUSPECT_NEWEST;

	if (n <= SUSPECT_KNOWN)
		return 0;
	return n - newest < SUSPECT_KNOWN ? n - SUSPECT_KNOWN : newest;
}

int suspect_of(const double *v, size_t n, double least_sd, double alike, size_t *ret_from)
{
	size_t newest = suspect_newest(n), from = 0, low_from = 0;
	struct known k;
	double high, low;
	int sign;

	if (!newest)
		return 0;
	learn(v, n - newest, least_sd, &k);
	high = most(&k, v + n - newest, newest, 1, &from);
	low = most(&k, v + n - newest, newest, -1, &low_from);
	sign = high >= low ? 1 : -1;
	if (fmax(high, low) <= SUSPECT_ABOVE * alike)
		return 0;
	*ret_from = n - newest + (sign > 0 ? from : low_from);
	return sign;
}
