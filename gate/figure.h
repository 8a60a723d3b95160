/*
 * figure: numbers as a person reads them. JSON has the exact ones.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "decimal.h"
#include "unit.h"

/* A finite number for a program: the shortest text that reads back as the same; 0 has no sign. */
void figure_real(struct buf *b, double value);

/* "2 %", "0.5 %", "0 %": exactly. */
void figure_share(struct buf *b, struct decimal share);

/* Appends a share >= 0 as a person writes it, with two digits: "2.1 %", "120 %",
 * "more than itself" where it is huge. */
void figure_rough_percent(struct buf *b, double share);

/*
 * Appends share (0.0209 is 2.09 %) without a sign, with at least that many places; with more where
 * it would otherwise read as the limit that it exceeds or stays below.
 */
void figure_percent(struct buf *b, double share, struct decimal limit, int places);
void figure_change(
	struct buf *b, double change, struct decimal limit, int places); /* with a sign */

/*
 * Appends a and b in unit, scaled alike ("1.53 ms", "64.0 MiB"), with three significant digits or
 * as many as it takes to tell them apart; counts up to ten digits appear whole. NULL: not there.
 */
void figure_pair(struct buf *ret_a, struct buf *ret_b, const struct decimal *a,
	const struct decimal *b, const char *unit);

/* The unit in which figure_pair() shows numbers of that size in unit; NULL: as they are. */
const struct unit *figure_step(const char *unit, double size);
/* value, in unit, in such a step. */
double figure_scaled(double value, const char *unit, const struct unit *step);
/* Appends unit as it may stand behind a number, with a blank before; nothing where its name says
 * no more than the metric's. Not yet fit for a page. */
void figure_unit(struct buf *b, const char *unit);

#endif
