#include "json-stream.h"

#include "json-scan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64 * 1024, KEYS_MAX = 65536, KEY_BYTES_MAX = 16 << 20 };

struct js *js_open(struct input *in, unsigned flags)
{
	struct js *js = xcalloc(1, sizeof(*js));

	js->in = in;
	js->flags = flags;
	js->line = 1;
	js->cap = WINDOW;
	js->p = xmalloc(js->cap);
	return js;
}

void js_close(struct js *js)
{
	if (!js)
		return;
	while (js->depth > 0)
		intern_free(js->levels[--js->depth].keys);
	buf_release(&js->key);
	buf_release(&js->scratch);
	free(js->p);
	free(js);
}

void js_closep(struct js **js)
{
	js_close(*js);
}

unsigned js_line(const struct js *js)
{
	return js->line;
}

int js_error(struct js *js, struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	input_error_at(js->in, js->line, err, fmt, ap);
	va_end(ap);
	return -1;
}

int js_where(struct js *js, struct err *err)
{
	return err_prefix(err, "%s:%u", input_name(js->in), js->line);
}

int js_fill(struct js *js, struct err *err)
{
	long n;

	if (js->eof)
		return 0;
	if (js->start > 0 && js->end == js->cap) {
		memmove(js->p, js->p + js->start, js->end - js->start);
		js->end -= js->start;
		js->start = 0;
	}
	if (js->end == js->cap) {
		js->cap *= 2;
		js->p = xrealloc(js->p, js->cap);
	}
	n = input_read(js->in, js->p + js->end, js->cap - js->end, err);
	if (n < 0)
		return -1;
	if (n == 0)
		js->eof = true;
	js->end += (size_t)n;
	return n > 0;
}

void js_consume(struct js *js, size_t n)
{
	const char *p = js->p + js->start, *stop = p + n;

	while ((p = memchr(p, '\n', (size_t)(stop - p)))) {
		js->line++;
		p++;
	}
	js->start += n;
	if (js->start == js->end)
		js->start = js->end = 0;
}

int js_peek(struct js *js, struct err *err)
{
	for (;;) {
		size_t i = js->start;
		while (i < js->end && scan_is_space(js->p[i]))
			i++;
		if (i < js->end) {
			js_consume(js, i - js->start);
			if (!js->p[js->start])
				return js_error(js, err, "a NUL byte");
			return (unsigned char)js->p[js->start];
		}
		js_consume(js, i - js->start);
		int r = js_fill(js, err);
		if (r < 0)
			return -1;
		if (r == 0)
			return 0;
	}
}

int js_unexpected(struct js *js, int c, const char *expected, struct err *err)
{
	if (c == 0)
		return js_error(js, err, "the document ends early, expected %s", expected);
	if (c < 0x20 || c > 0x7e)
		return js_error(js, err, "expected %s, not byte 0x%02x", expected, (unsigned)c);
	return js_error(js, err, "expected %s, not '%c'", expected, c);
}

int js_enter(struct js *js, char bracket, struct err *err)
{
	int c = js_peek(js, err);
	struct level *l = &js->levels[js->depth];

	if (c < 0)
		return -1;
	if (c != bracket)
		return js_unexpected(js, c, bracket == '[' ? "'['" : "'{'", err);
	if (js->depth == JSON_DEPTH_MAX)
		return js_error(js, err, "nested deeper than 64 levels");
	js_consume(js, 1);
	js->depth++;
	*l = (struct level){.object = bracket == '{', .first = true};
	if (l->object)
		l->keys = intern_new();
	return 0;
}

int js_more(struct js *js, struct err *err)
{
	struct level *l = &js->levels[js->depth - 1];
	char close = l->object ? '}' : ']';
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	if (c == close) {
		js_consume(js, 1);
		intern_free(l->keys);
		js->depth--;
		return 0;
	}
	if (!l->first) {
		if (c != ',')
			return js_unexpected(js, c, l->object ? "',' or '}'" : "',' or ']'", err);
		js_consume(js, 1);
		c = js_peek(js, err);
		if (c < 0)
			return -1;
		if (c == close)
			return js_unexpected(js, c,
				l->object ? "a member after ','" : "an element after ','", err);
	}
	if (c == 0)
		return js_unexpected(js, c, l->object ? "'}'" : "']'", err);
	l->first = false;
	return 1;
}

/* Makes the whole value at the cursor contiguous. Returns 1, 0 when the input ends first, -1. */
static int span_value(struct js *js, size_t *ret_len, struct err *err)
{
	struct scan s = {0};
	size_t done = 0, used;
	const char *why;
	int r;

	for (;;) {
		r = scan_value(
			&s, js->p + js->start + done, js->end - js->start - done, &used, &why);
		done += used;
		if (r < 0) {
			js_consume(js, done < js->end - js->start ? done : js->end - js->start);
			return js_error(js, err, "%s", why);
		}
		if (done > JSON_ELEMENT_MAX) {
			js_error(js, err, "an element of more than 16 MiB");
			js_consume(js, done);
			return -1;
		}
		if (r > 0) {
			*ret_len = done;
			return 1;
		}
		r = js_fill(js, err);
		if (r < 0)
			return -1;
		if (r == 0) {
			*ret_len = done;
			return scan_may_end(&s);
		}
	}
}

