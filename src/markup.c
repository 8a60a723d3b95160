#include "markup.h"

#include "text.h"

#include <string.h>

static const char *reference(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void markup_text(struct buf *b, const char *s)
{
	_cleanup_(buf_release) struct buf tame = BUF_INIT;
	const char *p;

	text_escape(&tame, s, strlen(s));
	for (p = buf_str(&tame); *p; p++) {
		if (reference(*p)) {
			buf_addstr(b, reference(*p));
		} else if (!strncmp(p, "\xEF\xBF\xBE", 3) || !strncmp(p, "\xEF\xBF\xBF", 3)) {
			buf_addstr(b, p[2] == '\xBE' ? "\\u{fffe}" : "\\u{ffff}");
			p += 2;
		} else {
			buf_addch(b, *p);
		}
	}
}

static bool is_unreserved(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c && strchr("-._~", c));
}

void markup_url(struct buf *b, const char *s)
{
	for (; *s; s++)
		if (is_unreserved(*s))
			buf_addch(b, *s);
		else
			buf_addf(b, "%%%02X", (unsigned char)*s);
}
