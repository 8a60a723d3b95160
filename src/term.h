/*
 * term: what a person sees: colour and width of a terminal, progress, tables.
 */
#ifndef TERM_H
#define TERM_H

#include <stdio.h>

#include "buf.h"

bool term_colour(FILE *f); /* a terminal, and NO_COLOR and TERM=dumb do not object */
int term_width(FILE *f);   /* columns; COLUMNS overrides; 80 when not a terminal */
bool term_fits(FILE *f);   /* lines are to fit that: it is a terminal, or COLUMNS is set */
/* A line, which is escaped already; in a CI system it is none of its commands either. */
void term_line(FILE *f, const char *line);

/*
 * Progress on standard error while work goes on for more than a second; nothing when that is no
 * terminal. total 0: unknown.
 */
struct progress;
struct progress *progress_start(const char *what);
void progress_update(struct progress *p, double done, double total);
/* A sentence instead of a number, escaped. */
void progress_say(struct progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void progress_end(struct progress *p); /* takes the line away; NULL is fine */
/* progress_update() for callbacks that take a void *. */
void progress_callback(void *p, double done, double total);

/* A table: cells are escaped and aligned when it is written. Headings end with NULL; ">NAME" aligns
 * right. */
struct table;
struct table *table_new(const char *headings, ...);
void table_heading(struct table *t, const char *heading); /* one more, before the first cell */
void table_cell(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The first cell of the row that was begun last gets a colour where there are any: parameters of
 * SGR (gate/layout.h), which live as long as t. */
void table_paint(struct table *t, const char *sgr);
/* Frees t. On a terminal, or where COLUMNS says how wide, the widest columns give way to that
 * width, down to 6 each, but for those that align right or have a "=NAME"; elsewhere nothing is
 * cut, and one very long cell does not widen its column for all. */
void table_write(struct table *t, FILE *out);
void table_free(struct table *t);

#endif
