/*
 * json-stream: the inside of a stream, for the files that make it up: a window of the input, and
 * the containers that were entered.
 */
#ifndef JSON_STREAM_H
#define JSON_STREAM_H

#include "intern.h"
#include "json.h"

enum { JSON_INT_DIGITS = 18 }; /* an integer of so many cannot overflow */

struct level {
	bool object, first;
	struct intern *keys; /* of an object */
};

struct js {
	struct input *in;
	unsigned flags;
	char *p; /* the window */
	size_t start, end, cap;
	bool eof;
	unsigned line;
	struct level levels[JSON_DEPTH_MAX];
	int depth;
	struct buf key, scratch;
};

/* Reads more behind what is held, making room first. Returns 1, 0 at the end, -1. */
int js_fill(struct js *js, struct err *err);
void js_consume(struct js *js, size_t n);
int js_unexpected(struct js *js, int c, const char *expected, struct err *err);

/* The key in js->key, and the ':' behind it. skipping: keys beyond the limit are not remembered
 * instead of refused. */
int js_walk_key(struct js *js, bool skipping, struct err *err);

#endif
