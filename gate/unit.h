/*
 * unit: the units that a policy may write and a metric may have, and exact conversion between them.
 *
 * One table serves the policy, which reads "64 KiB", and figure, which prints it. A metric whose
 * unit is not in it ("points") takes plain numbers, and k, M and G as a count does.
 */
#ifndef UNIT_H
#define UNIT_H

#include "decimal.h"
#include "err.h"

struct unit {
	const char *name;
	const char *dimension; /* for a person; equal pointers are equal dimensions */
	struct decimal size;   /* in the smallest unit of its dimension: a whole number */
	bool ladder;           /* a step of what figure prints */
};

/* Ordered by dimension and, within one, by size. */
extern const struct unit units[];
extern const size_t units_count;

const struct unit *unit_find(const char *name); /* NULL: not in the table */

/* "64KiB", "1.53 ms", "12": *ret_unit is NULL where there is none. Returns 0, or -1 with err set
 * (ERR_POLICY; the nearest name for a unit that is none). */
int unit_parse(
	const char *text, struct decimal *ret, const struct unit **ret_unit, struct err *err);

/*
 * value, in from, as a number of to; from NULL: as it is. Exact wherever the result has a decimal
 * form of at most 38 digits (which only minutes and hours as a metric's own unit can lack). Returns
 * 0, or -1 with err set (ERR_POLICY: the two do not measure the same).
 */
int unit_convert(struct decimal value, const struct unit *from, const char *to, struct decimal *ret,
	struct err *err);

#endif
