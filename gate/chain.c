#include "chain.h"

#include "buf.h"
#include "noisy.h"

#include <math.h>
#include <stdlib.h>

/* How one series fares along the commits. */
struct fate {
	size_t next;  /* of its links */
	double worse; /* the level over the last good one: 1.3 is 30 % worse */
	const struct past_commit *culprit;
};

struct chain {
	struct judged **j;
	struct fate *fates;
	size_t n;
	double *p; /* room for n */
};

static double allowed(const struct judged *j)
{
	return decimal_double(j->tolerance);
}

/* A change as a factor of the level: above 1 is worse. */
static double factor(const struct judged *j, double change)
{
	const double worse = lower_is_better(j) ? 1 + change : 1 - change;

	return fmax(worse, 1e-9);
}

static double p_worse(const struct judged *j, const struct link *l)
{
	return lower_is_better(j) ? l->p_up : l->p_down;
}

static double p_better(const struct judged *j, const struct link *l)
{
	return lower_is_better(j) ? l->p_down : l->p_up;
}

/* The link of a series at a commit; NULL none. */
static const struct link *link_at(const struct chain *c, size_t i, size_t commit)
{
	const struct past *past = c->j[i]->pair->past;
	const size_t at = c->fates[i].next;

	return at < past->n_links && past->links[at].commit == commit ? &past->links[at] : NULL;
}

static double hits_at(
	struct chain *c, size_t commit, double (*p)(const struct judged *j, const struct link *l))
{
	size_t i, m = 0;

	for (i = 0; i < c->n; i++) {
		const struct link *l = link_at(c, i, commit);
		if (l)
			c->p[m++] = p(c->j[i], l);
	}
	return evidence_hits(c->p, m, DISCOVERY_RATE);
}

static bool is_bad(const struct judged *j, const struct fate *f)
{
	return f->worse > 1 + allowed(j);
}

static void follow(struct judged *j, struct fate *f, const struct link *l, double worse,
	double better, const struct past_commit *commit)
{
	const double by = factor(j, l->change);
	const bool got_worse = p_worse(j, l) <= worse && by > 1 + allowed(j);
	const bool got_better = p_better(j, l) <= better && by < 1 - allowed(j);

	if (!got_worse && !got_better)
		return;
	if (got_worse && !is_bad(j, f))
		f->culprit = commit;
	f->worse = fmax(1, f->worse * by); /* what is better is the level */
}

static void step(struct chain *c, size_t commit, const struct past_commit *commits)
{
	const double worse = hits_at(c, commit, p_worse), better = hits_at(c, commit, p_better);
	size_t i;

	for (i = 0; i < c->n; i++) {
		const struct link *l = link_at(c, i, commit);
		if (!l)
			continue;
		follow(c->j[i], &c->fates[i], l, worse, better, &commits[commit]);
		c->fates[i].next++;
	}
}

/* The policy accepts the level that the base has. */
static bool is_accepted(struct judged *j)
{
	const struct decimal base = decimal_median(j->pair->base.values, j->pair->base.n);
	const struct step_rule rule = step_rule_of(j, j->proof->accepts ? &j->proof->accept : NULL);

	j->proof->used_accept = step_accepted(&rule, base);
	return j->proof->used_accept;
}

static void hold(struct judged *j, const struct fate *f, bool on_line)
{
	const bool improved = j->verdict == VERDICT_IMPROVED;
	const double now = improved ? f->worse * factor(j, j->change) : f->worse;

	if (j->verdict == VERDICT_REGRESSED || !is_bad(j, f) || (improved && !on_line))
		return;
	if (now <= 1 + allowed(j) || is_accepted(j))
		return;
	j->verdict = on_line ? VERDICT_REGRESSED : VERDICT_INHERITED;
	j->culprit = f->culprit->sha;
}

void chain_hold(struct judged **j, size_t n, bool on_line)
{
	struct chain c = {.j = xmalloc(n * sizeof(*c.j)),
		.fates = xcalloc(n, sizeof(*c.fates)),
		.p = xmalloc(n * sizeof(*c.p))};
	size_t i, last = 0;

	for (i = 0; i < n; i++) {
		const struct past *past = j[i]->pair->past;
		if (!past || !past->n_links)
			continue;
		if (past->links[past->n_links - 1].commit >= last)
			last = past->links[past->n_links - 1].commit + 1;
		c.fates[c.n].worse = 1;
		c.j[c.n++] = j[i];
	}
	for (i = 0; i < last; i++)
		step(&c, i, c.j[0]->pair->past->commits);
	for (i = 0; i < c.n; i++)
		hold(c.j[i], &c.fates[i], on_line);
	free(c.j);
	free(c.fates);
	free(c.p);
}
