#include "json.h"

#include "intern.h"
#include "text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64 * 1024, KEYS_MAX = 65536, INT_DIGITS = 18 };

/* ---- loaded values: a struct jv is a json_t under another name ---- */

static const json_t *tree(const struct jv *v)
{
	return (const json_t *)(const void *)v;
}

static const struct jv *wrap(const json_t *v)
{
	return (const struct jv *)(const void *)v;
}

void jv_free(struct jv *root)
{
	json_decref((json_t *)(void *)root);
}

void jv_freep(struct jv **root)
{
	jv_free(*root);
}

enum jv_kind jv_kind(const struct jv *v)
{
	switch (json_typeof(tree(v))) {
	case JSON_OBJECT:
		return JV_OBJECT;
	case JSON_ARRAY:
		return JV_ARRAY;
	case JSON_STRING:
		return JV_STRING;
	case JSON_INTEGER:
		return JV_INT;
	case JSON_REAL:
		return JV_REAL;
	case JSON_TRUE:
	case JSON_FALSE:
		return JV_BOOL;
	default:
		return JV_NULL;
	}
}

const char *jv_kind_name(enum jv_kind kind)
{
	static const char *const names[] = {[JV_NULL] = "null", [JV_BOOL] = "a boolean",
		[JV_INT] = "an integer", [JV_REAL] = "a number with a fraction", [JV_STRING] = "a string",
		[JV_ARRAY] = "an array", [JV_OBJECT] = "an object"};

	return names[kind];
}

bool jv_bool(const struct jv *v)
{
	return json_is_true(tree(v));
}

struct num jv_num(const struct jv *v)
{
	if (json_is_integer(tree(v)))
		return num_int(json_integer_value(tree(v)));
	return num_real(json_real_value(tree(v)));
}

const char *jv_string(const struct jv *v, size_t *ret_len)
{
	if (ret_len)
		*ret_len = json_string_length(tree(v));
	return json_string_value(tree(v));
}

size_t jv_len(const struct jv *v)
{
	return json_is_array(tree(v)) ? json_array_size(tree(v)) : json_object_size(tree(v));
}

const struct jv *jv_at(const struct jv *array, size_t i)
{
	return wrap(json_array_get(tree(array), i));
}

const struct jv *jv_get(const struct jv *object, const char *key)
{
	return wrap(json_object_get(tree(object), key));
}

const void *jv_first(const struct jv *object)
{
	return json_object_iter((json_t *)(uintptr_t)object);
}

const void *jv_next(const struct jv *object, const void *it)
{
	return json_object_iter_next((json_t *)(uintptr_t)object, (void *)(uintptr_t)it);
}

const char *jv_member_key(const void *it)
{
	return json_object_iter_key((void *)(uintptr_t)it);
}

const struct jv *jv_member(const void *it)
{
	return wrap(json_object_iter_value((void *)(uintptr_t)it));
}

/* The member when it has one of two kinds: 1, 0 (absent, null) or -1. */
static int member_of_kind(const struct jv *o, const char *key, enum jv_kind a, enum jv_kind b,
	const char *expected, const struct jv **ret, struct err *err)
{
	const struct jv *v = jv_get(o, key);
	enum jv_kind kind;

	if (!v)
		return 0;
	kind = jv_kind(v);
	if (kind == JV_NULL)
		return 0;
	if (kind != a && kind != b)
		return err_set(err, ERR_FORMAT, "'%s' is %s, expected %s", key, jv_kind_name(kind), expected);
	*ret = v;
	return 1;
}

int jv_get_string(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_STRING, JV_STRING, "a string", &v, err);

	if (r > 0)
		*ret = jv_string(v, NULL);
	return r;
}

int jv_get_num(const struct jv *o, const char *key, struct num *ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_INT, JV_REAL, "a number", &v, err);

	if (r > 0)
		*ret = jv_num(v);
	return r;
}

int jv_get_int(const struct jv *o, const char *key, int64_t *ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_INT, JV_INT, "an integer", &v, err);

	if (r > 0)
		*ret = jv_num(v).i;
	return r;
}

