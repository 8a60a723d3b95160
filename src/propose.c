#include "propose-private.h"

#include "conf-edit.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMMITS_LEAST = 3, SAMPLES_LEAST = 4 };

/* Suites that are listed; who has more knows them. */
enum { SUITES_MOST = 200 };

/* Runners whose tolerances differ by this factor get rules of their own. */
static const double MUCH = 2;

/* ---- [gate] ---- */

bool proposal_base_usable(const char *branch)
{
	_cleanup_(buf_release) struct buf safe = BUF_INIT;
	size_t len = strlen(branch);

	text_escape(&safe, branch, len);
	return len && len < 1000 && *branch != '-' && !strpbrk(branch, " \t") && safe.len == len;
}

/* Whether a suite was measured regularly: on half of the commits, of at least three. */
static bool is_regular(const struct proposal *p, const struct proposed_suite *s)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

	return p->commits >= COMMITS_LEAST && 2 * s->commits >= p->commits && *s->name &&
	       !s->name[strspn(s->name, letters)];
}

static void add_expect(struct buf *b, const struct proposal *p)
{
	const size_t n = p->n_suites < SUITES_MOST ? p->n_suites : SUITES_MOST;
	bool any = false;
	size_t i;

	buf_addstr(b, "\n\t# Suites that every commit has to be measured with.\n");
	for (i = 0; i < n; i++) {
		buf_addstr(b, "\t# ");
		conf_edit_name(b, p->suites[i].name);
		buf_addf(b, ": %zu of the newest %zu measured commit%s.\n", p->suites[i].commits,
			p->commits, p->commits == 1 ? "" : "s");
		any |= is_regular(p, &p->suites[i]);
	}
	if (n < p->n_suites)
		buf_addf(b, "\t# And %zu more.\n", p->n_suites - n);
	if (n && p->commits < COMMITS_LEAST)
		buf_addf(b, "\t# (Fewer than %d commits were measured: too few to tell.)\n",
			COMMITS_LEAST);
	if (!any) {
		buf_addstr(b, "\t# expect = kpi callgrind\n");
		return;
	}
	buf_addstr(b, "\texpect =");
	for (i = 0; i < n; i++)
		if (is_regular(p, &p->suites[i]))
			buf_addf(b, " %s", p->suites[i].name);
	buf_addch(b, '\n');
}

static void add_gate(struct buf *b, const struct proposal *p)
{
	buf_addstr(b,
		"# How perfgate judges what was measured: perfgate.conf(5) explains it, `perfgate policy`\n"
		"# shows what holds. While this file exists, what has to be judged and cannot be fails\n"
		"# the gate (exit status 3).\n\n"
		"[gate]\n"
		"\t# What to compare with when neither the command line nor the CI system says so.\n");
	if (p->base)
		buf_addf(b, "\tbase = %s\n", p->base);
	else
		buf_addstr(b, "\t# base = main\n");
	add_expect(b, p);
}

/* ---- tolerances ---- */

/* The next larger of 1, 1.5, 2, 3, 5, 7, 10, ... per cent, as a share; infinite above 100 %. */
static double friendly(double share)
{
	static const double steps[] = {
		.01, .015, .02, .03, .05, .07, .1, .15, .2, .25, .3, .4, .5, .6, .7, .8, 1};
	size_t i;

	for (i = 0; i < ARRAY_LEN(steps); i++)
		if (share <= steps[i] * (1 + 1e-9))
			return steps[i];
	return INFINITY;
}

/* What the noise asks for, at least the policy's; NAN: too little is known. Fewer samples than
 * SAMPLES_LEAST a side never show anything, and say nothing of what more would show. */
static double tolerance_for(const struct noise *x)
{
	double within = x->usual_n < SAMPLES_LEAST ? NAN : x->seen_within;
	double seen = fmax(within, x->seen_between); /* of which NAN is the lesser */

	if (isnan(seen))
		return NAN;
	return seen <= x->tolerance ? x->tolerance : friendly(seen);
}

/* ---- what becomes of a metric ---- */

struct entries {
	struct entry *v;
	size_t n, cap;
};

