/*
 * sha256: digests (FIPS 180-4), over libmd.
 */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>

struct sha256;

struct sha256 *sha256_new(void);
void sha256_add(struct sha256 *h, const void *data, size_t len);
/* Length and bytes, so that no two sequences of fields digest alike; NULL differs from "". */
void sha256_add_field(struct sha256 *h, const char *s);
void sha256_end(struct sha256 *h, char out[65]); /* lower-case hexadecimal; frees h */

void sha256_hex(const void *data, size_t len, char out[65]);

#endif
