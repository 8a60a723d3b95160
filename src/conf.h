/*
 * conf: the syntax of perfgate.conf, without knowing what any key means.
 *
 *     # a comment has its own line; so has ';'
 *     [section]
 *     [section "a name, taken literally up to the last quote"]
 *     key = value, the rest of its line taken literally, blanks around it dropped
 *
 * Section names and keys are [a-z][a-z0-9-]*. Errors (ERR_POLICY) begin with "NAME:LINE: ": a line
 * that is none of these, a key outside a section, a repeated section or key, a NUL byte, invalid
 * UTF-8, a control character but a tab outside a comment, a line over 64 KiB, a file over 1 MiB.
 */
#ifndef CONF_H
#define CONF_H

#include <stddef.h>

#include "err.h"

enum { CONF_MAX = 1 << 20 }; /* bytes of a file */

struct conf_entry {
	char *key, *value;
	unsigned line;
};

struct conf_section {
	char *kind, *name; /* name NULL: [kind] alone */
	unsigned line;
	struct conf_entry *entries;
	size_t n, cap;
};

struct conf {
	char *file;
	struct conf_section *sections;
	size_t n, cap;
};

/* NULL with err set. text need not end with a newline; CR LF line ends are accepted. */
struct conf *conf_parse(const char *file, const char *text, size_t len, struct err *err);
void conf_free(struct conf *c); /* NULL is fine */

/* The entry of a key; NULL none. */
const struct conf_entry *conf_section_entry(const struct conf_section *s, const char *key);

#endif
