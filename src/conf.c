#include "conf.h"

#include "buf.h"
#include "intern.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 64 << 10, SHOWN = 60 };

struct parser {
	struct conf *conf;
	struct intern *seen; /* "KIND[\0NAME]" of sections, "INDEX\0KEY" of entries */
	unsigned *seen_at;   /* the line of each */
	size_t cap;
	unsigned line;
	struct err *err;
};

/* A stretch of the text. */
struct span {
	const char *p;
	size_t len;
};

/* For %.*s. */
static int shown(struct span s)
{
	return (int)(s.len < SHOWN ? s.len : SHOWN);
}

static int refuse(struct parser *p, const char *what, struct span s)
{
	return err_set(p->err, ERR_POLICY, "%s:%u: %s: '%.*s'", p->conf->file, p->line, what,
		shown(s), s.p);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span trim(struct span s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

/* The length of the [a-z][a-z0-9-]* that s begins with. */
static size_t word(struct span s)
{
	size_t i = 0;

	while (i < s.len && ((s.p[i] >= 'a' && s.p[i] <= 'z') ||
				    (i && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '-'))))
		i++;
	return i;
}

/* Remembers key; the line where it was seen before, or 0. */
static unsigned seen_before(struct parser *p, const struct buf *key)
{
	uint32_t known = intern_count(p->seen), id = intern_add(p->seen, key->p, key->len);

	if (id < known)
		return p->seen_at[id];
	p->seen_at = xgrow(p->seen_at, id, &p->cap, sizeof(*p->seen_at));
	p->seen_at[id] = p->line;
	return 0;
}

static int add_section(struct parser *p, struct span kind, const struct span *name)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	struct conf *c = p->conf;
	unsigned before;

	buf_add(&key, kind.p, kind.len);
	if (name) {
		buf_addch(&key, '\0');
		buf_add(&key, name->p, name->len);
	}
	before = seen_before(p, &key);
	if (before && name)
		return err_set(p->err, ERR_POLICY,
			"%s:%u: [%.*s \"%.*s\"] is there already, at line %u", c->file, p->line,
			shown(kind), kind.p, shown(*name), name->p, before);
	if (before)
		return err_set(p->err, ERR_POLICY, "%s:%u: [%.*s] is there already, at line %u",
			c->file, p->line, shown(kind), kind.p, before);
	c->sections = xgrow(c->sections, c->n, &c->cap, sizeof(*c->sections));
	c->sections[c->n++] = (struct conf_section){.kind = xstrndup(kind.p, kind.len),
		.name = name ? xstrndup(name->p, name->len) : NULL,
		.line = p->line};
	return 0;
}

/* "[kind]" or "[kind "name"]"; line begins with '['. */
static int parse_section(struct parser *p, struct span line)
{
	struct span in, kind, name;

	if (line.p[line.len - 1] != ']')
		return refuse(p, "a section has to end with ']'", line);
	in = trim((struct span){line.p + 1, line.len - 2});
	kind = (struct span){in.p, word(in)};
	name = trim((struct span){in.p + kind.len, in.len - kind.len});
	if (!kind.len || (name.len && !is_blank(in.p[kind.len])))
		return refuse(p,
			"a section has to be [section] or [section \"name\"], in lower case", line);
	if (!name.len)
		return add_section(p, kind, NULL);
	if (name.len < 2 || name.p[0] != '"' || name.p[name.len - 1] != '"')
		return refuse(p, "the name of a section goes between double quotes", line);
	name = (struct span){name.p + 1, name.len - 2};
	if (!name.len)
		return refuse(p, "the name of a section is empty", line);
	return add_section(p, kind, &name);
}

