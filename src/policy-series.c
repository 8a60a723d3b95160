#include "policy-series.h"

#include "command.h"
#include "each-series.h"
#include "figure.h"
#include "json-out.h"
#include "policy-said.h"
#include "term.h"
#include "text.h"
#include "unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entries {
	struct said_of *v;
	size_t n, cap;
};

static int add_entry(
	void *ctx, const struct series_key *key, const struct store_series *stored, struct err *err)
{
	struct entries *e = ctx;

	(void)err;
	e->v = xgrow(e->v, e->n, &e->cap, sizeof(*e->v));
	e->v[e->n++] = (struct said_of){*key, stored->benchmark};
	return 0;
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct said_of *a = pa, *b = pb;
	int r = series_key_compare(&a->key, &b->key);

	return r ? r : strcmp(a->stored, b->stored);
}

/* ---- text ---- */

/* Exactly, with the unit where it is one to be read. */
static void add_number(struct buf *b, struct decimal d, const char *unit)
{
	const struct unit *known = unit_find(unit);

	decimal_format(b, d);
	if (known && strcmp(unit, "count") != 0 && strcmp(unit, "ratio") != 0)
		buf_addf(b, " %s", unit);
}

static void add_value(struct buf *b, const struct said *s, enum attribute a)
{
	const char *word = said_word(s, a);

	buf_addf(b, "%s = ", policy_attribute_name(a));
	if (word)
		buf_addstr(b, word);
	else if (a == ATTR_FLOOR)
		add_number(b, s->d.floor, s->of->key.unit);
	else
		figure_share(b, said_number(s, a));
}

/* A line of clauses, broken between them where it would be wider than width. */
struct line {
	int width;
	size_t column;
};

static void line_begin(struct line *l, const char *label)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	text_escape(&b, label, strlen(label));
	printf("    %s:", buf_str(&b));
	l->column = 4 + text_width(buf_str(&b), b.len) + 1;
}

static void line_add(struct line *l, const char *clause, bool first)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t width;

	text_escape(&b, clause, strlen(clause));
	width = text_width(buf_str(&b), b.len);
	if (!first) {
		fputs(",", stdout);
		l->column++;
	}
	if (l->column + 2 + width > (size_t)l->width && l->column > 8) {
		fputs("\n        ", stdout);
		l->column = 8;
	} else {
		fputs(" ", stdout);
		l->column++;
	}
	fputs(buf_str(&b), stdout);
	l->column += width;
}

static void print_attributes(const struct said *s, struct line *l)
{
	int a, k;

	for (a = 0; a < ATTR_COUNT; a++) {
		const char *by = said_by(s, (enum attribute)a);
		if (!said_is_set(s, (enum attribute)a))
			continue;
		for (k = 0; k < a && strcmp(said_by(s, (enum attribute)k), by) != 0; k++)
			;
		if (k < a)
			continue;
		line_begin(l, by);
		for (; k < ATTR_COUNT; k++) {
			_cleanup_(buf_release) struct buf b = BUF_INIT;
			if (!said_is_set(s, (enum attribute)k) ||
				strcmp(said_by(s, (enum attribute)k), by) != 0)
				continue;
			add_value(&b, s, (enum attribute)k);
			line_add(l, buf_str(&b), k == a);
		}
		fputs("\n", stdout);
	}
}

static void print_section(
	const struct said *s, struct line *l, const struct turn *t, const char *value)
{
	const char *reason = policy_section_reason(s->p, t->section);
	_cleanup_(freep) char *clause = reason ? xasprintf("reason = %s", reason) : NULL;

	line_begin(l, policy_section_name(s->p, t->section));
	if (value)
		line_add(l, value, true);
	if (clause)
		line_add(l, clause, !value);
	fputs(value || clause ? "\n" : " it is gone on purpose\n", stdout);
}

/* The last day that a waiver is for. */
static void add_day(struct buf *b, int64_t until)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	time_format(&t, until - 1000000000);
	buf_add(b, t.p, 10);
}

static void print_sections(const struct said *s, struct line *l)
{
	_cleanup_(buf_release) struct buf to = BUF_INIT, until = BUF_INIT;

	if (s->has_accept) {
		buf_addstr(&to, "to = ");
		add_number(&to, s->accept.to, s->of->key.unit);
		print_section(s, l, &s->accept, to.p);
	}
	if (s->has_waive) {
		buf_addstr(&until, "until = ");
		add_day(&until, s->waive.until);
		print_section(s, l, &s->waive, until.p);
	}
	if (s->has_retire)
		print_section(s, l, &s->retire, NULL);
}

