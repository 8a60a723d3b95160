#include "rules.h"

#include "cpus.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

int parse_unknown_key(const struct conf_section *s, const char *key, const char *const *known,
	size_t n, struct err *err)
{
	const char *nearest = text_nearest(key, known, n);
	_cleanup_(buf_release) struct buf all = BUF_INIT;
	size_t i;

	if (nearest)
		return err_set(err, ERR_POLICY, "no key '%.60s' in [%s]; did you mean '%s'?", key,
			s->kind, nearest);
	for (i = 0; i < n; i++)
		buf_addf(&all, "%s%s", i ? ", " : "", known[i]);
	return err_set(
		err, ERR_POLICY, "no key '%.60s' in [%s], which has: %s", key, s->kind, all.p);
}

int parse_place(const char *name, unsigned line, const char *key, struct err *err)
{
	err->code = ERR_POLICY;
	return key ? err_prefix(err, "%.200s:%u: %.60s", name, line, key)
		   : err_prefix(err, "%.200s:%u", name, line);
}

/* ---- [rule] ---- */

static int unknown_rule_key(const struct conf_section *s, const char *key, struct err *err)
{
	const char *known[FIELD_COUNT + ATTR_COUNT];
	size_t i, n = 0;

	for (i = 0; i < FIELD_COUNT; i++)
		known[n++] = field_keys[i];
	for (i = 0; i < ATTR_COUNT; i++)
		known[n++] = attribute_keys[i].key;
	return parse_unknown_key(s, key, known, n, err);
}

static int parse_rule_entry(struct rule *r, const char *name, const struct conf_section *s,
	const struct conf_entry *e, struct err *err)
{
	const enum field field = value_field(e->key);
	size_t i;

	if (field < FIELD_COUNT) {
		if (value_pattern(&r->selector, field, e->value, err) < 0)
			return parse_place(name, e->line, e->key, err);
		return 0;
	}
	for (i = 0; i < ATTR_COUNT; i++) {
		if (strcmp(e->key, attribute_keys[i].key) != 0)
			continue;
		r->set |= 1u << i;
		if (i == ATTR_FLOOR)
			r->floor_line = e->line;
		if (attribute_keys[i].parse(e->value, r, err) < 0)
			return parse_place(name, e->line, e->key, err);
		return 0;
	}
	unknown_rule_key(s, e->key, err);
	return parse_place(name, e->line, NULL, err);
}

static int refuse_idle(const char *name, const struct conf_section *s, struct err *err)
{
	_cleanup_(buf_release) struct buf all = BUF_INIT;
	size_t i;

	for (i = 0; i < ATTR_COUNT; i++)
		buf_addf(&all, "%s%s",
			!i                   ? ""
			: i + 1 < ATTR_COUNT ? ", "
					     : " or ",
			attribute_keys[i].key);
	err_set(err, ERR_POLICY, "[rule \"%.80s\"] sets nothing: it needs %s", s->name, all.p);
	return parse_place(name, s->line, NULL, err);
}

static int parse_rule(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	struct rule *r;
	size_t i;

	if (!s->name) {
		err_set(err, ERR_POLICY, "a rule needs a name: [rule \"what it is for\"]");
		return parse_place(name, s->line, NULL, err);
	}
	p->rules = xgrow(p->rules, p->n, &p->cap, sizeof(*p->rules));
	r = &p->rules[p->n++];
	*r = (struct rule){
		.selector.name = xasprintf("%s:%u %s", name, s->line, s->name), .own = true};
	for (i = 0; i < s->n; i++)
		if (parse_rule_entry(r, name, s, &s->entries[i], err) < 0)
			return -1;
	return r->set ? 0 : refuse_idle(name, s, err);
}

/* ---- sections of single settings ---- */

static int parse_revision(char **ret, const char *value, struct err *err)
{
	if (!*value || *value == '-' || strpbrk(value, " \t"))
		return value_expected("a branch or another revision", value, NULL, err);
	*ret = xstrdup(value);
	return 0;
}

static int parse_base(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)p;
	if (g->glob)
		return err_set(err, ERR_POLICY,
			"it names the target branch, which [gate \"%.60s\"] presupposes: it belongs into [gate]",
			g->glob);
	return parse_revision(&g->base, value, err);
}

static int parse_reference(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)p;
	return parse_revision(&g->reference, value, err);
}

static int parse_words(struct words *w, const char *value, const char *what, struct err *err)
{
	size_t n;

	for (; *value; value += n + strspn(value + n, " \t")) {
		n = strcspn(value, " \t");
		w->v = xgrow(w->v, w->n, &w->cap, sizeof(*w->v));
		w->v[w->n++] = xstrndup(value, n);
	}
	return w->n ? 0 : value_expected(what, value, NULL, err);
}