static int parse_entry(struct parser *p, struct span line)
{
	_cleanup_(buf_release) struct buf seen = BUF_INIT;
	const char *equals = memchr(line.p, '=', line.len);
	struct span key, value;
	struct conf_section *s;
	unsigned before;

	if (!equals)
		return refuse(p, "expected a comment, [section] or key = value", line);
	key = trim((struct span){line.p, (size_t)(equals - line.p)});
	value = trim((struct span){equals + 1, line.len - (size_t)(equals - line.p) - 1});
	if (!key.len || word(key) != key.len)
		return refuse(
			p, "a key has to be made of lower-case letters, digits and '-'", line);
	if (!p->conf->n)
		return refuse(p, "a key before the first section", key);
	buf_addf(&seen, "%zu", p->conf->n);
	buf_addch(&seen, '\0');
	buf_add(&seen, key.p, key.len);
	before = seen_before(p, &seen);
	if (before)
		return err_set(p->err, ERR_POLICY, "%s:%u: '%.*s' is set already, at line %u",
			p->conf->file, p->line, shown(key), key.p, before);
	s = &p->conf->sections[p->conf->n - 1];
	s->entries = xgrow(s->entries, s->n, &s->cap, sizeof(*s->entries));
	s->entries[s->n++] = (struct conf_entry){.key = xstrndup(key.p, key.len),
		.value = xstrndup(value.p, value.len),
		.line = p->line};
	return 0;
}

/* Tabs apart; they are blanks in a value, and nothing that a name of a section needs. */
static bool has_control(struct span line)
{
	const char *tab;
	size_t n;

	for (; line.len; line.p += n, line.len -= n) {
		tab = memchr(line.p, '\t', line.len);
		n = tab ? (size_t)(tab - line.p) : line.len;
		if (text_has_control(line.p, n))
			return true;
		n += tab != NULL;
	}
	return false;
}

static int parse_line(struct parser *p, struct span line)
{
	if (line.len > LINE_MAX_BYTES)
		return refuse(p, "a line of more than 64 KiB", line);
	if (line.len && line.p[line.len - 1] == '\r')
		line.len--;
	if (memchr(line.p, '\0', line.len))
		return err_set(p->err, ERR_POLICY, "%s:%u: a NUL byte", p->conf->file, p->line);
	if (!utf8_valid(line.p, line.len))
		return refuse(p, "not valid UTF-8", line);
	line = trim(line);
	if (!line.len || line.p[0] == '#' || line.p[0] == ';')
		return 0;
	if (has_control(line))
		return refuse(p, "a control character", line);
	return line.p[0] == '[' ? parse_section(p, line) : parse_entry(p, line);
}

static int parse_lines(struct parser *p, const char *text, size_t len)
{
	if (len > CONF_MAX)
		return err_set(p->err, ERR_POLICY, "%s:1: more than 1 MiB", p->conf->file);
	if (len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) { /* a byte order mark */
		text += 3;
		len -= 3;
	}
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		p->line++;
		if (parse_line(p, (struct span){text, n}) < 0)
			return -1;
		n += end != NULL;
		text += n;
		len -= n;
	}
	return 0;
}

struct conf *conf_parse(const char *file, const char *text, size_t len, struct err *err)
{
	struct parser p = {.conf = xcalloc(1, sizeof(*p.conf)), .err = err};

	p.conf->file = xstrdup(file);
	p.seen = intern_new();
	if (parse_lines(&p, text, len) < 0) {
		conf_free(p.conf);
		p.conf = NULL;
	}
	intern_free(p.seen);
	free(p.seen_at);
	return p.conf;
}

void conf_free(struct conf *c)
{
	size_t i, j;

	if (!c)
		return;
	for (i = 0; i < c->n; i++) {
		struct conf_section *s = &c->sections[i];
		for (j = 0; j < s->n; j++) {
			free(s->entries[j].key);
			free(s->entries[j].value);
		}
		free(s->entries);
		free(s->kind);
		free(s->name);
	}
	free(c->sections);
	free(c->file);
	free(c);
}

const struct conf_entry *conf_section_entry(const struct conf_section *s, const char *key)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->entries[i].key, key))
			return &s->entries[i];
	return NULL;
}
