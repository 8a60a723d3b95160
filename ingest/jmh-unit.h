/*
 * jmh-unit: the units of JMH's scores, and the way to base units.
 */
#ifndef JMH_UNIT_H
#define JMH_UNIT_H

#include "num.h"
#include "sink.h"

struct jmh_unit {
	const char *written, *unit, *quantity;
	enum direction direction;
	int exponent;  /* a power of ten that brings a score to unit; or */
	double factor; /* any other factor, when it is not 0 */
};

/* "ns/op", "ops/ms", "MB/sec", ...; for others NULL. */
const struct jmh_unit *jmh_unit_find(const char *written);

int jmh_unit_convert(const struct jmh_unit *u, struct num n, struct num *ret, struct err *err);

#endif
