#include "rules.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

const char *const section_kinds[SECTION_KINDS] = {
	[SECTION_ACCEPT] = "accept",
	[SECTION_WAIVE] = "waive",
	[SECTION_RETIRE] = "retire",
	[SECTION_RENAME] = "rename",
};

/* ---- values ---- */

static int parse_reason(struct section *s, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, ERR_POLICY, "an empty reason");
	s->reason = xstrdup(value);
	return 0;
}

static int parse_level(struct section *s, const char *value, struct err *err)
{
	s->has_to = true;
	return unit_parse(value, &s->to, &s->to_unit, err);
}

static int parse_until(struct section *s, const char *value, struct err *err)
{
	return value_day(value, &s->until, err);
}

static int parse_from(struct section *s, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, ERR_POLICY, "an empty pattern");
	return value_pattern(&s->selector, FIELD_BENCHMARK, value, err);
}

static int parse_into(struct section *s, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, ERR_POLICY, "an empty name");
	s->into = xstrdup(value);
	return 0;
}

#define KIND(k) (1u << SECTION_##k)
#define TURNING (KIND(ACCEPT) | KIND(WAIVE) | KIND(RETIRE))

/* A rename has its pattern of the benchmark in `from`, and is for all metrics. */
static bool has_field(enum section_kind kind, enum field field)
{
	return kind == SECTION_RENAME ? field == FIELD_SUITE : field < FIELD_COUNT;
}

/* Beside the fields. Adding a key: a line here and an item in docs/perfgate.conf.5. */
static const struct section_key {
	unsigned kinds;
	const char *key;
	int (*parse)(struct section *s, const char *value, struct err *err);
} section_keys[] = {
	{KIND(RENAME), "from", parse_from},
	{KIND(RENAME), "to", parse_into},
	{KIND(ACCEPT), "to", parse_level},
	{KIND(WAIVE), "until", parse_until},
	{TURNING | KIND(RENAME), "reason", parse_reason},
};

static int unknown_section_key(
	const struct conf_section *s, enum section_kind kind, const char *key, struct err *err)
{
	const char *known[FIELD_COUNT + ARRAY_LEN(section_keys)];
	size_t i, n = 0;

	for (i = 0; i < FIELD_COUNT; i++)
		if (has_field(kind, (enum field)i))
			known[n++] = field_keys[i];
	for (i = 0; i < ARRAY_LEN(section_keys); i++)
		if (section_keys[i].kinds & 1u << kind)
			known[n++] = section_keys[i].key;
	return parse_unknown_key(s, key, known, n, err);
}

static int parse_entry(struct section *to, const char *name, const struct conf_section *s,
	const struct conf_entry *e, struct err *err)
{
	const enum field field = value_field(e->key);
	size_t i;

	if (has_field(to->kind, field)) {
		if (value_pattern(&to->selector, field, e->value, err) < 0)
			return parse_place(name, e->line, e->key, err);
		return 0;
	}
	for (i = 0; i < ARRAY_LEN(section_keys); i++) {
		const struct section_key *k = &section_keys[i];
		if (!(k->kinds & 1u << to->kind) || strcmp(k->key, e->key) != 0)
			continue;
		if (!strcmp(e->key, "to"))
			to->to_line = e->line;
		if (k->parse(to, e->value, err) < 0)
			return parse_place(name, e->line, e->key, err);
		return 0;
	}
	unknown_section_key(s, to->kind, e->key, err);
	return parse_place(name, e->line, NULL, err);
}

/* ---- what a section has to have ---- */

static bool selects(const struct section *s)
{
	size_t i;

	for (i = 0; i < FIELD_COUNT; i++)
		if (s->selector.patterns[i])
			return true;
	return false;
}

static const char *lacks(const struct section *s)
{
	struct pattern *const *patterns = s->selector.patterns;

	switch (s->kind) {
	case SECTION_ACCEPT:
		if (!patterns[FIELD_BENCHMARK] && !patterns[FIELD_METRIC])
			return "`benchmark` or `metric`, whose level is accepted";
		return s->has_to ? NULL : "`to`, the worst level that is accepted";
	case SECTION_WAIVE:
		if (!selects(s))
			return "a pattern: what is it for? (`benchmark = .` is for all)";
		if (!s->until)
			return "`until`, the last day on which it holds: until = 2027-01-31";
		return s->reason ? NULL : "`reason`";
	case SECTION_RETIRE:
		return selects(s) ? NULL : "a pattern: what is gone?";
	case SECTION_RENAME:
		if (!patterns[FIELD_BENCHMARK])
			return "`from`, a pattern that the old names match";
		return s->into ? NULL
			       : "`to`, the new name, in which $1 is what the first group matched";
	default:
		return NULL;
	}
}

static int check(
	const struct section *to, const char *name, const struct conf_section *s, struct err *err)
{
	const char *lacking = lacks(to);

	if (lacking) {
		err_set(err, ERR_POLICY, "[%s \"%.80s\"] needs %s", s->kind, s->name, lacking);
		return parse_place(name, s->line, NULL, err);
	}
	if (to->into && pattern_check_replacement(
				to->selector.patterns[FIELD_BENCHMARK], to->into, err) < 0)
		return parse_place(name, to->to_line, "to", err);
	return 0;
}

int section_parse(struct policy *p, const char *name, const struct conf_section *s,
	enum section_kind kind, struct err *err)
{
	struct section *to;
	size_t i;

	if (!s->name) {
		err_set(err, ERR_POLICY, "[%s] needs a name: [%s \"what it is for\"]", s->kind,
			s->kind);
		return parse_place(name, s->line, NULL, err);
	}
	p->sections = xgrow(p->sections, p->n_sections, &p->cap_sections, sizeof(*p->sections));
	to = &p->sections[p->n_sections++];
	*to = (struct section){.kind = kind,
		.line = s->line,
		.selector.name = xasprintf("%s:%u %s \"%s\"", name, s->line, s->kind, s->name)};
	p->of_kind[kind]++;
	for (i = 0; i < s->n; i++)
		if (parse_entry(to, name, s, &s->entries[i], err) < 0)
			return -1;
	return check(to, name, s, err);
}

void section_release(struct section *s)
{
	selector_release(&s->selector);
	free(s->reason);
	free(s->into);
}
