#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void perfgate_text_add(struct perfgate_text *t, const char *s, size_t len)
{
	if (!t->failed && t->cap - t->len < len) {
		size_t cap = (t->cap + len) * 2;
		char *p = realloc(t->p, cap);

		t->failed = !p;
		t->p = p ? p : t->p;
		t->cap = p ? cap : t->cap;
	}
	if (t->failed)
		return;
	memcpy(t->p + t->len, s, len);
	t->len += len;
}

void perfgate_text_puts(struct perfgate_text *t, const char *s)
{
	perfgate_text_add(t, s, strlen(s));
}

void perfgate_text_release(struct perfgate_text *t)
{
	free(t->p);
	*t = (struct perfgate_text){0};
}

/* Bytes of the UTF-8 sequence at s (Unicode, table 3-7); 0 where there is none. A string's end is
 * no continuation, so nothing is read beyond it. */
static size_t sequence(const unsigned char *s)
{
	unsigned low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
	unsigned high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
	size_t i, n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (s[0] > 0xf4)
		return 0;
	for (i = 1; i < n; i++) {
		if (s[i] < low || s[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return n;
}

/* What has to be escaped: C0, DEL and C1, quotes, and what Go's encoder escapes for HTML's sake. */
static unsigned escaped(const unsigned char *s, size_t n)
{
	if (n == 1)
		return s[0] < 0x20 || s[0] == 0x7f || strchr("\"\\<>&", s[0]) ? s[0] : 0;
	if (n == 2 && s[0] == 0xc2 && s[1] < 0xa0)
		return s[1];
	if (n == 3 && s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9))
		return 0x2000 + s[2] - 0x80u;
	return 0;
}

static void add_escape(struct perfgate_text *t, unsigned c)
{
	char buf[8];

	if (c == '"' || c == '\\')
		snprintf(buf, sizeof(buf), "\\%c", (int)c);
	else if (c == '\n' || c == '\r' || c == '\t')
		snprintf(buf, sizeof(buf), "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
	else
		snprintf(buf, sizeof(buf), "\\u%04x", c & 0xffff);
	perfgate_text_puts(t, buf);
}

void perfgate_text_string(struct perfgate_text *t, const char *s)
{
	perfgate_text_puts(t, "\"");
	while (*s) {
		const unsigned char *u = (const unsigned char *)s;
		size_t n = sequence(u);
		unsigned c = n ? escaped(u, n) : 0;

		if (c)
			add_escape(t, c);
		else if (n)
			perfgate_text_add(t, s, n);
		else
			perfgate_text_puts(t, "\xef\xbf\xbd");
		s += n ? n : 1;
	}
	perfgate_text_puts(t, "\"");
}

size_t perfgate_text_length(const char *s)
{
	size_t len = 0;

	while (*s) {
		size_t n = sequence((const unsigned char *)s);

		len += n ? n : 3;
		s += n ? n : 1;
	}
	return len;
}

void perfgate_text_real(struct perfgate_text *t, double v)
{
	char buf[40], *p;
	int digits = 15;

	do
		snprintf(buf, sizeof(buf), "%.*g", digits, v == 0 ? 0 : v);
	while (strtod(buf, NULL) != v && ++digits <= 17);
	for (p = buf; *p; p++) {
		const char *rest = p;

		if (strchr("+-0123456789e", *p))
			continue;
		while (*rest && !strchr("+-0123456789e", *rest)) /* the locale's point */
			rest++;
		*p = '.';
		memmove(p + 1, rest, strlen(rest) + 1);
	}
	perfgate_text_puts(t, buf);
}
