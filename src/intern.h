/*
 * intern: byte strings to dense numbers 0, 1, 2, ... and back, in order of first appearance.
 *
 * A composite key is several strings joined by a NUL byte. The strings live as long as the intern.
 */
#ifndef INTERN_H
#define INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern;

#define INTERN_NONE UINT32_MAX

struct intern *intern_new(void);
void intern_free(struct intern *in); /* NULL is fine */

uint32_t intern_add(struct intern *in, const void *key, size_t len);
uint32_t intern_find(const struct intern *in, const void *key, size_t len);    /* or INTERN_NONE */
const char *intern_get(const struct intern *in, uint32_t id, size_t *ret_len); /* NUL-terminated */
uint32_t intern_count(const struct intern *in);
size_t intern_bytes(const struct intern *in); /* memory held by the strings, for limits */

#endif
