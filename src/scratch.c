#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 32 };

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void remove_all(const char *folder)
{
	nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* A folder NAME is there only while NAME.lock is, which ends with the process that holds it: nobody
 * waits for a lock, and one that is free is of a call that was killed. */
static const char suffix[] = ".lock";

/* A child that outlived its call may go on writing: the lock stays until the folder is gone. */
static void remove_folder(const char *lock)
{
	_cleanup_(freep) char *folder = xstrndup(lock, strlen(lock) - strlen(suffix));
	struct stat st;

	remove_all(folder);
	if (lstat(folder, &st) < 0 && errno == ENOENT)
		unlink(lock);
}

static void sweep_one(const char *lock)
{
	_cleanup_(closep) int fd = open(lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_folder(lock);
}

/* A child that outlived its call may have made the folder anew after that. */
static void sweep_stray(const char *folder)
{
	_cleanup_(freep) char *lock = xasprintf("%s%s", folder, suffix);
	struct stat st;

	if (lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) && lstat(lock, &st) < 0 &&
		errno == ENOENT)
		remove_all(folder);
}

static bool is_lock(const char *name)
{
	size_t n = strlen(name);

	return n > strlen(suffix) && !strcmp(name + n - strlen(suffix), suffix);
}

static void sweep(const char *parent, const char *prefix)
{
	DIR *dir = opendir(parent);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", parent, e->d_name);
		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		if (is_lock(e->d_name))
			sweep_one(path);
		else
			sweep_stray(path);
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

static int make_lock(struct scratch *s, const char *parent, const char *prefix)
{
	for (;;) {
		char *path = xasprintf("%s/%sXXXXXX%s", parent, prefix, suffix);

		s->lock = mkostemps(path, (int)strlen(suffix), O_CLOEXEC);
		if (s->lock >= 0 && hold(s->lock)) {
			s->lock_path = path;
			return 0;
		}
		free(path);
		if (s->lock < 0)
			return -1;
		closep(&s->lock);
	}
}

int scratch_make(struct scratch *s, const char *parent, const char *prefix, struct err *err)
{
	*s = (struct scratch){.lock = -1};
	if (mkdir(parent, 0777) == 0)
		s->made = xstrdup(parent);
	else if (errno != EEXIST)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	sweep(parent, prefix);
	if (make_lock(s, parent, prefix) < 0)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	s->path = xstrndup(s->lock_path, strlen(s->lock_path) - strlen(suffix));
	if (mkdir(s->path, 0700) < 0)
		return err_set(err, ERR_IO, "%s: %s", s->path, strerror(errno));
	return 0;
}

void scratch_remove(struct scratch *s)
{
	if (s->lock_path) {
		remove_folder(s->lock_path);
		closep(&s->lock);
	}
	if (s->made)
		rmdir(s->made);
	free(s->path);
	free(s->lock_path);
	free(s->made);
	*s = (struct scratch){.lock = -1};
}