static int parse_expect(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
	size_t i;

	(void)p;
	if (parse_words(&g->expect, value, "suites separated by blanks", err) < 0)
		return -1;
	for (i = 0; i < g->expect.n; i++)
		if (g->expect.v[i][strspn(g->expect.v[i], letters)])
			return err_set(err, ERR_POLICY,
				"'%.80s' is no name of a suite (letters, digits, '_', '.', '-'); suites are separated by blanks",
				g->expect.v[i]);
	return 0;
}

static int parse_max_distance(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)p;
	return num_parse_int(value, strlen(value), 1, 100000, &g->max_distance, err);
}

static int parse_require(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	static const char *const words[] = {"no", "yes"};
	int i = value_word(value, words, ARRAY_LEN(words), "yes or no", err);

	(void)p;
	g->require = i == 1;
	return i < 0 ? -1 : 0;
}

static int parse_creep(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)p;
	return value_share(value, &g->creep, err);
}

static int parse_policy_from(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	static const char *const words[] = {"head", "base"};
	int i = value_word(value, words, ARRAY_LEN(words), "head or base", err);

	(void)p;
	g->from_base = i == 1;
	return i < 0 ? -1 : 0;
}

static int parse_ignore_dirty(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)g;
	return parse_words(&p->ignore_dirty, value, "file name patterns separated by blanks", err);
}

/* The section that is being read. */
static struct job *this_job(struct policy *p)
{
	return &p->jobs[p->n_jobs - 1];
}

static int parse_measure_setup(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)g;
	if (!*value)
		return value_expected("a command line for the shell", value, NULL, err);
	this_job(p)->setup = xstrdup(value);
	return 0;
}

static int parse_measure_command(
	struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)g;
	return parse_words(&this_job(p)->command, value,
		"a program and its arguments separated by blanks", err);
}

static int parse_measure_pairs(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)g;
	return num_parse_int(value, strlen(value), 1, MEASURE_PAIRS_MAX, &this_job(p)->pairs, err);
}

static int parse_measure_timeout(
	struct policy *p, struct gate *g, const char *value, struct err *err)
{
	(void)g;
	return span_parse(value, &this_job(p)->timeout, err);
}

static int parse_measure_cpus(struct policy *p, struct gate *g, const char *value, struct err *err)
{
	struct err list = ERR_INIT;
	struct cpus cpus;

	(void)g;
	if (strcmp(value, "none") && strcmp(value, "auto") && cpus_parse(&cpus, value, &list) < 0)
		return value_expected(
			"none, auto or a list of CPUs such as 2 or 0-3,8", value, NULL, err);
	this_job(p)->cpus = xstrdup(value);
	return 0;
}

/* Adding one: a line here, an item in docs/perfgate.conf.5, and for [gate] an enum gate_key. */
struct setting {
	const char *section, *key;
	int (*parse)(struct policy *p, struct gate *g, const char *value, struct err *err);
	enum gate_key of_gate;
};

static const struct setting settings[] = {
	{"gate", "base", parse_base, GATE_BASE},
	{"gate", "expect", parse_expect, GATE_EXPECT},
	{"gate", "max-distance", parse_max_distance, GATE_MAX_DISTANCE},
	{"gate", "require", parse_require, GATE_REQUIRE},
	{"gate", "reference", parse_reference, GATE_REFERENCE},
	{"gate", "creep", parse_creep, GATE_CREEP},
	{"gate", "policy-from", parse_policy_from, GATE_POLICY_FROM},
	{"ingest", "ignore-dirty", parse_ignore_dirty, GATE_KEYS},
	{"measure", "setup", parse_measure_setup, GATE_KEYS},
	{"measure", "command", parse_measure_command, GATE_KEYS},
	{"measure", "pairs", parse_measure_pairs, GATE_KEYS},
	{"measure", "cpus", parse_measure_cpus, GATE_KEYS},
	{"measure", "timeout", parse_measure_timeout, GATE_KEYS},
};

static int unknown_setting(const struct conf_section *s, const char *key, struct err *err)
{
	const char *known[ARRAY_LEN(settings)];
	size_t i, n = 0;

	for (i = 0; i < ARRAY_LEN(settings); i++)
		if (!strcmp(settings[i].section, s->kind))
			known[n++] = settings[i].key;
	return parse_unknown_key(s, key, known, n, err);
}

