/*
 * chart: a series as SVG, to be read without scripts: samples, medians, the band of the noise round
 * each level, steps, accepted levels. Colours come from the page's style sheet by class
 * (assets/site.css), so that it is at ease in light and dark; it has a title and a description for
 * screen readers, where all text from outside is escaped.
 *
 * Lines are in an inner picture that is stretched to the width there is, a unit a point; text
 * stands beside it at its own size. 300 points take some 2 KB.
 */
#ifndef CHART_H
#define CHART_H

#include "buf.h"
#include "trend.h"

struct chart_point {
	double value;
	const double *samples; /* may be NULL */
	size_t n;
	const char *label; /* "1a2b3c4d5e, 2026-11-30": shown for the first and the last */
};

struct chart {
	const char *title, *unit; /* hostile until escaped, as all text here */
	const struct chart_point *points;
	size_t n;
	const struct trend *trend;
	const double *accepts; /* levels that the policy accepts */
	size_t n_accepts;
};

/* Some samples are left out where there are many, and those that are far beyond all medians. */
void chart_svg(struct buf *b, const struct chart *c);
/* A line of a few dozen points without axes, for tables; the numbers beside it say the same. */
void chart_spark(struct buf *b, const struct chart *c);

#endif
