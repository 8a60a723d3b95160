#include "command.h"

#include "prune-guard.h"
#include "prune-show.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct prune {
	const char *store, *keep, *undo;
	bool thin, apply, everywhere, json;
};

#define O(field) offsetof(struct prune, field)

static const struct opt opts[] = {OPT_STORE(struct prune),
	{"keep", 'k', OPT_STRING, O(keep), "DURATION|N",
		"runs up to so old stay (90d, 26w, 2y), or the newest N commits of each suite and branch"},
	{"thin", 0, OPT_FLAG, O(thin), NULL,
		"of older ones, keep a commit a week, and one every four weeks after a year"},
	{"apply", 0, OPT_FLAG, O(apply), NULL, "do it; without, it is only said what would go"},
	{"everywhere", 0, OPT_FLAG, O(everywhere), NULL,
		"drop them for all who share this store's runs, not here alone"},
	{"undo", 0, OPT_STRING, O(undo), "DIGEST",
		"let pruned runs whose digest begins so be stored again ('all': all of them)"},
	OPT_JSON(struct prune), OPT_END};

#undef O

enum { TRIES = 3 };

struct pruning {
	const struct prune *o;
	struct context c;
	struct prune_rule rule;
	struct prune_guard guard;
	struct pruned *v; /* of guard.all */
	const struct store_run **go;
	size_t n_go;
	struct store_state state;
	struct prune_report report;
};

/* ---- what goes ---- */

static void forget_plan(struct pruning *p)
{
	prune_guard_release(&p->guard);
	p->guard = (struct prune_guard){0};
	free(p->v);
	free(p->go);
	p->v = NULL;
	p->go = NULL;
	p->n_go = 0;
}

static const char *branch_of(const struct pruning *p, const struct store_run *r)
{
	return prune_guard_branch(&p->guard, r->branch) ? r->branch : "";
}

static void decide(struct pruning *p)
{
	const struct store_runs *all = &p->guard.all;
	size_t i;

	p->v = xcalloc(all->n + 1, sizeof(*p->v));
	p->go = xcalloc(all->n + 1, sizeof(*p->go));
	for (i = 0; i < all->n; i++)
		p->v[i] = (struct pruned){.run = &all->v[i],
			.branch = branch_of(p, &all->v[i]),
			.stays = p->guard.stays[all->v[i].id]};
	prune_decide(p->v, all->n, &p->rule);
	for (i = 0; i < all->n; i++)
		if (prune_goes(&p->v[i]))
			p->go[p->n_go++] = p->v[i].run;
}

static int plan(struct pruning *p, struct err *err)
{
	int r;

	forget_plan(p);
	/* to read, the store was opened as of one moment */
	if (p->o->apply && store_begin_read(p->c.store, err) < 0)
		return -1;
	r = store_state(p->c.store, &p->state, err);
	if (r == 0)
		r = prune_guard_init(&p->guard, &p->c, p->o->store, err);
	if (r == 0)
		r = store_info(p->c.store, &p->report.before, err);
	if (p->o->apply)
		store_end_read(p->c.store);
	if (r == 0)
		decide(p);
	return r;
}

/* ---- doing it ---- */

static int verify(void *ctx, struct err *err)
{
	return prune_guard_verify(ctx, err);
}

static int apply_once(struct pruning *p, struct err *err)
{
	const struct store_pruning how = {.runs = p->go,
		.n = p->n_go,
		.at = p->rule.now,
		.everywhere = p->o->everywhere,
		.state = p->state,
		.verify = verify,
		.ctx = &p->guard};
	struct progress *progress;
	int r;

	if (p->n_go == 0)
		return 1;
	progress = progress_start("pruning runs");
	store_on_progress(p->c.store, progress_callback, progress);
	r = store_prune(p->c.store, &how, err);
	store_on_progress(p->c.store, NULL, NULL);
	progress_end(progress);
	return r;
}

static int apply(struct pruning *p, struct err *err)
{
	int tries, r = apply_once(p, err);

	for (tries = 1; r == 0 && tries < TRIES; tries++) {
		r = plan(p, err);
		if (r == 0)
			r = apply_once(p, err);
	}
	if (r == 0)
		return err_set(err, ERR_STORE,
			"others wrote to the store each time; nothing was pruned, try again");
	return r < 0 ? -1 : store_info(p->c.store, &p->report.after, err);
}

static int prune(struct pruning *p, struct err *err)
{
	const struct prune *o = p->o;

	if (context_load_policy(&p->c, NULL, err) < 0 ||
		context_open_store(&p->c, o->apply ? STORE_WRITE : STORE_READ, err) < 0 ||
		plan(p, err) < 0 || (o->apply && apply(p, err) < 0))
		return -1;
	p->report.v = p->v;
	p->report.n = p->guard.all.n;
	p->report.keep = o->keep;
	p->report.thin = o->thin;
	p->report.applied = o->apply;
	p->report.everywhere = o->everywhere;
	p->report.returns = store_shrinks(p->c.store);
	if (o->json)
		prune_show_json(&p->report);
	else
		prune_show(&p->report);
	return 0;
}

/* ---- undoing it ---- */

static int undo(struct pruning *p, struct err *err)
{
	const char *prefix = strcmp(p->o->undo, "all") ? p->o->undo : "";
	int64_t n;

	if ((*prefix && store_check_prefix(prefix, err) < 0) ||
		context_open_store(&p->c, STORE_WRITE, err) < 0)
		return -1;
	n = store_unprune(p->c.store, prefix, err);
	if (n == 0 && !*prefix)
		return err_set(err, ERR_USAGE, "nothing was pruned here");
	if (n == 0)
		return err_set(
			err, ERR_USAGE, "no pruned run has a digest that begins with %s", prefix);
	if (n > 0)
		printf("%lld pruned run%s may be ingested, merged or fetched again\n", (long long)n,
			plural((size_t)n));
	return n < 0 ? -1 : 0;
}

static int check_options(const struct prune *o, struct prune_rule *rule, struct err *err)
{
	if (o->undo && (o->keep || o->thin || o->apply || o->everywhere))
		return err_set(err, ERR_USAGE, "--undo stands alone");
	if (o->undo)
		return 0;
	if (!o->keep)
		return err_set(err, ERR_USAGE,
			"keep what? --keep 90d, 26w or 2y keeps what is newer, --keep 200 as many commits");
	rule->thin = o->thin;
	rule->now = clock_ns(CLOCK_REALTIME);
	return prune_rule_parse(o->keep, rule, err);
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct pruning p = {.o = values};
	int r = check_options(p.o, &p.rule, err);

	(void)args;
	(void)n;
	if (r < 0)
		return -1;
	r = context_init(&p.c, p.o->store, err);
	if (r == 0)
		r = p.o->undo ? undo(&p, err) : prune(&p, err);
	forget_plan(&p);
	context_release(&p.c);
	return r;
}

const struct command cmd_store_prune = {.name = "prune",
	.args = "",
	.summary = "remove or thin old runs that no gate needs",
	.help = "Without --apply it only says what would go. What the gates of HEAD and of all branches look at\n"
		"stays, and so do the newest runs of each suite, last good levels, the pinned reference and\n"
		"tagged commits; HEAD is judged before and after, and unless it is judged the same nothing\n"
		"goes. Runs that went do not come back by merge, fetch or ingest (--undo).",
	.opts = opts,
	.values_size = sizeof(struct prune),
	.max_args = 0,
	.run = run};
