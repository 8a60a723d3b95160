#include "jmh-unit.h"

#include <math.h>
#include <string.h>

#define TIME "s", "time", DIRECTION_LOWER
#define RATE "ops/s", "rate", DIRECTION_HIGHER
#define COUNT "count", "count", DIRECTION_NONE

/* TimeValue.tuToString() gives the names; a megabyte of GCProfiler is 1024 * 1024 bytes. */
static const struct jmh_unit units[] = {
	{"ns/op", TIME, -9, 0},
	{"us/op", TIME, -6, 0},
	{"ms/op", TIME, -3, 0},
	{"s/op", TIME, 0, 0},
	{"min/op", TIME, 0, 60},
	{"hr/op", TIME, 0, 3600},
	{"day/op", TIME, 0, 86400},
	{"ops/ns", RATE, 9, 0},
	{"ops/us", RATE, 6, 0},
	{"ops/ms", RATE, 3, 0},
	{"ops/s", RATE, 0, 0},
	{"ops/min", RATE, 0, 1.0 / 60},
	{"ops/hr", RATE, 0, 1.0 / 3600},
	{"ops/day", RATE, 0, 1.0 / 86400},
	{"ns", TIME, -9, 0},
	{"us", TIME, -6, 0},
	{"ms", TIME, -3, 0},
	{"s", TIME, 0, 0},
	{"B/op", "B", "bytes", DIRECTION_LOWER, 0, 0},
	{"MB/sec", "B/s", "rate", DIRECTION_NONE, 0, 1 << 20},
	{"counts", COUNT, 0, 0},
	{"#/op", COUNT, 0, 0},
	{"#", COUNT, 0, 0},
};

const struct jmh_unit *jmh_unit_find(const char *written)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(units); i++)
		if (!strcmp(written, units[i].written))
			return &units[i];
	return NULL;
}

int jmh_unit_convert(const struct jmh_unit *u, struct num n, struct num *ret, struct err *err)
{
	double d;

	if (u->factor == 0)
		return num_shift(n, u->exponent, ret, err);
	d = num_double(n) * u->factor;
	if (!isfinite(d))
		return err_set(err, ERR_FORMAT, "a score too large for a double in %s", u->unit);
	*ret = num_real(d);
	return 0;
}