int jv_get_bool(const struct jv *o, const char *key, bool *ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_BOOL, JV_BOOL, "a boolean", &v, err);

	if (r > 0)
		*ret = jv_bool(v);
	return r;
}

int jv_get_array(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	return member_of_kind(o, key, JV_ARRAY, JV_ARRAY, "an array", ret, err);
}

int jv_get_object(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	return member_of_kind(o, key, JV_OBJECT, JV_OBJECT, "an object", ret, err);
}

static void dump_members(struct buf *b, const struct jv *v)
{
	const void *it;

	buf_addch(b, '{');
	for (it = jv_first(v); it; it = jv_next(v, it)) {
		if (it != jv_first(v))
			buf_addch(b, ',');
		text_json_str(b, jv_member_key(it));
		buf_addch(b, ':');
		jv_dump(b, jv_member(it));
	}
	buf_addch(b, '}');
}

void jv_dump(struct buf *b, const struct jv *v)
{
	size_t i, len;
	const char *s;

	switch (jv_kind(v)) {
	case JV_NULL:
		buf_addstr(b, "null");
		break;
	case JV_BOOL:
		buf_addstr(b, jv_bool(v) ? "true" : "false");
		break;
	case JV_INT:
	case JV_REAL:
		num_format(b, jv_num(v));
		break;
	case JV_STRING:
		s = jv_string(v, &len);
		text_json(b, s, len);
		break;
	case JV_ARRAY:
		buf_addch(b, '[');
		for (i = 0; i < jv_len(v); i++) {
			if (i)
				buf_addch(b, ',');
			jv_dump(b, jv_at(v, i));
		}
		buf_addch(b, ']');
		break;
	case JV_OBJECT:
		dump_members(b, v);
		break;
	}
}

static struct jv *load_slice(const char *where, unsigned line, const char *text, size_t len, struct err *err)
{
	json_error_t e;
	json_t *v;

	/* or else it would call what it had no memory for a bad document */
	json_set_alloc_funcs(xmalloc, free);
	v = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
	if (!v)
		err_set(err, ERR_FORMAT, "%s:%u: %s", where, line + (e.line > 0 ? (unsigned)e.line - 1 : 0), e.text);
	return (struct jv *)(void *)v;
}

/* ---- the scanner: finds where a value ends, and holds it to the limits ---- */

struct scan {
	int depth;
	uint64_t objects; /* bit d: level d is an object */
	bool started, in_string, escaped, in_number, in_word;
	unsigned number_len;
};

enum class { C_OTHER, C_SPACE, C_QUOTE, C_OPEN, C_CLOSE, C_NUMBER, C_NUL, C_SEPARATOR };

static const unsigned char classes[256] = {
	['\0'] = C_NUL, [' '] = C_SPACE, ['\t'] = C_SPACE, ['\n'] = C_SPACE, ['\r'] = C_SPACE,
	['"'] = C_QUOTE, ['['] = C_OPEN, ['{'] = C_OPEN, [']'] = C_CLOSE, ['}'] = C_CLOSE,
	[','] = C_SEPARATOR, [':'] = C_SEPARATOR,
	['0'] = C_NUMBER, ['1'] = C_NUMBER, ['2'] = C_NUMBER, ['3'] = C_NUMBER, ['4'] = C_NUMBER,
	['5'] = C_NUMBER, ['6'] = C_NUMBER, ['7'] = C_NUMBER, ['8'] = C_NUMBER, ['9'] = C_NUMBER,
	['-'] = C_NUMBER};

static bool number_byte(unsigned char c)
{
	return classes[c] == C_NUMBER || c == '.' || c == 'e' || c == 'E' || c == '+';
}

/* Advances over the inside of a string. Returns bytes used; s->in_string turns false at its end. */
static size_t scan_string(struct scan *s, const char *p, size_t n, const char **why)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];
		if (s->escaped) {
			s->escaped = false;
			if (c)
				continue;
		}
		if (c == '"') {
			s->in_string = false;
			return i + 1;
		}
		if (c == '\\')
			s->escaped = true;
		else if (c < 0x20) {
			*why = c ? "a control character inside a string" : "a NUL byte";
			return i;
		}
	}
	return n;
}

