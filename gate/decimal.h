/*
 * decimal: exact arithmetic on the numbers as documents and policies print them, m x 10^e.
 *
 * A double stands for its shortest decimal text (0.9 is nine tenths), because that is what the
 * document said; thus a tolerance of 5 % on 0.9 is 0.045, neither more nor less. |m| stays below
 * 10^38: a sum that needs more digits loses the last ones (terms some 20 orders of magnitude
 * apart), and so does the longer factor of such a product. Nothing overflows, whatever the
 * operands.
 */
#ifndef DECIMAL_H
#define DECIMAL_H

#include "num.h"

struct decimal {
	__int128 m;
	int e;
};

struct decimal decimal_from(struct num n);
/* "0.001", "12", "1e3": at most 38 digits. Returns 0, or -1 with err set (ERR_FORMAT). */
int decimal_parse(const char *s, size_t len, struct decimal *ret, struct err *err);
struct decimal decimal_add(struct decimal a, struct decimal b);
struct decimal decimal_sub(struct decimal a, struct decimal b);
struct decimal decimal_mul(struct decimal a, struct decimal b);
struct decimal decimal_abs(struct decimal a);
int decimal_cmp(struct decimal a, struct decimal b); /* exact */
int decimal_sign(struct decimal a);                  /* -1, 0, 1 */
double decimal_double(struct decimal a);             /* the nearest; may be infinite */
/* As an integer where it is one that fits, else as the nearest double. */
struct num decimal_num(struct decimal a);
/* Appends a exactly: "32178.5", "-12", "1e+300"; also valid JSON. */
void decimal_format(struct buf *b, struct decimal a);

/* The median of n >= 1 values, exact; of an even number of values halfway between the middle two.
 */
struct decimal decimal_median(const struct num *values, size_t n);

#endif
