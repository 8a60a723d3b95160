#include "tidy.h"

#include "command.h"
#include "each-series.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the policy says of a section ---- */

/*
 * What the policy names "perfgate.conf:12 accept "x"" is the section "x" here. Names tell sections
 * apart, lines do not: the policy may be that of another commit, or hold sections of two files.
 */
struct said {
	struct intern *idle;   /* matched, and turned no verdict */
	struct intern *unused; /* whatever they match is another section's, which comes later */
};

static void add_name(struct intern *names, const char *policy_name)
{
	const char *blank = strchr(policy_name, ' ');

	if (blank)
		intern_add(names, blank + 1, strlen(blank + 1));
}

static void said_init(struct said *s, const struct policy *p)
{
	const char **unused;
	int *idle;
	size_t n, i;

	*s = (struct said){intern_new(), intern_new()};
	n = policy_idle(p, &idle);
	for (i = 0; i < n; i++)
		add_name(s->idle, policy_section_name(p, idle[i]));
	n = policy_unused(p, &unused);
	for (i = 0; i < n; i++)
		add_name(s->unused, unused[i]);
	free(idle);
	free(unused);
}

static void said_release(struct said *s)
{
	intern_free(s->idle);
	intern_free(s->unused);
}

static bool is_among(const struct intern *names, const struct conf_section *s)
{
	_cleanup_(freep) char *name = xasprintf("accept \"%s\"", s->name);

	return intern_find(names, name, strlen(name)) != INTERN_NONE;
}

/* ---- what it is for ---- */

/* A verdict that says that the level of head and base is fine. */
static bool is_settled(const struct judged *j)
{
	return j->pair->head.n && j->pair->base.n &&
	       (j->verdict == VERDICT_PASS || j->verdict == VERDICT_IMPROVED ||
		       j->verdict == VERDICT_INFO);
}

struct matches {
	size_t n;
	const struct judged *unsettled; /* one that keeps the section; NULL none */
};

static int find_matches(const struct accept_section *x, const struct report *r, struct matches *ret,
	struct err *err)
{
	size_t i;

	*ret = (struct matches){0};
	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		int match = j->pair->not_measured ? 0 : accepts_match(x, &j->pair->key, err);
		if (match < 0)
			return -1;
		ret->n += match > 0;
		if (match && !ret->unsettled && !is_settled(j))
			ret->unsettled = j;
	}
	return 0;
}

struct searching {
	struct accept_section *sections;
	bool *found;
	size_t n;
};

static int search_series(
	void *ctx, const struct series_key *key, const struct store_series *stored, struct err *err)
{
	struct searching *s = ctx;
	size_t i;

	(void)stored;
	for (i = 0; i < s->n; i++) {
		int match = s->found[i] ? 0 : accepts_match(&s->sections[i], key, err);
		if (match < 0)
			return -1;
		s->found[i] |= match > 0;
	}
	return 0;
}

/* ---- all sections ---- */

static void say_kept(const struct conf_section *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void say_kept(const struct conf_section *s, const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	complain("note: [accept \"%s\"], line %u, stays: %s", s->name, s->line, buf_str(&b));
}

/* Whether a section can go. 1, 0, -1. */
static int can_go(const struct accept_section *x, bool in_store, const struct said *said,
	const struct report *r, struct err *err)
{
	struct matches m;
	bool unused;

	if (find_matches(x, r, &m, err) < 0)
		return -1;
	if (!m.n && in_store)
		say_kept(x->s, "it is for series that were not judged here");
	if (!m.n)
		return !in_store;
	unused = is_among(said->unused, x->s);
	if (!unused && !is_among(said->idle, x->s))
		return 0;
	if (m.unsettled)
		say_kept(x->s, "%s %s is %s", m.unsettled->pair->key.benchmark,
			m.unsettled->pair->key.metric, verdict_name(m.unsettled->verdict));
	else if (unused)
		say_kept(x->s, "another section below decides what it is for");
	return !m.unsettled && !unused;
}

int tidy_mark(struct accepts *a, struct gating *g, struct err *err)
{
	_cleanup_(freep) bool *found = xcalloc(a->n, sizeof(*found));
	struct searching s = {a->v, found, a->n};
	struct said said;
	struct intern *names;
	int n = 0, go = 0;
	size_t i;

	if (!a->n)
		return 0;
	names = intern_new();
	n = each_series(g->c.store, g->c.policy, NULL, names, search_series, &s, err);
	intern_free(names);
	said_init(&said, g->c.policy);
	for (i = 0; n >= 0 && go >= 0 && i < a->n; i++) {
		go = can_go(&a->v[i], found[i], &said, &g->r, err);
		a->v[i].drop = go > 0;
		a->v[i].unknown = !found[i];
		n += go > 0;
	}
	said_release(&said);
	return go < 0 ? -1 : n;
}

void tidy_report(const struct accepts *a, const char *pathspec)
{
	size_t i;

	printf("perfgate.conf: %s\n", pathspec ? "gone" : "would go");
	for (i = 0; i < a->n; i++) {
		const struct accept_section *x = &a->v[i];

		if (x->drop)
			print_line("    [accept \"%s\"], line %u: %s", x->s->name, x->s->line,
				x->unknown ? "the store has no such series"
					   : "the base meets it already");
	}
	if (pathspec)
		printf("It has to be committed:\n    git add %s && git commit\n", pathspec);
}
