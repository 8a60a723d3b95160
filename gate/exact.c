#include "exact.h"

#include <math.h>

enum verdict exact_verdict(struct decimal head, struct decimal base, enum direction direction,
	struct decimal tolerance, struct decimal floor)
{
	struct decimal d = decimal_sub(head, base), size = decimal_abs(d);
	int worsening = decimal_sign(d) * (int)direction;

	if (!worsening || decimal_cmp(size, floor) < 0 ||
		decimal_cmp(size, decimal_mul(tolerance, decimal_abs(base))) <= 0)
		return VERDICT_PASS;
	return worsening > 0 ? VERDICT_REGRESSED : VERDICT_IMPROVED;
}

struct exact_spread exact_spread(
	const struct num *values, size_t n, struct decimal median, struct decimal tolerance)
{
	struct decimal range, size = decimal_abs(median);
	size_t i, min = 0, max = 0;

	for (i = 1; i < n; i++) {
		if (num_cmp(values[i], values[min]) < 0)
			min = i;
		if (num_cmp(values[i], values[max]) > 0)
			max = i;
	}
	if (n < 2 || !num_cmp(values[min], values[max]))
		return (struct exact_spread){0};
	range = decimal_sub(decimal_from(values[max]), decimal_from(values[min]));
	return (struct exact_spread){
		.exceeds = decimal_cmp(range, decimal_mul(tolerance, size)) > 0,
		.share = decimal_sign(size) ? decimal_double(range) / decimal_double(size)
					    : INFINITY};
}
