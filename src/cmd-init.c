#include "command.h"

#include "conf-file.h"
#include "context.h"
#include "intern.h"
#include "propose.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct init {
	const char *store;
	bool to_stdout, force;
};

static const struct opt opts[] = {{"stdout", 0, OPT_FLAG, offsetof(struct init, to_stdout), NULL,
					  "print it instead of writing perfgate.conf"},
	{"force", 0, OPT_FLAG, offsetof(struct init, force), NULL,
		"even over a perfgate.conf that is there"},
	OPT_STORE(struct init), OPT_END};

/* ---- the base ---- */

/* The branch that most runs were recorded on; NULL none. */
static char *busiest_branch(const struct stays *stays)
{
	struct intern *names = intern_new();
	size_t *counts = xcalloc(stays->runs.n, sizeof(*counts)), i, best = 0;
	char *ret = NULL;

	for (i = 0; i < stays->runs.n; i++) {
		const char *b = stays->runs.v[i].branch;
		if (b && *b)
			counts[intern_add(names, b, strlen(b))]++;
	}
	for (i = 1; i < intern_count(names); i++)
		if (counts[i] > counts[best])
			best = i;
	if (intern_count(names))
		ret = xstrdup(intern_get(names, (uint32_t)best, NULL));
	intern_free(names);
	free(counts);
	return ret;
}

/* 1 and a branch that the caller frees, 0 none, -1. */
static int find_base(struct context *c, const struct stays *stays, char **ret, struct err *err)
{
	static const char *const usual[] = {"main", "master"};
	struct git_commit commit;
	size_t i;
	int r = 0;

	*ret = NULL;
	if (c->git)
		r = git_origin_head(ret, err);
	for (i = 0; c->git && !*ret && r >= 0 && i < ARRAY_LEN(usual); i++) {
		r = git_commit(c->git, usual[i], &commit, err);
		if (r > 0)
			*ret = xstrdup(usual[i]);
	}
	if (r < 0)
		return -1;
	if (!*ret)
		*ret = busiest_branch(stays);
	if (*ret && !proposal_base_usable(*ret)) {
		free(*ret);
		*ret = NULL;
	}
	return *ret != NULL;
}

/* ---- the suites ---- */

enum { NEWEST_COMMITS = 20 };

struct suites {
	struct proposed_suite *v;
	size_t n, cap, commits;
};

static int newest_first(const void *pa, const void *pb)
{
	const struct stay *a = *(const struct stay *const *)pa,
			  *b = *(const struct stay *const *)pb;

	return (a->at < b->at) - (a->at > b->at);
}

static void count_suite(struct suites *s, const char *name, bool again)
{
	size_t i;

	for (i = 0; i < s->n && strcmp(s->v[i].name, name) != 0; i++)
		;
	if (i == s->n) {
		s->v = xgrow(s->v, s->n, &s->cap, sizeof(*s->v));
		s->v[s->n++] = (struct proposed_suite){name, 0};
	}
	s->v[i].commits += !again;
}

static int by_name(const void *pa, const void *pb)
{
	return strcmp(((const struct proposed_suite *)pa)->name,
		((const struct proposed_suite *)pb)->name);
}

/* Of the newest commits with a clean run, which suites each was measured with. */
static void count_suites(struct suites *s, const struct stays *stays)
{
	const struct stay **sorted = xcalloc(stays->n, sizeof(*sorted));
	struct intern *commits = intern_new(), *pairs = intern_new();
	size_t i, n = 0;

	for (i = 0; i < stays->n; i++)
		if (!strcmp(stays->v[i].runs->tree_state, "clean"))
			sorted[n++] = &stays->v[i];
	if (n)
		qsort(sorted, n, sizeof(*sorted), newest_first);
	for (i = 0; i < n; i++) {
		const struct store_run *r = sorted[i]->runs;
		_cleanup_(freep) char *pair = xasprintf("%s %s", r->sha, r->suite);
		uint32_t known = intern_count(pairs);

		bool older = intern_find(commits, r->sha, strlen(r->sha)) == INTERN_NONE &&
			     intern_count(commits) == NEWEST_COMMITS;

		if (!older)
			intern_add(commits, r->sha, strlen(r->sha));
		count_suite(s, r->suite, older || intern_add(pairs, pair, strlen(pair)) != known);
	}
	s->commits = intern_count(commits);
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_name);
	intern_free(commits);
	intern_free(pairs);
	free(sorted);
}

