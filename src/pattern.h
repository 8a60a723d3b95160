/*
 * pattern: PCRE2 regular expressions with a bound on the work of one match. The only module that
 * knows pcre2.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <stddef.h>

#include "err.h"

struct pattern;

/* NULL with err set (ERR_POLICY: the pattern, the offset, what is wrong). */
struct pattern *pattern_new(const char *text, struct err *err);
void pattern_free(struct pattern *p); /* NULL is fine */

/* Unanchored. 1 match, 0 none, -1 with err set: the match limit (catastrophic backtracking). */
int pattern_match(struct pattern *p, const char *s, size_t len, struct err *err);

const char *pattern_text(const struct pattern *p);

#endif
