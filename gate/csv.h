/*
 * csv: cells of CSV (RFC 4180), appended to a buffer. A comma goes before each that does not begin
 * the buffer or a line.
 */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>

#include "buf.h"
#include "policy.h"

void csv_separator(struct buf *b); /* alone: an empty cell */
/* Escaped for a terminal; what a spreadsheet would take for a formula gets an apostrophe in front.
 * NULL: an empty cell. */
void csv_text(struct buf *b, const char *s);
void csv_count(struct buf *b, size_t n);
void csv_real(struct buf *b, double value); /* what is not finite is an empty cell */

/* What names a series and says how it is judged: suite, benchmark, metric, unit, variant, runner,
 * class, judge, direction. */
void csv_series(struct buf *b, const struct series_key *k, const struct decision *d);

#endif