static size_t scan_number(struct scan *s, const char *p, size_t n, const char **why)
{
	size_t i = 0;

	while (i < n && number_byte((unsigned char)p[i])) {
		i++;
		if (++s->number_len > NUM_TOKEN_MAX) {
			*why = "a number of more than 64 bytes";
			return i;
		}
	}
	if (i < n)
		s->in_number = false;
	return i;
}

static bool scan_open(struct scan *s, bool object, const char **why)
{
	if (s->depth == JSON_DEPTH_MAX) {
		*why = "nested deeper than 64 levels";
		return false;
	}
	if (object)
		s->objects |= UINT64_C(1) << s->depth;
	else
		s->objects &= ~(UINT64_C(1) << s->depth);
	s->depth++;
	return true;
}

static bool scan_close(struct scan *s, bool object, const char **why)
{
	bool open_is_object = s->objects >> (s->depth - 1) & 1;

	if (open_is_object != object) {
		*why = object ? "'}' closes a '['" : "']' closes a '{'";
		return false;
	}
	s->depth--;
	return true;
}

/*
 * Advances over one value. Returns 1 when it ended (*used = its bytes), 0 when more bytes are
 * needed (*used = n), -1 at a fault (*used = where, *why).
 */
static int scan_value(struct scan *s, const char *p, size_t n, size_t *used, const char **why)
{
	size_t i = 0;

	*why = NULL;
	while (i < n) {
		unsigned char c = (unsigned char)p[i];

		if (s->in_string) {
			i += scan_string(s, p + i, n - i, why);
			if (!*why && !s->in_string && s->depth == 0)
				goto done;
		} else if (s->in_number) {
			i += scan_number(s, p + i, n - i, why);
			if (!*why && !s->in_number && s->depth == 0)
				goto done;
		} else {
			enum class k = (enum class)classes[c];
			bool ends_word = k != C_OTHER && k != C_NUMBER;

			if (s->in_word && s->depth == 0 && ends_word)
				goto done;
			if (k == C_NUL)
				*why = "a NUL byte";
			else if (k == C_QUOTE)
				s->in_string = true;
			else if (k == C_NUMBER) {
				s->in_number = true;
				s->number_len = 0;
				s->started = true;
				continue;
			} else if (k == C_OPEN)
				scan_open(s, c == '{', why);
			else if (k == C_CLOSE && s->depth > 0)
				scan_close(s, c == '}', why);
			else if (s->depth == 0 && k != C_OTHER)
				*why = "expected a value";
			s->in_word = k == C_OTHER;
			if (!*why)
				i++;
			s->started = true;
			if (!*why && k == C_CLOSE && s->depth == 0)
				goto done;
		}
		if (*why) {
			*used = i;
			return -1;
		}
	}
	*used = n;
	return 0;
done:
	*used = i;
	return 1;
}

/* ---- the stream ---- */

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
		while (i < js->end && classes[(unsigned char)js->p[i]] == C_SPACE)
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
			return unexpected(js, c, l->object ? "a member after ','" : "an element after ','", err);
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
		r = scan_value(&s, js->p + js->start + done, js->end - js->start - done, &used, &why);
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
			return s.depth == 0 && (s.in_number || s.in_word);
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
		} else if (classes[(unsigned char)p[i]] == C_NUMBER) {
			size_t start = i;
			bool real = false;
			for (; i < len && number_byte((unsigned char)p[i]); i++)
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
			c == '{' ? "an object" : c == '[' ? "an array" : "a value");
	if (r <= 0)
		return NULL;
	if (js->flags & JS_REALS_AS_TEXT) {
		quote_reals(&js->scratch, js->p + js->start, len);
		v = load_slice(input_name(js->in), js->line, js->scratch.p, js->scratch.len, err);
	} else {
		v = load_slice(input_name(js->in), js->line, js->p + js->start, len, err);
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
			return s.depth == 0 && (s.in_number || s.in_word) ?
				0 : js_error(js, err, "the document ends inside a value");
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
