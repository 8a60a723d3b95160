#include "place.h"

#include "ancestry.h"
#include "intern.h"
#include "json.h"
#include "machine.h"
#include "num.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINEAGE_MAX = 1000, ENV_MAX = 1 << 20 };

static const char *own(struct place *p, char *s)
{
	p->owned = xgrow(p->owned, p->n_owned, &p->cap_owned, sizeof(*p->owned));
	p->owned[p->n_owned++] = s;
	return s;
}

/* ---- --env ---- */

/* As `perfgate env` and place_tree_state() write it. */
static int check_tree_state(const struct place *p, const char *path, struct err *err)
{
	const char *state = "clean";

	if (jv_get_string(p->env, "tree_state", &state, err) < 0)
		return err_prefix(err, "%s", path);
	if (!strcmp(state, "clean") ||
		(!strncmp(state, "dirty:", 6) && state[6] && strlen(state) < sizeof(p->tree_state)))
		return 0;
	return err_set(err, ERR_FORMAT,
		"%s: 'tree_state' is '%.100s', expected clean or dirty:DIGEST", path, state);
}

static int load_env(struct place *p, const char *path, struct err *err)
{
	_cleanup_(buf_release) struct buf text = {.max = ENV_MAX};
	_cleanup_(fclosep) FILE *f = strcmp(path, "-") ? fopen(path, "re") : fdopen(0, "r");
	const char *schema = "";
	char chunk[8192];
	size_t n;

	if (!f)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0) {
		if (buf_room(&text, n) < 0)
			return err_set(err, ERR_FORMAT, "%s: more than 1 MiB", path);
		buf_add(&text, chunk, n);
	}
	p->env = jv_load_text(path, buf_str(&text), text.len, err);
	if (!p->env)
		return -1;
	if (jv_kind(p->env) != JV_OBJECT || jv_get_string(p->env, "schema", &schema, err) < 0 ||
		strcmp(schema, "perfgate/env"))
		return err_set(err, ERR_FORMAT,
			"%s: not what 'perfgate env' prints (no schema perfgate/env)", path);
	return check_tree_state(p, path, err);
}

/* A text of the environment, at KEY or KEY.INNER; NULL when there is none. */
static const char *env_text(const struct place *p, const char *key, const char *inner)
{
	const struct jv *v = p->env ? jv_get(p->env, key) : NULL;

	if (v && inner)
		v = jv_kind(v) == JV_OBJECT ? jv_get(v, inner) : NULL;
	return v && jv_kind(v) == JV_STRING ? jv_string(v, NULL) : NULL;
}

/* ---- this machine, this repository ---- */

static int find_head(struct place *p, struct err *err)
{
	const char *sha = env_text(p, "commit", "sha");
	int r = 0;

	if (sha && !git_is_sha(sha))
		return err_set(err, ERR_FORMAT, "--env: its commit is not a SHA: '%.80s'", sha);
	if (!sha && p->c->git)
		r = git_commit(p->c->git, "HEAD", &p->head, err);
	else if (!sha)
		sha = p->c->ci.sha;
	if (r < 0)
		return -1;
	p->have_head = r > 0;
	if (sha && git_is_sha(sha)) {
		r = p->c->git ? git_commit(p->c->git, sha, &p->head, err) : 0;
		if (r < 0)
			return -1;
		if (r == 0) {
			p->head = (struct git_commit){.n_parents = -1};
			snprintf(p->head.sha, sizeof(p->head.sha), "%s", sha);
		}
		p->have_head = true;
	}
	return 0;
}

static int check_options(const struct place_options *o, struct err *err)
{
	const struct {
		const char *name, *value;
	} texts[] = {{"commit", o->commit}, {"runner", o->runner}, {"session", o->session},
		{"branch", o->branch}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].value && !utf8_valid(texts[i].value, strlen(texts[i].value)))
			return err_set(err, ERR_USAGE, "--%s is not UTF-8: '%.200s'", texts[i].name,
				texts[i].value);
	return 0;
}

int place_init(
	struct place *p, struct context *c, const struct place_options *opts, struct err *err)
{
	struct buf b = BUF_INIT;

	*p = (struct place){.c = c, .opts = opts, .dirty = -1};
	machine_runner(&b);
	p->this_runner = buf_take(&b);
	machine_session(&b, &c->ci);
	p->this_session = buf_take(&b);
	machine_facts(&b, &c->ci);
	p->this_facts = buf_take(&b);
	if (check_options(opts, err) < 0)
		return -1;
	if (opts->env && load_env(p, opts->env, err) < 0)
		return -1;
	return find_head(p, err);
}

void place_release(struct place *p)
{
	size_t i;

	for (i = 0; i < p->n_owned; i++)
		free(p->owned[i]);
	free(p->owned);
	free(p->this_runner);
	free(p->this_session);
	free(p->this_facts);
	jv_free(p->env);
}

