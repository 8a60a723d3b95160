/*
 * host: what the kernels have to compute, computed here, one element after the other.
 *
 * Chains. Element e of work-item i has lane i + e. A real chain is x = x*x + c with c =
 * -(1798 + lane mod 8) / 1024 and x = (e / 8) / 256 at first: in the period-3 window of the
 * logistic family, where x ends near 0, -1.76 or 1.34 by the number of steps mod 3, whatever was
 * rounded or fused on the way. An integer chain is x = x*x + x, modulo the type's width, from x =
 * 4 (lane mod 64) + 2: a permutation of those numbers, of period 4 iterations in 8 bits and more
 * in others. Neither can be composed in closed form, as y = a*y + b can. A work-item stores the sum
 * of its elements.
 */
#ifndef HOST_H
#define HOST_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define CHAIN_STEPS 16 /* of an iteration; one number of steps mod 3 each */

enum chain_kind { CHAIN_REAL, CHAIN_INT, CHAIN_MAD24, CHAIN_DOT };

struct chain {
	enum chain_kind kind;
	unsigned bits;    /* of an integer */
	double tolerance; /* of a real element: what rounding leaves */
};

/* Whether a work-item that ran `count` iterations may store `got`. mad24 of operands beyond 24 bits
 * is the driver's choice: all 32 bits, the low 24, or those with a sign. */
bool host_chain_ok(
	const struct chain *c, unsigned width, uint32_t item, uint32_t count, double got);

/* Word i of the data that kernels read: xorshift of its number, which no memory compresses, with
 * the bits of a finite float that is not subnormal. */
uint32_t host_word(uint32_t i);
void host_fill(uint32_t *words, uint32_t first, size_t n);

/* The sum of 16 vectors of `width` words, `stride` vectors apart, from vector `from`. */
uint32_t host_sweep(uint32_t from, uint32_t stride, unsigned width);

/* What item `id` of a work-group of `size` items stores after `count` exchanges (local.cl). */
uint32_t host_pass(uint32_t id, uint32_t size, unsigned width, uint32_t count);

#endif
