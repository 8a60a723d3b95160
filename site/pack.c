#include "pack.h"

#include <math.h>

enum { LOWEST = -12, DECADES = 29, MANTISSAS = 9000, CODES = 64 * 64 * 64 };

void pack_code(struct buf *b, uint32_t code, int width)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	while (width-- > 0)
		buf_addch(b, digits[code >> 6 * width & 63]);
}

/* The least width whose codes are more than span. */
static int width_for(double span)
{
	return span < 64 ? 1 : span < 64 * 64 ? 2 : PACK_WIDTH_MAX;
}

/* Enough for four digits of the least value, unless it is thousands of times less than the others.
 */
static int width_of_reals(double low, double high)
{
	const double least = low <= 0 && high >= 0 ? 0 : fmin(fabs(low), fabs(high));

	return high / 2 - low / 2 <= least / 4 ? 2 : PACK_WIDTH_MAX;
}

struct pack_range pack_range(const double *x, size_t n)
{
	double low = n ? x[0] : 0, high = low;
	bool whole = true;
	struct pack_range r;
	size_t i;

	for (i = 0; i < n; i++) {
		low = fmin(low, x[i]);
		high = fmax(high, x[i]);
		whole = whole && x[i] == floor(x[i]);
	}
	whole = low == high || (whole && high - low < CODES);
	r = (struct pack_range){.low = low,
		.step = 1,
		.width = whole ? width_for(high - low) : width_of_reals(low, high)};
	r.highest = (UINT32_C(1) << 6 * r.width) - 1;
	if (!whole)
		r.step = (high / 2 - low / 2) / r.highest * 2; /* lest the difference overflow */
	return r;
}

uint32_t pack_in(const struct pack_range *r, double x)
{
	const double code = round(x / r->step - r->low / r->step);

	if (!(code > 0))
		return 0;
	return code >= r->highest ? r->highest : (uint32_t)code;
}

uint32_t pack_decimal(double x)
{
	int e;
	double m;

	if (x == 0)
		return PACK_ZERO;
	if (!(x >= 1e-12 && x < 1e17))
		return PACK_ELSEWHERE;
	e = (int)floor(log10(x));
	m = round(x / pow(10, e - 3));
	if (m >= 10000) {
		e++;
		m = 1000;
	} else if (m < 1000) {
		e--;
		m = 9999;
	}
	if (e < LOWEST || e >= LOWEST + DECADES)
		return PACK_ELSEWHERE;
	return PACK_FIRST + (uint32_t)(MANTISSAS * (e - LOWEST)) + (uint32_t)m - 1000;
}
