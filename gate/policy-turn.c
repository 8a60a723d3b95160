#include "rules.h"

#include <string.h>

/* All that match count as matched; the last decides. */
static int last_match(struct policy *p, enum section_kind kind, const struct series_key *key,
	int *ret, struct err *err)
{
	const struct candidates *c;
	size_t i;

	*ret = -1;
	if (!p->of_kind[kind])
		return 0;
	c = policy_candidates(p, key, err);
	for (i = 0; c && i < c->n_sections; i++) {
		int section = c->sections[i], match;
		if (p->sections[section].kind != kind)
			continue;
		match = policy_section_matches(p, section, key, err);
		if (match < 0)
			return -1;
		if (!match)
			continue;
		p->sections[section].selector.used = true;
		*ret = section;
	}
	return c ? 0 : -1;
}

int policy_note_sections(struct policy *p, const struct series_key *key, struct err *err)
{
	const struct candidates *c;
	size_t i;

	if (p->n_sections == p->of_kind[SECTION_RENAME])
		return 0;
	c = policy_candidates(p, key, err);
	for (i = 0; c && i < c->n_sections; i++) {
		bool *used = &p->sections[c->sections[i]].selector.used;
		int match = *used ? 1 : policy_section_matches(p, c->sections[i], key, err);
		if (match < 0)
			return -1;
		*used = match;
	}
	return c ? 0 : -1;
}

static int find_turn(struct policy *p, enum section_kind kind, const struct series_key *key,
	struct turn *ret, struct err *err)
{
	const struct section *s;
	int section;

	if (last_match(p, kind, key, &section, err) < 0)
		return -1;
	if (section < 0)
		return 0;
	s = &p->sections[section];
	*ret = (struct turn){.section = section, .to = s->to, .until = s->until};
	return 1;
}

int policy_accept(struct policy *p, const struct series_key *key, struct turn *ret, struct err *err)
{
	struct turn turn;
	const struct section *s;
	int r = find_turn(p, SECTION_ACCEPT, key, &turn, err);

	if (r <= 0)
		return r;
	s = &p->sections[turn.section];
	if (unit_convert(s->to, s->to_unit, key->unit, &turn.to, err) < 0)
		return err_prefix(err, "%.200s:%u: to: %.40s %.60s of %.60s", p->file, s->to_line,
			key->suite, key->metric, key->benchmark);
	*ret = turn;
	return 1;
}

int policy_waive(struct policy *p, const struct series_key *key, struct turn *ret, struct err *err)
{
	return find_turn(p, SECTION_WAIVE, key, ret, err);
}

int policy_retire(struct policy *p, const struct series_key *key, struct turn *ret, struct err *err)
{
	return find_turn(p, SECTION_RETIRE, key, ret, err);
}

void policy_turned(struct policy *p, int section)
{
	p->sections[section].turned = true;
}

const char *policy_section_name(const struct policy *p, int section)
{
	return p->sections[section].selector.name;
}

const char *policy_section_reason(const struct policy *p, int section)
{
	return p->sections[section].reason;
}

static bool is_idle(const struct section *s)
{
	return (s->kind == SECTION_ACCEPT || s->kind == SECTION_RETIRE) && s->selector.used &&
	       !s->turned;
}

size_t policy_idle(const struct policy *p, int **ret)
{
	size_t i, n = 0;

	*ret = xmalloc(p->n_sections * sizeof(**ret));
	for (i = 0; i < p->n_sections; i++)
		if (is_idle(&p->sections[i]))
			(*ret)[n++] = (int)i;
	return n;
}

bool policy_sets_creep(const struct policy *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->rules[i].set & 1u << ATTR_CREEP)
			return true;
	return false;
}

size_t policy_count(const struct policy *p, const char *kind)
{
	size_t i, n = 0;

	for (i = 0; i < SECTION_KINDS; i++)
		if (!strcmp(section_kinds[i], kind))
			return p->of_kind[i];
	for (i = 0; i < p->n; i++)
		n += p->rules[i].own;
	return !strcmp(kind, "rule") ? n : !strcmp(kind, "gate") ? p->n_gates : 0;
}
