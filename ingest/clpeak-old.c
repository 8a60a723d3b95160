#include "clpeak-old.h"

#include "buf.h"
#include "num.h"

#include <string.h>

static const char csv_head[] = "format_version,backend,platform,device,";
static const char space[] = " \t\r\n";

int clpeak_refuse(const char *place, const char *version, struct err *err)
{
	struct num n;
	struct err ignored = ERR_INIT;
	bool newer = num_parse(version, strlen(version), &n, &ignored) == 0 && n.is_int && n.i > 3;

	return err_set(err, ERR_FORMAT, "%s: clpeak result format %s; perfgate reads format 3 %s",
		place, version,
		newer ? "- a newer perfgate may read it"
		      : "(clpeak 3.0 and later) - run clpeak again with a newer version");
}

/* head after white space, or NULL when nothing is left. */
static const char *skip_space(const char *p, const char *end)
{
	while (p < end && *p && strchr(space, *p))
		p++;
	return p < end ? p : NULL;
}

static bool starts(const char *p, const char *end, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(end - p) >= n && !memcmp(p, with, n);
}

static const char *after(const char *p, const char *end, const char *mark)
{
	const char *found = memmem(p, (size_t)(end - p), mark, strlen(mark));

	return found ? found + strlen(mark) : NULL;
}

/* The root element's tag, behind a byte order mark, declarations and comments. */
static const char *xml_root(const char *p, const char *end)
{
	if (starts(p, end, "\xEF\xBB\xBF"))
		p += 3;
	while ((p = skip_space(p, end))) {
		if (starts(p, end, "<?"))
			p = after(p, end, "?>");
		else if (starts(p, end, "<!--"))
			p = after(p, end, "-->");
		else if (starts(p, end, "<!"))
			p = after(p, end, ">");
		else
			return *p == '<' ? p : NULL;
		if (!p)
			return NULL;
	}
	return NULL;
}

static const char *clpeak_root(const char *head, const char *end)
{
	static const char tag[] = "<clpeak";
	const char *root = xml_root(head, end), *next;

	if (!root || !starts(root, end, tag))
		return NULL;
	next = root + strlen(tag);
	return next < end && *next && strchr(" \t\r\n/>", *next) ? next : NULL;
}

bool clpeak_old(const char *head, size_t len)
{
	return starts(head, head + len, csv_head) || clpeak_root(head, head + len);
}

/* Copies what stands before one of stops, as far as it fits. */
static void copy_until(char *out, size_t size, const char *p, const char *end, const char *stops)
{
	size_t n = 0;

	while (p < end && *p && !strchr(stops, *p) && n + 1 < size)
		out[n++] = *p++;
	out[n] = '\0';
}

int clpeak_refuse_old(const char *file, const char *head, size_t len, struct err *err)
{
	const char *end = head + len, *root = clpeak_root(head, end), *value, *close;
	char version[32] = "";

	if (root) {
		close = memchr(root, '>', (size_t)(end - root));
		value = after(root, close ? close : end, "format_version=\"");
		if (value)
			copy_until(version, sizeof(version), value, end, "\"");
		return clpeak_refuse(file, value ? version : "1", err);
	}
	value = after(head, end, "\n");
	if (value)
		copy_until(version, sizeof(version), value, end, ",\r\n");
	return clpeak_refuse(file, *version ? version : "2", err);
}
