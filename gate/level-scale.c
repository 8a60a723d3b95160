#include "level-scale.h"

#include "order.h"

#include <math.h>

static double unit(const double *x, size_t n, double *scratch)
{
	double largest, middle;
	size_t i;

	for (i = 0; i < n; i++)
		scratch[i] = fabs(x[i]);
	order_doubles(scratch, n);
	largest = n ? scratch[n - 1] : 0;
	middle = order_median(scratch, n);
	return middle > largest * 1e-100 ? middle : largest > 0 ? largest : 1;
}

double to_level_scale(double *x, size_t n, double *scratch)
{
	double by = of_one_sign(x, n) ? 0 : unit(x, n, scratch);
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = by > 0 ? x[i] / by : log(fabs(x[i]));
	return by;
}
