/*
 * pack: numbers for the scripts of the site, a few characters each, so that the data of a page is
 * small. A character is one of "A-Za-z0-9-_" and stands for 0 to 63; the first one of a code is its
 * highest part.
 */
#ifndef PACK_H
#define PACK_H

#include <stdint.h>

#include "buf.h"

enum { PACK_WIDTH_MAX = 3 };

void pack_code(struct buf *b, uint32_t code, int width);

/*
 * Of the values of one series: v = low + step * code, in 1, 2 or 3 characters each. Whole numbers
 * are exact where they lie less than 64^3 apart. Others are off by at most half a step, which
 * leaves four digits: they take two characters where the range is at most half the least value,
 * else three.
 */
struct pack_range {
	double low, step;
	int width;
	uint32_t highest; /* code */
};
struct pack_range pack_range(const double *x, size_t n);
uint32_t pack_in(const struct pack_range *r, double x);

/*
 * Of any value by itself, in three characters, with four significant digits: 0 stands for no value,
 * 1 for 0, 2 for one that does not fit and stands elsewhere (negative, or not from 1e-12 to below
 * 1e17), and 3 + 9000 * (e + 12) + m - 1000 for m * 10^(e - 3), m from 1000 to 9999.
 */
enum pack_odd { PACK_NONE, PACK_ZERO, PACK_ELSEWHERE, PACK_FIRST };
uint32_t pack_decimal(double x);

#endif
