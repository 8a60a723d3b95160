/* Which forge, at what address, which repository there. */
#include "forge-private.h"

#include "proc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { GIT_SECONDS = 30, REMOTE_MAX = 4096, TOKENS_MAX = 16 };

extern const struct forge_kind forge_github, forge_gitlab;

const struct forge_kind *const forge_kinds[] = {&forge_github, &forge_gitlab, NULL};

const struct forge_kind *forge_kind_find(const char *name)
{
	size_t i;

	for (i = 0; forge_kinds[i]; i++)
		if (!strcmp(forge_kinds[i]->name, name))
			return forge_kinds[i];
	return NULL;
}

void forge_add_base(struct buf *b, const struct forge *f)
{
	f->kind->add_base(b, f->repository);
}

/* ---- the remote ---- */

struct remote {
	char *host, *path; /* NULL: there is none, or it is a folder */
};

static void remote_release(struct remote *r)
{
	free(r->host);
	free(r->path);
}

/* https://USER@HOST:PORT/PATH.git, ssh://..., git@HOST:PATH.git */
static void split_remote(const char *url, struct remote *ret)
{
	const char *scheme = strstr(url, "://"), *host = scheme ? scheme + 3 : url;
	const char *path = strpbrk(host, scheme ? "/" : ":/"), *at, *colon, *end;
	size_t len;

	if (!path || (!scheme && *path != ':'))
		return;
	at = memchr(host, '@', (size_t)(path - host));
	host = at ? at + 1 : host;
	colon = memchr(host, ':', (size_t)(path - host));
	end = colon ? colon : path;
	while (*path == '/' || *path == ':')
		path++;
	len = strlen(path);
	if (len > 4 && !strcmp(path + len - 4, ".git"))
		len -= 4;
	ret->host = xstrndup(host, (size_t)(end - host));
	ret->path = xstrndup(path, len);
}

/* No token is a program's business: NAME alone takes a variable away. */
static void without_tokens(const char *ret[TOKENS_MAX + 1])
{
	size_t n = 0, i, k;

	for (i = 0; forge_kinds[i]; i++)
		for (k = 0; forge_kinds[i]->tokens[k] && n < TOKENS_MAX; k++)
			ret[n++] = forge_kinds[i]->tokens[k];
	ret[n] = NULL;
}

static void find_remote(struct remote *ret)
{
	static const char *const argv[] = {"git", "config", "--get", "remote.origin.url", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	const char *env[TOKENS_MAX + 1];
	struct err ignored = ERR_INIT;
	int status = 0;

	*ret = (struct remote){0};
	without_tokens(env);
	if (proc_capture(argv, env, GIT_SECONDS, REMOTE_MAX, &out, &errors, &status, &ignored) <
			0 ||
		status != 0 || !out.len)
		return;
	out.p[strcspn(out.p, "\r\n")] = '\0';
	split_remote(out.p, ret);
}

/* Other hosts could be anybody's, and a token is for one of them: they have to be named. */
static const struct forge_kind *kind_of_host(const char *host)
{
	if (host && !strcasecmp(host, "github.com"))
		return forge_kind_find("github");
	if (host && !strcasecmp(host, "gitlab.com"))
		return forge_kind_find("gitlab");
	return NULL;
}

char *forge_commit_url(void)
{
	_cleanup_(remote_release) struct remote remote = {0};
	const struct forge_kind *kind;

	find_remote(&remote);
	kind = kind_of_host(remote.host);
	if (!kind || !kind->check_repository(remote.path))
		return NULL;
	return xasprintf("%s%s%s{sha}", kind->pages, remote.path, kind->commit_page);
}

/* ---- all of it ---- */

static int find_kind(struct forge *f, const struct forge_options *o, const struct ci *ci,
	const struct remote *remote, struct err *err)
{
	if (o->forge)
		f->kind = forge_kind_find(o->forge);
	else if (ci->api || ci->repository)
		f->kind = forge_kind_find(ci->name);
	else
		f->kind = kind_of_host(remote->host);
	if (f->kind)
		return 0;
	if (o->forge)
		return err_set(err, ERR_USAGE, "--forge %.40s: it is github or gitlab", o->forge);
	return err_set(err, ERR_USAGE,
		"neither a CI system nor the remote 'origin' tells where the change request is: give --forge, --api and --repository");
}

static int check(struct forge *f, struct err *err)
{
	size_t len = strlen(f->api);

	while (len && f->api[len - 1] == '/')
		f->api[--len] = '\0';
	if (http_check_url(f->api, err) < 0)
		return err_prefix(err, "the address of %s (--api)", f->kind->title);
	if (!f->kind->check_repository(f->repository))
		return err_set(err, ERR_USAGE, "'%.200s' is no repository of %s (--repository %s)",
			f->repository, f->kind->title, "OWNER/NAME");
	return 0;
}

static int place(struct forge *f, const struct forge_options *o, const struct ci *ci,
	const struct remote *remote, struct err *err)
{
	bool of_ci, of_remote;

	if (find_kind(f, o, ci, remote, err) < 0)
		return -1;
	of_ci = ci->name && !strcmp(ci->name, f->kind->name);
	of_remote = remote->host && kind_of_host(remote->host) == f->kind;
	if (o->api)
		f->api = xstrdup(o->api);
	else if (of_ci && ci->api)
		f->api = xstrdup(ci->api);
	else
		f->api = xstrdup(f->kind->api);
	if (o->repository)
		f->repository = xstrdup(o->repository);
	else if (of_ci && ci->repository)
		f->repository = xstrdup(ci->repository);
	else if (of_remote && remote->path)
		f->repository = xstrdup(remote->path);
	else
		return err_set(err, ERR_USAGE, "which repository? Give --repository OWNER/NAME");
	return check(f, err);
}

/* A link that is none is only left out. */
static void take_link(struct forge *f, const struct ci *ci)
{
	struct err ignored = ERR_INIT;

	if (ci->link && http_check_url(ci->link, &ignored) == 0)
		f->link = xstrdup(ci->link);
}

int forge_place(struct forge *f, const struct forge_options *o, struct err *err)
{
	_cleanup_(remote_release) struct remote remote = {0};
	struct ci ci;
	int r;

	ci_detect(&ci);
	if (!ci.api && !(o->forge && o->repository))
		find_remote(&remote);
	r = place(f, o, &ci, &remote, err);
	take_link(f, &ci);
	ci_release(&ci);
	return r;
}
