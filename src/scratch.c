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

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void sweep(const char *parent, const char *prefix)
{
	DIR *dir = opendir(parent);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", parent, e->d_name);
		_cleanup_(closep) int fd = -1;

		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		fd = open_folder(path);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			remove_folder(path);
	}
	if (dir)
		closedir(dir);
}

/* Under the lock of the parent, so that nobody sweeps a folder that is not locked yet. */
static int make_locked(struct scratch *s, const char *parent, const char *prefix, struct err *err)
{
	char *path = xasprintf("%s/%sXXXXXX", parent, prefix);

	sweep(parent, prefix);
	if (!mkdtemp(path)) {
		err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
		free(path);
		return -1;
	}
	s->path = path;
	s->lock = open_folder(path);
	if (s->lock < 0 || flock(s->lock, LOCK_EX | LOCK_NB) < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	return 0;
}

int scratch_make(struct scratch *s, const char *parent, const char *prefix, struct err *err)
{
	_cleanup_(closep) int lock = -1;

	*s = (struct scratch){.lock = -1};
	if (mkdir(parent, 0777) == 0)
		s->made = xstrdup(parent);
	else if (errno != EEXIST)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	lock = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0 || flock(lock, LOCK_EX) < 0)
		return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
	return make_locked(s, parent, prefix, err);
}

void scratch_remove(struct scratch *s)
{
	if (s->path) {
		remove_folder(s->path);
		if (s->lock >= 0)
			close(s->lock);
	}
	if (s->made)
		rmdir(s->made);
	free(s->path);
	free(s->made);
	*s = (struct scratch){.lock = -1};
}
