/*
 * layout: text for a terminal of some width.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "buf.h"
#include "report.h"

/* Colours: parameters of SGR, ECMA-48 8.3.117. */
#define PAINT_BOLD "1"
#define PAINT_DIM "2"
#define PAINT_RED "31"
#define PAINT_GREEN "32"
#define PAINT_YELLOW "33"

size_t layout_columns(const struct report_style *style); /* 80 where the width is unknown */
size_t layout_width(const char *s);                      /* columns of an escaped string */
char *layout_escape(const char *s);                      /* text_escape; the caller frees */

/* Appends text in that colour (NULL: none) where style has colours. */
void layout_paint(
	struct buf *b, const struct report_style *style, const char *sgr, const char *text);
void layout_pad(struct buf *b, size_t columns);

/* Appends s, which is escaped already, in at most width columns: its middle gives way to "..". */
void layout_shorten(struct buf *b, const char *s, size_t width);

/*
 * Appends the words of text, which is escaped already, on lines of at most style's width, and a
 * newline. The first line begins at column at, where the cursor is; the others are indented.
 */
void layout_wrap(struct buf *b, const struct report_style *style, const char *sgr, const char *text,
	size_t at, size_t indent);

#endif
