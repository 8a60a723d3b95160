/*
 * openmetrics: the parts of the text format of OpenMetrics 1.0, appended to a buffer. Whoever
 * writes it ends it with "# EOF".
 */
#ifndef OPENMETRICS_H
#define OPENMETRICS_H

#include "buf.h"
#include "series.h"

/* The head of a family; unit NULL: none. */
void openmetrics_family(
	struct buf *b, const char *name, const char *type, const char *unit, const char *help);
/* A label, with a comma behind any but "{", escaped for a terminal too; value NULL: none. */
void openmetrics_label(struct buf *b, const char *name, const char *value);
void openmetrics_series(struct buf *b, const struct series_key *k); /* seven labels */
void openmetrics_real(struct buf *b, double value);

#endif
