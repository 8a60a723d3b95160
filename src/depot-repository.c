/* The private repository of a depot: made, configured, used, swept away. */
#include "depot-private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text.h"

enum { ARGS_MAX = 24, REMOTE_MAX = 4096 };

/* ---- running git ---- */

static void whole_argv(struct depot *d, const char **ret, const char *const *argv)
{
	static const char *const calm[] = {"-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0",
		"-c", "maintenance.auto=false", "-c", "core.fsmonitor=false", "-c",
		"push.recurseSubmodules=no", "-c", "push.gpgSign=false", "-c",
		"push.followTags=false", "-c",
		/* one pack instead of thousands of files; large objects never whole in memory */
		"fetch.unpackLimit=1", "-c", "core.bigFileThreshold=16m"};
	size_t n = 0, i;

	ret[n++] = "git";
	ret[n++] = "-C";
	ret[n++] = d->top;
	ret[n++] = "--git-dir";
	ret[n++] = d->git_dir;
	for (i = 0; i < ARRAY_LEN(calm); i++)
		ret[n++] = calm[i];
	for (i = 0; argv[i] && i < ARGS_MAX; i++)
		ret[n++] = argv[i];
	ret[n] = NULL;
}

enum { WHOLE_MAX = ARGS_MAX + 24, OUTPUT_MAX = 64 << 20 };

int depot_git(struct depot *d, const char *const *argv, int timeout_s, struct buf *out,
	struct buf *errors, int *status, struct err *err)
{
	const char *whole[WHOLE_MAX];

	whole_argv(d, whole, argv);
	return proc_capture(whole, (const char *const *)d->env, timeout_s, OUTPUT_MAX, out, errors,
		status, err);
}

int depot_ask(struct depot *d, const char *const *argv, const char *doing, struct buf *out,
	struct err *err)
{
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	int status;

	if (depot_git(d, argv, DEPOT_NETWORK_S, out, &errors, &status, err) < 0)
		return err_prefix(err, "git cannot %s %s", doing, d->shown);
	return status ? depot_failed(d, doing, &errors, err) : 0;
}

int depot_start(struct depot *d, struct proc *p, const char *const *argv, struct err *err)
{
	const char *whole[WHOLE_MAX];

	whole_argv(d, whole, argv);
	return proc_start(p, whole, (const char *const *)d->env, true, DEPOT_LOCAL_S, err);
}

/* ---- opening ---- */

static int check_remote(const char *remote, struct err *err)
{
	_cleanup_(freep) char *shown = depot_redacted(remote);

	if (*remote == '-' || !*remote)
		return err_set(
			err, ERR_USAGE, "'%.80s' is no remote: it looks like an option", shown);
	if (strlen(remote) > REMOTE_MAX || text_has_control(remote, strlen(remote)))
		return err_set(err, ERR_USAGE,
			"'%.80s' is no remote: it holds a control character or is too long", shown);
	return 0;
}

/* A path is relative to where one stands; a remote's name goes before a path, as it does in git. */
static void resolve(struct depot *d)
{
	struct stat st;
	char *path;

	if (d->named || strstr(d->remote, "://") || stat(d->remote, &st) < 0)
		return;
	path = realpath(d->remote, NULL);
	if (path) {
		free(d->remote);
		d->remote = path;
	}
}

static int init_repository(struct depot *d, bool sha256, struct err *err)
{
	const char *argv[] = {"init", "--bare", "-q", "--template=", "--object-format",
		sha256 ? "sha256" : "sha1", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	int status;

	if (depot_git(d, argv, DEPOT_LOCAL_S, &out, &errors, &status, err) < 0)
		return -1;
	return status ? depot_failed(d, "prepare sharing with", &errors, err) : 0;
}

static int open_all(struct depot *d, const struct git *g, struct err *err)
{
	_cleanup_(freep) char *parent = xasprintf("%s/perfgate", git_common_dir(g));
	_cleanup_(buf_release) struct buf settings = BUF_INIT;
	bool sha256;

	depot_plain_env(d);
	if (depot_read_settings(d, &settings, &sha256, err) < 0 ||
		scratch_make(&d->folder, parent, "share-", err) < 0)
		return -1;
	d->git_dir = xasprintf("%s/git", d->folder.path);
	d->marks = xasprintf("%s/marks", d->folder.path);
	if (init_repository(d, sha256, err) < 0 || depot_pass_settings(d, &settings, err) < 0)
		return -1;
	resolve(d);
	return 0;
}

struct depot *depot_open(const struct git *g, const char *remote, struct err *err)
{
	struct depot *d;

	if (check_remote(remote, err) < 0)
		return NULL;
	d = xcalloc(1, sizeof(*d));
	d->folder.lock = -1;
	d->remote = xstrdup(remote);
	d->shown = depot_redacted(remote);
	d->top = xstrdup(git_toplevel(g) ? git_toplevel(g) : git_common_dir(g));
	if (open_all(d, g, err) == 0)
		return d;
	depot_close(d);
	return NULL;
}

void depot_close(struct depot *d)
{
	size_t i;

	if (!d)
		return;
	depot_forget(d);
	scratch_remove(&d->folder);
	for (i = 0; i < d->n_env; i++)
		free(d->env[i]);
	free(d->env);
	free(d->committer);
	free(d->remote);
	free(d->shown);
	free(d->top);
	free(d->git_dir);
	free(d->marks);
	free(d);
}

const char *depot_remote(const struct depot *d)
{
	return d->shown;
}

const char *depot_folder(const struct depot *d)
{
	return d->folder.path;
}