/* Copies a value with every number that has a point, an exponent or too many digits for int64
 * turned into a string. */
static void quote_reals(struct buf *out, const char *p, size_t len)
{
	size_t i = 0, from = 0;

	buf_clear(out);
	while (i < len) {
		if (p[i] == '"') {
			for (i++; i < len && p[i] != '"'; i++)
				i += p[i] == '\\';
			i++;
		} else if (scan_starts_number(p[i])) {
			size_t start = i;
			bool real = false;
			for (; i < len && scan_in_number(p[i]); i++)
				real |= p[i] == '.' || p[i] == 'e' || p[i] == 'E';
			if (real || i - start > JSON_INT_DIGITS) {
				buf_add(out, p + from, start - from);
				buf_addch(out, '"');
				buf_add(out, p + start, i - start);
				buf_addch(out, '"');
				from = i;
			}
		} else {
			i++;
		}
	}
	buf_add(out, p + from, len - from);
}

struct jv *js_load(struct js *js, struct err *err)
{
	size_t len;
	struct jv *v;
	int c = js_peek(js, err), r;

	if (c < 0)
		return NULL;
	if (c == 0) {
		js_unexpected(js, c, "a value", err);
		return NULL;
	}
	r = span_value(js, &len, err);
	if (r == 0)
		js_error(js, err, "the document ends inside %s that begins here",
			c == '{'   ? "an object"
			: c == '[' ? "an array"
				   : "a value");
	if (r <= 0)
		return NULL;
	if (js->flags & JS_REALS_AS_TEXT) {
		quote_reals(&js->scratch, js->p + js->start, len);
		v = jv_parse(input_name(js->in), js->line, js->scratch.p, js->scratch.len, err);
	} else {
		v = jv_parse(input_name(js->in), js->line, js->p + js->start, len, err);
	}
	if (v)
		js_consume(js, len);
	return v;
}

/* Where the key at the cursor ends, when all of it is in the window, printable ASCII and without
 * escapes; 0 otherwise. */
static size_t plain_key(const struct js *js)
{
	const char *p = js->p + js->start, *end = js->p + js->end, *q = p + 1;

	while (q < end && *q >= 0x20 && *q <= 0x7e && *q != '"' && *q != '\\')
		q++;
	return q < end && *q == '"' ? (size_t)(q - p) + 1 : 0;
}

static int take_key(struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = NULL;
	size_t len = plain_key(js);

	buf_clear(&js->key);
	if (len) {
		buf_add(&js->key, js->p + js->start + 1, len - 2);
		js->start += len;
		return 0;
	}
	v = js_load(js, err);
	if (v)
		buf_addstr(&js->key, jv_string(v, NULL));
	return v ? 0 : -1;
}

static int remember_key(struct js *js, bool skipping, struct err *err)
{
	struct level *l = &js->levels[js->depth - 1];
	uint32_t known = intern_count(l->keys);

	if (known >= KEYS_MAX || intern_bytes(l->keys) > KEY_BYTES_MAX)
		return skipping ? 0 : js_error(js, err, "an object of more than 65536 keys");
	if (intern_add(l->keys, buf_str(&js->key), js->key.len) != known)
		return js_error(js, err, "duplicate key '%.200s'", js->key.p);
	return 0;
}

int js_walk_key(struct js *js, bool skipping, struct err *err)
{
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	if (c != '"')
		return js_unexpected(js, c, "a key in quotes", err);
	if (take_key(js, err) < 0 || remember_key(js, skipping, err) < 0)
		return -1;
	c = js_peek(js, err);
	if (c < 0)
		return -1;
	if (c != ':')
		return js_unexpected(js, c, "':'", err);
	js_consume(js, 1);
	return 0;
}

int js_key(struct js *js, const char **ret, struct err *err)
{
	if (js_walk_key(js, false, err) < 0)
		return -1;
	*ret = buf_str(&js->key);
	return 0;
}

int js_end(struct js *js, struct err *err)
{
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	return c == 0 ? 0 : js_unexpected(js, c, "nothing after the document", err);
}

int js_raw_object(struct js *js, const char **ret, size_t *ret_len, struct err *err)
{
	int r = span_value(js, ret_len, err);

	if (r > 0)
		*ret = js->p + js->start;
	return r;
}

struct jv *jv_load_text(const char *where, const char *text, size_t len, struct err *err)
{
	_cleanup_(js_closep) struct js *js = NULL;
	struct input *in = input_memory(where, text, len);
	struct jv *v;

	js = js_open(in, 0);
	v = js_load(js, err);
	if (v && js_end(js, err) < 0) {
		jv_free(v);
		v = NULL;
	}
	input_free(in);
	return v;
}
