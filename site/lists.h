/*
 * lists: the pages that list: the overview, a suite's, and the one that compares two commits; and
 * the badges and the feed that tell the same.
 */
#ifndef LISTS_H
#define LISTS_H

#include "site.h"

void overview_page(struct buf *b, const struct site *s, const struct site_lists *l);
void suite_page(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_suite *x);
void compare_page(struct buf *b, const struct site *s, const struct site_lists *l);

/* suite NULL: of all. "perf: 2 regressed" in the colour that goes with it; the words alone. */
void badge(struct buf *b, const struct site_lists *l, const struct site_suite *suite);
void badge_words(struct buf *b, const struct site_lists *l, const struct site_suite *suite);

/* Atom (RFC 4287): an entry for each step that counts, the newest FEED_MAX. */
enum { FEED_MAX = 200 };
void feed(struct buf *b, const struct site *s, const struct site_lists *l);

/* ---- the rows of a suite, for a page and for markdown ---- */

/* A suite of more series than that has a row for each benchmark: its series with the worst news,
 * else its first of the strictest class. */
enum { SUITE_ROWS = 1000 };
/* Numbers of series into *ret, which the caller frees; how many. */
size_t suite_rows(const struct site_lists *l, const struct site_suite *x, size_t **ret);
bool suite_is_long(const struct site_suite *x);

/* Those of l->steps that are news, worst first: *ret is the caller's to free. */
size_t recent_steps(const struct site *s, const struct site_lists *l, struct site_step **ret);

#endif
