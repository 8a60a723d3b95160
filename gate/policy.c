#include "policy.h"

#include "rules.h"
#include "sha256.h"

#include <stdlib.h>
#include <string.h>

const char *gate_class_name(enum gate_class c)
{
	static const char *const names[] = {
		[CLASS_HARD] = "hard", [CLASS_ADVISORY] = "advisory", [CLASS_INFO] = "info"};

	return names[c];
}

const char *judge_name(enum judge j)
{
	return j == JUDGE_EXACT ? "exact" : "noisy";
}

const char *missing_rule_name(enum missing_rule m)
{
	static const char *const names[] = {
		[MISSING_ERROR] = "error", [MISSING_WARN] = "warn", [MISSING_IGNORE] = "ignore"};

	return names[m];
}

const char *across_name(enum across a)
{
	static const char *const names[] = {
		[ACROSS_NO] = "no", [ACROSS_FALLBACK] = "fallback", [ACROSS_YES] = "yes"};

	return names[a];
}

static void add_builtin_rules(struct policy *p)
{
	size_t i;

	for (i = 0; i < builtin_count; i++) {
		const struct builtin *b = &builtin_rules[i];
		p->rules = xgrow(p->rules, p->n, &p->cap, sizeof(*p->rules));
		p->rules[p->n++] = (struct rule){.name = xasprintf("built-in: %s", b->name),
			.builtin = b,
			.set = b->set,
			.decision = b->decision};
	}
}

struct policy *policy_new(const char *name, const char *text, size_t len, struct err *err)
{
	struct policy *p = xcalloc(1, sizeof(*p));

	p->max_distance = 1000;
	p->keys = intern_new();
	add_builtin_rules(p);
	if (text) {
		p->require = true;
		sha256_hex(text, len, p->digest);
		if (policy_parse(p, name, text, len, err) < 0) {
			policy_free(p);
			return NULL;
		}
	} else {
		sha256_hex(builtin_version, strlen(builtin_version), p->digest);
	}
	p->benchmark.match = xmalloc(p->n);
	p->runner.match = xmalloc(p->n);
	return p;
}

static void free_words(struct words *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		free((void *)(uintptr_t)w->v[i]);
	free(w->v);
}

static void free_memo(struct memo *m)
{
	buf_release(&m->value);
	free(m->match);
}

void policy_free(struct policy *p)
{
	size_t i, f;

	if (!p)
		return;
	for (i = 0; i < p->n; i++) {
		free(p->rules[i].name);
		for (f = 0; f < FIELD_COUNT; f++)
			pattern_free(p->rules[i].patterns[f]);
	}
	free(p->rules);
	free(p->base);
	free_words(&p->expect);
	free_words(&p->ignore_dirty);
	for (i = 0; i < intern_count(p->keys); i++)
		free(p->candidates[i].rules);
	free(p->candidates);
	intern_free(p->keys);
	free_memo(&p->benchmark);
	free_memo(&p->runner);
	free(p);
}

void policy_freep(struct policy **p)
{
	policy_free(*p);
}

/* Says whose pattern failed. */
static int matches(const struct rule *r, enum field field, const char *s, struct err *err)
{
	int match;

	if (!r->patterns[field])
		return 1;
	match = pattern_match(r->patterns[field], s, strlen(s), err);
	return match < 0 ? err_prefix(err, "%.120s", r->name) : match;
}

static int is_candidate(const struct rule *r, const struct series_key *key, struct err *err)
{
	int match;

	if (r->builtin)
		return builtin_match(r->builtin, key);
	match = matches(r, FIELD_SUITE, key->suite, err);
	if (match == 1)
		match = matches(r, FIELD_METRIC, key->metric, err);
	if (match == 1)
		match = matches(r, FIELD_VARIANT, key->variant, err);
	return match;
}

