/*
 * clpeak-unit: what a clpeak test or reading says of its unit, and the way to base units.
 *
 * Three dialects call themselves format 3. The oldest writes values as they are displayed (TFLOPS,
 * GB/s, us) with a scale that leads to the base unit; the later ones write base units and no scale.
 * They are told apart by the fields present, reading by reading.
 */
#ifndef CLPEAK_UNIT_H
#define CLPEAK_UNIT_H

#include "json.h"
#include "sink.h"

/* Of one object of the document, whose strings it borrows. NULL and 0: the object does not say. */
struct clpeak_unit {
	const char *unit, *quantity, *direction;
	double scale;
};

/* A member that is a string: jv_get_string(), but "" is absent, and text over SINK_NAME_MAX bytes
 * is an error. */
int clpeak_text(const struct jv *o, const char *key, const char **ret, struct err *err);

int clpeak_unit_read(const struct jv *o, struct clpeak_unit *ret, struct err *err);

/*
 * Unit, quantity and direction of a reading: its own, else the test's, else what the quantity
 * implies (nothing for a quantity that is not known). Sets all of *ret but its name, and the
 * factor that brings the reading's value to ret->unit. Ratios, counts and unknown quantities have
 * no base unit and keep what is written. Fails where a scale contradicts its unit.
 */
int clpeak_unit_resolve(const struct clpeak_unit *test, const struct clpeak_unit *reading,
	struct metric *ret, double *ret_factor, struct err *err);

/* value * factor; an integer stays one while the factor is 1. Fails when it overflows. */
int clpeak_unit_convert(struct num value, double factor, struct num *ret, struct err *err);

#endif
