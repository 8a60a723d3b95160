/*
 * sparkline: a series as a row of characters, one or several points each.
 */
#ifndef SPARKLINE_H
#define SPARKLINE_H

#include "buf.h"

/* Whether the user's locale shows Unicode: LC_ALL, LC_CTYPE or LANG says UTF-8. */
bool sparkline_unicode(void);

struct sparkline {
	size_t width;
	double least; /* no smaller range of values fills the height, so that noise stays small */
	size_t tail;  /* that many of the newest get a character of their own, where they would
			 else be too few to be seen; 0: none */
	bool unicode; /* blocks of eight heights, else _.-:=+*# */
};

/* Appends at most width characters for n finite values; each is the median of its points. */
void sparkline(struct buf *b, const struct sparkline *how, const double *v, size_t n);

#endif
