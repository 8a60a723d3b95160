#include "markdown.h"

#include "report-words.h"
#include "text.h"

#include <string.h>

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* An underscore between letters is none of markdown's. "www." would begin a link. */
static bool is_plain(const char *start, const char *p)
{
	if (is_word(*p) || (unsigned char)*p >= 0x80 || *p == ' ' || *p == '-' || *p == '/')
		return true;
	if (*p == '_')
		return p > start && is_word(p[-1]) && is_word(p[1]);
	return *p == '.' && !(p > start && (p[-1] == 'w' || p[-1] == 'W'));
}

/* An @ is cut off from what follows, so that no address becomes a link. */
void markdown_code(struct buf *b, const char *s)
{
	_cleanup_(buf_release) struct buf cut = BUF_INIT;
	const char *p;

	words_cut(&cut, s, MARKDOWN_NAME_MAX);
	buf_addstr(b, "<code>");
	for (p = buf_str(&cut); *p; p++) {
		if (is_plain(cut.p, p))
			buf_addch(b, *p);
		else
			buf_addf(b, "&#%d;%s", *p, *p == '@' ? "<!-- -->" : "");
	}
	buf_addstr(b, "</code>");
}

void markdown_raw_code(struct buf *b, const char *s)
{
	_cleanup_(buf_release) struct buf tame = BUF_INIT;

	text_escape(&tame, s, strlen(s));
	markdown_code(b, buf_str(&tame));
}

void markdown_cell(struct buf *b, const char *s)
{
	const char *p;

	for (p = s; *p; p++)
		if (!is_word(*p) && !strchr(" .,+-%/<", *p))
			break;
	if (*p || strstr(s, "www")) {
		markdown_code(b, s);
		return;
	}
	for (p = s; *p; p++)
		if (*p == '<')
			buf_addstr(b, "&lt;");
		else
			buf_addch(b, *p);
}

static size_t longest_run(const char *s, char c)
{
	size_t longest = 0, n = 0;

	for (; *s; s++) {
		n = *s == c ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	return longest;
}

void markdown_block(struct buf *b, const char *language, const char *lines)
{
	size_t fence = longest_run(lines, '`') + 1, i;

	fence = fence < 3 ? 3 : fence;
	for (i = 0; i < fence; i++)
		buf_addch(b, '`');
	buf_addf(b, "%s\n%s", language, lines);
	for (i = 0; i < fence; i++)
		buf_addch(b, '`');
	buf_addstr(b, "\n\n");
}

/* A line that begins with a slash is a command to GitLab, which looks for the ends of blocks in its
 * own way. */
void markdown_line(struct buf *b, const char *s)
{
	_cleanup_(buf_release) struct buf tame = BUF_INIT;

	if (*s == '/')
		buf_addch(&tame, ' ');
	text_escape(&tame, s, strlen(s));
	words_cut(b, buf_str(&tame), MARKDOWN_LINE_MAX);
	buf_addch(b, '\n');
}

void markdown_lines(struct buf *b, const char *const *lines, size_t n, size_t max)
{
	const size_t start = b->len;
	size_t i;

	for (i = 0; i < n && b->len - start + MARKDOWN_LINE_MAX < max; i++)
		markdown_line(b, lines[i]);
	if (i < n)
		buf_addf(b, "and %zu more, which the JSON report has\n", n - i);
}
