#include "json-scan.h"

enum class { C_OTHER, C_SPACE, C_QUOTE, C_OPEN, C_CLOSE, C_NUMBER, C_NUL, C_SEPARATOR };

static const unsigned char classes[256] = {['\0'] = C_NUL,
	[' '] = C_SPACE,
	['\t'] = C_SPACE,
	['\n'] = C_SPACE,
	['\r'] = C_SPACE,
	['"'] = C_QUOTE,
	['['] = C_OPEN,
	['{'] = C_OPEN,
	[']'] = C_CLOSE,
	['}'] = C_CLOSE,
	[','] = C_SEPARATOR,
	[':'] = C_SEPARATOR,
	['0'] = C_NUMBER,
	['1'] = C_NUMBER,
	['2'] = C_NUMBER,
	['3'] = C_NUMBER,
	['4'] = C_NUMBER,
	['5'] = C_NUMBER,
	['6'] = C_NUMBER,
	['7'] = C_NUMBER,
	['8'] = C_NUMBER,
	['9'] = C_NUMBER,
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

int scan_value(struct scan *s, const char *p, size_t n, size_t *used, const char **why)
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

bool scan_may_end(const struct scan *s)
{
	return s->depth == 0 && (s->in_number || s->in_word);
}

bool scan_is_space(char c)
{
	return classes[(unsigned char)c] == C_SPACE;
}

bool scan_starts_number(char c)
{
	return classes[(unsigned char)c] == C_NUMBER;
}

bool scan_in_number(char c)
{
	return number_byte((unsigned char)c);
}
