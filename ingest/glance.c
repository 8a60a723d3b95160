#include "glance.h"

#include <string.h>

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return p;
}

/* Past the string whose first byte (after the quote) is at p. */
static const char *skip_string(const char *p, const char *end)
{
	while (p < end && *p != '"')
		p += *p == '\\' ? 2 : 1;
	return p < end ? p + 1 : end;
}

static struct glance value_at(const char *p, const char *end)
{
	p = skip_space(p, end);
	return (struct glance){p < end ? p : NULL, end};
}

bool glance_begins(struct glance v, const char *with)
{
	return v.p && (size_t)(v.end - v.p) >= strlen(with) && !memcmp(v.p, with, strlen(with));
}

struct glance glance(const char *head, size_t len)
{
	struct glance v = {head, head + len};

	if (glance_begins(v, "\xEF\xBB\xBF"))
		v.p += 3;
	return value_at(v.p, v.end);
}

/* The value of the key at the outermost level, of the first key there where key is NULL. */
static struct glance find(struct glance o, const char *key)
{
	const char *p = o.p, *end = o.end;
	int depth = 0;

	while (p < end) {
		const char *start = p++, *colon;

		if (*start == '{' || *start == '[')
			depth++;
		else if ((*start == '}' || *start == ']') && --depth == 0)
			break;
		if (*start != '"')
			continue;
		p = skip_string(p, end);
		colon = skip_space(p, end);
		if (depth != 1 || colon == end || *colon != ':')
			continue;
		if (!key || ((size_t)(p - start) == strlen(key) + 2 &&
				    !memcmp(start + 1, key, strlen(key))))
			return value_at(colon + 1, end);
	}
	return (struct glance){NULL, end};
}

struct glance glance_member(struct glance o, const char *key)
{
	return glance_begins(o, "{") ? find(o, key) : (struct glance){NULL, o.end};
}

struct glance glance_first_member(struct glance o)
{
	return glance_member(o, NULL);
}

struct glance glance_element(struct glance array)
{
	if (!glance_begins(array, "["))
		return (struct glance){NULL, array.end};
	return value_at(array.p + 1, array.end);
}
