/* What of perfgate.conf differs between two commits. */
#include "rules.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 }; /* bytes of a name or value in a clause */

struct difference {
	const struct conf *base, *head;
	struct intern *sections;           /* "KIND\0NAME" of base; ids are places in it */
	struct intern *keys;               /* "SECTION\0KEY" of base */
	const struct conf_entry **entries; /* by those ids */
	size_t cap;
	bool *kept; /* sections of base that head has */
	char **v;   /* the clauses */
	size_t n, cap_v;
};

static void section_key(struct buf *b, const struct conf_section *s)
{
	buf_clear(b);
	buf_addstr(b, s->kind);
	buf_addch(b, '\0');
	if (s->name)
		buf_addstr(b, s->name);
}

static void entry_key(struct buf *b, size_t section, const char *key)
{
	buf_clear(b);
	buf_addf(b, "%zu", section);
	buf_addch(b, '\0');
	buf_addstr(b, key);
}

static void index_base(struct difference *d)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i, k;

	for (i = 0; i < d->base->n; i++) {
		const struct conf_section *s = &d->base->sections[i];
		section_key(&b, s);
		intern_add(d->sections, b.p, b.len);
		for (k = 0; k < s->n; k++) {
			uint32_t id;
			entry_key(&b, i, s->entries[k].key);
			id = intern_add(d->keys, b.p, b.len);
			d->entries = xgrow(d->entries, id, &d->cap, sizeof(*d->entries));
			d->entries[id] = &s->entries[k];
		}
	}
}

/* Begins a clause about s. */
static void label(struct buf *b, const struct conf_section *s)
{
	if (s->name)
		buf_addf(b, "[%.*s \"%.*s\"]", SHOWN, s->kind, SHOWN, s->name);
	else
		buf_addf(b, "[%.*s]", SHOWN, s->kind);
}

static void add_clause(struct difference *d, struct buf *b)
{
	d->v = xgrow(d->v, d->n, &d->cap_v, sizeof(*d->v));
	d->v[d->n++] = buf_take(b);
}

static void add_section(struct difference *d, const struct conf_section *s, const char *what)
{
	struct buf b = BUF_INIT;

	label(&b, s);
	buf_addf(&b, " %s", what);
	add_clause(d, &b);
}

static void add_key(struct difference *d, const struct conf_section *s, const char *key,
	const char *was, const char *is)
{
	struct buf b = BUF_INIT;

	label(&b, s);
	buf_addf(&b, ": %.*s", SHOWN, key);
	if (was)
		buf_addf(&b, " was %.*s%s", SHOWN, was, is ? "," : "");
	if (is)
		buf_addf(&b, " is %.*s", SHOWN, is);
	buf_addstr(&b, was && is ? "" : was ? ", is not set" : ", was not set");
	add_clause(d, &b);
}

static void compare_entries(struct difference *d, size_t base, const struct conf_section *head)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const struct conf_section *s = &d->base->sections[base];
	struct intern *seen = intern_new();
	size_t i;

	for (i = 0; i < head->n; i++) {
		const struct conf_entry *e = &head->entries[i];
		uint32_t id;
		entry_key(&b, base, e->key);
		id = intern_find(d->keys, b.p, b.len);
		if (id == INTERN_NONE)
			add_key(d, head, e->key, NULL, e->value);
		else if (strcmp(d->entries[id]->value, e->value) != 0)
			add_key(d, head, e->key, d->entries[id]->value, e->value);
		intern_add(seen, e->key, strlen(e->key));
	}
	for (i = 0; i < s->n; i++)
		if (intern_find(seen, s->entries[i].key, strlen(s->entries[i].key)) == INTERN_NONE)
			add_key(d, s, s->entries[i].key, s->entries[i].value, NULL);
	intern_free(seen);
}

/* Sections that both have, kind by kind: the last match wins, so their order matters. */
static void compare_order(struct difference *d)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct intern *kinds = intern_new();
	uint32_t *last = NULL;
	size_t cap = 0, i;

	for (i = 0; i < d->head->n; i++) {
		const struct conf_section *s = &d->head->sections[i];
		uint32_t id, kind, known = intern_count(kinds);
		section_key(&b, s);
		id = intern_find(d->sections, b.p, b.len);
		if (id == INTERN_NONE)
			continue;
		kind = intern_add(kinds, s->kind, strlen(s->kind));
		if (kind == known) {
			last = xgrow(last, kind, &cap, sizeof(*last));
			last[kind] = id;
		} else if (last[kind] != INTERN_NONE && id < last[kind]) {
			struct buf clause = BUF_INIT;
			buf_addf(&clause, "the [%.*s] sections stand in another order", SHOWN,
				s->kind);
			add_clause(d, &clause);
			last[kind] = INTERN_NONE; /* said */
		} else if (last[kind] != INTERN_NONE) {
			last[kind] = id;
		}
	}
	free(last);
	intern_free(kinds);
}

static void compare_sections(struct difference *d)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < d->head->n; i++) {
		const struct conf_section *s = &d->head->sections[i];
		uint32_t id;
		section_key(&b, s);
		id = intern_find(d->sections, b.p, b.len);
		if (id == INTERN_NONE) {
			add_section(d, s, "is new");
			continue;
		}
		d->kept[id] = true;
		compare_entries(d, id, s);
	}
	for (i = 0; i < d->base->n; i++)
		if (!d->kept[i])
			add_section(d, &d->base->sections[i], "is gone");
	compare_order(d);
}

static void compare_confs(struct difference *d)
{
	d->sections = intern_new();
	d->keys = intern_new();
	d->kept = xcalloc(d->base->n, sizeof(*d->kept));
	index_base(d);
	compare_sections(d);
	intern_free(d->sections);
	intern_free(d->keys);
	free(d->entries);
	free(d->kept);
}

static void add_file_clause(struct difference *d, bool is_new)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "perfgate.conf is %s", is_new ? "new" : "gone");
	add_clause(d, &b);
}

static void add_unreadable(struct difference *d, const struct err *why)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "all of it: it cannot be compared (%s)", why->msg);
	add_clause(d, &b);
}

size_t policy_diff(
	const char *base_text, size_t base_len, const char *head_text, size_t head_len, char ***ret)
{
	struct conf *base_conf, *head_conf;
	struct err err = ERR_INIT;
	struct difference d = {0};

	if (!base_text != !head_text)
		add_file_clause(&d, head_text != NULL);
	if (policy_parse_both(
		    base_text, base_len, head_text, head_len, &base_conf, &head_conf, &err) == 0) {
		d.base = base_conf;
		d.head = head_conf;
		compare_confs(&d);
	} else if (!base_text || !head_text || base_len != head_len ||
		   memcmp(base_text, head_text, base_len) != 0) {
		add_unreadable(&d, &err);
	}
	conf_free(base_conf);
	conf_free(head_conf);
	*ret = d.v;
	return d.n;
}
