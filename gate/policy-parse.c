#include "rules.h"

#include "conf.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char *const field_keys[FIELD_COUNT] = {
	[FIELD_SUITE] = "suite",
	[FIELD_BENCHMARK] = "benchmark",
	[FIELD_METRIC] = "metric",
	[FIELD_VARIANT] = "variant",
	[FIELD_RUNNER] = "runner",
};

/* Known to the design, not to this version. */
static const char *const later_sections[] = {"accept", "waive", "rename", "retire"};
static const char *const later_keys[] = {"policy-from", "sessions"};

static bool is_one_of(const char *s, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(s, words[i]))
			return true;
	return false;
}

static int unknown_key(const struct conf_section *s, const char *key, const char *const *known,
	size_t n, struct err *err)
{
	const char *nearest = text_nearest(key, known, n);
	_cleanup_(buf_release) struct buf all = BUF_INIT;
	size_t i;

	if (is_one_of(key, later_keys, ARRAY_LEN(later_keys)))
		return err_set(err, ERR_POLICY, "this version does not know '%s' yet", key);
	if (nearest)
		return err_set(err, ERR_POLICY, "no key '%.60s' in [%s]; did you mean '%s'?", key,
			s->kind, nearest);
	for (i = 0; i < n; i++)
		buf_addf(&all, "%s%s", i ? ", " : "", known[i]);
	return err_set(
		err, ERR_POLICY, "no key '%.60s' in [%s], which has: %s", key, s->kind, all.p);
}

static int unknown_rule_key(const struct conf_section *s, const char *key, struct err *err)
{
	const char *known[FIELD_COUNT + ATTR_COUNT];
	size_t i, n = 0;

	for (i = 0; i < FIELD_COUNT; i++)
		known[n++] = field_keys[i];
	for (i = 0; i < ATTR_COUNT; i++)
		known[n++] = attribute_keys[i].key;
	return unknown_key(s, key, known, n, err);
}

static int parse_pattern(struct rule *r, size_t field, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, ERR_POLICY, "an empty pattern; without the key, any %s matches",
			field_keys[field]);
	r->patterns[field] = pattern_new(value, err);
	return r->patterns[field] ? 0 : -1;
}

static int parse_rule_entry(
	struct rule *r, const struct conf_section *s, const struct conf_entry *e, struct err *err)
{
	size_t i;

	for (i = 0; i < FIELD_COUNT; i++)
		if (!strcmp(e->key, field_keys[i]))
			return parse_pattern(r, i, e->value, err);
	for (i = 0; i < ATTR_COUNT; i++) {
		if (!strcmp(e->key, attribute_keys[i].key)) {
			r->set |= 1u << i;
			return attribute_keys[i].parse(e->value, &r->decision, err);
		}
	}
	return unknown_rule_key(s, e->key, err);
}

/* Puts "NAME:LINE: KEY: " before an error; the key only where the message does not name it. */
static int place(const char *name, unsigned line, const char *key, struct err *err)
{
	err->code = ERR_POLICY;
	return key ? err_prefix(err, "%.200s:%u: %.60s", name, line, key)
		   : err_prefix(err, "%.200s:%u", name, line);
}

static bool names_a_key(const char *key)
{
	size_t i;

	for (i = 0; i < ATTR_COUNT; i++)
		if (!strcmp(key, attribute_keys[i].key))
			return true;
	return is_one_of(key, field_keys, FIELD_COUNT);
}

static int parse_rule(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	struct rule *r;
	size_t i;

	if (!s->name) {
		err_set(err, ERR_POLICY, "a rule needs a name: [rule \"what it is for\"]");
		return place(name, s->line, NULL, err);
	}
	p->rules = xgrow(p->rules, p->n, &p->cap, sizeof(*p->rules));
	r = &p->rules[p->n++];
	*r = (struct rule){.name = xasprintf("%s:%u %s", name, s->line, s->name)};
	for (i = 0; i < s->n; i++) {
		const struct conf_entry *e = &s->entries[i];
		if (parse_rule_entry(r, s, e, err) < 0)
			return place(name, e->line, names_a_key(e->key) ? e->key : NULL, err);
	}
	if (!r->set) {
		err_set(err, ERR_POLICY,
			"[rule \"%.80s\"] sets nothing: it needs class, judge, direction, tolerance, floor, "
			"cross-tolerance, missing or across-runners",
			s->name);
		return place(name, s->line, NULL, err);
	}
	return 0;
}

/* ---- sections of single settings ---- */

