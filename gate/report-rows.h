/*
 * report-rows: which verdicts the text report lists, and the text of their cells.
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report.h"

enum column {
	COL_VERDICT,
	COL_SUITE,
	COL_BENCHMARK,
	COL_METRIC,
	COL_BASE,
	COL_HEAD,
	COL_CHANGE,
	COL_INTERVAL,
	COL_EVIDENCE,
	COL_ALLOWED,
	COL_N,
	COL_DETECTABLE,
	COL_COUNT
};

/* Rows under one heading. What nobody waits for, being neither judged nor hard, is the last. */
enum section { SECTION_GATES, SECTION_OTHER, SECTION_PASS, SECTION_INFO };

struct row {
	const struct judged *j;
	enum section section;
	char *cells[COL_COUNT];
	bool suite, variant, runner, unit; /* what tells it from a row of the same names */
};

struct rows {
	struct row *v;
	size_t n, cap;
};

/*
 * Fills ret with the rows to list, worst first, but no more than most. ret_left counts by verdict
 * those that are not. With style->all nothing else is left out but suites that were not measured,
 * which are no rows.
 */
void report_rows(struct rows *ret, const struct report *r, const struct report_style *style,
	size_t most, size_t ret_left[VERDICT_COUNT]);
void report_rows_release(struct rows *rows);

#endif
