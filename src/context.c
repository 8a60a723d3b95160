#include "context.h"

#include "conf-file.h"

#include <stdlib.h>

static const char policy_file[] = "perfgate.conf";

int context_init(struct context *c, const char *store, struct err *err)
{
	const char *env = getenv("PERFGATE_STORE");

	*c = (struct context){0};
	ci_detect(&c->ci);
	if (git_open(&c->git, &c->git_missing, err) < 0)
		return -1;
	if (!store && env && *env)
		store = env;
	if (store)
		c->store_path = xstrdup(store);
	else if (c->git)
		c->store_path = xasprintf("%s/perfgate/store.db", git_common_dir(c->git));
	c->own_store = !store && c->git;
	return 0;
}

const char *context_no_head(const struct context *c)
{
	if (c->git_missing)
		return "the git program was not found (is it in PATH?)";
	return c->git ? "this repository has no commit yet" : "no git repository here";
}

const char *context_shallow(const struct context *c)
{
	return c->git && git_shallow(c->git)
		       ? ", which is shallow: git fetch --deepen=100, or --unshallow, brings more of its history"
		       : "";
}

void context_release(struct context *c)
{
	policy_free(c->policy);
	free(c->policy_name);
	buf_release(&c->policy_text);
	if (!c->lent)
		store_close(c->store);
	free(c->store_path);
	git_close(c->git);
	ci_release(&c->ci);
	*c = (struct context){0};
}

int context_open_store(struct context *c, enum store_mode mode, struct err *err)
{
	if (!c->store_path)
		return err_set(err, ERR_STORE,
			"%s; name a store with --store FILE or PERFGATE_STORE", context_no_head(c));
	c->store = store_open(c->store_path, mode, err);
	if (!c->store)
		return -1;
	/* whatever is written meanwhile, what is read is of one moment */
	return mode == STORE_READ ? store_begin_read(c->store, err) : 0;
}

void context_lend_store(struct context *c, struct store *s)
{
	c->store = s;
	c->lent = true;
}

int context_load_policy(struct context *c, const char *sha, struct err *err)
{
	_cleanup_(freep) char *path = NULL;
	struct buf *text = &c->policy_text;
	int found;

	if (!sha && c->git && !git_toplevel(c->git))
		sha = "HEAD";
	if (sha && c->git) {
		found = git_file(c->git, sha, policy_file, text, err);
	} else {
		path = context_policy_path(c, err);
		found = path ? conf_file_read(path, text, err) : -1;
	}
	if (found < 0)
		return -1;
	if (found)
		buf_addstr(text, ""); /* an empty file is one, too */
	c->policy = policy_new(policy_file, found ? buf_str(text) : NULL, text->len, err);
	c->policy_name = xstrdup(found ? policy_file : "built-in rules");
	return c->policy ? 0 : -1;
}

char *context_policy_path(const struct context *c, struct err *err)
{
	const char *top = c->git ? git_toplevel(c->git) : NULL;

	if (!c->git)
		return xstrdup(policy_file);
	if (top)
		return xasprintf("%s/%s", top, policy_file);
	err_set(err, ERR_USAGE, "a bare repository has no work tree for perfgate.conf to lie in");
	return NULL;
}

int context_load_policy_file(struct context *c, const char *path, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	int found = conf_file_read(path, &text, err);

	if (found == 0)
		return err_set(err, ERR_POLICY, "%s: there is no such file", path);
	if (found < 0)
		return -1;
	c->policy = policy_new(path, buf_str(&text), text.len, err);
	c->policy_name = xstrdup(path);
	return c->policy ? 0 : -1;
}