int place_tree_state(struct place *p, const char **ret, struct err *err)
{
	const char *from_env = env_text(p, "tree_state", NULL);
	const char *const *globs;
	size_t n = policy_ignore_dirty(p->c->policy, &globs);
	char digest[65];

	*ret = p->tree_state;
	if (p->dirty >= 0)
		return 0;
	p->dirty = 0;
	snprintf(p->tree_state, sizeof(p->tree_state), "clean");
	if (p->opts->clean)
		return 0;
	if (from_env) {
		snprintf(p->tree_state, sizeof(p->tree_state), "%s", from_env);
		return 0;
	}
	if (p->c->git && git_toplevel(p->c->git) && p->have_head) {
		p->dirty = git_dirty(p->c->git, globs, n, digest, err);
		if (p->dirty < 0)
			return -1;
		if (p->dirty || p->opts->dirty)
			snprintf(p->tree_state, sizeof(p->tree_state), "dirty:%s", digest);
	} else if (p->opts->dirty) {
		snprintf(p->tree_state, sizeof(p->tree_state), "dirty:unknown");
	}
	return 0;
}

/* ---- one run ---- */

/* The full SHA that a document's or option's name stands for. */
static int full_sha(
	struct place *p, const char *name, const char *whose, const char **ret, struct err *err)
{
	struct git_commit c;
	int r = resolve_commit(p->c, name, &c, err);

	if (r < 0)
		return -1;
	if (r > 0) {
		*ret = own(p, xstrdup(c.sha));
		return 0;
	}
	if (!git_is_sha(name) && !p->c->git)
		return err_set(err, ERR_GIT,
			"%s names the commit '%.80s', which is no full SHA, and %s", whose, name,
			context_no_head(p->c));
	if (!git_is_sha(name))
		return err_set(err, ERR_GIT,
			"%s names the commit '%.80s', which is neither in this repository nor a full SHA",
			whose, name);
	*ret = own(p, xstrdup(name));
	return 0;
}

static int place_commit(struct place *p, const struct run_head *h, const char *name,
	const char **ret, struct err *err)
{
	const char *given = NULL, *from_document = NULL;

	if (p->opts->commit && full_sha(p, p->opts->commit, "--commit", &given, err) < 0)
		return -1;
	if (h->sha && given) {
		/* it need not be known here: it is only compared */
		struct git_commit c;
		int r = resolve_commit(p->c, h->sha, &c, err);
		if (r < 0)
			return -1;
		if (strcmp(r ? c.sha : h->sha, given))
			p->note("%s names commit %.12s; stored under %.12s as --commit says", name,
				h->sha, given);
	} else if (h->sha && full_sha(p, h->sha, name, &from_document, err) < 0) {
		return -1;
	}
	if (from_document && p->have_head && strcmp(from_document, p->head.sha) &&
		strcmp(name, p->remarked ? p->remarked : "")) {
		p->note("%s names commit %.12s, which is not HEAD (%.12s)", name, from_document,
			p->head.sha);
		p->remarked = own(p, xstrdup(name));
	}
	*ret = given ? given : from_document ? from_document : p->have_head ? p->head.sha : NULL;
	if (!*ret)
		return err_set(err, ERR_GIT,
			"%s: for which commit? %s, and the document names none; use --commit SHA",
			name, context_no_head(p->c));
	return 0;
}

static void place_runner(
	struct place *p, const struct run_head *h, const char *name, struct placing *ret)
{
	const char *env = env_text(p, "runner", "key");
	const char *chosen = p->opts->runner ? p->opts->runner
			     : env           ? env
			     : h->runner_key ? h->runner_key
					     : p->this_runner;

	ret->runner_key = chosen;
	ret->runner_label = h->runner_label;
	if (h->runner_key && strcmp(h->runner_key, chosen))
		p->note("%s was measured on '%s'; stored under runner '%s' as %s says", name,
			h->runner_key, chosen, p->opts->runner ? "--runner" : "--env");
	else if (h->runner_key && !p->opts->runner && strcmp(h->runner_key, p->this_runner))
		p->note("%s was measured on '%s', not on this machine ('%s')", name, h->runner_key,
			p->this_runner);
}

static void place_session(struct place *p, const struct batch_run *run, struct placing *ret)
{
	const char *env = env_text(p, "session", NULL);
	bool foreign = run->head.runner_key && strcmp(run->head.runner_key, p->this_runner);

	if (p->opts->session || env)
		ret->session = p->opts->session ? p->opts->session : env;
	else if (foreign)
		ret->session = own(p, xasprintf("document/%.12s", run->digest));
	else
		ret->session = p->this_session;
}

static void place_branch(struct place *p, struct placing *ret)
{
	const char *env = env_text(p, "branch", NULL);
	bool at_head = p->have_head && !strcmp(ret->sha, p->head.sha);

	if (p->opts->branch)
		ret->branch = p->opts->branch;
	else if (env)
		ret->branch = env;
	else if (at_head && p->c->ci.branch)
		ret->branch = p->c->ci.branch;
	else if (at_head && p->c->git && git_branch(p->c->git))
		ret->branch = git_branch(p->c->git);
}

