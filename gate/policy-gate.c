#include "rules.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DISTANCE = 1000 };

/* '*' stands for any bytes, '/' too, and '?' for one. Going back to the last star alone is enough,
 * and takes at most the product of both lengths. */
static bool glob_match(const char *glob, const char *s)
{
	const char *star = NULL, *from = NULL;

	while (*s) {
		if (*glob == '*') {
			star = ++glob;
			from = s;
		} else if (*glob == '?' || *glob == *s) {
			glob++;
			s++;
		} else if (star) {
			glob = star;
			s = ++from;
		} else {
			return false;
		}
	}
	return !glob[strspn(glob, "*")];
}

static bool holds(const struct gate *g, const char *branch)
{
	return !g->glob || (branch && glob_match(g->glob, branch));
}

/* The creep of all series is a rule, that others override. */
static void set_creep(struct policy *p)
{
	struct rule *r = &p->rules[builtin_count];
	const struct gate *g = p->by[GATE_CREEP] < 0 ? NULL : &p->gates[p->by[GATE_CREEP]];

	free(r->selector.name);
	r->selector.name = xstrdup(g ? g->name : "[gate]");
	r->set = g ? 1u << ATTR_CREEP : 0;
	if (g)
		r->decision.creep = g->creep;
	policy_forget_candidates(p);
}

/* A section that says more than [gate] goes before it, wherever they stand. */
void policy_set_target(struct policy *p, const char *branch)
{
	int key, named;
	size_t i;

	for (key = 0; key < GATE_KEYS; key++)
		p->by[key] = -1;
	for (named = 0; named < 2; named++)
		for (i = 0; i < p->n_gates; i++)
			for (key = 0; key < GATE_KEYS; key++)
				if (named == !!p->gates[i].glob && p->gates[i].set & 1u << key &&
					holds(&p->gates[i], branch))
					p->by[key] = (int)i;
	set_creep(p);
}

static const struct gate *gate_of(const struct policy *p, enum gate_key key)
{
	return p->by[key] < 0 ? NULL : &p->gates[p->by[key]];
}

const char *policy_base(const struct policy *p)
{
	const struct gate *g = gate_of(p, GATE_BASE);

	return g ? g->base : NULL;
}

int policy_max_distance(const struct policy *p)
{
	const struct gate *g = gate_of(p, GATE_MAX_DISTANCE);

	return g ? (int)g->max_distance : MAX_DISTANCE;
}

bool policy_require(const struct policy *p)
{
	const struct gate *g = gate_of(p, GATE_REQUIRE);

	return g ? g->require : p->from_file;
}

const char *policy_reference(const struct policy *p)
{
	const struct gate *g = gate_of(p, GATE_REFERENCE);

	return g ? g->reference : NULL;
}

bool policy_from_base(const struct policy *p)
{
	const struct gate *g = gate_of(p, GATE_POLICY_FROM);

	return g && g->from_base;
}

size_t policy_expected(const struct policy *p, const char *const **ret_suites)
{
	const struct gate *g = gate_of(p, GATE_EXPECT);

	*ret_suites = g ? g->expect.v : NULL;
	return g ? g->expect.n : 0;
}

bool policy_expects(const struct policy *p, const char *suite)
{
	const char *const *suites;
	size_t n = policy_expected(p, &suites), i;

	for (i = 0; i < n; i++)
		if (!strcmp(suites[i], suite))
			return true;
	return false;
}

void gate_release(struct gate *g)
{
	free(g->glob);
	free(g->name);
	free(g->base);
	free(g->reference);
	words_release(&g->expect);
}
