#include "json-stream.h"

#include "json-scan.h"
#include "text.h"

#include <string.h>

static int skip_value(struct js *js, struct err *err);

/* Has n bytes at the cursor. 1, 0 the input ends first, -1. */
static int have(struct js *js, size_t n, struct err *err)
{
	int r = 1;

	while (r > 0 && js->end - js->start < n)
		r = js_fill(js, err);
	return r;
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* The length of the escape at p, 0 when it is none. */
static size_t escape_length(const char *p, size_t n)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	size_t i;

	if (n < 2 || !p[1])
		return 0;
	if (p[1] != 'u')
		return strchr("\"\\/bfnrt", p[1]) ? 2 : 0;
	for (i = 2; i < 6; i++)
		if (i >= n || !p[i] || !strchr(hex, p[i]))
			return 0;
	return 6;
}

/* What stands in a string and is not plain. */
static int skip_odd(struct js *js, struct err *err)
{
	const char *p = js->p + js->start;
	size_t held = js->end - js->start, n;

	if ((unsigned char)*p < 0x20)
		return js_error(js, err, *p ? "a control character inside a string" : "a NUL byte");
	n = *p == '\\' ? escape_length(p, held) : utf8_sequence(p, held);
	if (n == 0 && *p == '\\' && held > 1 && !p[1])
		return js_error(js, err, "a NUL byte");
	if (n == 0)
		return js_error(js, err,
			*p == '\\' ? "not an escape that JSON knows, inside a string"
				   : "bytes that are not UTF-8 inside a string");
	js->start += n;
	return 0;
}

static int skip_string(struct js *js, struct err *err)
{
	enum { ODD_MAX = 6 };

	for (js->start++;;) {
		while (js->start < js->end && is_plain((unsigned char)js->p[js->start]))
			js->start++;
		if (have(js, ODD_MAX, err) < 0)
			return -1;
		if (js->start == js->end)
			return js_error(js, err, "the document ends inside a string");
		if (js->p[js->start] == '"') {
			js->start++;
			return 0;
		}
		if (!is_plain((unsigned char)js->p[js->start]) && skip_odd(js, err) < 0)
			return -1;
	}
}

static size_t digits(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] >= '0' && p[i] <= '9')
		i++;
	return i;
}

/* The length of a number that ends before p[n], has no exponent and is too short to overflow; 0
 * otherwise. */
static size_t plain_number(const char *p, size_t n)
{
	size_t start = *p == '-', i = start + digits(p + start, n - start), more;

	if (i == start || (p[start] == '0' && i > start + 1))
		return 0;
	if (i < n && p[i] == '.') {
		more = digits(p + i + 1, n - i - 1);
		if (more == 0)
			return 0;
		i += 1 + more;
	}
	return i < n && i <= JSON_INT_DIGITS && !scan_in_number(p[i]) ? i : 0;
}

static size_t plain_word(const char *p, size_t n)
{
	static const char *const words[] = {"null", "true", "false"};
	size_t i, len;

	for (i = 0; i < ARRAY_LEN(words); i++) {
		len = strlen(words[i]);
		if (n > len && !memcmp(p, words[i], len) && p[len] && strchr(",]} \t\r\n", p[len]))
			return len;
	}
	return 0;
}

/* The common ones at once, whatever else by the parser. */
static int skip_scalar(struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = NULL;
	const char *p = js->p + js->start;
	size_t held = js->end - js->start, n = 0;

	if (held)
		n = scan_starts_number(*p) ? plain_number(p, held) : plain_word(p, held);
	if (n) {
		js->start += n;
		return 0;
	}
	v = js_load(js, err);
	return v ? 0 : -1;
}

static int skip_container(struct js *js, char bracket, struct err *err)
{
	int r = js_enter(js, bracket, err);

	while (r == 0 && (r = js_more(js, err)) > 0) {
		r = bracket == '{' ? js_walk_key(js, true, err) : 0;
		if (r == 0)
			r = skip_value(js, err);
	}
	return r;
}

static int skip_value(struct js *js, struct err *err)
{
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	if (c == '{' || c == '[')
		return skip_container(js, (char)c, err);
	return c == '"' ? skip_string(js, err) : skip_scalar(js, err);
}

int js_skip(struct js *js, struct err *err)
{
	int depth = js->depth, r = skip_value(js, err);

	while (js->depth > depth)
		intern_free(js->levels[--js->depth].keys);
	return r;
}

int js_pass(struct js *js, struct err *err)
{
	struct scan s = {0};
	size_t used;
	const char *why;
	int r = js_peek(js, err);

	if (r < 0)
		return -1;
	for (;;) {
		r = scan_value(&s, js->p + js->start, js->end - js->start, &used, &why);
		js_consume(js, used);
		if (r < 0)
			return js_error(js, err, "%s", why);
		if (r > 0)
			return 0;
		r = js_fill(js, err);
		if (r < 0)
			return -1;
		if (r == 0)
			return scan_may_end(&s)
				       ? 0
				       : js_error(js, err, "the document ends inside a value");
	}
}

int js_drop(struct js *js, size_t n, struct err *err)
{
	while (n) {
		size_t held = js->end - js->start, k = n < held ? n : held;
		js_consume(js, k);
		n -= k;
		if (n) {
			int r = js_fill(js, err);
			if (r <= 0)
				return r;
		}
	}
	return 0;
}
