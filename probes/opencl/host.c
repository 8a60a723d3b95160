#include "host.h"

#include <math.h>

static double real_element(uint32_t lane, uint32_t element, uint32_t steps)
{
	double c = -(double)(1798 + lane % 8) / 1024, x = (double)(element >> 3) / 256;

	while (steps-- > 0)
		x = x * x + c;
	return x;
}

static uint32_t dot_square(uint32_t x)
{
	uint32_t sum = 0;
	unsigned i;

	for (i = 0; i < 32; i += 8)
		sum += ((x >> i) & 0xff) * ((x >> i) & 0xff);
	return sum;
}

/* The three readings of mad24's operands: low is 0 for all bits, 1 for 24, 2 for 24 and a sign. */
static uint32_t operand(uint32_t x, int low)
{
	uint32_t sign = low == 2 && (x & 0x800000) ? 0xff000000 : 0;

	return low ? (x & 0xffffff) | sign : x;
}

static uint32_t int_element(const struct chain *c, int low, uint32_t lane, uint32_t steps)
{
	uint32_t mask = c->bits < 32 ? (UINT32_C(1) << c->bits) - 1 : UINT32_MAX;
	uint32_t x = lane % 64 * 4 + 2;

	while (steps-- > 0) {
		if (c->kind == CHAIN_DOT)
			x += dot_square(x);
		else
			x = (operand(x, low) * operand(x, low) + x) & mask;
	}
	return x;
}

static bool real_ok(
	const struct chain *c, unsigned width, uint32_t item, uint32_t steps, double got)
{
	double sum = 0;
	uint32_t e;

	for (e = 0; e < width; e++)
		sum += real_element(item + e, e, steps);
	return fabs(got - sum) <= c->tolerance * width;
}

static bool int_ok(
	const struct chain *c, int low, unsigned width, uint32_t item, uint32_t steps, double got)
{
	uint32_t sum = 0, e;

	for (e = 0; e < width; e++)
		sum += int_element(c, low, item + e, steps);
	return got == (double)sum;
}

bool host_chain_ok(const struct chain *c, unsigned width, uint32_t item, uint32_t count, double got)
{
	uint32_t steps = count * CHAIN_STEPS;
	int low;

	if (c->kind == CHAIN_REAL)
		return real_ok(c, width, item, steps, got);
	for (low = 0; low < (c->kind == CHAIN_MAD24 ? 3 : 1); low++)
		if (int_ok(c, low, width, item, steps, got))
			return true;
	return false;
}

uint32_t host_word(uint32_t i)
{
	uint32_t x = i * UINT32_C(0x9e3779b9) + UINT32_C(0xdeadbeef);

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return (x & 0x3fffffff) | 0x00800000;
}

void host_fill(uint32_t *words, uint32_t first, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		words[i] = host_word(first + (uint32_t)i);
}

uint32_t host_sweep(uint32_t from, uint32_t stride, unsigned width)
{
	uint32_t sum = 0, e;
	int i;

	for (i = 0; i < 16; i++)
		for (e = 0; e < width; e++)
			sum += host_word((from + (uint32_t)i * stride) * width + e);
	return sum;
}

uint32_t host_pass(uint32_t id, uint32_t size, unsigned width, uint32_t count)
{
	uint32_t from = (id + count % size) % size, sum = 0, e;

	for (e = 0; e < width; e++)
		sum += from * 16 + e + count;
	return sum;
}
