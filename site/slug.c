#include "slug.h"

#include "sha256.h"

#include <string.h>

static void digest(char ret[65], const char *const *names, size_t n)
{
	struct sha256 *h = sha256_new();
	size_t i;

	for (i = 0; i < n; i++)
		sha256_add_field(h, names[i]);
	sha256_end(h, ret);
}

void slug_digest(char ret[SLUG_DIGEST + 1], const char *const *names, size_t n)
{
	char hex[65];

	digest(hex, names, n);
	memcpy(ret, hex, SLUG_DIGEST);
	ret[SLUG_DIGEST] = '\0';
}

/* Letters and digits, small; whatever stands between them is one hyphen. */
static size_t readable(char *ret, const char *name)
{
	size_t n = 0;

	for (; *name && n < SLUG_READ; name++) {
		const char c = (char)(*name >= 'A' && *name <= 'Z' ? *name + ('a' - 'A') : *name);
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			ret[n++] = c;
		else if (n && ret[n - 1] != '-')
			ret[n++] = '-';
	}
	while (n && ret[n - 1] == '-')
		n--;
	return n;
}

void slug(char ret[SLUG_MAX], const char *const *names, size_t n)
{
	size_t len = readable(ret, names[n - 1]);

	if (len)
		ret[len++] = '-';
	slug_digest(ret + len, names, n);
}

/* The digits that tell version and variant are in places of their own. */
void slug_urn(struct buf *b, const char *const *names, size_t n)
{
	char hex[65];

	digest(hex, names, n);
	buf_addf(b, "urn:uuid:%.8s-%.4s-8%.3s-8%.3s-%.12s", hex, hex + 8, hex + 12, hex + 15,
		hex + 18);
}
