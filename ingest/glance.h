/*
 * glance: a look at the beginning of JSON text, for detection. Nothing is checked: what has the
 * brackets and quotes of an object with that key is taken for one, and what the text does not show
 * is not there.
 */
#ifndef GLANCE_H
#define GLANCE_H

#include <stdbool.h>
#include <stddef.h>

/* The text from the first byte of a value on; p is NULL for none. */
struct glance {
	const char *p, *end;
};

struct glance glance(const char *head, size_t len);            /* behind white space and a BOM */
struct glance glance_member(struct glance o, const char *key); /* of an object: a value */
struct glance glance_first_member(struct glance o);            /* the value of its first key */
struct glance glance_element(struct glance array);             /* the first of an array */
bool glance_begins(struct glance v, const char *with);

#endif
