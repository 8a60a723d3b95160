/*
 * json-scan: what the parts of json share: where a value ends, found byte by byte in any pieces and
 * held to the limits of json.h, and the parser behind it.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdint.h>

#include "json.h"

struct scan {
	int depth;
	uint64_t objects; /* bit d: level d is an object */
	bool started, in_string, escaped, in_number, in_word;
	unsigned number_len;
};

/*
 * Advances over one value. Returns 1 when it ended (*used = its bytes), 0 when more bytes are
 * needed (*used = n), -1 at a fault (*used = where, *why). A number or word may also end with the
 * input: scan_may_end().
 */
int scan_value(struct scan *s, const char *p, size_t n, size_t *used, const char **why);
bool scan_may_end(const struct scan *s);

bool scan_is_space(char c);
bool scan_starts_number(char c);
bool scan_in_number(char c);

/* The value that is all of text, which begins on that line. NULL with err set. */
struct jv *jv_parse(
	const char *where, unsigned line, const char *text, size_t len, struct err *err);

#endif
