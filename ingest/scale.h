/*
 * scale: units as benchmark tools write them, and numbers brought to base units by moving the
 * decimal point, so that nothing is rounded but once.
 */
#ifndef SCALE_H
#define SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "num.h"
#include "sink.h"

struct scale {
	const char *unit;     /* the base unit: "s", "B", "B/s", "ops/s"; or as it was written */
	const char *quantity; /* "time", "bytes", "bytes_per_second", "rate", "unknown" */
	int shift;            /* the base unit's value is the written one's times 10^shift */
	enum direction direction; /* which is better of such a quantity */
};

/* Of "ns", "us/iter", "ops/sec", "MB/s" and the like. A unit that is not known stays as it is:
 * false, quantity "unknown", no shift, no direction; ret->unit is then the caller's text. */
bool scale_of_unit(const char *unit, struct scale *ret);

/*
 * The number of a token (num_parse()) times 10^shift, rounded once: an integer where one is
 * written without an exponent and shift is not negative. 0, or -1 with err set and *ret untouched.
 */
int scale_parse(const char *s, size_t len, int shift, struct num *ret, struct err *err);

#endif
