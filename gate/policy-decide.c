/*
 * What rules say of a series. Which of them match its suite, metric and variant is found once for
 * all series that have these in common, and kept.
 */
#include "rules.h"

#include <stdlib.h>
#include <string.h>

void policy_forget_candidates(struct policy *p)
{
	size_t i;

	for (i = 0; i < intern_count(p->keys); i++) {
		free(p->candidates[i].rules);
		free(p->candidates[i].sections);
	}
	free(p->candidates);
	p->candidates = NULL;
	p->cap_candidates = 0;
	intern_free(p->keys);
	p->keys = intern_new();
	memset(p->recent, 0, sizeof(p->recent));
}

/* Says whose pattern failed. */
static int matches(const struct selector *s, enum field field, const char *text, struct err *err)
{
	int match;

	if (!s->patterns[field])
		return 1;
	match = pattern_match(s->patterns[field], text, strlen(text), err);
	return match < 0 ? err_prefix(err, "%.120s", s->name) : match;
}

static int is_candidate(const struct selector *s, const struct series_key *key, struct err *err)
{
	int match = matches(s, FIELD_SUITE, key->suite, err);

	if (match == 1)
		match = matches(s, FIELD_METRIC, key->metric, err);
	if (match == 1)
		match = matches(s, FIELD_VARIANT, key->variant, err);
	return match;
}

static int is_candidate_rule(const struct rule *r, const struct series_key *key, struct err *err)
{
	if (r->builtin)
		return builtin_match(r->builtin, key);
	return r->set ? is_candidate(&r->selector, key, err) : 0;
}

static bool looks_further(const struct selector *s)
{
	return s->patterns[FIELD_BENCHMARK] || s->patterns[FIELD_RUNNER];
}

static void apply(struct decision *d, const struct rule *r, int index)
{
	const struct decision *from = &r->decision;
	int a;

	if (r->set & 1u << ATTR_CLASS)
		d->class_ = from->class_;
	if (r->set & 1u << ATTR_JUDGE)
		d->judge = from->judge;
	if (r->set & 1u << ATTR_DIRECTION)
		d->direction = from->direction;
	if (r->set & 1u << ATTR_TOLERANCE)
		d->tolerance = from->tolerance;
	if (r->set & 1u << ATTR_FLOOR)
		d->floor = from->floor;
	if (r->set & 1u << ATTR_CROSS_TOLERANCE)
		d->cross_tolerance = from->cross_tolerance;
	if (r->set & 1u << ATTR_MISSING)
		d->missing = from->missing;
	if (r->set & 1u << ATTR_ACROSS)
		d->across = from->across;
	if (r->set & 1u << ATTR_SESSIONS)
		d->sessions = from->sessions;
	if (r->set & 1u << ATTR_CREEP)
		d->creep = from->creep;
	if (r->set & 1u << ATTR_BOUND)
		d->bound = from->bound;
	for (a = 0; a < ATTR_COUNT; a++)
		if (r->set & 1u << a)
			d->by[a] = index;
}

static struct decision undecided(void)
{
	struct decision d = {0};
	int a;

	for (a = 0; a < ATTR_COUNT; a++)
		d.by[a] = -1;
	return d;
}

/* What follows from the other attributes. */
static void complete(struct decision *d)
{
	if (d->by[ATTR_MISSING] < 0) {
		d->missing = d->class_ == CLASS_HARD ? MISSING_ERROR : MISSING_WARN;
		d->by[ATTR_MISSING] = d->by[ATTR_CLASS];
	}
	if (d->by[ATTR_CROSS_TOLERANCE] < d->by[ATTR_TOLERANCE] &&
		(d->by[ATTR_CROSS_TOLERANCE] < 0 ||
			decimal_cmp(d->cross_tolerance, d->tolerance) < 0)) {
		d->cross_tolerance = d->tolerance;
		d->by[ATTR_CROSS_TOLERANCE] = d->by[ATTR_TOLERANCE];
	}
}

static int collect_rules(
	struct policy *p, const struct series_key *key, struct candidates *c, struct err *err)
{
	size_t i;

	c->fixed = true;
	c->decision = undecided();
	for (i = 0; i < p->n; i++) {
		struct rule *r = &p->rules[i];
		int match = is_candidate_rule(r, key, err);
		if (match < 0)
			return -1;
		if (!match)
			continue;
		c->rules = xgrow(c->rules, c->n, &c->cap, sizeof(*c->rules));
		c->rules[c->n++] = (int)i;
		if (looks_further(&r->selector))
			c->fixed = false;
		else
			r->selector.used = true;
		apply(&c->decision, r, (int)i);
	}
	complete(&c->decision);
	return 0;
}

static int collect_sections(
	struct policy *p, const struct series_key *key, struct candidates *c, struct err *err)
{
	size_t i;

	for (i = 0; i < p->n_sections; i++) {
		int match;
		if (p->sections[i].kind == SECTION_RENAME)
			continue;
		match = is_candidate(&p->sections[i].selector, key, err);
		if (match < 0)
			return -1;
		if (!match)
			continue;
		c->sections =
			xgrow(c->sections, c->n_sections, &c->cap_sections, sizeof(*c->sections));
		c->sections[c->n_sections++] = (int)i;
	}
	return 0;
}

