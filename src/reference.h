/*
 * reference: the pinned revision of the creep check, `reference` in perfgate.conf.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "compare.h"

/* After comparison_end(): fills reference of the pairs whose policy sets a creep. A revision that
 * nobody knows is an error; one without runs is noted. */
int comparison_reference(struct comparison *x, struct err *err);

#endif
