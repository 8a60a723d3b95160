/*
 * text: bytes that are put together in memory, and a result as JSON.
 */
#ifndef PERFGATE_TEXT_H
#define PERFGATE_TEXT_H

#include <stddef.h>

#include "perfgate/kpi.h"

/* Zeroed it is empty. Once memory ran out it stays failed and takes nothing more. */
struct perfgate_text {
	char *p;
	size_t len, cap;
	int failed;
};

void perfgate_text_add(struct perfgate_text *t, const char *s, size_t len);
void perfgate_text_puts(struct perfgate_text *t, const char *s);
void perfgate_text_release(struct perfgate_text *t);

/* A JSON string: control characters, and what HTML gives a meaning, are escaped; each byte that is
 * not UTF-8 becomes U+FFFD. */
void perfgate_text_string(struct perfgate_text *t, const char *s);

/* Bytes of s as a reader will have it. */
size_t perfgate_text_length(const char *s);

/* The shortest decimal that reads back as v, which is finite, in any locale; 0 is "0". */
void perfgate_text_real(struct perfgate_text *t, double v);

/* The array as Go's encoding/json indents it: two blanks a level, and a newline at the end. */
void perfgate_text_results(struct perfgate_text *t, const struct perfgate_result *r, size_t n);

#endif
