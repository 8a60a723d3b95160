/*
 * xml: whether text is well-formed, as far as what perfgate writes goes: elements closed in order,
 * quoted attributes, the five references and numbers.
 */
#ifndef XML_H
#define XML_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { XML_DEPTH = 64 };

/* Behind a reference, or NULL. */
static inline const char *xml_reference(const char *p)
{
	const char *end = strchr(p, ';');

	if (!end || end - p > 8)
		return NULL;
	return !strncmp(p, "&amp;", 5) || !strncmp(p, "&lt;", 4) || !strncmp(p, "&gt;", 4) ||
			       !strncmp(p, "&quot;", 6) || !strncmp(p, "&#", 2)
		       ? end + 1
		       : NULL;
}

/* Behind text that ends at stop, or NULL. */
static inline const char *xml_text(const char *p, char stop)
{
	while (p && *p && *p != stop)
		p = *p == '&' ? xml_reference(p) : *p == '<' ? NULL : p + 1;
	return p && *p == stop ? p : NULL;
}

static inline const char *xml_name(const char *p)
{
	while (isalnum((unsigned char)*p) || *p == '-' || *p == ':')
		p++;
	return p;
}

/* Behind the attributes of a tag, at its "/>" or ">", or NULL. */
static inline const char *xml_attributes(const char *p)
{
	while (*p == ' ') {
		const char *name = p + 1;
		p = xml_name(name);
		if (p == name || p[0] != '=' || p[1] != '"')
			return NULL;
		p = xml_text(p + 2, '"');
		if (!p)
			return NULL;
		p++;
	}
	return p;
}

/* One element at the top, and nothing else. */
static inline bool xml_is_well_formed(const char *p)
{
	const char *open[XML_DEPTH];
	size_t depth = 0;

	do {
		const bool closes = p[0] == '<' && p[1] == '/';
		const char *name = p + 1 + closes, *end;
		if (*p != '<')
			return false;
		end = xml_name(name);
		if (closes && (!depth || strncmp(open[--depth], name, (size_t)(end - name)) ||
				      isalnum((unsigned char)open[depth][end - name])))
			return false;
		if (!closes)
			open[depth++] = name;
		p = closes ? end : xml_attributes(end);
		if (!p || depth == XML_DEPTH)
			return false;
		if (!closes && *p == '/') {
			depth--;
			p++;
		}
		if (*p++ != '>')
			return false;
		if (depth)
			p = xml_text(p, '<');
	} while (p && depth);
	return p && !*p;
}

#endif
