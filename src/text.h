/*
 * text: bytes from outside made fit for a terminal, for JSON and for a column.
 *
 * Names in documents, refs, paths and policies are hostile until they went through here.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdint.h>

#include "buf.h"

/* Length of the valid UTF-8 sequence at s (1 to 4), 0 when there is none. */
size_t utf8_sequence(const char *s, size_t len);

/* The code point of a valid sequence of n bytes. */
uint32_t utf8_decode(const char *s, size_t n);

void utf8_encode(struct buf *b, uint32_t c); /* c up to 0x10FFFF */
bool utf8_valid(const char *s, size_t len);

/* Whether there is a control character in s: C0 (a tab too), DEL, C1. */
bool text_has_control(const char *s, size_t len);

/* Appends s with every byte that is not valid UTF-8 replaced by U+FFFD. */
void text_sanitize(struct buf *b, const char *s, size_t len);

/*
 * Appends s fit for a terminal: C0 and C1 controls, DEL, the bidirectional overrides, line
 * separators and invalid bytes appear as \xNN or \u{NNNN}, so that no document moves the cursor,
 * changes colours or forges a line.
 */
void text_escape(struct buf *b, const char *s, size_t len);

/*
 * Appends text so that no line of it is a command to a CI system that reads the log: one that
 * begins with "::" is to GitHub Actions, "##[" or "##vso[" anywhere to it and Azure Pipelines.
 */
void text_defuse(struct buf *b, const char *text);

/* Appends s as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD, and what steers a
 * terminal is escaped. */
void text_json(struct buf *b, const char *s, size_t len);
void text_json_str(struct buf *b, const char *s); /* NULL becomes null */
/* Appends a JSON value that somebody else wrote, on one line and escaped in the same way. */
void text_json_value(struct buf *b, const char *json);

/* Columns that s takes on a terminal (after text_escape). */
size_t text_width(const char *s, size_t len);

/* Levenshtein distance with transpositions counted as one, for "did you mean". */
unsigned text_distance(const char *a, const char *b);

/* The nearest of names[0..n) to name, or NULL when none is near enough to suggest. */
const char *text_nearest(const char *name, const char *const *names, size_t n);

/* What a noun takes behind a number: "s", or nothing for one. */
const char *plural(size_t n);

#endif
