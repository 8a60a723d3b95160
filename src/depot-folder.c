/* The folder of a depot: made, locked for as long as the call lasts, swept away. */
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

/* A folder NAME is there only while NAME.lock is, which ends with the process that holds it: nobody
 * waits for a lock, and one that is free is of a call that was killed. */
static const char lead[] = "share-", suffix[] = ".lock";

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

/* A git that outlived its call may go on writing: the lock stays until the folder is gone. */
static void remove_folder(const char *lock)
{
	_cleanup_(freep) char *folder = xstrndup(lock, strlen(lock) - strlen(suffix));
	struct stat st;

	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (lstat(folder, &st) < 0 && errno == ENOENT)
		unlink(lock);
}

static void sweep_one(const char *lock)
{
	_cleanup_(closep) int fd = open(lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_folder(lock);
}

static bool is_lock(const char *name)
{
	size_t n = strlen(name);

	return !strncmp(name, lead, strlen(lead)) && n > strlen(lead) + strlen(suffix) &&
	       !strcmp(name + n - strlen(suffix), suffix);
}

static void sweep(const char *parent)
{
	DIR *dir = opendir(parent);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", parent, e->d_name);
		if (is_lock(e->d_name))
			sweep_one(path);
	}
	if (dir)
		closedir(dir);
}

/* Whether a new lock is held. Somebody may sweep it away before; a file system that knows no locks
 * is one where nobody sweeps. */
static bool hold(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return false;
	return fstat(fd, &st) == 0 && st.st_nlink > 0;
}

static int make_lock(struct depot *d, const char *parent)
{
	for (;;) {
		char *path = xasprintf("%s/%sXXXXXX%s", parent, lead, suffix);

		d->lock = mkostemps(path, (int)strlen(suffix), O_CLOEXEC);
		if (d->lock >= 0 && hold(d->lock)) {
			d->lock_path = path;
			return 0;
		}
		free(path);
		if (d->lock < 0)
			return -1;
		closep(&d->lock);
		d->lock = -1;
	}
}

int depot_make_folder(struct depot *d, const char *parent, struct err *err)
{
	if (mkdir(parent, 0777) < 0 && errno != EEXIST)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	sweep(parent);
	if (make_lock(d, parent) < 0)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	d->folder = xstrndup(d->lock_path, strlen(d->lock_path) - strlen(suffix));
	if (mkdir(d->folder, 0700) < 0)
		return err_set(err, ERR_IO, "%s: %s", d->folder, strerror(errno));
	return 0;
}

void depot_remove_folder(struct depot *d)
{
	if (d->lock_path)
		remove_folder(d->lock_path);
	closep(&d->lock);
	free(d->lock_path);
}
