#include "distribution.h"

#include <math.h>

/* Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.23: off by less than 4.5e-4. */
static double rough_quantile(double tail)
{
	double t = sqrt(-2 * log(tail));

	return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
			   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/* The tail is what lies above: two of Halley's steps triple the good digits of z twice. */
static double upper_quantile(double tail)
{
	double z = rough_quantile(tail);

	for (int i = 0; i < 2; i++) {
		double density = exp(-z * z / 2) / sqrt(2 * M_PI);
		double step = (erfc(z * M_SQRT1_2) / 2 - tail) / density;

		z += step / (1 - step * z / 2);
	}
	return z;
}

double normal_quantile(double p)
{
	return p < 0.5 ? -upper_quantile(p) : p > 0.5 ? upper_quantile(1 - p) : 0;
}

static double binomial_share(size_t k, size_t n)
{
	double all = (double)n, some = (double)k;

	return exp(lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1) - all * M_LN2);
}

double binomial_tail(size_t k, size_t n)
{
	double sum = 0, share;

	if (!k)
		return 1;
	if (k <= n / 2)
		return 1 - binomial_tail(n - k + 1, n);
	if (k > n)
		return 0;
	/* From here on the terms fall. */
	for (share = binomial_share(k, n); k <= n && share > sum * 1e-17; k++) {
		sum += share;
		share *= (double)(n - k) / (double)(k + 1);
	}
	return sum;
}