/* The document's facts and, where it was measured here, the machine's, under "machine". */
static void place_facts(struct place *p, const struct batch_run *run, struct placing *ret)
{
	const struct jv *env = p->env ? jv_get(p->env, "facts") : NULL;
	const char *own_facts = run->head.facts ? run->head.facts : "{}";
	struct buf b = BUF_INIT;
	size_t n = strlen(own_facts);

	if (strcmp(ret->session, p->this_session) && !env)
		return;
	buf_add(&b, own_facts, n - 1);
	buf_addf(&b, "%s\"machine\":", n > 2 ? "," : "");
	if (env)
		jv_dump(&b, env);
	else
		buf_addstr(&b, p->this_facts);
	if (p->more_facts)
		buf_addf(&b, ",%s", p->more_facts);
	if (run->head.sha && strcmp(run->head.sha, ret->sha)) {
		buf_addstr(&b, ",\"document_sha\":");
		text_json_str(&b, run->head.sha);
	}
	if (p->pair)
		buf_addf(&b, ",\"pair\":%zu", p->pair);
	buf_addch(&b, '}');
	ret->facts = own(p, buf_take(&b));
}

static int place_history(const struct batch_run *run, struct placing *ret)
{
	const struct run_head *h = &run->head;

	*ret = (struct placing){.sha = h->sha,
		.tree_state = h->tree_state,
		.branch = h->branch,
		.session = h->session,
		.runner_key = h->runner_key,
		.runner_label = h->runner_label,
		.ingested_at =
			h->ingested_at == TIME_UNKNOWN ? clock_ns(CLOCK_REALTIME) : h->ingested_at};
	return 0;
}

int place_run(struct place *p, const struct batch_run *run, const char *name, struct placing *ret,
	struct err *err)
{
	if (run->head.history)
		return place_history(run, ret);
	*ret = (struct placing){.tree_state = "clean", .ingested_at = clock_ns(CLOCK_REALTIME)};
	if (place_commit(p, &run->head, name, &ret->sha, err) < 0)
		return -1;
	if (p->opts->dirty || (p->have_head && !strcmp(ret->sha, p->head.sha)))
		if (place_tree_state(p, &ret->tree_state, err) < 0)
			return -1;
	if (run->head.tree_state && !p->opts->clean && !strcmp(ret->tree_state, "clean"))
		ret->tree_state = run->head.tree_state;
	place_runner(p, &run->head, name, ret);
	place_session(p, run, ret);
	place_branch(p, ret);
	place_facts(p, run, ret);
	return 0;
}

/* ---- lineage ---- */

static void add_fact(struct place *p, struct commit_list *list, const struct git_commit *c)
{
	const char **parents =
		xcalloc(c->n_parents > 0 ? (size_t)c->n_parents : 1, sizeof(*parents));
	int i;

	own(p, (char *)(void *)parents);
	for (i = 0; i < c->n_parents; i++)
		parents[i] = own(p, xstrdup(c->parents[i]));
	list->v = xgrow(list->v, list->n, &list->cap, sizeof(*list->v));
	list->v[list->n++] = (struct commit_fact){.sha = own(p, xstrdup(c->sha)),
		.tree_sha = own(p, xstrdup(c->tree)),
		.committed_at = c->committed_at ? c->committed_at : TIME_UNKNOWN,
		.parents = parents,
		.n_parents = c->n_parents};
}

/* Whether the commit was visited already, of which note is taken. */
static bool seen_before(struct commit_list *list, const char *sha)
{
	uint32_t n;

	if (!list->seen)
		list->seen = intern_new();
	n = intern_count(list->seen);
	return intern_add(list->seen, sha, strlen(sha)) != n;
}

void commit_list_release(struct commit_list *list)
{
	free(list->v);
	intern_free(list->seen);
	*list = (struct commit_list){0};
}

int place_lineage(
	struct place *p, const char *sha, struct commit_list *ret, bool *known, struct err *err)
{
	struct commit_fact f;
	struct git_commit c;
	char next[65];
	int i, r;

	snprintf(next, sizeof(next), "%s", sha);
	for (i = 0; i < LINEAGE_MAX && !seen_before(ret, next); i++) {
		r = store_commit(p->c->store, next, &f, err);
		if (r < 0)
			return -1;
		if (r > 0 && f.n_parents >= 0) {
			*known = true;
			/* a shallow clone may have left a gap behind it: looked for once a call */
			if (p->lineage_looked_at || f.n_parents == 0)
				break;
			snprintf(next, sizeof(next), "%s", f.parents[0]);
			continue;
		}
		r = p->c->git ? git_commit(p->c->git, next, &c, err) : 0;
		if (r < 0)
			return -1;
		if (r == 0)
			break;
		add_fact(p, ret, &c);
		if (c.n_parents <= 0)
			break;
		snprintf(next, sizeof(next), "%s", c.parents[0]);
	}
	p->lineage_looked_at = true;
	return 0;
}
