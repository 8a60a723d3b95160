/*
 * axis: where a value stands on a chart of whole units, and round ticks. Always linear. Inside,
 * values are shares of the greatest, so that none overflows.
 */
#ifndef AXIS_H
#define AXIS_H

#include <stdbool.h>

#include "buf.h"

enum { AXIS_TICKS = 6 };

struct axis {
	double scale;     /* the greatest size of a value; above 0 */
	double low, high; /* its ends, in scale */
	int height;       /* in units */
	bool whole;       /* all values are: ticks are too, in their own unit */
};

/*
 * From n >= 1 finite values. It spans at least the share least of the greatest, and begins with 0
 * where all are positive and far from each other.
 */
void axis_init(struct axis *a, const double *values, size_t n, double least, int height);

bool axis_has(const struct axis *a, double value);
/* Units from the top; that of an end where value is beyond it. */
int axis_y(const struct axis *a, double value);

struct tick {
	int y;
	char text[96]; /* with the unit, not yet escaped */
};

/* Two to AXIS_TICKS round values, ascending, in the unit that figure_pair() would take; long ones
 * are not written. */
size_t axis_ticks(const struct axis *a, const char *unit, struct tick *ret);

#endif