static bool looks_further(const struct rule *r)
{
	return r->patterns[FIELD_BENCHMARK] || r->patterns[FIELD_RUNNER];
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

static int collect(
	struct policy *p, const struct series_key *key, struct candidates *c, struct err *err)
{
	size_t i;

	c->fixed = true;
	c->decision = undecided();
	for (i = 0; i < p->n; i++) {
		struct rule *r = &p->rules[i];
		int match = is_candidate(r, key, err);
		if (match < 0)
			return -1;
		if (!match)
			continue;
		c->rules = xgrow(c->rules, c->n, &c->cap, sizeof(*c->rules));
		c->rules[c->n++] = (int)i;
		if (looks_further(r))
			c->fixed = false;
		else
			r->used = true;
		apply(&c->decision, r, (int)i);
	}
	complete(&c->decision);
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
	if (collect(p, key, &c, err) < 0) {
		free(c.rules);
		return NULL;
	}
	id = intern_add(p->keys, b.p, b.len);
	p->candidates = xgrow(p->candidates, id, &p->cap_candidates, sizeof(*p->candidates));
	p->candidates[id] = c;
	return &p->candidates[id];
}

static const struct candidates *candidates_of(
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

static void memo_set(struct memo *m, const char *value, size_t rules)
{
	if (m->filled && !strcmp(buf_str(&m->value), value))
		return;
	buf_clear(&m->value);
	buf_addstr(&m->value, value);
	memset(m->match, -1, rules);
	m->filled = true;
}

static int memo_match(
	struct memo *m, const struct policy *p, int rule, enum field field, struct err *err)
{
	if (m->match[rule] < 0) {
		int match = matches(&p->rules[rule], field, buf_str(&m->value), err);
		if (match < 0)
			return -1;
		m->match[rule] = (signed char)match;
	}
	return m->match[rule];
}

static int decide_further(struct policy *p, const struct candidates *c,
	const struct series_key *key, struct decision *d, struct err *err)
{
	size_t i;

	memo_set(&p->benchmark, key->benchmark, p->n);
	memo_set(&p->runner, key->runner, p->n);
	*d = undecided();
	for (i = 0; i < c->n; i++) {
		int rule = c->rules[i];
		int match = memo_match(&p->benchmark, p, rule, FIELD_BENCHMARK, err);
		if (match == 1)
			match = memo_match(&p->runner, p, rule, FIELD_RUNNER, err);
		if (match < 0)
			return -1;
		if (!match)
			continue;
		p->rules[rule].used = true;
		apply(d, &p->rules[rule], rule);
	}
	complete(d);
	return 0;
}

int policy_decide(
	struct policy *p, const struct series_key *key, struct decision *ret, struct err *err)
{
	const struct candidates *c = candidates_of(p, key, err);
	struct decision d;

	if (!c)
		return -1;
	if (c->fixed)
		d = c->decision;
	else if (decide_further(p, c, key, &d, err) < 0)
		return -1;
	if (d.by[ATTR_DIRECTION] < 0)
		d.direction = key->direction;
	*ret = d;
	return 0;
}

int policy_rules(const struct policy *p)
{
	return (int)p->n;
}

const char *policy_rule_name(const struct policy *p, int rule)
{
	return rule < 0 ? "the document" : p->rules[rule].name;
}

const char *policy_base(const struct policy *p)
{
	return p->base;
}

int policy_max_distance(const struct policy *p)
{
	return (int)p->max_distance;
}

bool policy_require(const struct policy *p)
{
	return p->require;
}

bool policy_expects(const struct policy *p, const char *suite)
{
	size_t i;

	for (i = 0; i < p->expect.n; i++)
		if (!strcmp(p->expect.v[i], suite))
			return true;
	return false;
}

size_t policy_expected(const struct policy *p, const char *const **ret_suites)
{
	*ret_suites = p->expect.v;
	return p->expect.n;
}

size_t policy_ignore_dirty(const struct policy *p, const char *const **ret_globs)
{
	*ret_globs = p->ignore_dirty.v;
	return p->ignore_dirty.n;
}

size_t policy_unused(const struct policy *p, int **ret)
{
	size_t i, n = 0;

	*ret = xmalloc(p->n * sizeof(**ret));
	for (i = 0; i < p->n; i++)
		if (!p->rules[i].builtin && !p->rules[i].used)
			(*ret)[n++] = (int)i;
	return n;
}

const char *policy_digest(const struct policy *p)
{
	return p->digest;
}
