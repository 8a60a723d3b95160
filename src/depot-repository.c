/* The private repository of a depot: made, configured, used, swept away. */
#include "depot-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

enum { ARGS_MAX = 24, CONFIG_MAX = 1 << 20, SETTINGS_MAX = 2000, REMOTE_MAX = 4096 };

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static void remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Folders of calls that were killed: nobody holds their lock. */
static void sweep(const char *parent)
{
	DIR *dir = opendir(parent);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", parent, e->d_name);
		int fd;

		if (strncmp(e->d_name, "share-", 6))
			continue;
		fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			remove_folder(path);
		if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Under the lock of the parent, so that nobody sweeps a folder that is not locked yet. */
static int make_locked(struct depot *d, const char *parent, struct err *err)
{
	char *folder = xasprintf("%s/share-XXXXXX", parent);

	sweep(parent);
	if (!mkdtemp(folder)) {
		err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
		free(folder);
		return -1;
	}
	d->folder = folder;
	d->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->lock < 0 || flock(d->lock, LOCK_EX | LOCK_NB) < 0)
		return err_set(err, ERR_IO, "%s: %s", folder, strerror(errno));
	return 0;
}

static int make_folder(struct depot *d, const char *parent, struct err *err)
{
	_cleanup_(closep) int lock = -1;

	if (mkdir(parent, 0777) < 0 && errno != EEXIST)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	lock = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0 || flock(lock, LOCK_EX) < 0)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	if (make_locked(d, parent, err) < 0)
		return -1;
	d->git_dir = xasprintf("%s/git", d->folder);
	d->marks = xasprintf("%s/marks", d->folder);
	return 0;
}

/* ---- environment and configuration ---- */

static void add_env(struct depot *d, char *text)
{
	d->env = xgrow(d->env, d->n_env + 1, &d->cap_env, sizeof(*d->env));
	d->env[d->n_env++] = text;
	d->env[d->n_env] = NULL;
}

static void basic_env(struct depot *d)
{
	static const char *const fixed[] = {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_PAGER=cat", "LC_ALL=C", "GIT_WORK_TREE", "GIT_INDEX_FILE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
		"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_PREFIX"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(fixed); i++)
		add_env(d, xstrdup(fixed[i]));
}

static bool ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n >= k && !strcmp(s + n - k, suffix);
}

/* Settings that say how to reach a remote and in whose name. */
static bool is_wanted(const char *key)
{
	static const char *const sections[] = {
		"http.", "credential.", "url.", "protocol.", "ssh.", "user.", "committer."};
	static const char *const keys[] = {"core.sshcommand", "core.askpass", "core.gitproxy"};
	static const char *const of_remotes[] = {
		".url", ".pushurl", ".proxy", ".proxyauthmethod", ".uploadpack", ".receivepack"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(sections); i++)
		if (!strncmp(key, sections[i], strlen(sections[i])))
			return true;
	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	for (i = 0; i < ARRAY_LEN(of_remotes); i++)
		if (!strncmp(key, "remote.", 7) && ends_with(key, of_remotes[i]))
			return true;
	return false;
}

/* The private repository reads the system's and the user's settings by itself; those of the
 * repository go to it by way of the environment, since they can hold tokens. */
static void add_setting(struct depot *d, size_t *n, const char *scope, const char *key,
	const char *value, bool *sha256)
{
	bool own =
		!strcmp(scope, "local") || !strcmp(scope, "worktree") || !strcmp(scope, "command");

	if (own && !strcmp(key, "extensions.objectformat"))
		*sha256 = !strcmp(value, "sha256");
	if (!own || !is_wanted(key) || *n >= SETTINGS_MAX)
		return;
	add_env(d, xasprintf("GIT_CONFIG_KEY_%zu=%s", *n, key));
	add_env(d, xasprintf("GIT_CONFIG_VALUE_%zu=%s", *n, value));
	++*n;
}

/* "SCOPE\0KEY\nVALUE\0", again and again; a key without a value stands for true. */
static size_t read_settings(struct depot *d, struct buf *text, bool *sha256)
{
	char *at = text->p, *end = text->p + text->len;
	size_t n = 0;

	while (at && at < end) {
		char *scope = at, *key = scope + strlen(scope) + 1, *value;
		if (key >= end)
			break;
		at = key + strlen(key) + 1;
		value = strchr(key, '\n');
		if (value)
			*value++ = '\0';
		add_setting(d, &n, scope, key, value ? value : "true", sha256);
	}
	return n;
}