static int parse_base(struct policy *p, const char *value, struct err *err)
{
	if (!*value || *value == '-' || strpbrk(value, " \t"))
		return value_expected("a branch or another revision", value, NULL, err);
	p->base = xstrdup(value);
	return 0;
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

static int parse_expect(struct policy *p, const char *value, struct err *err)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
	size_t i;

	if (parse_words(&p->expect, value, "suites separated by blanks", err) < 0)
		return -1;
	for (i = 0; i < p->expect.n; i++)
		if (p->expect.v[i][strspn(p->expect.v[i], letters)])
			return err_set(err, ERR_POLICY,
				"'%.80s' is no name of a suite (letters, digits, '_', '.', '-'); suites are separated by blanks",
				p->expect.v[i]);
	return 0;
}

static int parse_max_distance(struct policy *p, const char *value, struct err *err)
{
	return num_parse_int(value, strlen(value), 1, 100000, &p->max_distance, err);
}

static int parse_require(struct policy *p, const char *value, struct err *err)
{
	static const char *const words[] = {"no", "yes"};
	int i = value_word(value, words, ARRAY_LEN(words), "yes or no", err);

	if (i < 0)
		return -1;
	p->require = i == 1;
	return 0;
}

static int parse_ignore_dirty(struct policy *p, const char *value, struct err *err)
{
	return parse_words(&p->ignore_dirty, value, "file name patterns separated by blanks", err);
}

struct setting {
	const char *section, *key;
	int (*parse)(struct policy *p, const char *value, struct err *err);
};

static const struct setting settings[] = {
	{"gate", "base", parse_base},
	{"gate", "expect", parse_expect},
	{"gate", "max-distance", parse_max_distance},
	{"gate", "require", parse_require},
	{"ingest", "ignore-dirty", parse_ignore_dirty},
};

static int unknown_setting(const struct conf_section *s, const char *key, struct err *err)
{
	const char *known[ARRAY_LEN(settings)];
	size_t i, n = 0;

	for (i = 0; i < ARRAY_LEN(settings); i++)
		if (!strcmp(settings[i].section, s->kind))
			known[n++] = settings[i].key;
	return unknown_key(s, key, known, n, err);
}

static int parse_setting(struct policy *p, const char *name, const struct conf_section *s,
	const struct conf_entry *e, struct err *err)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(settings); i++) {
		if (strcmp(settings[i].section, s->kind) != 0 ||
			strcmp(settings[i].key, e->key) != 0)
			continue;
		if (settings[i].parse(p, e->value, err) < 0)
			return place(name, e->line, e->key, err);
		return 0;
	}
	unknown_setting(s, e->key, err);
	return place(name, e->line, NULL, err);
}

static int unknown_section(const char *name, const struct conf_section *s, struct err *err)
{
	static const char *const known[] = {"gate", "rule", "ingest"};
	const char *nearest = text_nearest(s->kind, known, ARRAY_LEN(known));

	if (is_one_of(s->kind, later_sections, ARRAY_LEN(later_sections)))
		err_set(err, ERR_POLICY, "this version does not know [%s] yet", s->kind);
	else if (nearest)
		err_set(err, ERR_POLICY, "no section [%.60s]; did you mean [%s]?", s->kind,
			nearest);
	else
		err_set(err, ERR_POLICY,
			"no section [%.60s]; there are [gate], [rule] and [ingest]", s->kind);
	return place(name, s->line, NULL, err);
}

static int parse_section(
	struct policy *p, const char *name, const struct conf_section *s, struct err *err)
{
	size_t i;

	if (!strcmp(s->kind, "rule"))
		return parse_rule(p, name, s, err);
	if (strcmp(s->kind, "gate") != 0 && strcmp(s->kind, "ingest") != 0)
		return unknown_section(name, s, err);
	if (s->name) {
		err_set(err, ERR_POLICY, "[%s] takes no name", s->kind);
		return place(name, s->line, NULL, err);
	}
	for (i = 0; i < s->n; i++)
		if (parse_setting(p, name, s, &s->entries[i], err) < 0)
			return -1;
	return 0;
}

int policy_parse(struct policy *p, const char *name, const char *text, size_t len, struct err *err)
{
	struct conf *conf = conf_parse(name, text, len, err);
	size_t i;

	if (!conf)
		return -1;
	for (i = 0; i < conf->n; i++)
		if (parse_section(p, name, &conf->sections[i], err) < 0)
			break;
	conf_free(conf);
	return err->code ? -1 : 0;
}