static void print_text(const struct said *s, int width)
{
	const struct series_key *k = &s->of->key;
	struct line l = {.width = width};

	fputs("\n", stdout);
	print_line("%s %s %s, on %s%s%s", k->suite, k->benchmark, k->metric, k->runner,
		*k->variant ? ", " : "", k->variant);
	if (s->renamed_by >= 0) {
		_cleanup_(freep) char *was = xasprintf("it was %s", s->of->stored);
		line_begin(&l, policy_section_name(s->p, s->renamed_by));
		line_add(&l, was, true);
		fputs("\n", stdout);
	}
	print_attributes(s, &l);
	print_sections(s, &l);
}

/* ---- JSON ---- */

static void json_attribute(struct buf *b, const struct said *s, enum attribute a)
{
	_cleanup_(freep) char *key = xstrdup(policy_attribute_name(a));
	const char *word = said_word(s, a);
	char *dash;

	while ((dash = strchr(key, '-')))
		*dash = '_';
	json_key(b, key);
	buf_addch(b, '{');
	json_key(b, "value");
	if (!said_is_set(s, a))
		buf_addstr(b, "null");
	else if (word)
		text_json_str(b, word);
	else
		decimal_format(b, said_number(s, a));
	json_string(b, "by", said_is_set(s, a) ? said_by(s, a) : NULL);
	buf_addch(b, '}');
}

static void json_section(
	struct buf *b, const struct said *s, const char *kind, int has, const struct turn *t)
{
	_cleanup_(buf_release) struct buf day = BUF_INIT;

	if (!has) {
		json_null(b, kind);
		return;
	}
	json_key(b, kind);
	buf_addch(b, '{');
	json_string(b, "section", policy_section_name(s->p, t->section));
	json_string(b, "reason", policy_section_reason(s->p, t->section));
	if (t == &s->accept) {
		json_key(b, "to");
		decimal_format(b, t->to);
	} else if (t == &s->waive) {
		add_day(&day, t->until);
		json_string(b, "until", day.p);
	}
	buf_addch(b, '}');
}

static void print_json(const struct said *s, bool first)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	int a;

	buf_addstr(&b, first ? " {" : ",\n {");
	json_series_key(&b, &s->of->key);
	json_string(&b, "renamed_from", s->renamed_by < 0 ? NULL : s->of->stored);
	json_string(
		&b, "rename", s->renamed_by < 0 ? NULL : policy_section_name(s->p, s->renamed_by));
	json_key(&b, "attributes");
	buf_addch(&b, '{');
	for (a = 0; a < ATTR_COUNT; a++)
		json_attribute(&b, s, (enum attribute)a);
	buf_addch(&b, '}');
	json_section(&b, s, "accept", s->has_accept, &s->accept);
	json_section(&b, s, "waive", s->has_waive, &s->waive);
	json_section(&b, s, "retire", s->has_retire, &s->retire);
	printf("%s}", b.p);
}

/* ---- all of them ---- */

static int print_all(struct context *c, const struct entries *e, bool json, struct err *err)
{
	const int width = isatty(STDOUT_FILENO) ? term_width(stdout) : INT_MAX;
	struct said s;
	size_t i;

	if (json)
		puts("[");
	else
		printf("policy: %s\n", c->policy_name);
	for (i = 0; i < e->n; i++) {
		if (said_ask(c->policy, &e->v[i], &s, err) < 0)
			return -1;
		if (json)
			print_json(&s, i == 0);
		else
			print_text(&s, width);
	}
	if (json)
		puts(e->n ? "\n]" : "]");
	return 0;
}

int policy_print_series(struct context *c, struct pattern *only, bool json, struct err *err)
{
	struct intern *names = intern_new();
	struct entries e = {0};
	int r = each_series(c->store, c->policy, only, names, add_entry, &e, err);

	if (r == 0) {
		if (e.n)
			qsort(e.v, e.n, sizeof(*e.v), compare_entries);
		r = print_all(c, &e, json, err);
	}
	free(e.v);
	intern_free(names);
	return r;
}
