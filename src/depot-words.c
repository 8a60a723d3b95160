/* What git says, fit to be told: the lines that matter, without what is nobody's business. */
#include "depot-private.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 360 };

/* "git@" of ssh is no secret. */
static bool is_harmless(const char *text, const char *scheme_end, const char *user, size_t n)
{
	return scheme_end - text >= 3 && !memcmp(scheme_end - 3, "ssh", 3) && !memchr(user, ':', n);
}

char *depot_redacted(const char *text)
{
	struct buf b = BUF_INIT;
	const char *begin = text, *sep;

	buf_addstr(&b, "");
	for (; (sep = strstr(text, "://")); text = sep) {
		const char *url = sep + 3, *end = url + strcspn(url, " \t\n'\"<>"), *at, *query;

		at = memrchr(url, '@', (size_t)(end - url));
		if (at && is_harmless(begin, sep, url, (size_t)(at - url)))
			at = NULL;
		buf_add(&b, text, (size_t)(url - text));
		buf_addstr(&b, at ? "***" : "");
		url = at ? at : url;
		query = memchr(url, '?', (size_t)(end - url));
		buf_add(&b, url, (size_t)((query ? query : end) - url));
		buf_addstr(&b, query ? "?***" : "");
		sep = end;
	}
	buf_addstr(&b, text);
	return buf_take(&b);
}

/* A line begins so: the rest of it matters. */
static const char *after_lead(const char *line, const char *lead)
{
	size_t n = strlen(lead);

	return !strncmp(line, lead, n) ? line + n : NULL;
}

static void add_line(struct buf *b, const char *line)
{
	size_t n = strcspn(line, "\n");

	while (n && (line[n - 1] == ' ' || line[n - 1] == '\r'))
		n--;
	if (n && b->len < WORDS_MAX)
		buf_addf(b, "%s%.*s", b->len ? "; " : "", (int)n, line);
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* What the other side says, from the line on that complains: servers explain a refusal so. */
static void add_remote_words(struct buf *b, const char *text)
{
	bool complains = false;

	for (; *text; text = next_line(text)) {
		const char *rest = after_lead(text, "remote: ");
		if (!rest)
			continue;
		if (!strncasecmp(rest, "error", 5) || !strncasecmp(rest, "fatal", 5))
			complains = true;
		if (complains)
			add_line(b, rest);
	}
}

/* git knows no more than that a helper of its ended: ssh has said why. */
static bool is_consequence(const char *line)
{
	return !strncmp(line, "Could not read from remote", 26) ||
	       !strncmp(line, "the remote end hung up", 22);
}

/* The first line that complains, else the last one that says anything. */
static void add_own_words(struct buf *b, const char *text)
{
	static const char *const leads[] = {"fatal: ", "error: ", "ERROR: "};
	const char *last = "";
	size_t i;

	for (; *text; text = next_line(text)) {
		for (i = 0; i < ARRAY_LEN(leads); i++) {
			const char *rest = after_lead(text, leads[i]);
			if (!rest)
				continue;
			if (is_consequence(rest))
				add_line(b, last);
			add_line(b, rest);
			return;
		}
		if (*text != '\n')
			last = text;
	}
	add_line(b, last);
}

int depot_failed(struct depot *d, const char *doing, const struct buf *errors, struct err *err)
{
	_cleanup_(buf_release) struct buf words = BUF_INIT;
	_cleanup_(freep) char *text = NULL;

	add_remote_words(&words, buf_str(errors));
	if (!words.len)
		add_own_words(&words, buf_str(errors));
	text = depot_redacted(words.len ? words.p : "it failed without a word");
	return err_set(err, ERR_GIT, "git cannot %s %s: %s", doing, d->shown, text);
}