static int parse_setting(struct policy *p, struct gate *g, const char *name,
	const struct conf_section *s, const struct conf_entry *e, struct err *err)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(settings); i++) {
		if (strcmp(settings[i].section, s->kind) != 0 ||
			strcmp(settings[i].key, e->key) != 0)
			continue;
		if (g)
			g->set |= 1u << settings[i].of_gate;
		if (settings[i].parse(p, g, e->value, err) < 0)
			return parse_place(name, e->line, e->key, err);
		return 0;
	}
	unknown_setting(s, e->key, err);
	return parse_place(name, e->line, NULL, err);
}

static int parse_settings(struct policy *p, struct gate *g, const char *name,
	const struct conf_section *s, struct err *err)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (parse_setting(p, g, name, s, &s->entries[i], err) < 0)
			return -1;
	return 0;
}

static int parse_unnamed(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	if (s->name) {
		err_set(err, ERR_POLICY, "[%s] takes no name", s->kind);
		return parse_place(name, s->line, NULL, err);
	}
	return parse_settings(p, NULL, name, s, err);
}

static int parse_gate(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	struct gate *g;

	if (s->name && strpbrk(s->name, "[]\\")) {
		err_set(err, ERR_POLICY,
			"'%.80s': expected the name of a branch, in which '*' stands for anything and '?' for one byte",
			s->name);
		return parse_place(name, s->line, NULL, err);
	}
	p->gates = xgrow(p->gates, p->n_gates, &p->cap_gates, sizeof(*p->gates));
	g = &p->gates[p->n_gates++];
	*g = (struct gate){.glob = s->name ? xstrdup(s->name) : NULL,
		.name = s->name ? xasprintf("%s:%u [gate \"%s\"]", name, s->line, s->name)
				: xasprintf("%s:%u [gate]", name, s->line)};
	return parse_settings(p, g, name, s, err);
}

static int parse_measure(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	struct job *j;

	p->jobs = xgrow(p->jobs, p->n_jobs, &p->cap_jobs, sizeof(*p->jobs));
	j = &p->jobs[p->n_jobs++];
	*j = (struct job){.name = s->name ? xstrdup(s->name) : NULL};
	if (parse_settings(p, NULL, name, s, err) < 0)
		return -1;
	if (s->name && !this_job(p)->command.n) {
		err_set(err, ERR_POLICY,
			"[measure \"%.80s\"] needs `command`, a program and its arguments",
			s->name);
		return parse_place(name, s->line, NULL, err);
	}
	return 0;
}

/* ---- all of it ---- */

static int parse_accept(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	return section_parse(p, name, s, SECTION_ACCEPT, err);
}

static int parse_waive(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	return section_parse(p, name, s, SECTION_WAIVE, err);
}

static int parse_rename(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	return section_parse(p, name, s, SECTION_RENAME, err);
}

static int parse_retire(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	return section_parse(p, name, s, SECTION_RETIRE, err);
}

/* Adding a kind of section: a line here and a heading in docs/perfgate.conf.5. */
static const struct section_type {
	const char *kind;
	int (*parse)(
		struct policy *p, const char *name, const struct conf_section *s, struct err *err);
} section_types[] = {
	{"gate", parse_gate},
	{"rule", parse_rule},
	{"accept", parse_accept},
	{"waive", parse_waive},
	{"rename", parse_rename},
	{"retire", parse_retire},
	{"ingest", parse_unnamed},
	{"measure", parse_measure},
};

static int unknown_section(const char *name, const struct conf_section *s, struct err *err)
{
	_cleanup_(buf_release) struct buf all = BUF_INIT;
	const char *known[ARRAY_LEN(section_types)], *nearest;
	size_t i, n = ARRAY_LEN(section_types);

	for (i = 0; i < n; i++) {
		known[i] = section_types[i].kind;
		buf_addf(&all, "%s[%s]", !i ? "" : i + 1 < n ? ", " : " and ", known[i]);
	}
	nearest = text_nearest(s->kind, known, n);
	if (nearest)
		err_set(err, ERR_POLICY, "no section [%.60s]; did you mean [%s]?", s->kind,
			nearest);
	else
		err_set(err, ERR_POLICY, "no section [%.60s]; there are %s", s->kind, all.p);
	return parse_place(name, s->line, NULL, err);
}

static int parse_section(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(section_types); i++)
		if (!strcmp(section_types[i].kind, s->kind))
			return section_types[i].parse(p, name, s, err);
	return unknown_section(name, s, err);
}

int policy_parse_conf(struct policy *p, const char *name, const struct conf *conf, struct err *err)
{
	size_t i;

	for (i = 0; i < conf->n; i++)
		if (parse_section(p, name, &conf->sections[i], err) < 0)
			return -1;
	return 0;
}
