#include "policy.h"

#include "rules.h"
#include "sha256.h"

#include <stdlib.h>
#include <string.h>

static void add_builtin_rules(struct policy *p)
{
	size_t i;

	for (i = 0; i < builtin_count; i++) {
		const struct builtin *b = &builtin_rules[i];
		p->rules = xgrow(p->rules, p->n, &p->cap, sizeof(*p->rules));
		p->rules[p->n++] =
			(struct rule){.selector.name = xasprintf("built-in: %s", b->name),
				.builtin = b,
				.set = b->set,
				.decision = b->decision};
	}
}

/* The rule, after the built-in ones, that gate.creep is for every series; see policy_set_target. */
static void add_gate_rule(struct policy *p)
{
	p->rules = xgrow(p->rules, p->n, &p->cap, sizeof(*p->rules));
	p->rules[p->n++] = (struct rule){.selector.name = xstrdup("[gate]")};
}

static struct policy *new_policy(const char *name)
{
	struct policy *p = xcalloc(1, sizeof(*p));

	p->file = xstrdup(name ? name : "built-in rules");
	p->keys = intern_new();
	p->names = intern_new();
	add_builtin_rules(p);
	add_gate_rule(p);
	return p;
}

static struct policy *complete_policy(struct policy *p)
{
	p->benchmark.match = xmalloc(p->n + p->n_sections);
	p->runner.match = xmalloc(p->n + p->n_sections);
	policy_set_target(p, NULL);
	return p;
}

static int add_file(
	struct policy *p, const char *name, const char *text, size_t len, struct err *err)
{
	struct conf *conf = conf_parse(name, text, len, err);
	int r = conf ? policy_parse_conf(p, name, conf, err) : -1;

	conf_free(conf);
	p->from_file = true;
	return r;
}

struct policy *policy_new(const char *name, const char *text, size_t len, struct err *err)
{
	struct policy *p = new_policy(name);

	if (!text) {
		sha256_hex(builtin_version, strlen(builtin_version), p->digest);
		return complete_policy(p);
	}
	sha256_hex(text, len, p->digest);
	if (add_file(p, name, text, len, err) < 0) {
		policy_free(p);
		return NULL;
	}
	return complete_policy(p);
}

struct policy *policy_new_grafted(const char *name, const char *base_text, size_t base_len,
	const char *head_text, size_t head_len, struct err *err)
{
	_cleanup_(freep) char *both = policy_graft(base_text, base_len, head_text, head_len, err);
	struct conf *base, *head;
	struct policy *p;
	int r;

	if (!both)
		return NULL;
	p = new_policy(name);
	p->from_file = base_text != NULL;
	sha256_hex(both, strlen(both), p->digest);
	base = policy_sections_of(name, base_text, base_len, false, err);
	head = policy_sections_of(name, head_text, head_len, true, err);
	r = base && head ? policy_parse_conf(p, name, base, err) : -1;
	r = r == 0 ? policy_parse_conf(p, name, head, err) : r;
	conf_free(base);
	conf_free(head);
	if (r == 0)
		return complete_policy(p);
	policy_free(p);
	return NULL;
}

void words_release(struct words *w)
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

void selector_release(struct selector *s)
{
	size_t f;

	free(s->name);
	for (f = 0; f < FIELD_COUNT; f++)
		pattern_free(s->patterns[f]);
}

static void job_release(struct job *j)
{
	free(j->name);
	free(j->setup);
	free(j->cpus);
	words_release(&j->command);
}

void policy_free(struct policy *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->n; i++)
		selector_release(&p->rules[i].selector);
	free(p->rules);
	for (i = 0; i < p->n_sections; i++)
		section_release(&p->sections[i]);
	free(p->sections);
	for (i = 0; i < p->n_gates; i++)
		gate_release(&p->gates[i]);
	free(p->gates);
	words_release(&p->ignore_dirty);
	for (i = 0; i < p->n_jobs; i++)
		job_release(&p->jobs[i]);
	free(p->jobs);
	policy_forget_candidates(p);
	intern_free(p->keys);
	renames_release(p);
	free_memo(&p->benchmark);
	free_memo(&p->runner);
	free(p->file);
	free(p);
}

const char *policy_rule_name(const struct policy *p, int rule)
{
	return rule < 0 ? "the document" : p->rules[rule].selector.name;
}

size_t policy_ignore_dirty(const struct policy *p, const char *const **ret_globs)
{
	*ret_globs = p->ignore_dirty.v;
	return p->ignore_dirty.n;
}

size_t policy_unused(const struct policy *p, const char ***ret)
{
	size_t i, n = 0;

	*ret = xmalloc((p->n + p->n_sections) * sizeof(**ret));
	for (i = 0; i < p->n; i++)
		if (p->rules[i].own && !p->rules[i].selector.used)
			(*ret)[n++] = p->rules[i].selector.name;
	for (i = 0; i < p->n_sections; i++)
		if (!p->sections[i].selector.used)
			(*ret)[n++] = p->sections[i].selector.name;
	return n;
}

const char *policy_digest(const struct policy *p)
{
	return p->digest;
}
