#include "reference.h"

#include "ancestry.h"

#include <string.h>

/* Whether the creep of a pair is to be looked at. 1, 0, -1. *noisy counts those where it cannot. */
static int is_wanted(struct comparison *x, const struct pair *p, size_t *noisy, struct err *err)
{
	struct decision d;

	if (p->not_measured || !p->head.n || !p->base.n)
		return 0;
	if (policy_decide(x->c->policy, &p->key, &d, err) < 0)
		return -1;
	if (d.by[ATTR_CREEP] < 0 || d.class_ == CLASS_INFO)
		return 0;
	*noisy += d.judge == JUDGE_NOISY;
	return d.judge == JUDGE_EXACT;
}

static const struct side *side_at(struct comparison *x, const struct measured *of,
	const struct git_commit *commit, const struct pair *p)
{
	struct side *s = comparison_own(x, xcalloc(1, sizeof(*s)));

	*s = (struct side){.sha = comparison_own(x, xstrdup(commit->sha)),
		.values = of->newest.values,
		.n = of->newest.n,
		.runner = strcmp(of->key.runner, p->key.runner) ? of->key.runner : NULL};
	return s;
}

static int pair_all(struct comparison *x, const struct git_commit *commit, struct err *err)
{
	size_t i, found = 0, wanted = 0, noisy = 0;

	for (i = 0; i < x->n; i++) {
		struct pair *p = &x->pairs[i];
		struct measured like = {.key = p->key,
					.identity = INTERN_NONE,
					.name = INTERN_NONE},
				*of;
		int r = is_wanted(x, p, &noisy, err);

		if (r < 0)
			return -1;
		if (!r)
			continue;
		wanted++;
		of = measurements_find_on(
			&x->reference, &like, p->base.runner ? p->base.runner : p->key.runner);
		if (!of && p->base.runner)
			of = measurements_find_on(&x->reference, &like, p->key.runner);
		if (!of || !of->newest.n)
			continue;
		found++;
		p->reference = side_at(x, of, commit, p);
	}
	if (noisy)
		comparison_note(x,
			"creep is checked for exact series only: %zu noisy ones that have one are not",
			noisy);
	if (found < wanted)
		comparison_note(x,
			"%zu of %zu series with a creep have no number at the reference %s (%.12s): their creep is not checked",
			wanted - found, wanted, policy_reference(x->c->policy), commit->sha);
	return 0;
}

static int unknown(struct comparison *x, const char *rev, struct err *err)
{
	return err_set(err, ERR_GIT,
		"reference = %.100s in perfgate.conf: no such revision in this repository or its store%s%.100s",
		rev,
		x->c->git && git_shallow(x->c->git)
			? "; this clone is shallow, perhaps: git fetch --depth 1 origin tag "
			: "",
		x->c->git && git_shallow(x->c->git) ? rev : "");
}

/* A creep without a reference checks nothing. */
static int note_unreferenced(struct comparison *x, struct err *err)
{
	size_t i, noisy = 0;
	int r = 0;

	for (i = 0; i < x->n && r == 0; i++)
		r = is_wanted(x, &x->pairs[i], &noisy, err);
	if (r > 0)
		comparison_note(x,
			"a creep is set and no reference to count it from: [gate] reference = REVISION in perfgate.conf");
	return r < 0 ? -1 : 0;
}

int comparison_reference(struct comparison *x, struct err *err)
{
	const char *rev = policy_reference(x->c->policy);
	struct git_commit commit;
	struct store_runs runs = {0};
	char borrowed[65];
	int r;

	if (!rev)
		return note_unreferenced(x, err);
	r = resolve_commit(x->c, rev, &commit, err);
	if (r <= 0)
		return r < 0 ? -1 : unknown(x, rev, err);
	r = runs_of(x->c, &commit, NULL, &runs, borrowed, err);
	if (r == 0)
		r = measurements_add_runs(
			&x->reference, x->c->store, &runs, NULL, x->narrowing, err);
	store_runs_release(&runs);
	return r < 0 ? -1 : pair_all(x, &commit, err);
}
