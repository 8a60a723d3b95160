/*
 * markup: text from outside made fit for XML, HTML and SVG, and for addresses in them.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include "buf.h"

/*
 * Appends s as text or as the value of a quoted attribute: &, <, >, " and ' become references. What
 * steers a terminal or turns the direction of text is visible, as text_escape() has it; XML 1.0 can
 * hold no other control characters than those, nor U+FFFE and U+FFFF.
 */
void markup_text(struct buf *b, const char *s);

/* Appends s percent-encoded for a segment of a path, or for the value of a query (RFC 3986). */
void markup_url(struct buf *b, const char *s);

#endif
