/* policy-from = base: the policy of the base with sections of head. */
#include "rules.h"

#include <stdlib.h>
#include <string.h>

/* What a change may say for itself although the base's policy holds. */
static bool is_grafted(const struct conf_section *s)
{
	return !strcmp(s->kind, "accept") || !strcmp(s->kind, "rename") ||
	       !strcmp(s->kind, "retire");
}

static void free_section(struct conf_section *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->entries[i].key);
		free(s->entries[i].value);
	}
	free(s->entries);
	free(s->kind);
	free(s->name);
}

static struct conf *parse(const char *name, const char *text, size_t len, struct err *err)
{
	return conf_parse(name, text ? text : "", text ? len : 0, err);
}

struct conf *policy_sections_of(
	const char *name, const char *text, size_t len, bool grafted, struct err *err)
{
	struct conf *c = parse(name, text, len, err);
	size_t i, n = 0;

	for (i = 0; c && i < c->n; i++) {
		if (is_grafted(&c->sections[i]) == grafted)
			c->sections[n++] = c->sections[i];
		else
			free_section(&c->sections[i]);
	}
	if (c)
		c->n = n;
	return c;
}

static void skip_mark(const char **text, size_t *len)
{
	if (*len >= 3 && !memcmp(*text, "\xEF\xBB\xBF", 3)) {
		*text += 3;
		*len -= 3;
	}
}

/* The lines of the sections that are grafted, or all others; those left out are empty where blanks
 * says so, so that the others keep their numbers. */
static void add_lines(struct buf *b, const struct conf *c, const char *text, size_t len,
	bool grafted, bool blanks)
{
	bool inside = false;
	unsigned line = 0;
	size_t next = 0, n;

	skip_mark(&text, &len);
	for (; len; text += n, len -= n) {
		const char *end = memchr(text, '\n', len);
		n = end ? (size_t)(end - text) + 1 : len;
		if (next < c->n && c->sections[next].line == ++line)
			inside = is_grafted(&c->sections[next++]);
		if (inside == grafted) {
			buf_add(b, text, n);
			if (!end)
				buf_addch(b, '\n');
		} else if (blanks) {
			buf_addch(b, '\n');
		}
	}
}

int policy_parse_both(const char *base_text, size_t base_len, const char *head_text,
	size_t head_len, struct conf **ret_base, struct conf **ret_head, struct err *err)
{
	*ret_base = parse("base", base_text, base_len, err);
	*ret_head = *ret_base ? parse("head", head_text, head_len, err) : NULL;
	if (*ret_head)
		return 0;
	conf_free(*ret_base);
	*ret_base = NULL;
	return -1;
}

char *policy_graft(const char *base_text, size_t base_len, const char *head_text, size_t head_len,
	struct err *err)
{
	struct conf *base, *head;
	struct buf b = BUF_INIT;

	if (policy_parse_both(base_text, base_len, head_text, head_len, &base, &head, err) < 0)
		return NULL;
	add_lines(&b, base, base_text, base_text ? base_len : 0, false, true);
	add_lines(&b, head, head_text, head_text ? head_len : 0, true, false);
	conf_free(base);
	conf_free(head);
	return buf_take(&b);
}
