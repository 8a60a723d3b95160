#include "accepts.h"

#include "pattern.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { REASON_MAX = 4096 };

/* Sets of fields, bits 1 << enum field. */
enum { WITH_NAMES = 7, WITH_VARIANT = 8, WITH_RUNNER = 16 };

static const char *field(const struct series_key *k, size_t i)
{
	const char *const fields[FIELD_COUNT] = {
		k->suite, k->benchmark, k->metric, k->variant, k->runner};

	return fields[i];
}

static int add_section(
	struct accepts *a, const char *name, const struct conf_section *s, struct err *err)
{
	struct accept_section *x;
	size_t i;

	a->v = xgrow(a->v, a->n, &a->cap, sizeof(*a->v));
	x = &a->v[a->n++];
	*x = (struct accept_section){.s = s};
	if (s->name)
		intern_add(a->names, s->name, strlen(s->name));
	for (i = 0; i < FIELD_COUNT; i++) {
		const struct conf_entry *e =
			conf_section_entry(s, policy_field_name((enum field)i));
		if (e && !(x->fields[i] = pattern_new(e->value, err)))
			return err_prefix(err, "%s:%u", name, e->line);
	}
	return 0;
}

int accepts_init(struct accepts *a, const char *name, const char *text, size_t len, struct err *err)
{
	size_t i;

	*a = (struct accepts){.conf = conf_parse(name, text, len, err)};
	if (!a->conf)
		return -1;
	a->edit = conf_edit_new(text, len);
	a->names = intern_new();
	for (i = 0; i < a->conf->n; i++)
		if (!strcmp(a->conf->sections[i].kind, "accept") &&
			add_section(a, name, &a->conf->sections[i], err) < 0)
			return -1;
	return 0;
}

void accepts_release(struct accepts *a)
{
	size_t i, k;

	for (i = 0; i < a->n; i++)
		for (k = 0; k < FIELD_COUNT; k++)
			pattern_free(a->v[i].fields[k]);
	for (i = 0; i < a->n_written; i++)
		free(a->written[i]);
	free(a->written);
	intern_free(a->names);
	free(a->v);
	conf_edit_free(a->edit);
	conf_free(a->conf);
	*a = (struct accepts){0};
}

int accepts_match(const struct accept_section *x, const struct series_key *k, struct err *err)
{
	/* names of benchmarks differ most: then one look mostly is enough */
	static const unsigned char order[FIELD_COUNT] = {
		FIELD_BENCHMARK, FIELD_METRIC, FIELD_SUITE, FIELD_VARIANT, FIELD_RUNNER};
	size_t i;

	for (i = 0; i < FIELD_COUNT; i++) {
		struct pattern *p = x->fields[order[i]];
		const char *s = p ? field(k, order[i]) : NULL;
		int match = p ? pattern_match(p, s, strlen(s), err) : 1;
		if (match <= 0)
			return match;
	}
	return 1;
}

/* Whether a section names benchmark and metric as exactly as a new one would. */
static bool is_exact(const struct accept_section *x, const struct series_key *k)
{
	size_t i;

	for (i = 1; i <= 2; i++) {
		_cleanup_(buf_release) struct buf b = BUF_INIT;
		struct err ignored = ERR_INIT;
		const char *name = field(k, i);

		if (!x->fields[i] || pattern_exact(&b, &name, 1, &ignored) < 0 ||
			strcmp(b.p, pattern_text(x->fields[i])) != 0)
			return false;
	}
	return true;
}

/* The last section that matches a series; NULL none. -1 with err set. */
static int last_match(
	struct accepts *a, const struct series_key *k, struct accept_section **ret, struct err *err)
{
	size_t i;

	*ret = NULL;
	for (i = a->n; i > 0 && !*ret; i--) {
		int match = accepts_match(&a->v[i - 1], k, err);
		if (match < 0)
			return -1;
		if (match)
			*ret = &a->v[i - 1];
	}
	return 0;
}

/* Whether a section is for this series alone, as far as is known. 1, 0, -1. */
static int is_own(const struct accept_section *x, const struct series_key *k,
	const struct outcomes *o, struct err *err)
{
	size_t i, n = 0;

	if (!x || !is_exact(x, k))
		return 0;
	for (i = 0; i < o->n && n < 2; i++) {
		const struct series_key *other = &o->v[i].key;
		int match =
			!strcmp(k->benchmark, other->benchmark) && !strcmp(k->metric, other->metric)
				? accepts_match(x, other, err)
				: 0;
		if (match < 0)
			return -1;
		n += match > 0;
	}
	return n == 1;
}

static bool same_names(const struct outcome *a, const struct outcome *b)
{
	return !strcmp(a->key.suite, b->key.suite) && !strcmp(a->key.benchmark, b->key.benchmark) &&
	       !strcmp(a->key.metric, b->key.metric);
}

/* Outcomes of one suite, benchmark and metric: [first, end). */
struct group {
	size_t first, end;
};

static void find_group(const struct outcomes *o, size_t at, struct group *g)
{
	if (at < g->end)
		return;
	for (g->first = at; g->first > 0 && same_names(&o->v[g->first - 1], &o->v[at]);)
		g->first--;
	for (g->end = at + 1; g->end < o->n && same_names(&o->v[g->end], &o->v[at]);)
		g->end++;
}

