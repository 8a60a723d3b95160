#include "half.h"

#include <math.h>
#include <string.h>

/* IEEE 754 binary16: 1 bit of sign, 5 of exponent (bias 15), 10 of fraction. */
double half_to_double(uint16_t h)
{
	int exponent = h >> 10 & 31, fraction = h & 1023;
	double d;

	if (exponent == 31)
		d = fraction ? NAN : INFINITY;
	else if (exponent == 0)
		d = ldexp(fraction, -24);
	else
		d = ldexp(1024 + fraction, exponent - 25);
	return h >> 15 ? -d : d;
}

uint16_t half_from_double(double d)
{
	uint16_t sign = signbit(d) ? 0x8000 : 0;
	int exponent;
	double units;

	d = fabs(d);
	if (isnan(d))
		return sign | 0x7e00;
	if (d >= 65520) /* half way beyond the largest */
		return sign | 0x7c00;
	frexp(d, &exponent); /* d is below 2^exponent */
	if (exponent < -13 || d == 0)
		exponent = -13;
	units = nearbyint(ldexp(d, 11 - exponent)); /* of the last place; 2048: the next exponent */
	return sign | (uint16_t)((exponent + 13) * 1024 + (int)units);
}

float bf16_to_float(uint16_t h)
{
	uint32_t bits = (uint32_t)h << 16;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

uint16_t bf16_from_float(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return (uint16_t)(bits >> 16);
}
