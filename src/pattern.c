#include "pattern.h"

#include "text.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * One match may backtrack STEPS_MAX times from each place where it can start and use HEAP_KIB. No
 * JIT: it counts steps in its own way, and a verdict must not depend on what a machine allows.
 */
enum { PATTERN_MAX = 4096, STEPS_MAX = 100000, HEAP_KIB = 20 << 10 };

struct pattern {
	char *text;
	struct buf literal; /* all that it matches, p NULL: it is more than one name */
	pcre2_code *code;
	pcre2_match_data *data;   /* the whole match */
	pcre2_match_data *groups; /* with what its groups matched; made when first asked for */
	pcre2_match_context *limits;
};

/* ---- literal names ---- */

static const char special[] = "\\^$.[]|()?*+{}";

/* "{1b}" behind "\\x", as add_literal() writes it: its length, 0 when it is something else. */
static size_t parse_code(const char *s, struct buf *ret)
{
	size_t digits = *s == '{' ? strspn(s + 1, "0123456789abcdef") : 0;

	if (!digits || digits > 6 || s[1 + digits] != '}')
		return 0;
	utf8_encode(ret, (uint32_t)strtoul(s + 1, NULL, 16));
	return digits + 2;
}

/* One character of a pattern that stands for itself alone: its length, 0 when it does not. */
static size_t parse_literal(const char *s, struct buf *ret)
{
	size_t n;

	if (*s == '\\' && s[1] == 'x')
		return (n = parse_code(s + 2, ret)) ? n + 2 : 0;
	n = *s == '\\';
	if (!s[n] || (strchr(special, s[n]) != NULL) != (n == 1))
		return 0;
	buf_addch(ret, s[n]);
	return n + 1;
}

/*
 * The one name that a pattern of pattern_exact() matches, so that thousands of them cost no more
 * than comparing strings. Empty for every other pattern. text is a valid pattern.
 */
static void find_literal(const char *text, struct buf *ret)
{
	size_t n = 1;

	if (*text++ != '^')
		return;
	buf_addstr(ret, "");
	for (; n && (*text != '$' || text[1]); text += n)
		n = parse_literal(text, ret);
	if (!n)
		buf_release(ret);
}

struct pattern *pattern_new(const char *text, struct err *err)
{
	/* names are no lines: '$' is their end, not the newline that they may end in */
	const uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
	size_t len = strlen(text);
	PCRE2_SIZE offset;
	struct pattern *p;
	int code;

	if (len > PATTERN_MAX) {
		err_set(err, ERR_POLICY, "a pattern of more than 4 KiB: '%.60s...'", text);
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->code = pcre2_compile((PCRE2_SPTR)text, len, options, &code, &offset, NULL);
	if (!p->code) {
		PCRE2_UCHAR why[160];
		pcre2_get_error_message(code, why, sizeof(why));
		err_set(err, ERR_POLICY, "pattern '%.80s', byte %zu: %s", text, (size_t)offset,
			(const char *)why);
		free(p);
		return NULL;
	}
	p->text = xstrdup(text);
	find_literal(text, &p->literal);
	p->data = pcre2_match_data_create(1, NULL);
	p->limits = pcre2_match_context_create(NULL);
	if (!p->data || !p->limits)
		xmalloc(SIZE_MAX); /* dies as every allocation does */
	pcre2_set_match_limit(p->limits, STEPS_MAX);
	pcre2_set_heap_limit(p->limits, HEAP_KIB);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->limits);
	pcre2_match_data_free(p->data);
	pcre2_match_data_free(p->groups);
	pcre2_code_free(p->code);
	buf_release(&p->literal);
	free(p->text);
	free(p);
}

static int match_into(
	struct pattern *p, pcre2_match_data *data, const char *s, size_t len, struct err *err)
{
	int r = pcre2_match(p->code, (PCRE2_SPTR)s, len, 0, 0, data, p->limits);

	if (r >= 0)
		return 1;
	if (r == PCRE2_ERROR_NOMATCH || (r <= PCRE2_ERROR_UTF8_ERR1 && r >= PCRE2_ERROR_UTF8_ERR21))
		return 0;
	if (r == PCRE2_ERROR_NOMEMORY)
		return err_set(err, ERR_IO, "pattern '%.80s': out of memory", p->text);
	return err_set(err, ERR_POLICY, "pattern '%.80s' needs too many steps on '%.*s'", p->text,
		(int)(len < 80 ? len : 80), s);
}

int pattern_match(struct pattern *p, const char *s, size_t len, struct err *err)
{
	if (p->literal.p)
		return len == p->literal.len && !memcmp(s, p->literal.p, len);
	return match_into(p, p->data, s, len, err);
}

/* ---- replacing ---- */

/* What follows a '$': the number of a group, or DOLLAR; its length, 0 when it is neither. */
enum { DOLLAR = -1 };

