#include "command.h"

#include "ancestry.h"
#include "num.h"

#include <string.h>

struct drop {
	const char *store, *commit, *session, *runner, *suite, *run, *undo;
	bool dry_run;
};

#define O(field) offsetof(struct drop, field)

static const struct opt opts[] = {OPT_STORE(struct drop),
	{"run", 0, OPT_STRING, O(run), "DIGEST",
		"the runs whose digest begins so, 6 digits at least (perfgate log shows it)"},
	{"commit", 'c', OPT_STRING, O(commit), "REV", "runs of this commit"},
	{"session", 0, OPT_STRING, O(session), "NAME", "runs of this session"},
	{"runner", 'r', OPT_STRING, O(runner), "NAME", "runs on this runner"},
	{"suite", 0, OPT_STRING, O(suite), "SUITE", "runs of this suite"},
	{"undo", 0, OPT_STRING, O(undo), "DIGEST", "let dropped runs be ingested or merged again"},
	{"dry-run", 'n', OPT_FLAG, O(dry_run), NULL, "only say what would be dropped"}, OPT_END};

#undef O

static bool wanted(const struct drop *o, const char *sha, const struct store_run *r)
{
	return (!sha || !strcmp(r->sha, sha)) && (!o->session || !strcmp(r->session, o->session)) &&
	       (!o->runner || !strcmp(r->runner_key, o->runner)) &&
	       (!o->suite || !strcmp(r->suite, o->suite)) &&
	       (!o->run || !strncmp(r->digest, o->run, strlen(o->run)));
}

/* Moves the runs that are meant to the front. Returns how many. */
static size_t choose(const struct drop *o, const char *sha, struct store_runs *runs)
{
	size_t i, n = 0;

	for (i = 0; i < runs->n; i++) {
		if (wanted(o, sha, &runs->v[i])) {
			struct store_run t = runs->v[n];
			runs->v[n++] = runs->v[i];
			runs->v[i] = t;
		}
	}
	return n;
}

static void print_dropped(const struct drop *o, const struct store_run *r)
{
	print_line("%s %.12s of %.12s (%s, %lld samples)", o->dry_run ? "would drop" : "dropped",
		r->digest, r->sha, r->suite, (long long)r->samples);
}

static int drop(struct context *c, const struct drop *o, struct err *err)
{
	struct store_runs runs = {0};
	struct git_commit commit;
	size_t n = 0, i;
	int r = 0;

	if (o->commit)
		r = require_commit(c, o->commit, &commit, err);
	if (r == 0)
		r = store_runs_exported(c->store, &runs, err);
	if (r == 0) {
		n = choose(o, o->commit ? commit.sha : NULL, &runs);
		if (n == 0)
			r = err_set(err, ERR_USAGE,
				"no run in the store is meant by that; perfgate log lists them");
		else if (!o->dry_run)
			r = store_drop(c->store, runs.v, n, clock_ns(CLOCK_REALTIME), err);
	}
	for (i = 0; r == 0 && i < n; i++)
		print_dropped(o, &runs.v[i]);
	store_runs_release(&runs);
	return r;
}

static int undo(struct context *c, const struct drop *o, struct err *err)
{
	int n = store_check_prefix(o->undo, err) < 0
			? -1
			: store_undrop(c->store, o->undo, clock_ns(CLOCK_REALTIME), err);

	if (n == 0)
		return err_set(
			err, ERR_USAGE, "no dropped run has a digest that begins with %s", o->undo);
	if (n > 0)
		printf("%d dropped run%s may be ingested or merged again\n", n, n == 1 ? "" : "s");
	return n < 0 ? -1 : 0;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct drop *o = values;
	struct context c;
	int r;

	(void)args;
	(void)n;
	if (!o->commit && !o->session && !o->runner && !o->suite && !o->run && !o->undo)
		return err_set(err, ERR_USAGE,
			"drop which runs? name them with --run, --commit, --session, --runner or --suite");
	if (o->run && store_check_prefix(o->run, err) < 0)
		return -1;
	r = context_init(&c, o->store, err);
	if (r == 0)
		r = context_open_store(&c, o->dry_run ? STORE_READ : STORE_WRITE, err);
	if (r == 0)
		r = o->undo ? undo(&c, o, err) : drop(&c, o, err);
	context_release(&c);
	return r;
}

const struct command cmd_store_drop = {.name = "drop",
	.args = "",
	.summary = "delete runs and keep them from coming back",
	.help = "Options narrow each other: --commit X --suite kpi drops the kpi runs of X. A dropped run\n"
		"leaves a mark that merge and ingest honour; --undo takes the mark away.",
	.opts = opts,
	.values_size = sizeof(struct drop),
	.max_args = 0,
	.run = run};
