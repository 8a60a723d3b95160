/*
 * outline: JSON as clpeak lays it out: a key a line, two blanks a step. Keys are the program's own,
 * values anybody's.
 */
#ifndef OUTLINE_H
#define OUTLINE_H

#include <stdint.h>

#include "buf.h"

/* The caller fills b, line and first, which is true. */
struct outline {
	struct buf *b;
	int depth;
	bool line; /* everything on one line, as in the log */
	bool first;
};

void outline_next(struct outline *w); /* an element that the caller writes follows */
void outline_key(struct outline *w, const char *key);
void outline_open(struct outline *w, const char *key, char bracket); /* key NULL: an element */
void outline_close(struct outline *w, char bracket);

void outline_text(struct outline *w, const char *key, const char *value); /* unless NULL or empty */
void outline_element(struct outline *w, const char *value);
void outline_int(struct outline *w, const char *key, int64_t value);
void outline_known(struct outline *w, const char *key, int64_t value); /* unless negative */
void outline_bool(struct outline *w, const char *key, bool value);
/* With seven digits, unless it is not finite; key NULL: the number alone. */
void outline_real(struct outline *w, const char *key, double value);

#endif
