/*
 * chart: a series as SVG, to be read without scripts: samples, medians, the band of the noise round
 * each level, steps, accepted levels. Colours come from the page's style sheet by class, so that it
 * is at ease in light and dark; it has a title and a description for screen readers.
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

void chart_svg(struct buf *b, const struct chart *c);
/* A line of a few dozen points without axes, for tables. */
void chart_spark(struct buf *b, const struct chart *c);

#endif