static int load_settings(struct depot *d, bool *sha256, struct err *err)
{
	static const char *const argv[] = {
		"git", "config", "--list", "--show-scope", "--includes", "-z", NULL};
	static const char *const env[] = {"LC_ALL=C", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	size_t n;
	int status;

	if (proc_capture(argv, env, DEPOT_LOCAL_S, CONFIG_MAX, &out, &errors, &status, err) < 0)
		return -1;
	if (status)
		return depot_failed(d, "read the configuration", &errors, err);
	n = read_settings(d, &out, sha256);
	add_env(d, xasprintf("GIT_CONFIG_COUNT=%zu", n));
	add_env(d, xstrdup("GIT_CONFIG_PARAMETERS"));
	return 0;
}

/* ---- running git ---- */

static void whole_argv(struct depot *d, const char **ret, const char *const *argv)
{
	static const char *const calm[] = {"-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0",
		"-c", "maintenance.auto=false", "-c", "core.fsmonitor=false", "-c",
		"push.recurseSubmodules=no", "-c", "push.gpgSign=false", "-c",
		"push.followTags=false"};
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

enum { WHOLE_MAX = ARGS_MAX + 24, OUTPUT_MAX = 256 << 20 };

int depot_git(struct depot *d, const char *const *argv, int timeout_s, struct buf *out,
	struct buf *errors, int *status, struct err *err)
{
	const char *whole[WHOLE_MAX];

	whole_argv(d, whole, argv);
	return proc_capture(whole, (const char *const *)d->env, timeout_s, OUTPUT_MAX, out, errors,
		status, err);
}

int depot_start(struct depot *d, struct proc *p, const char *const *argv, struct err *err)
{
	const char *whole[WHOLE_MAX];

	whole_argv(d, whole, argv);
	return proc_start(p, whole, (const char *const *)d->env, true, DEPOT_LOCAL_S, err);
}

/* The first line that complains, else the last one that says anything. */
static const char *telling_line(const char *text, int *len)
{
	static const char *const leads[] = {
		"fatal: ", "error: ", "remote: error", "remote: fatal", "remote: ERROR", "ERROR: "};
	const char *last = NULL, *line;
	size_t i, n;

	for (line = text; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		for (i = 0; i < ARRAY_LEN(leads); i++) {
			if (strncmp(line, leads[i], strlen(leads[i])))
				continue;
			*len = (int)n - (i < 2 ? 7 : 0);
			return line + (i < 2 ? 7 : 0);
		}
		if (n) {
			last = line;
			*len = (int)n;
		}
	}
	return last;
}

int depot_failed(struct depot *d, const char *doing, const struct buf *errors, struct err *err)
{
	int len = 0;
	const char *line = telling_line(buf_str(errors), &len), *at;
	_cleanup_(freep) char *text =
		line ? xstrndup(line, (size_t)len) : xstrdup("it failed without a word");

	at = d->secret ? strstr(text, d->secret) : NULL;
	if (at)
		memset(text + (at - text), '*', strlen(d->secret));
	return err_set(err, ERR_GIT, "git cannot %s %s: %s", doing, d->shown, text);
}

/* ---- opening ---- */

static int check_remote(const char *remote, struct err *err)
{
	if (*remote == '-' || !*remote)
		return err_set(
			err, ERR_USAGE, "'%.80s' is no remote: it looks like an option", remote);
	if (strlen(remote) > REMOTE_MAX || text_has_control(remote, strlen(remote)))
		return err_set(err, ERR_USAGE,
			"'%.80s' is no remote: it holds a control character or is too long",
			remote);
	return 0;
}

/* "https://USER:TOKEN@host/": that part is nobody's business. */
static void hide_secret(struct depot *d, const char *remote)
{
	const char *at = strstr(remote, "://"), *end;

	at = at ? at + 3 : NULL;
	end = at ? memchr(at, '@', strcspn(at, "/?#")) : NULL;
	if (!end || end == at) {
		d->shown = xstrdup(remote);
		return;
	}
	d->secret = xstrndup(at, (size_t)(end - at));
	d->shown = xasprintf("%.*s***%s", (int)(at - remote), remote, end);
}

/* A path is relative to where one stands, unless a remote has that name. */
static char *resolved(const char *remote)
{
	struct stat st;
	char *path = NULL;

	if ((strchr(remote, '/') || *remote == '.') && !strstr(remote, "://") &&
		stat(remote, &st) == 0)
		path = realpath(remote, NULL);
	return path ? path : xstrdup(remote);
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
	bool sha256 = false;

	basic_env(d);
	if (load_settings(d, &sha256, err) < 0 || make_folder(d, parent, err) < 0)
		return -1;
	return init_repository(d, sha256, err);
}

struct depot *depot_open(const struct git *g, const char *remote, struct err *err)
{
	struct depot *d;

	if (check_remote(remote, err) < 0)
		return NULL;
	d = xcalloc(1, sizeof(*d));
	d->lock = -1;
	d->remote = resolved(remote);
	d->top = xstrdup(git_toplevel(g) ? git_toplevel(g) : git_common_dir(g));
	hide_secret(d, remote);
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
	if (d->folder)
		remove_folder(d->folder);
	closep(&d->lock);
	for (i = 0; i < d->n_env; i++)
		free(d->env[i]);
	free(d->env);
	free(d->committer);
	free(d->remote);
	free(d->shown);
	free(d->secret);
	free(d->top);
	free(d->folder);
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
	return d->folder;
}
