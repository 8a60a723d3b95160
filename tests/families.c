#include "families.h"

#include "random.h"

#include <math.h>

static double uniform(uint64_t *state) /* 0 < . < 1 */
{
	return ((double)(random_next(state) >> 12) + 0.5) / 4503599627370496.0;
}

static double gauss(uint64_t *state) /* Box and Muller */
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(2 * M_PI * uniform(state));
}

static void normal(uint64_t *s, double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = 0.02 * gauss(s);
}

static void skewed(uint64_t *s, double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = 0.012 * exp(0.8 * gauss(s));
}

/* Two modes 6 % apart, a quarter in the upper. */
static void bimodal(uint64_t *s, double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = 0.006 * gauss(s) + (uniform(s) < 0.25 ? log(1.06) : 0);
}

/* Every tenth is late, by half a normal distribution of 25 %. */
static void spikes(uint64_t *s, double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = 0.02 * gauss(s) + (uniform(s) < 0.1 ? fabs(0.25 * gauss(s)) : 0);
}

/* Student's t with two degrees of freedom: a normal over the root of an exponential variable. */
static void heavy(uint64_t *s, double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = 0.015 * gauss(s) / sqrt(-log(uniform(s)));
}

/* Half of each deviation stays for the next. */
static void autocorrelated(uint64_t *s, double *x, size_t n)
{
	double last = 0.02 * gauss(s);
	size_t i;

	for (i = 0; i < n; i++) {
		x[i] = last;
		last = 0.5 * last + sqrt(0.75) * 0.02 * gauss(s);
	}
}

/* Two machines 6 % apart: after a run in ten the slow one takes over, for three runs as a mean. */
static void machines(uint64_t *s, double *x, size_t n)
{
	bool slow = uniform(s) < 3.0 / 13;
	size_t i;

	for (i = 0; i < n; i++) {
		x[i] = 0.006 * gauss(s) + (slow ? log(1.06) : 0);
		if (uniform(s) < (slow ? 1.0 / 3 : 0.1))
			slow = !slow;
	}
}

const struct family families[N_FAMILIES] = {
	[NORMAL] = {"normal 2 %", normal, true},
	[SKEWED] = {"skewed", skewed, true},
	[BIMODAL] = {"bimodal", bimodal, true},
	[SPIKES] = {"spikes 10 %", spikes, true},
	[HEAVY] = {"heavy tail", heavy, true},
	[AUTOCORRELATED] = {"autocorrelated 0.5", autocorrelated, false},
	[MACHINES] = {"two machines", machines, false},
};
