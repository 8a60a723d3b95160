/*
 * callgrind-line: a text file line by line in bounded memory, and the words and numbers of a line,
 * as callgrind.out has them.
 */
#ifndef CALLGRIND_LINE_H
#define CALLGRIND_LINE_H

#include <stdint.h>

#include "err.h"
#include "input.h"

struct text {
	const char *p, *end;
};

struct line_reader {
	struct input *in;
	char *p;
	size_t start, end;
	bool eof;
	unsigned line; /* number of the line returned last, from 1 */
};

void line_reader_init(struct line_reader *l, struct input *in); /* in is borrowed */
void line_reader_release(struct line_reader *l);

/* The next line without its end, valid until the next call. Returns 1, 0 at the end of the file, -1
 * with err set: a line that the file's end cuts, one of more than 64 KiB, a NUL byte. */
int line_next(struct line_reader *l, struct text *ret, struct err *err);

/* Sets an ERR_FORMAT error that begins with "FILE:LINE: "; always -1. */
int line_error(const struct line_reader *l, struct err *err, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

struct text text_word(struct text *t); /* takes the next word off t; empty at the end */
void text_skip_blanks(struct text *t);
size_t text_len(struct text t);
int text_shown(struct text t); /* length for "%.*s" in a message */
bool text_is(struct text t, const char *s);
bool text_begins(struct text t, const char *s);
bool text_ends(struct text t, const char *s);

/* Decimal or 0x hexadecimal without a sign. Returns 1, 0 when it is no number, -1 past 2^63-1. */
int text_count(struct text t, int64_t *ret);

#endif