/* ---- all of it ---- */

/* What the store holds, and what was made of it. */
struct start {
	struct stays stays;
	struct noises noises;
	struct suites suites;
	char *base;
	struct buf text;
	size_t n_rules;
};

static void start_release(struct start *s)
{
	free(s->suites.v);
	noises_release(&s->noises);
	stays_release(&s->stays);
	free(s->base);
	buf_release(&s->text);
}

/* A store that is not there is an empty one; one that cannot be read is an error. */
static int read_store(struct context *c, struct start *s, struct err *err)
{
	struct policy *builtin;
	int r = c->store_path ? store_exists(c->store_path, err) : 0;

	if (r <= 0)
		return r;
	if (context_open_store(c, STORE_READ, err) < 0 || stays_load(&s->stays, c->store, err) < 0)
		return -1;
	builtin = policy_new("perfgate.conf", NULL, 0, err);
	r = builtin ? noise_measure(&s->noises, c->store, builtin, &s->stays, err) : -1;
	policy_free(builtin);
	return r;
}

static int compose(struct context *c, struct start *s, struct err *err)
{
	struct proposal p = {0};
	struct policy *check;

	if (read_store(c, s, err) < 0 || find_base(c, &s->stays, &s->base, err) < 0)
		return -1;
	count_suites(&s->suites, &s->stays);
	p = (struct proposal){.base = s->base,
		.suites = s->suites.v,
		.n_suites = s->suites.n,
		.commits = s->suites.commits,
		.noises = s->noises.v,
		.n_noises = s->noises.n};
	propose_conf(&s->text, &p, &s->n_rules);
	check = policy_new("perfgate.conf", buf_str(&s->text), s->text.len, err);
	policy_free(check);
	return check ? 0 : err_prefix(err, "what would be written is no perfgate.conf");
}

static void say_next(const struct start *s, const char *path)
{
	_cleanup_(buf_release) struct buf base = BUF_INIT;

	if (s->base)
		text_escape(&base, s->base, strlen(s->base));
	printf("wrote perfgate.conf: base %s, %zu rule%s\n",
		s->base ? buf_str(&base) : "not known yet", s->n_rules, s->n_rules == 1 ? "" : "s");
	if (!s->stays.n)
		puts("The store is empty, so there is no noise to propose tolerances from. Next:\n"
		     "    run the benchmarks, and: perfgate ingest results/\n"
		     "    after some commits: perfgate init --force");
	else
		printf("Next: read it, see what it does, and commit it:\n"
		       "    perfgate policy\n"
		       "    git add %s && git commit\n",
			conf_file_pathspec(path));
}

static int init(struct context *c, const struct init *o, const char *path, struct err *err)
{
	static const struct buf nothing = BUF_INIT;
	struct start s = {0};
	int r = compose(c, &s, err);

	if (r == 0 && o->to_stdout) {
		fwrite(buf_str(&s.text), 1, s.text.len, stdout);
	} else if (r == 0) {
		r = conf_file_write(path, &s.text, o->force ? NULL : &nothing, err);
		if (r == 0)
			say_next(&s, path);
	}
	start_release(&s);
	return r;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct init *o = values;
	_cleanup_(freep) char *path = NULL;
	struct context c;
	struct stat st;
	int r = context_init(&c, o->store, err);

	(void)args;
	(void)n;
	if (r == 0 && !o->to_stdout && !(path = context_policy_path(&c, err)))
		r = -1;
	if (r == 0 && !o->to_stdout && !o->force && lstat(path, &st) == 0)
		r = err_set(err, ERR_USAGE,
			"perfgate.conf is there already; --force writes over it, --stdout shows what would be written");
	if (r == 0)
		r = init(&c, o, path, err);
	context_release(&c);
	return r;
}

const struct command cmd_init = {.name = "init",
	.args = "",
	.summary = "write a perfgate.conf to start with, from what the store holds",
	.help = "Proposes a base, the suites to expect, and tolerances from the noise that was measured,\n"
		"with the figures in comments. It is a start: read it, and change what you know better.",
	.opts = opts,
	.values_size = sizeof(struct init),
	.max_args = 0,
	.run = run};