/* The place in the table of recent answers for these strings, by where they are: the strings of one
 * metric are mostly the same bytes in the same place. What they say is compared all the same. */
static struct recent *recent_of(struct policy *p, const struct series_key *key)
{
	uintptr_t h =
		(uintptr_t)key->metric ^ ((uintptr_t)key->variant << 3) ^ (uintptr_t)key->suite;

	return &p->recent[(h >> 4 ^ h >> 10) % RECENT];
}

static bool is_recent(const struct policy *p, const struct recent *r, const struct series_key *key)
{
	const char *s;

	if (!r->used)
		return false;
	s = intern_get(p->keys, r->id, NULL);
	if (strcmp(s, key->suite) != 0)
		return false;
	s += strlen(s) + 1;
	return !strcmp(s, key->metric) && !strcmp(s + strlen(s) + 1, key->variant);
}

static const struct candidates *find_candidates(
	struct policy *p, const struct series_key *key, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct candidates c = {0};
	uint32_t id;

	buf_add(&b, key->suite, strlen(key->suite) + 1);
	buf_add(&b, key->metric, strlen(key->metric) + 1);
	buf_addstr(&b, key->variant);
	id = intern_find(p->keys, b.p, b.len);
	if (id != INTERN_NONE)
		return &p->candidates[id];
	if (collect_rules(p, key, &c, err) < 0 || collect_sections(p, key, &c, err) < 0) {
		free(c.rules);
		free(c.sections);
		return NULL;
	}
	id = intern_add(p->keys, b.p, b.len);
	p->candidates = xgrow(p->candidates, id, &p->cap_candidates, sizeof(*p->candidates));
	p->candidates[id] = c;
	return &p->candidates[id];
}

const struct candidates *policy_candidates(
	struct policy *p, const struct series_key *key, struct err *err)
{
	struct recent *r = recent_of(p, key);
	const struct candidates *c;

	if (is_recent(p, r, key))
		return &p->candidates[r->id];
	c = find_candidates(p, key, err);
	if (c)
		*r = (struct recent){.used = true, .id = (uint32_t)(c - p->candidates)};
	return c;
}

static void memo_set(struct memo *m, const char *value, size_t selectors)
{
	if (m->filled && !strcmp(buf_str(&m->value), value))
		return;
	buf_clear(&m->value);
	buf_addstr(&m->value, value);
	memset(m->match, -1, selectors);
	m->filled = true;
}

static int memo_match(
	struct memo *m, size_t id, const struct selector *s, enum field field, struct err *err)
{
	if (m->match[id] < 0) {
		int match = matches(s, field, buf_str(&m->value), err);
		if (match < 0)
			return -1;
		m->match[id] = (signed char)match;
	}
	return m->match[id];
}

static void memo_series(struct policy *p, const struct series_key *key)
{
	memo_set(&p->benchmark, key->benchmark, p->n + p->n_sections);
	memo_set(&p->runner, key->runner, p->n + p->n_sections);
}

/* Of the series that memo_series() saw last. */
static int matches_further(struct policy *p, size_t id, const struct selector *s, struct err *err)
{
	int match = memo_match(&p->benchmark, id, s, FIELD_BENCHMARK, err);

	return match == 1 ? memo_match(&p->runner, id, s, FIELD_RUNNER, err) : match;
}

int policy_section_matches(
	struct policy *p, int section, const struct series_key *key, struct err *err)
{
	memo_series(p, key);
	return matches_further(p, p->n + (size_t)section, &p->sections[section].selector, err);
}

static int decide_further(struct policy *p, const struct candidates *c,
	const struct series_key *key, struct decision *d, struct err *err)
{
	size_t i;

	memo_series(p, key);
	*d = undecided();
	for (i = 0; i < c->n; i++) {
		struct rule *r = &p->rules[c->rules[i]];
		int match = matches_further(p, (size_t)c->rules[i], &r->selector, err);
		if (match < 0)
			return -1;
		if (!match)
			continue;
		r->selector.used = true;
		apply(d, r, c->rules[i]);
	}
	complete(d);
	return 0;
}

/* A floor of another unit becomes one of the series'. Whoever is not judged needs none. */
static int convert_floor(
	const struct policy *p, const struct series_key *key, struct decision *d, struct err *err)
{
	const int by = d->by[ATTR_FLOOR];
	const struct rule *r = by < 0 ? NULL : &p->rules[by];

	if (!r || !r->floor_unit)
		return 0;
	if (d->class_ == CLASS_INFO) {
		d->floor = (struct decimal){0, 0};
		return 0;
	}
	if (unit_convert(d->floor, r->floor_unit, key->unit, &d->floor, err) == 0)
		return 0;
	return err_prefix(err, "%.200s:%u: floor: %.40s %.60s of %.60s", p->file, r->floor_line,
		key->suite, key->metric, key->benchmark);
}

int policy_decide(
	struct policy *p, const struct series_key *key, struct decision *ret, struct err *err)
{
	const struct candidates *c = policy_candidates(p, key, err);
	struct decision d;

	if (!c)
		return -1;
	if (c->fixed)
		d = c->decision;
	else if (decide_further(p, c, key, &d, err) < 0)
		return -1;
	if (d.by[ATTR_DIRECTION] < 0)
		d.direction = key->direction;
	if (convert_floor(p, key, &d, err) < 0)
		return -1;
	*ret = d;
	return 0;
}
