/*
 * report-table: the verdicts of the text report as aligned rows.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report.h"

/* Appends the table, worst first. ret_left counts by verdict what it does not list. */
void report_table(struct buf *b, const struct report *r, const struct report_style *style,
	size_t ret_left[VERDICT_COUNT]);

#endif
