/*
 * words: clpeak's vocabulary (format v3), as far as a back end may use it and a document has to.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* What a back end calls a unit, and what a document says of it. */
struct unit_word {
	const char *word; /* flops ops bps texels s ppm */
	const char *unit, *quantity, *direction;
};

const struct unit_word *unit_word(const char *word); /* NULL: no such word */

/* In the order of a document's "categories"; ends with NULL. */
extern const char *const category_words[];

bool is_word(const char *const *words, const char *word); /* words end with NULL */

extern const char *const device_type_words[], *const level_words[];

#endif
