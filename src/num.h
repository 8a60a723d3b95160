/*
 * num: numbers. One parser and one printer for the whole program, in the C locale.
 *
 * A num is a 64-bit integer or a finite double; integers stay integers, so that 2^53 + 1 survives
 * being read, stored, compared and printed. NaN and infinity are not nums.
 */
#ifndef NUM_H
#define NUM_H

#include <stdint.h>
#include <time.h>

#include "buf.h"
#include "err.h"

struct num {
	bool is_int;
	union {
		int64_t i;
		double d;
	};
};

#define NUM_TOKEN_MAX 64 /* bytes; a longer number is refused */

static inline struct num num_int(int64_t i)
{
	return (struct num){.is_int = true, .i = i};
}

static inline struct num num_real(double d)
{
	return (struct num){.is_int = false, .d = d};
}

static inline double num_double(struct num n)
{
	return n.is_int ? (double)n.i : n.d;
}

/*
 * Parses the whole token s[0..len) as a decimal number: [+-]digits is an integer, anything with a
 * point or an exponent a double. Refuses a token over NUM_TOKEN_MAX bytes, an integer outside
 * int64, a double that overflows, hexadecimal, "nan" and "inf". Returns 0, or -1 with err set
 * (ERR_FORMAT, the token quoted) and *ret untouched.
 */
int num_parse(const char *s, size_t len, struct num *ret, struct err *err);

/* num_parse() of a token that has to be an integer from min to max. */
int num_parse_int(
	const char *s, size_t len, int64_t min, int64_t max, int64_t *ret, struct err *err);

/*
 * n * 10^exponent as a shift of its decimal point: 91.7 by -9 is the double nearest 9.17e-08, and
 * so the very number that a writer of base units would have written. By 0 it is n. Returns 0, or -1
 * with err set where that is too large for a double.
 */
int num_shift(struct num n, int exponent, struct num *ret, struct err *err);

/* -1, 0 or 1 as a is below, equal to or above b; exact between integers and doubles. */
int num_cmp(struct num a, struct num b);

/* Appends the shortest decimal text that num_parse() reads back as the same num (a double that is
 * whole keeps ".0"). */
void num_format(struct buf *b, struct num n);

/*
 * RFC 3339 ("2026-09-23T21:40:13Z", fractions and offsets allowed) to nanoseconds since 1970 UTC,
 * and back (whole seconds lose their fraction only when it is zero). Returns 0 or -1 with err set.
 */
int time_parse(const char *s, int64_t *ret_ns, struct err *err);
void time_format(struct buf *b, int64_t ns);
/* time_parse(), or a day ("2026-09-23"), whose first moment it is. */
int time_or_day_parse(const char *s, int64_t *ret_ns, struct err *err);

/* A span of time of at most 30 days, such as 90, 90s, 5m or 2h, in ns. 0 or -1 with err set. */
int span_parse(const char *s, int64_t *ret_ns, struct err *err);

int64_t clock_ns(clockid_t id); /* what a clock says now */

#define TIME_UNKNOWN INT64_MIN

#endif
