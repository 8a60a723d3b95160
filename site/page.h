/*
 * page: what all pages of the site have: head, navigation, breadcrumbs, foot; and the parts that
 * they are made of. Nothing in a page is a script or a style, and all addresses in it are relative,
 * so that it works at any prefix and the content policy forbids everything from elsewhere. Pages
 * are well-formed XML. site/assets/README.md says what scripts and style sheets rely on.
 */
#ifndef PAGE_H
#define PAGE_H

#include "site.h"

struct page {
	const char *title; /* NULL: the site's */
	const char *root;  /* "", "../" */
	const char *suite; /* whose page it is, or is below; NULL */
	const char *description;
	bool charts; /* it has some that a script may take over */
};

void page_begin(struct buf *b, const struct site *s, const struct page *p);
void page_end(struct buf *b, const struct site *s, const struct page *p);

/* ---- parts ---- */

/* A table with that caption (text). headings: one for each column, ">NAME" for figures, "-NAME" for
 * what cannot be sorted by. Ends with NULL. */
void page_table(struct buf *b, const char *caption, const char *const *headings);
void page_table_end(struct buf *b);

/* Cells. */
void page_cell(struct buf *b, const char *text);
/* A figure with what it sorts by; NAN: nothing. */
void page_cell_figure(struct buf *b, double sorts_by, const char *text);
/* The first cell of a row, a link: "<th scope=row>". */
void page_cell_link(struct buf *b, const char *href, const char *text);

/* An anchor of text. */
void page_link(struct buf *b, const char *href, const char *text);
/* The first ten digits of a commit, as a link where the site has an address for it. */
void page_commit(struct buf *b, const struct site *s, uint32_t commit);
/* The same and its day. */
void page_commit_day(struct buf *b, const struct site *s, uint32_t commit);
/* "<time>": the day alone, or with the minute. */
void page_time(struct buf *b, int64_t at, bool minute);

/* "bench/SLUG.html#s-...": where a series is, from a page whose way to the root is that. */
void page_series_href(struct buf *b, const char *root, const struct series_key *k);

#endif
