#include "worktree.h"

#include "proc.h"
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REMOVAL_S = 3600, OUTPUT_MAX = 1 << 20 };

/* ---- git ---- */

/* Nobody sits there to type a password. */
static const char *const environment[] = {
	"GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "LC_ALL=C", GIT_HOOK_VARIABLES, NULL};

static int explain(const char *output, const char *doing, struct err *err)
{
	_cleanup_(buf_release) struct buf said = BUF_INIT;
	const char *s;

	launch_last_lines(output, &said);
	s = strrchr(buf_str(&said), '\n');
	s = strstr(buf_str(&said), "fatal: ") ? strstr(said.p, "fatal: ") + 7
	    : s                               ? s + 1
					      : buf_str(&said);
	return err_set(err, ERR_GIT, "git cannot %s: %.*s", doing, (int)strcspn(s, "\n"),
		*s ? s : "it failed without a word");
}

static int run_git(const struct worktrees *w, const char *dir, const char *const *argv,
	const char *doing, struct err *err)
{
	const struct launch l = {.argv = (char *const *)(uintptr_t)argv,
		.dir = dir,
		.output = w->output,
		.env = environment};
	struct launched r;

	if (launch(&l, w->stop, &r, err) < 0)
		return -1;
	if (r.end == LAUNCH_STOPPED)
		return err_set(
			err, ERR_CANCELLED, "stopped by a signal while git was to %s", doing);
	return r.end == LAUNCH_EXITED && r.status == 0 ? 0 : explain(w->output, doing, err);
}

/* Those that the repository has initialised, and all that is in them. --init would write into the
 * configuration of the repository; that of a submodule is the work tree's own. */
static int add_submodules(const struct worktrees *w, const char *path, struct err *err)
{
	static const char *const update[] = {
		"git", "-c", "core.hooksPath=/dev/null", "submodule", "--quiet", "update", NULL};
	static const char *const inner[] = {"git", "submodule", "--quiet", "foreach", "--quiet",
		"git submodule --quiet update --init --recursive", NULL};
	_cleanup_(freep) char *list = xasprintf("%s/.gitmodules", path);

	if (access(list, F_OK) < 0)
		return 0;
	if (run_git(w, path, update, "check out the submodules", err) < 0)
		return -1;
	return run_git(w, path, inner, "check out the submodules", err);
}

int worktree_add(const struct worktrees *w, const char *path, const char *sha, struct err *err)
{
	const char *argv[] = {"git", "-c", "core.hooksPath=/dev/null", "--git-dir", git_dir(w->git),
		"worktree", "add", "--quiet", "--detach", "--", path, sha, NULL};

	if (run_git(w, git_common_dir(w->git), argv, "make a temporary work tree", err) < 0)
		return -1;
	return add_submodules(w, path, err);
}

/* A signal does not keep it from tidying up. */
int worktree_remove(const struct worktrees *w, const char *path, struct err *err)
{
	const char *argv[] = {"git", "--git-dir", git_common_dir(w->git), "worktree", "remove",
		"--force", "--force", "--", path, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	int status;

	if (proc_capture(argv, environment, REMOVAL_S, OUTPUT_MAX, &out, &errors, &status, err) < 0)
		return -1;
	return status ? err_set(err, ERR_GIT, "git cannot remove a temporary work tree: %.*s",
				(int)strcspn(buf_str(&errors), "\n"), errors.p)
		      : 0;
}

/* ---- the folder ---- */

static char *lock_of(const char *folder)
{
	return xasprintf("%s/lock", folder);
}

int worktree_lock(const char *folder, struct err *err)
{
	_cleanup_(freep) char *path = lock_of(folder);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

void worktree_unlock(const char *folder, int lock)
{
	_cleanup_(freep) char *path = lock_of(folder);

	unlink(path);
	close(lock);
}

/* ---- what a process that was killed left ---- */

static bool is_own_folder(const char *folder)
{
	const char *name = strrchr(folder, '/');
	struct stat st;

	if (!name || strncmp(name + 1, WORKTREE_FOLDER, strlen(WORKTREE_FOLDER)) != 0)
		return false;
	return lstat(folder, &st) < 0 ? errno == ENOENT
				      : S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* Its lock is there and nobody holds it: 1 and the lock, or -1 in its place where the folder is
 * gone; 0 it is in use, or kept on purpose. */
static bool is_left(const char *folder, int *ret_lock)
{
	_cleanup_(freep) char *path = lock_of(folder);

	*ret_lock = -1;
	if (!is_own_folder(folder))
		return false;
	if (access(folder, F_OK) < 0)
		return errno == ENOENT;
	*ret_lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (*ret_lock < 0)
		return false;
	if (flock(*ret_lock, LOCK_EX | LOCK_NB) == 0)
		return true;
	close(*ret_lock);
	*ret_lock = -1;
	return false;
}

static void sweep_one(const struct worktrees *w, char *tree)
{
	_cleanup_(freep) char *folder = xstrdup(tree);
	struct err ignored = ERR_INIT;
	char *name = strrchr(folder, '/');
	int lock;

	if (!name || strncmp(name, "/tree-", 6) != 0)
		return;
	*name = '\0';
	if (!is_left(folder, &lock))
		return;
	worktree_remove(w, tree, &ignored);
	if (lock < 0)
		return;
	remove_all(folder);
	close(lock);
}

/* The work tree of which git keeps a note there, with "/.git" behind it. */
static void sweep_entry(const struct worktrees *w, const char *notes, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s/gitdir", notes, name);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	char line[PATH_MAX + 8];
	size_t n;

	if (!f || !fgets(line, sizeof(line), f))
		return;
	n = strcspn(line, "\n");
	if (n <= 5 || strncmp(line + n - 5, "/.git", 5) != 0)
		return;
	line[n - 5] = '\0';
	sweep_one(w, line);
}

void worktree_sweep(const struct worktrees *w)
{
	_cleanup_(freep) char *notes = xasprintf("%s/worktrees", git_common_dir(w->git));
	DIR *d = opendir(notes);
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			sweep_entry(w, notes, e->d_name);
	if (d)
		closedir(d);
}
