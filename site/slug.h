/*
 * slug: the name of a file for a thing with a name of its own: what can be read of it, and a digest
 * of all of it. Names that differ in nothing but case, or beyond what a file name holds, get files
 * that differ on every file system; the same name gets the same one for ever.
 */
#ifndef SLUG_H
#define SLUG_H

#include "buf.h"

enum { SLUG_READ = 40, SLUG_DIGEST = 12, SLUG_MAX = SLUG_READ + 1 + SLUG_DIGEST + 1 };

/* "parse-json-0123456789ab" for "Parse/JSON": a-z, 0-9 and "-" alone. names: n strings that
 * together are the name; what can be read is the last one's. */
void slug(char ret[SLUG_MAX], const char *const *names, size_t n);

/* The digest alone, of which an id or anchor is made. */
void slug_digest(char ret[SLUG_DIGEST + 1], const char *const *names, size_t n);

/* "urn:uuid:...", made of a digest in the manner of RFC 9562, version 8. */
void slug_urn(struct buf *b, const char *const *names, size_t n);

#endif
