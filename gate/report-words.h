/*
 * report-words: what every report says in the same words. All of it is escaped for a terminal
 * (text_escape), on one line, and plain.
 */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "buf.h"
#include "report.h"

/* "PASS", "FAIL" or "NOT JUDGED"; of a diff that takes no side "DIFF". */
const char *words_outcome(const struct report *r);

/* "3 regressed of 6 judged, 1 lost (not gating: 1 regressed)"; of a diff that takes no side "1
 * worse, 2 better, 3 same". */
void words_counts(struct buf *b, const struct report *r);

/* "abc1234 against def5678 (1 commit back)", "old.json -> new.json" */
void words_sides(struct buf *b, const struct report *r);

/* "\"subject of the base\", merge base of main and HEAD": why it is the base; may be nothing. */
void words_base(struct buf *b, const struct report *r);

/* "callgrind (expected), clpeak": suites without a run at head. Whether that
 * counts against head: one was expected, or there is no run at all. */
bool words_not_measured(struct buf *b, const struct report *r);

/* "2 lost", "1 without a base" */
void words_count(struct buf *b, size_t n, enum verdict v);

/* "kpi: parse [SSE2] allocs_per_op"; a suite that was not measured is its name alone. */
void words_series(struct buf *b, const struct series_key *k);

/* explain(), escaped. The caller frees. */
char *words_reason(const struct judged *j, unsigned leave_out);

/* Appends s with at most max bytes, its end gives way to "..". */
void words_cut(struct buf *b, const char *s, size_t max);

/* Whether a comparison stands behind the verdict: those that report_count() counts as judged. */
bool words_is_judged(enum verdict v);

#endif
