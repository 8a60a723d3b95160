#include "context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { POLICY_MAX = 1 << 20 };

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

void context_release(struct context *c)
{
	policy_free(c->policy);
	free(c->policy_name);
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

/* 1 read, 0 there is no such file, -1. */
static int read_file(const char *path, struct buf *text, struct err *err)
{
	_cleanup_(fclosep) FILE *f = NULL;
	char chunk[16384];
	struct stat st;
	size_t n;

	if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
		return err_set(err, ERR_POLICY, "%s: a pipe, expected a file", path);
	f = fopen(path, "re");
	if (!f && errno == ENOENT) {
		if (lstat(path, &st) < 0)
			return 0;
		return err_set(err, ERR_POLICY, "%s: a link to a file that is not there", path);
	}
	if (!f)
		return err_set(err, ERR_POLICY, "%s: %s", path, strerror(errno));
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0) {
		if (text->len + n > POLICY_MAX)
			return err_set(err, ERR_POLICY, "%s: more than 1 MiB", path);
		buf_add(text, chunk, n);
	}
	return ferror(f) ? err_set(err, ERR_POLICY, "%s: %s", path, strerror(errno)) : 1;
}

int context_load_policy(struct context *c, const char *sha, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	_cleanup_(freep) char *path = NULL;
	int found;

	if (!sha && c->git && !git_toplevel(c->git))
		sha = "HEAD";
	if (sha && c->git) {
		found = git_file(c->git, sha, policy_file, &text, err);
	} else {
		const char *top = c->git ? git_toplevel(c->git) : NULL;
		path = top ? xasprintf("%s/%s", top, policy_file) : xstrdup(policy_file);
		found = read_file(path, &text, err);
	}
	if (found < 0)
		return -1;
	c->policy = policy_new(policy_file, found ? buf_str(&text) : NULL, text.len, err);
	c->policy_name = xstrdup(found ? policy_file : "built-in rules");
	return c->policy ? 0 : -1;
}
