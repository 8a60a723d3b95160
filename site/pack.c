#include "pack.h"

#include <math.h>

enum { LOWEST = -12, DECADES = 29, MANTISSAS = 9000 };

void pack_code(struct buf *b, uint32_t code)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char three[3] = {digits[code >> 12 & 63], digits[code >> 6 & 63], digits[code & 63]};

	buf_add(b, three, 3);
}

struct pack_range pack_range(const double *x, size_t n)
{
	double low = n ? x[0] : 0, high = low;
	bool whole = true;
	size_t i;

	for (i = 0; i < n; i++) {
		low = fmin(low, x[i]);
		high = fmax(high, x[i]);
		whole = whole && x[i] == floor(x[i]);
	}
	if (low == high || (whole && high - low < PACK_CODES))
		return (struct pack_range){low, 1};
	/* halves, lest their difference overflow */
	return (struct pack_range){low, (high / 2 - low / 2) / (PACK_CODES - 1) * 2};
}

uint32_t pack_in(const struct pack_range *r, double x)
{
	const double code = round(x / r->step - r->low / r->step);

	if (!(code > 0))
		return 0;
	return code >= PACK_CODES ? PACK_CODES - 1 : (uint32_t)code;
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