/* Whether two outcomes of a group differ in nothing but the runner. */
static bool only_runner_differs(const struct outcome *a, const struct outcome *b)
{
	return !strcmp(a->key.variant, b->key.variant) && strcmp(a->key.runner, b->key.runner) != 0;
}

/* The fields that tell an outcome from the others of its group, which is sorted. */
static unsigned needed_fields(const struct outcomes *o, size_t at, const struct group *g)
{
	const struct outcome *x = &o->v[at];
	unsigned fields = WITH_NAMES;

	if (strcmp(o->v[g->first].key.variant, o->v[g->end - 1].key.variant) != 0)
		fields |= WITH_VARIANT;
	if ((at > g->first && only_runner_differs(x, x - 1)) ||
		(at + 1 < g->end && only_runner_differs(x, x + 1)))
		fields |= WITH_RUNNER;
	return fields;
}

static void note_written(struct accepts *a, const char *name)
{
	a->written = xgrow(a->written, a->n_written, &a->cap_written, sizeof(*a->written));
	a->written[a->n_written++] = xstrdup(name);
}

/* A name for a new section that no other has. */
static char *new_name(const struct accepts *a, const struct series_key *k, unsigned fields)
{
	_cleanup_(buf_release) struct buf wish = BUF_INIT;
	struct buf ret = BUF_INIT;

	buf_addf(&wish, "%s %s", k->benchmark, k->metric);
	if (fields & WITH_VARIANT && *k->variant)
		buf_addf(&wish, " @%s", k->variant);
	if (fields & WITH_RUNNER)
		buf_addf(&wish, " on %s", k->runner);
	conf_edit_free_name(&ret, a->names, wish.p);
	return buf_take(&ret);
}

static int add_new(struct accepts *a, const struct series_key *k, unsigned fields, const char *to,
	const char *reason, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	_cleanup_(freep) char *name = new_name(a, k, fields);
	size_t i;

	buf_addf(&b, "[accept \"%s\"]\n", name);
	for (i = 0; i < FIELD_COUNT; i++) {
		const char *s = field(k, i);
		if (!(fields & 1u << i))
			continue;
		buf_addf(&b, "\t%s = ", policy_field_name((enum field)i));
		if (pattern_exact(&b, &s, 1, err) < 0)
			return -1;
		buf_addch(&b, '\n');
	}
	buf_addf(&b, "\tto = %s\n\treason = %s\n", to, reason);
	conf_edit_append(a->edit, b.p);
	note_written(a, name);
	a->n_added++;
	return 0;
}

static int write_one(struct accepts *a, const struct outcomes *o, size_t at, const struct group *g,
	const char *reason, struct err *err)
{
	const struct series_key *k = &o->v[at].key;
	_cleanup_(buf_release) struct buf to = BUF_INIT;
	struct accept_section *section;
	int own;

	if (last_match(a, k, &section, err) < 0 || (own = is_own(section, k, o, err)) < 0)
		return -1;
	decimal_format(&to, o->v[at].head);
	if (!own)
		return add_new(a, k, needed_fields(o, at, g), to.p, reason, err);
	conf_edit_set(a->edit, section->s, "to", to.p);
	conf_edit_set(a->edit, section->s, "reason", reason);
	note_written(a, section->s->name ? section->s->name : "");
	return 0;
}

int accepts_write(struct accepts *a, const struct outcomes *o, const bool *chosen,
	const char *reason, struct err *err)
{
	struct group g = {0};
	size_t i;

	for (i = 0; i < o->n; i++) {
		if (!chosen[i])
			continue;
		find_group(o, i, &g);
		if (i > g.first && chosen[i - 1] &&
			!series_key_compare(&o->v[i].key, &o->v[i - 1].key))
			return err_set(err, ERR_FORMAT, "%.60s %.200s %.60s is regressed twice",
				o->v[i].key.suite, o->v[i].key.benchmark, o->v[i].key.metric);
		if (write_one(a, o, i, &g, reason, err) < 0)
			return -1;
	}
	return 0;
}

int accepts_text(const struct accepts *a, struct buf *ret, struct err *err)
{
	conf_edit_text(a->edit, ret);
	if (ret->len > CONF_MAX && a->n_written)
		return err_set(err, ERR_POLICY,
			"%zu sections do not fit into a perfgate.conf of 1 MiB; --only PATTERN narrows them",
			a->n_written);
	return 0;
}

void accepts_drop(struct accepts *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->v[i].drop)
			conf_edit_drop(a->edit, a->v[i].s);
}

int accepts_check_reason(const char *reason, struct err *err)
{
	_cleanup_(buf_release) struct buf safe = BUF_INIT;
	size_t len = reason ? strlen(reason) : 0;

	if (!len || strspn(reason, " \t") == len)
		return err_set(err, ERR_USAGE,
			"say why, for those who read perfgate.conf: perfgate accept --reason 'pooled buffers trade allocations for latency'");
	text_escape(&safe, reason, len);
	if (len > REASON_MAX || safe.len != len)
		return err_set(err, ERR_USAGE,
			"--reason: expected one line of text of at most 4 KiB, without control characters");
	if (strchr(" \t", reason[0]) || strchr(" \t", reason[len - 1]))
		return err_set(err, ERR_USAGE, "--reason: blanks at an end");
	return 0;
}