static void add_entry(struct entries *e, const struct noise *x, bool runner)
{
	double t = tolerance_for(x);

	e->v = xgrow(e->v, e->n, &e->cap, sizeof(*e->v));
	e->v[e->n++] = (struct entry){.x = x,
		.fate = isnan(t)            ? FATE_UNKNOWN
			: isinf(t)          ? FATE_INFO
			: t <= x->tolerance ? FATE_HOLDS
					    : FATE_RULE,
		.tolerance = isfinite(t) && t > x->tolerance ? t : 0,
		.runner = runner};
}

/* What is noisy of one suite and metric, on n runners. */
static void add_metric(struct entries *e, const struct noise *v, size_t n)
{
	double low = INFINITY, high = 0;
	const struct noise *worst = v;
	size_t i;

	for (i = 0; i < n; i++) {
		double t = tolerance_for(&v[i]);
		if (isnan(t))
			continue;
		low = fmin(low, t);
		if (t > high)
			worst = &v[i];
		high = fmax(high, t);
	}
	if (n == 1 || high < MUCH * low) {
		add_entry(e, worst, false);
		return;
	}
	for (i = 0; i < n; i++)
		add_entry(e, &v[i], true);
}

static int compare_doubles(double a, double b)
{
	return (a > b) - (a < b);
}

/* 0: one block of the file. */
static int compare_blocks(const struct entry *a, const struct entry *b)
{
	int c = strcmp(a->x->suite, b->x->suite);

	if (!c)
		c = (int)a->fate - (int)b->fate;
	if (!c)
		c = compare_doubles(a->tolerance, b->tolerance);
	if (!c)
		c = compare_doubles(a->x->tolerance, b->x->tolerance);
	if (!c)
		c = (int)a->runner - (int)b->runner;
	return !c && a->runner ? strcmp(a->x->runner, b->x->runner) : c;
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int c = compare_blocks(a, b);

	if (!c)
		c = strcmp(a->x->metric, b->x->metric);
	return c ? c : strcmp(a->x->runner, b->x->runner);
}

static void add_blocks(struct writing *w, struct entries *e)
{
	size_t i, first = 0;

	if (e->n)
		qsort(e->v, e->n, sizeof(*e->v), compare_entries);
	for (i = 1; i <= e->n; i++) {
		if (i < e->n && !compare_blocks(&e->v[i], &e->v[first]))
			continue;
		proposal_block(w, e->v + first, i - first);
		first = i;
	}
}

/* ---- what wobbles ---- */

static size_t group_end(const struct proposal *p, size_t i)
{
	size_t k = i + 1;

	while (k < p->n_noises && p->noises[k].judge == p->noises[i].judge &&
		!strcmp(p->noises[k].suite, p->noises[i].suite) &&
		!strcmp(p->noises[k].metric, p->noises[i].metric))
		k++;
	return k;
}

/* Of those runners where a metric wobbles the worst speaks. */
static void add_wobbles(struct writing *w, const struct noise *v, size_t n)
{
	const struct noise *worst = v;
	size_t i;

	for (i = 1; i < n; i++)
		if (v[i].wobbling > worst->wobbling)
			worst = &v[i];
	if (worst->wobbling)
		proposal_wobble(w, worst);
}

void propose_conf(struct buf *ret, const struct proposal *p, size_t *n_rules)
{
	struct writing w = {.b = ret, .names = intern_new()};
	struct entries entries = {0};
	size_t i, end;

	add_gate(ret, p);
	for (i = 0; i < p->n_noises; i = end) {
		end = group_end(p, i);
		if (p->noises[i].judge == JUDGE_NOISY)
			add_metric(&entries, &p->noises[i], end - i);
	}
	add_blocks(&w, &entries);
	for (i = 0; i < p->n_noises; i = end) {
		end = group_end(p, i);
		if (p->noises[i].judge == JUDGE_EXACT)
			add_wobbles(&w, &p->noises[i], end - i);
	}
	if (w.n_left)
		buf_addf(ret, "\n# And %zu more metrics, for which there is no room here.\n",
			w.n_left);
	*n_rules = w.n_rules;
	intern_free(w.names);
	free(entries.v);
}
