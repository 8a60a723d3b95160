#include "rules.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* NAME_MAX_BYTES is what ingest allows a name; no sane history renames a benchmark so often. */
enum { NAME_MAX_BYTES = 4096, CHAIN_MAX = 100, SHOWN = 3 };

/* A benchmark's names, from the one in the store on, and the sections that gave them. */
struct chain {
	char *names[CHAIN_MAX + 1];
	int sections[CHAIN_MAX]; /* sections[i] made names[i + 1] of names[i] */
	int n;
};

static void chain_release(struct chain *c)
{
	int i;

	for (i = 0; i <= c->n; i++)
		free(c->names[i]);
}

bool policy_renames(const struct policy *p)
{
	return p->of_kind[SECTION_RENAME] > 0;
}

static int check_name(
	const struct section *s, const char *from, const struct buf *to, struct err *err)
{
	const char *fault = NULL;

	if (!to->len)
		fault = "to nothing";
	else if (text_has_control(to->p, to->len))
		fault = "to a name with a control character";
	if (!fault)
		return 0;
	return err_set(
		err, ERR_POLICY, "%.200s renames '%.100s' %s", s->selector.name, from, fault);
}

/* 1: s changes the name, to what is in ret. */
static int rename_by(
	struct section *s, const char *suite, const char *name, struct buf *ret, struct err *err)
{
	struct pattern *of_suite = s->selector.patterns[FIELD_SUITE];
	int r = of_suite ? pattern_match(of_suite, suite, strlen(suite), err) : 1;

	if (r == 1)
		r = pattern_replace(s->selector.patterns[FIELD_BENCHMARK], name, strlen(name),
			s->into, NAME_MAX_BYTES, ret, err);
	if (r < 0)
		return err_prefix(err, "%.120s", s->selector.name);
	if (r == 0 || !strcmp(buf_str(ret), name))
		return 0;
	s->selector.used = true;
	return check_name(s, name, ret, err) < 0 ? -1 : 1;
}

/* The last section that changes the name does; its number, -1 for none, -2 with err set. */
static int rename_once(
	struct policy *p, const char *suite, const char *name, struct buf *ret, struct err *err)
{
	size_t i = p->n_sections;

	while (i-- > 0) {
		int r;
		if (p->sections[i].kind != SECTION_RENAME)
			continue;
		r = rename_by(&p->sections[i], suite, name, ret, err);
		if (r)
			return r < 0 ? -2 : (int)i;
	}
	return -1;
}

/* "a, b and 2 more": the sections of c from the given one on, each once. */
static void add_sections(struct buf *b, const struct policy *p, const struct chain *c, int from)
{
	int i, k, shown = 0, more = 0;

	for (i = from; i < c->n; i++) {
		for (k = from; k < i && c->sections[k] != c->sections[i]; k++)
			;
		if (k < i)
			continue;
		if (shown == SHOWN) {
			more++;
			continue;
		}
		buf_addf(b, "%s%.100s", shown++ ? ", " : "",
			p->sections[c->sections[i]].selector.name);
	}
	if (more)
		buf_addf(b, " and %d more", more);
}

static int refuse_circle(const struct policy *p, const struct chain *c, int from, struct err *err)
{
	_cleanup_(buf_release) struct buf sections = BUF_INIT;

	add_sections(&sections, p, c, from);
	return err_set(
		err, ERR_POLICY, "%s: they rename '%.60s' in a circle", sections.p, c->names[from]);
}

static int refuse_length(const struct policy *p, const struct chain *c, struct err *err)
{
	_cleanup_(buf_release) struct buf sections = BUF_INIT;

	add_sections(&sections, p, c, 0);
	return err_set(err, ERR_POLICY, "%s: '%.60s' is renamed %d times without coming to an end",
		sections.p, c->names[0], CHAIN_MAX);
}

static int check_circle(const struct policy *p, const struct chain *c, struct err *err)
{
	int i;

	for (i = 0; i < c->n; i++)
		if (!strcmp(c->names[i], c->names[c->n]))
			return refuse_circle(p, c, i, err);
	return c->n == CHAIN_MAX ? refuse_length(p, c, err) : 0;
}

/* Fills c up to the present name. */
static int follow(struct policy *p, const char *suite, struct chain *c, struct err *err)
{
	_cleanup_(buf_release) struct buf next = BUF_INIT;
	int section;

	while ((section = rename_once(p, suite, c->names[c->n], &next, err)) >= 0) {
		c->sections[c->n++] = section;
		c->names[c->n] = xstrdup(buf_str(&next));
		if (check_circle(p, c, err) < 0)
			return -1;
	}
	return section == -1 ? 0 : -1;
}

/* What c says of a name that was not asked for before; its number. */
static uint32_t keep(struct policy *p, const struct buf *key, const struct chain *c)
{
	uint32_t id = intern_add(p->names, key->p, key->len);

	p->renamed = xgrow(p->renamed, id, &p->cap_renamed, sizeof(*p->renamed));
	p->renamed[id] = (struct renamed){.section = c->n ? c->sections[0] : -1,
		.name = c->n ? xstrdup(c->names[c->n]) : NULL};
	return id;
}

static int look_up(
	struct policy *p, const char *suite, const char *benchmark, uint32_t *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	_cleanup_(chain_release) struct chain c = {.n = 0};

	buf_add(&key, suite, strlen(suite) + 1);
	buf_addstr(&key, benchmark);
	*ret = intern_find(p->names, key.p, key.len);
	if (*ret != INTERN_NONE)
		return 0;
	c.names[0] = xstrdup(benchmark);
	if (follow(p, suite, &c, err) < 0)
		return -1;
	*ret = keep(p, &key, &c);
	return 0;
}

int policy_rename(struct policy *p, const char *suite, const char *benchmark, struct buf *ret,
	struct err *err)
{
	uint32_t id;

	if (!policy_renames(p))
		return 0;
	if (look_up(p, suite, benchmark, &id, err) < 0)
		return -1;
	if (!p->renamed[id].name)
		return 0;
	buf_clear(ret);
	buf_addstr(ret, p->renamed[id].name);
	return 1;
}

int policy_renamed_by(struct policy *p, const char *suite, const char *benchmark, struct err *err)
{
	uint32_t id;

	if (!policy_renames(p) || look_up(p, suite, benchmark, &id, err) < 0)
		return -1;
	return p->renamed[id].section;
}

void renames_release(struct policy *p)
{
	size_t i;

	for (i = 0; i < intern_count(p->names); i++)
		free(p->renamed[i].name);
	free(p->renamed);
	intern_free(p->names);
}
