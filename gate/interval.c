#include "interval.h"

#include <math.h>

static const double Z = 1.959963984540054; /* 97.5 % of the normal distribution */

/* 97.5 % of Student's t: the expansion of Abramowitz and Stegun 26.7.5. */
static double t_quantile(double degrees)
{
	double z3 = Z * Z * Z, z5 = z3 * Z * Z, z7 = z5 * Z * Z;

	return Z + (z3 + Z) / (4 * degrees) +
	       (5 * z5 + 16 * z3 + 3 * Z) / (96 * degrees * degrees) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * degrees * degrees * degrees);
}

struct interval interval_of_trials(double hits, double n)
{
	double p = hits / n, z2 = Z * Z;
	double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	double half = Z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));

	return (struct interval){
		p, p > 0 ? fmax(middle - half, 0) : 0, p < 1 ? fmin(middle + half, 1) : 1};
}

struct interval interval_of_shares(const double *shares, size_t n, double trials)
{
	double mean = 0, squares = 0, effective = (double)n, t;
	size_t i;

	for (i = 0; i < n; i++)
		mean += shares[i] / (double)n;
	for (i = 0; i < n; i++)
		squares += (shares[i] - mean) * (shares[i] - mean);
	if (n > 1 && squares > 0) {
		t = t_quantile((double)n - 1);
		effective = mean * (1 - mean) * (double)n * ((double)n - 1) / squares;
		effective *= Z * Z / (t * t);
	}
	effective = fmax(fmin(effective, trials), 1);
	return interval_of_trials(mean * effective, effective);
}
