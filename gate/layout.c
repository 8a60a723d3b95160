#include "layout.h"

#include "text.h"

#include <string.h>

size_t layout_columns(const struct report_style *style)
{
	return style->width > 0 ? (size_t)style->width : 80;
}

size_t layout_width(const char *s)
{
	return text_width(s, strlen(s));
}

char *layout_escape(const char *s)
{
	struct buf b = BUF_INIT;

	text_escape(&b, s, strlen(s));
	return buf_take(&b);
}

void layout_paint(
	struct buf *b, const struct report_style *style, const char *sgr, const char *text)
{
	if (style->colour && sgr)
		buf_addf(b, "\033[%sm%s\033[0m", sgr, text);
	else
		buf_addstr(b, text);
}

void layout_pad(struct buf *b, size_t columns)
{
	while (columns-- > 0)
		buf_addch(b, ' ');
}

static size_t step_of(const char *s)
{
	size_t n = utf8_sequence(s, strlen(s));

	return n ? n : 1;
}

void layout_shorten(struct buf *b, const char *s, size_t width)
{
	size_t all = layout_width(s), before, after, used = 0, n, w;

	if (all <= width) {
		buf_addstr(b, s);
		return;
	}
	before = width > 2 ? (width - 1) / 2 : width;
	after = width > 2 ? width - 2 - before : 0;
	for (; *s && (w = text_width(s, n = step_of(s))) + used <= before; s += n) {
		buf_add(b, s, n);
		used += w;
	}
	if (width > 2)
		buf_addstr(b, "..");
	/* On to where the rest fits; a mark that combines with what was cut goes too. */
	for (all -= used; *s && ((w = text_width(s, n = step_of(s))) == 0 || all > after); s += n)
		all -= w;
	buf_addstr(b, s);
}

static void break_line(struct buf *b, size_t indent)
{
	buf_addch(b, '\n');
	layout_pad(b, indent);
}

void layout_wrap(struct buf *b, const struct report_style *style, const char *sgr, const char *text,
	size_t at, size_t indent)
{
	_cleanup_(buf_release) struct buf line = BUF_INIT;
	size_t columns = layout_columns(style), used = at;
	bool first = true;

	for (; *text; first = false) {
		size_t n = strcspn(text, " "), w = text_width(text, n);
		if (!first && used + 1 + w > columns) {
			layout_paint(b, style, line.len ? sgr : NULL, buf_str(&line));
			buf_clear(&line);
			break_line(b, indent);
			used = indent;
		} else if (!first) {
			buf_addch(&line, ' ');
			used++;
		}
		buf_add(&line, text, n);
		used += w;
		text += n + strspn(text + n, " ");
	}
	layout_paint(b, style, line.len ? sgr : NULL, buf_str(&line));
	buf_addch(b, '\n');
}
