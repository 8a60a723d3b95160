#include "sha256.h"

#include "buf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sha2.h>

struct sha256 {
	SHA2_CTX ctx;
};

struct sha256 *sha256_new(void)
{
	struct sha256 *h = xmalloc(sizeof(*h));

	SHA256Init(&h->ctx);
	return h;
}

void sha256_add(struct sha256 *h, const void *data, size_t len)
{
	SHA256Update(&h->ctx, data, len);
}

void sha256_add_field(struct sha256 *h, const char *s)
{
	uint64_t len = s ? strlen(s) : UINT64_MAX;
	unsigned char head[8];
	int i;

	for (i = 0; i < 8; i++)
		head[i] = (unsigned char)(len >> (56 - 8 * i));
	sha256_add(h, head, sizeof(head));
	if (s)
		sha256_add(h, s, (size_t)len);
}

void sha256_end(struct sha256 *h, char out[65])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[SHA256_DIGEST_LENGTH];
	size_t i;

	SHA256Final(sum, &h->ctx);
	for (i = 0; i < sizeof(sum); i++) {
		out[2 * i] = digits[sum[i] >> 4];
		out[2 * i + 1] = digits[sum[i] & 15];
	}
	out[64] = '\0';
	free(h);
}

void sha256_hex(const void *data, size_t len, char out[65])
{
	struct sha256 *h = sha256_new();

	sha256_add(h, data, len);
	sha256_end(h, out);
}
