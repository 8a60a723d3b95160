/*
 * markdown: what comes from outside, in GitHub's and GitLab's markdown.
 *
 * Names stand in <code>, where neither system looks for mentions and references, with each
 * character that means something to markdown or HTML as an entity. Sentences stand in fenced
 * blocks.
 */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include "buf.h"

enum { MARKDOWN_NAME_MAX = 100, MARKDOWN_LINE_MAX = 500 }; /* bytes; what is longer is cut */

/* A name that is escaped for a terminal already; one that is not. */
void markdown_code(struct buf *b, const char *s);
void markdown_raw_code(struct buf *b, const char *s);

/* A figure: plain but for a unit that somebody made up. */
void markdown_cell(struct buf *b, const char *s);

/* A block of lines in which nothing means anything. */
void markdown_block(struct buf *b, const char *language, const char *lines);
/* One line for it, escaped; as many of n as fit into max bytes, the rest counted. */
void markdown_line(struct buf *b, const char *s);
void markdown_lines(struct buf *b, const char *const *lines, size_t n, size_t max);

#endif
