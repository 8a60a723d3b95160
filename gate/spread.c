#include "spread.h"

#include "buf.h"
#include "order.h"

#include <math.h>

double spread_of_steps(const double *v, size_t n)
{
	_cleanup_(freep) double *steps = xcalloc(n, sizeof(*steps));
	double middle;
	size_t i;

	for (i = 1; i < n; i++)
		steps[i - 1] = log(fabs(v[i])) - log(fabs(v[i - 1])); /* no quotient overflows */
	order_doubles(steps, n - 1);
	middle = order_median(steps, n - 1);
	for (i = 0; i + 1 < n; i++)
		steps[i] = fabs(steps[i] - middle);
	order_doubles(steps, n - 1);
	return expm1(MAD_SD * order_median(steps, n - 1) / sqrt(2));
}
