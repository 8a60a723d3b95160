#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

size_t utf8_sequence(const char *p, size_t len)
{
	const unsigned char *s = (const unsigned char *)p;

	if (len == 0)
		return 0;
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xC2 && s[0] <= 0xDF)
		return len >= 2 && (s[1] & 0xC0) == 0x80 ? 2 : 0;
	if ((s[0] & 0xF0) == 0xE0) {
		if (len < 3 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80)
			return 0;
		/* overlong forms and surrogates */
		return (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ? 0 : 3;
	}
	if (s[0] >= 0xF0 && s[0] <= 0xF4) {
		if (len < 4 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80 ||
			(s[3] & 0xC0) != 0x80)
			return 0;
		return (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F) ? 0 : 4;
	}
	return 0;
}

uint32_t utf8_decode(const char *p, size_t n)
{
	const unsigned char *s = (const unsigned char *)p;

	switch (n) {
	case 1:
		return s[0];
	case 2:
		return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
	case 3:
		return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
	default:
		return (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 |
		       (s[3] & 0x3Fu);
	}
}

void utf8_encode(struct buf *b, uint32_t c)
{
	const unsigned further = (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
	static const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
	unsigned i;

	buf_addch(b, (char)(lead[further] | c >> 6 * further));
	for (i = further; i > 0; i--)
		buf_addch(b, (char)(0x80 | (c >> 6 * (i - 1) & 0x3F)));
}

bool utf8_valid(const char *s, size_t len)
{
	while (len) {
		size_t n = utf8_sequence(s, len);
		if (!n)
			return false;
		s += n;
		len -= n;
	}
	return true;
}

bool text_has_control(const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] < 0x20 || p[i] == 0x7F ||
			(p[i] == 0xC2 && i + 1 < len && p[i + 1] >= 0x80 && p[i + 1] < 0xA0))
			return true;
	return false;
}

void text_sanitize(struct buf *b, const char *s, size_t len)
{
	while (len) {
		size_t n = utf8_sequence(s, len);
		if (n)
			buf_add(b, s, n);
		else
			buf_addstr(b, "\xEF\xBF\xBD");
		n = n ? n : 1;
		s += n;
		len -= n;
	}
}

/* Code points that steer a terminal or reorder what is read on it. */
static bool steers(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF ||
	       (c >= 0xE0000 && c <= 0xE007F);
}

void text_escape(struct buf *b, const char *s, size_t len)
{
	while (len) {
		size_t n = utf8_sequence(s, len);
		uint32_t c = n ? utf8_decode(s, n) : (unsigned char)*s;

		if (!n || (n == 1 && steers(c)))
			buf_addf(b, "\\x%02x", (unsigned)c);
		else if (steers(c))
			buf_addf(b, "\\u{%x}", (unsigned)c);
		else
			buf_add(b, s, n);
		n = n ? n : 1;
		s += n;
		len -= n;
	}
}

/* What the reader of a log may take for white space: blanks, and those of Unicode among the rest.
 */
static size_t blank_prefix(const char *line)
{
	const char *p = line;

	while (*p == ' ' || *p == '\t' || (unsigned char)*p >= 0x80)
		p++;
	return (size_t)(p - line);
}

void text_defuse(struct buf *b, const char *text)
{
	const char *line;

	for (line = text; *line;) {
		const char *p = line + blank_prefix(line), *end = strchrnul(line, '\n');
		buf_add(b, line, (size_t)(p - line));
		if (!strncmp(p, "::", 2))
			buf_addch(b, '.');
		for (; p < end; p++) {
			buf_addch(b, *p);
			if (!strncmp(p, "##[", 3) || !strncmp(p, "##vso[", 6))
				buf_addch(b, ' ');
		}
		if (*end)
			buf_addch(b, '\n');
		line = *end ? end + 1 : end;
	}
}

static void json_escape(struct buf *b, uint32_t c)
{
	if (c > 0xFFFF)
		buf_addf(b, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (c >> 10)),
			(unsigned)(0xDC00 | (c & 0x3FF)));
	else
		buf_addf(b, "\\u%04x", (unsigned)c);
}

void text_json(struct buf *b, const char *s, size_t len)
{
	buf_addch(b, '"');
	while (len) {
		size_t n = utf8_sequence(s, len);
		uint32_t c = utf8_decode(s, n ? n : 1);

		if (!n)
			buf_addstr(b, "\\ufffd");
		else if (c == '"' || c == '\\')
			buf_addf(b, "\\%c", (char)c);
		else if (c == '\n')
			buf_addstr(b, "\\n");
		else if (steers(c))
			json_escape(b, c);
		else
			buf_add(b, s, n);
		n = n ? n : 1;
		s += n;
		len -= n;
	}
	buf_addch(b, '"');
}

void text_json_value(struct buf *b, const char *json)
{
	size_t len = strlen(json);

	while (len) {
		size_t n = utf8_sequence(json, len);
		uint32_t c = utf8_decode(json, n ? n : 1);

		if (!n)
			buf_addstr(b, "\\ufffd");
		else if (steers(c))
			json_escape(b, c);
		else
			buf_add(b, json, n);
		n = n ? n : 1;
		json += n;
		len -= n;
	}
}

void text_json_str(struct buf *b, const char *s)
{
	if (s)
		text_json(b, s, strlen(s));
	else
		buf_addstr(b, "null");
}

size_t text_width(const char *s, size_t len)
{
	size_t width = 0;

	while (len) {
		size_t n = utf8_sequence(s, len);
		int w = n > 1 ? wcwidth((wchar_t)utf8_decode(s, n)) : 1;

		width += w < 0 ? 1 : (size_t)w;
		n = n ? n : 1;
		s += n;
		len -= n;
	}
	return width;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

unsigned text_distance(const char *a, const char *b)
{
	enum { MAX = 48 };
	unsigned d[MAX + 1][MAX + 1];
	size_t la = strlen(a), lb = strlen(b), i, j;

	if (la > MAX || lb > MAX)
		return MAX;
	for (i = 0; i <= la; i++)
		d[i][0] = (unsigned)i;
	for (j = 0; j <= lb; j++)
		d[0][j] = (unsigned)j;
	for (i = 1; i <= la; i++) {
		for (j = 1; j <= lb; j++) {
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				d[i][j] > d[i - 2][j - 2] + 1)
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[la][lb];
}

/* One is the beginning of the other: "usec" and "us". */
static bool continues(const char *longer, const char *shorter, size_t most)
{
	const size_t n = strlen(shorter), l = strlen(longer);

	return n > 0 && l >= n && l - n <= most && !strncmp(longer, shorter, n);
}

const char *text_nearest(const char *name, const char *const *names, size_t n)
{
	const char *best = NULL;
	unsigned best_d = ((unsigned)strlen(name) + 1) / 3 + 1;
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned d = text_distance(name, names[i]);
		/* the beginning of a name is as good as one slip */
		if (d > 1 && ((strlen(name) >= 2 && continues(names[i], name, SIZE_MAX)) ||
				     continues(name, names[i], 2)))
			d = 1;
		if (d < best_d) {
			best = names[i];
			best_d = d;
		}
	}
	return best;
}

const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}
