#include "conf-edit.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 160 };

struct line {
	const char *p;
	size_t len;      /* without what ends it */
	const char *end; /* "\n", "\r\n", "" at the end of the text */
	bool drop;
	struct buf value; /* what replaces its value; nothing: it stays */
	struct buf below; /* lines to come after it */
};

struct conf_edit {
	struct line *v;
	size_t n, cap;
	const char *end; /* what new lines end with */
	struct buf tail;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct conf_edit *conf_edit_new(const char *text, size_t len)
{
	struct conf_edit *e = xcalloc(1, sizeof(*e));

	while (len) {
		const char *newline = memchr(text, '\n', len);
		size_t whole = newline ? (size_t)(newline - text) + 1 : len;
		bool cr = newline && newline > text && newline[-1] == '\r';

		e->v = xgrow(e->v, e->n, &e->cap, sizeof(*e->v));
		e->v[e->n++] = (struct line){.p = text,
			.len = whole - (newline != NULL) - cr,
			.end = cr        ? "\r\n"
			       : newline ? "\n"
					 : ""};
		text += whole;
		len -= whole;
	}
	e->end = e->n && *e->v[0].end ? e->v[0].end : "\n";
	return e;
}

void conf_edit_free(struct conf_edit *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; i < e->n; i++) {
		buf_release(&e->v[i].value);
		buf_release(&e->v[i].below);
	}
	buf_release(&e->tail);
	free(e->v);
	free(e);
}

static struct line *line_at(struct conf_edit *e, unsigned line)
{
	return &e->v[line - 1];
}

/* What stands before the value stays. */
static void set_value(struct conf_edit *e, unsigned line, const char *value)
{
	struct line *l = line_at(e, line);

	buf_clear(&l->value);
	buf_addstr(&l->value, value);
}

static unsigned last_line(const struct conf_section *s)
{
	return s->n ? s->entries[s->n - 1].line : s->line;
}

void conf_edit_set(
	struct conf_edit *e, const struct conf_section *s, const char *key, const char *value)
{
	const struct conf_entry *entry = conf_section_entry(s, key);
	struct line *last = line_at(e, last_line(s));
	size_t indent = 0;

	if (entry) {
		set_value(e, entry->line, value);
		return;
	}
	while (s->n && indent < last->len && is_blank(last->p[indent]))
		indent++;
	if (s->n)
		buf_add(&last->below, last->p, indent);
	else
		buf_addch(&last->below, '\t');
	buf_addf(&last->below, "%s = %s%s", key, value, e->end);
}

/* What a line begins with after its blanks; 0 for an empty one. */
static char first_of(const struct line *l)
{
	size_t i = 0;

	while (i < l->len && (is_blank(l->p[i]) || l->p[i] == '\r'))
		i++;
	return i < l->len ? l->p[i] : 0;
}

static bool is_comment(const struct line *l)
{
	return first_of(l) == '#' || first_of(l) == ';';
}

void conf_edit_drop(struct conf_edit *e, const struct conf_section *s)
{
	size_t first = s->line - 1, end = last_line(s), i;

	while (first > 0 && is_comment(&e->v[first - 1]))
		first--;
	for (i = first; i < end; i++)
		e->v[i].drop = true;
	if (end < e->n && !first_of(&e->v[end]))
		e->v[end].drop = true;
	while (first > 0 && e->v[first - 1].drop)
		first--;
	if (end == e->n && first > 0 && !first_of(&e->v[first - 1]))
		e->v[first - 1].drop = true;
}

void conf_edit_append(struct conf_edit *e, const char *section)
{
	buf_addstr(&e->tail, e->end);
	for (; *section; section++) {
		if (*section == '\n')
			buf_addstr(&e->tail, e->end);
		else
			buf_addch(&e->tail, *section);
	}
}

static void add_line(const struct conf_edit *e, const struct line *l, struct buf *ret)
{
	const char *equals = memchr(l->p, '=', l->len);
	size_t n = l->len;

	if (l->value.len && equals) {
		n = (size_t)(equals - l->p) + 1;
		while (n < l->len && is_blank(l->p[n]))
			n++;
	}
	buf_add(ret, l->p, n);
	if (l->value.len && n == l->len && l->p[n - 1] == '=')
		buf_addch(ret, ' ');
	buf_add(ret, buf_str(&l->value), l->value.len);
	buf_addstr(ret, !*l->end && l->below.len ? e->end : l->end);
	buf_add(ret, buf_str(&l->below), l->below.len);
}

/* A byte order mark that a dropped first line began with stays. */
static void keep_mark(const struct line *l, struct buf *ret)
{
	if (l->len >= 3 && !memcmp(l->p, "\xEF\xBB\xBF", 3))
		buf_add(ret, l->p, 3);
}

void conf_edit_text(const struct conf_edit *e, struct buf *ret)
{
	const char *tail = buf_str(&e->tail);
	const struct line *last = NULL;
	size_t i;

	for (i = 0; i < e->n; i++) {
		if (!e->v[i].drop) {
			last = &e->v[i];
			add_line(e, last, ret);
		} else if (i == 0) {
			keep_mark(&e->v[i], ret);
		}
	}
	if (!e->tail.len)
		return;
	if (last && !*last->end && !last->below.len)
		buf_addstr(ret, e->end);
	/* the tail begins with an empty line, which is needed once */
	if (!last || (!first_of(last) && !last->below.len))
		tail += strlen(e->end);
	buf_addstr(ret, tail);
}

void conf_edit_name(struct buf *ret, const char *text)
{
	_cleanup_(buf_release) struct buf safe = BUF_INIT;
	size_t n, at = 0;

	text_escape(&safe, text, strlen(text));
	while (at < safe.len && is_blank(safe.p[at]))
		at++;
	for (n = at; n < safe.len && n - at < NAME_MAX_BYTES;)
		n += utf8_sequence(safe.p + n, safe.len - n);
	buf_add(ret, buf_str(&safe) + at, n - at);
	if (n < safe.len)
		buf_addstr(ret, "...");
}

void conf_edit_free_name(struct buf *ret, struct intern *names, const char *wish)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	size_t len, i;

	conf_edit_name(&name, wish);
	len = name.len;
	for (i = 2; intern_find(names, buf_str(&name), name.len) != INTERN_NONE; i++) {
		name.len = len;
		buf_addf(&name, " (%zu)", i);
	}
	intern_add(names, buf_str(&name), name.len);
	buf_add(ret, buf_str(&name), name.len);
}
