/*
 * pattern: PCRE2 regular expressions with a bound on the work of one match. The only module that
 * knows pcre2.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <stddef.h>

#include "buf.h"
#include "err.h"

struct pattern;

/* NULL with err set (ERR_POLICY: the pattern, the offset, what is wrong). */
struct pattern *pattern_new(const char *text, struct err *err);
void pattern_free(struct pattern *p); /* NULL is fine */

/*
 * Appends the pattern that matches exactly these names (n >= 1) and nothing else: "^a\\.b$",
 * "^(?:a|b)$". What is special, steers a terminal, or is a blank at an end is escaped, so that it
 * is one line and survives trimming. -1 with err set: not UTF-8, or too long for a pattern.
 */
int pattern_exact(struct buf *ret, const char *const *names, size_t n, struct err *err);

/* Unanchored. 1 match, 0 none, -1 with err set: the match limit (catastrophic backtracking). */
int pattern_match(struct pattern *p, const char *s, size_t len, struct err *err);

/* Whether to can replace a match of p: "$1" and "${1}" are what its groups matched, "$$" is a
 * dollar sign; nothing else may follow one. Returns 0, or -1 with err set. */
int pattern_check_replacement(const struct pattern *p, const char *to, struct err *err);
/*
 * s with its first match replaced, into ret (cleared before). 1 replaced, 0 no match, -1 with err
 * set: the match limit, or a result of more than max bytes. to has passed the check above.
 */
int pattern_replace(struct pattern *p, const char *s, size_t len, const char *to, size_t max,
	struct buf *ret, struct err *err);

const char *pattern_text(const struct pattern *p);

#endif
