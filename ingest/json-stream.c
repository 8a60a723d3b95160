#include "json.h"

#include "intern.h"
#include "json-scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64 * 1024, KEYS_MAX = 65536, INT_DIGITS = 18 };

struct level {
	bool object, first;
	struct intern *keys; /* of an object */
};

struct js {
	struct input *in;
	unsigned flags;
	char *p; /* the window */
	size_t start, end, cap;
	bool eof;
	unsigned line;
	struct level levels[JSON_DEPTH_MAX];
	int depth;
	struct buf key, scratch;
};

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
	char msg[sizeof(err->msg)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return err_set(err, ERR_FORMAT, "%s:%u: %s", input_name(js->in), js->line, msg);
}

int js_where(struct js *js, struct err *err)
{
	return err_prefix(err, "%s:%u", input_name(js->in), js->line);
}

/* Reads more behind what is held, making room first. Returns 1, 0 at the end, -1. */
static int fill(struct js *js, struct err *err)
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

static void consume(struct js *js, size_t n)
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
			consume(js, i - js->start);
			if (!js->p[js->start])
				return js_error(js, err, "a NUL byte");
			return (unsigned char)js->p[js->start];
		}
		consume(js, i - js->start);
		int r = fill(js, err);
		if (r < 0)
			return -1;
		if (r == 0)
			return 0;
	}
}

static int unexpected(struct js *js, int c, const char *expected, struct err *err)
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
		return unexpected(js, c, bracket == '[' ? "'['" : "'{'", err);
	if (js->depth == JSON_DEPTH_MAX)
		return js_error(js, err, "nested deeper than 64 levels");
	consume(js, 1);
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
		consume(js, 1);
		intern_free(l->keys);
		js->depth--;
		return 0;
	}
	if (!l->first) {
		if (c != ',')
			return unexpected(js, c, l->object ? "',' or '}'" : "',' or ']'", err);
		consume(js, 1);
		c = js_peek(js, err);
		if (c < 0)
			return -1;
		if (c == close)
			return unexpected(js, c,
				l->object ? "a member after ','" : "an element after ','", err);
	}
	if (c == 0)
		return unexpected(js, c, l->object ? "'}'" : "']'", err);
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
			consume(js, done < js->end - js->start ? done : js->end - js->start);
			return js_error(js, err, "%s", why);
		}
		if (done > JSON_ELEMENT_MAX) {
			js_error(js, err, "an element of more than 16 MiB");
			consume(js, done);
			return -1;
		}
		if (r > 0) {
			*ret_len = done;
			return 1;
		}
		r = fill(js, err);
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
			if (real || i - start > INT_DIGITS) {
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
		unexpected(js, c, "a value", err);
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
		consume(js, len);
	return v;
}

int js_skip(struct js *js, struct err *err)
{
	struct scan s = {0};
	size_t used;
	const char *why;
	int r = js_peek(js, err);

	if (r < 0)
		return -1;
	for (;;) {
		r = scan_value(&s, js->p + js->start, js->end - js->start, &used, &why);
		consume(js, used);
		if (r < 0)
			return js_error(js, err, "%s", why);
		if (r > 0)
			return 0;
		r = fill(js, err);
		if (r < 0)
			return -1;
		if (r == 0)
			return scan_may_end(&s)
				       ? 0
				       : js_error(js, err, "the document ends inside a value");
	}
}

int js_key(struct js *js, const char **ret, struct err *err)
{
	struct level *l = &js->levels[js->depth - 1];
	_cleanup_(jv_freep) struct jv *v = NULL;
	uint32_t known;
	size_t len;
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	if (c != '"')
		return unexpected(js, c, "a key in quotes", err);
	v = js_load(js, err);
	if (!v)
		return -1;
	buf_clear(&js->key);
	buf_addstr(&js->key, jv_string(v, &len));
	known = intern_count(l->keys);
	if (intern_add(l->keys, js->key.p, js->key.len) != known)
		return js_error(js, err, "duplicate key '%.200s'", js->key.p);
	if (known >= KEYS_MAX)
		return js_error(js, err, "an object of more than 65536 keys");
	c = js_peek(js, err);
	if (c < 0)
		return -1;
	if (c != ':')
		return unexpected(js, c, "':'", err);
	consume(js, 1);
	*ret = js->key.p;
	return 0;
}

int js_end(struct js *js, struct err *err)
{
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	return c == 0 ? 0 : unexpected(js, c, "nothing after the document", err);
}

int js_raw_object(struct js *js, const char **ret, size_t *ret_len, struct err *err)
{
	int r = span_value(js, ret_len, err);

	if (r > 0)
		*ret = js->p + js->start;
	return r;
}

int js_drop(struct js *js, size_t n, struct err *err)
{
	while (n) {
		size_t held = js->end - js->start, k = n < held ? n : held;
		consume(js, k);
		n -= k;
		if (n) {
			int r = fill(js, err);
			if (r <= 0)
				return r;
		}
	}
	return 0;
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
