#include "callgrind-line.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

enum { READ_SIZE = 65536, LINE_MAX_BYTES = 65536, SHOWN_MAX = 80 };

void line_reader_init(struct line_reader *l, struct input *in)
{
	*l = (struct line_reader){.in = in, .p = xmalloc(READ_SIZE + LINE_MAX_BYTES + 2)};
}

void line_reader_release(struct line_reader *l)
{
	free(l->p);
	l->p = NULL;
}

int line_error(const struct line_reader *l, struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	input_error_at(l->in, l->line, err, fmt, ap);
	va_end(ap);
	return -1;
}

static int refill(struct line_reader *l, struct err *err)
{
	long n;

	if (l->start > 0) {
		memmove(l->p, l->p + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
	n = input_read(l->in, l->p + l->end, READ_SIZE, err);
	if (n < 0)
		return -1;
	l->eof = n == 0;
	l->end += (size_t)n;
	return 0;
}

static int too_long(struct line_reader *l, struct err *err)
{
	return line_error(l, err, "a line of more than 64 KiB");
}

int line_next(struct line_reader *l, struct text *ret, struct err *err)
{
	size_t seen = 0;
	const char *nl;

	while (!(nl = memchr(l->p + l->start + seen, '\n', l->end - l->start - seen))) {
		seen = l->end - l->start;
		if (l->eof && seen == 0)
			return 0;
		if (l->eof || seen > LINE_MAX_BYTES) {
			l->line++;
			return l->eof ? line_error(
						l, err, "the file ends inside a line; was it cut?")
				      : too_long(l, err);
		}
		if (refill(l, err) < 0)
			return -1;
	}
	*ret = (struct text){l->p + l->start, nl};
	l->start += text_len(*ret) + 1;
	l->line++;
	if (text_len(*ret) > LINE_MAX_BYTES)
		return too_long(l, err);
	if (memchr(ret->p, 0, text_len(*ret)))
		return line_error(l, err, "a NUL byte");
	if (ret->end > ret->p && ret->end[-1] == '\r')
		ret->end--;
	return 1;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

void text_skip_blanks(struct text *t)
{
	while (t->p < t->end && blank(*t->p))
		t->p++;
}

struct text text_word(struct text *t)
{
	struct text w;

	text_skip_blanks(t);
	w.p = t->p;
	while (t->p < t->end && !blank(*t->p))
		t->p++;
	w.end = t->p;
	return w;
}

size_t text_len(struct text t)
{
	return (size_t)(t.end - t.p);
}

int text_shown(struct text t)
{
	return text_len(t) < SHOWN_MAX ? (int)text_len(t) : SHOWN_MAX;
}

bool text_is(struct text t, const char *s)
{
	return text_len(t) == strlen(s) && !memcmp(t.p, s, text_len(t));
}

bool text_begins(struct text t, const char *s)
{
	return text_len(t) >= strlen(s) && !memcmp(t.p, s, strlen(s));
}

bool text_ends(struct text t, const char *s)
{
	return text_len(t) >= strlen(s) && !memcmp(t.end - strlen(s), s, strlen(s));
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

int text_count(struct text t, int64_t *ret)
{
	int base = 10;
	int64_t v = 0;

	if (text_len(t) > 2 && t.p[0] == '0' && (t.p[1] | 0x20) == 'x') {
		base = 16;
		t.p += 2;
	}
	if (t.p == t.end)
		return 0;
	for (; t.p < t.end; t.p++) {
		int d = digit(*t.p);
		if (d >= base)
			return 0;
		if (__builtin_mul_overflow(v, (int64_t)base, &v) ||
			__builtin_add_overflow(v, (int64_t)d, &v))
			return -1;
	}
	*ret = v;
	return 1;
}