static size_t parse_reference(const char *s, int *ret)
{
	const bool braces = s[0] == '{';
	const char *digits = s + braces;
	size_t n = strspn(digits, "0123456789"), i;

	*ret = DOLLAR;
	if (s[0] == '$')
		return 1;
	if (!n || n > 4 || (braces && digits[n] != '}'))
		return 0;
	for (*ret = 0, i = 0; i < n; i++)
		*ret = *ret * 10 + (digits[i] - '0');
	return n + 2 * braces;
}

int pattern_check_replacement(const struct pattern *p, const char *to, struct err *err)
{
	const char *dollar = to;
	uint32_t groups = 0;
	size_t n;
	int group;

	pcre2_pattern_info(p->code, PCRE2_INFO_CAPTURECOUNT, &groups);
	while ((dollar = strchr(dollar, '$'))) {
		n = parse_reference(dollar + 1, &group);
		if (!n)
			return err_set(err, ERR_POLICY,
				"'%.20s': after '$' comes the number of a group, as in $1 or ${1}, or another '$'",
				dollar);
		if (group > (int)groups)
			return err_set(err, ERR_POLICY, "'%.*s': the pattern '%.80s' has %u groups",
				(int)n + 1, dollar, p->text, (unsigned)groups);
		dollar += n + 1;
	}
	return 0;
}

static int add_bounded(struct buf *b, const char *s, size_t n, size_t max)
{
	if (n > max - b->len)
		return -1;
	buf_add(b, s, n);
	return 0;
}

/* A group that took no part in the match is empty. */
static int add_group(const struct pattern *p, const char *s, int group, size_t max, struct buf *ret)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->groups) + 2 * (size_t)group;

	return at[0] == PCRE2_UNSET || at[0] > at[1]
		       ? 0
		       : add_bounded(ret, s + at[0], at[1] - at[0], max);
}

static int add_replacement(
	const struct pattern *p, const char *s, const char *to, size_t max, struct buf *ret)
{
	const char *dollar;
	size_t n;
	int group, r = 0;

	while (r == 0 && (dollar = strchr(to, '$'))) {
		r = add_bounded(ret, to, (size_t)(dollar - to), max);
		n = parse_reference(dollar + 1, &group);
		if (r == 0)
			r = group == DOLLAR ? add_bounded(ret, "$", 1, max)
					    : add_group(p, s, group, max, ret);
		to = dollar + 1 + n;
	}
	return r < 0 ? r : add_bounded(ret, to, strlen(to), max);
}

int pattern_replace(struct pattern *p, const char *s, size_t len, const char *to, size_t max,
	struct buf *ret, struct err *err)
{
	const PCRE2_SIZE *at;
	int r;

	if (!p->groups && !(p->groups = pcre2_match_data_create_from_pattern(p->code, NULL)))
		xmalloc(SIZE_MAX);
	r = match_into(p, p->groups, s, len, err);
	if (r <= 0)
		return r;
	at = pcre2_get_ovector_pointer(p->groups);
	buf_clear(ret);
	/* \K inside a lookahead can put the start of a match behind its end */
	if (at[0] > at[1] || add_bounded(ret, s, at[0], max) < 0 ||
		add_replacement(p, s, to, max, ret) < 0 ||
		add_bounded(ret, s + at[1], len - at[1], max) < 0)
		return err_set(err, ERR_POLICY,
			"'%.80s' as a replacement in '%.*s' is more than %zu bytes", to,
			(int)(len < 80 ? len : 80), s, max);
	return 1;
}

const char *pattern_text(const struct pattern *p)
{
	return p->text;
}

/* A character of a name: what is special in a pattern, and what a person would not see, is escaped.
 */
static void add_literal(struct buf *b, const char *s, size_t n, bool outermost)
{
	_cleanup_(buf_release) struct buf seen = BUF_INIT;

	text_escape(&seen, s, n);
	if (seen.len != n || (*s == ' ' && outermost))
		buf_addf(b, "\\x{%x}", (unsigned)utf8_decode(s, n));
	else if (n == 1 && strchr(special, *s))
		buf_addf(b, "\\%c", *s);
	else
		buf_add(b, s, n);
}

static int quote(struct buf *b, const char *name, struct err *err)
{
	size_t len = strlen(name), at, n;

	for (at = 0; at < len; at += n) {
		n = utf8_sequence(name + at, len - at);
		if (!n)
			return err_set(err, ERR_POLICY,
				"no pattern can match '%.60s', which is not valid UTF-8", name);
		add_literal(b, name + at, n, at == 0 || at + n == len);
	}
	return 0;
}

int pattern_exact(struct buf *ret, const char *const *names, size_t n, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	buf_addstr(&b, n > 1 ? "^(?:" : "^");
	for (i = 0; i < n; i++) {
		if (i)
			buf_addch(&b, '|');
		if (quote(&b, names[i], err) < 0)
			return -1;
	}
	buf_addstr(&b, n > 1 ? ")$" : "$");
	if (b.len > PATTERN_MAX)
		return err_set(err, ERR_POLICY, "a pattern for '%.60s' would take more than 4 KiB",
			names[0]);
	buf_add(ret, b.p, b.len);
	return 0;
}
