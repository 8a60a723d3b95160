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
#include <time.h>
#include <unistd.h>

enum { UNLOCKED_S = 24 * 3600 };

static const char lock_part[] = "lock.part";

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

static bool has(const char *folder, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);

	return access(path, F_OK) == 0;
}

/* Without a lock a folder is being made, or was when its call was killed; or a git that outlived
 * its call went on writing while it was swept away. */
static bool is_dead(const char *folder)
{
	struct stat st;

	if (lstat(folder, &st) < 0 || !S_ISDIR(st.st_mode))
		return false;
	return time(NULL) - st.st_mtime > UNLOCKED_S ||
	       (has(folder, "git") && !has(folder, lock_part));
}

/* Nobody waits here: a lock that is held says that the folder is in use. */
static void sweep_one(const char *folder)
{
	_cleanup_(freep) char *path = xasprintf("%s/lock", folder);
	_cleanup_(closep) int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 ? is_dead(folder) : flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_folder(folder);
}

/* Folders of calls that were killed: a lock ends with the process that holds it. */
static void sweep(const char *parent)
{
	DIR *dir = opendir(parent);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", parent, e->d_name);
		if (!strncmp(e->d_name, "share-", 6))
			sweep_one(path);
	}
	if (dir)
		closedir(dir);
}

/* The lock gets its name when it is held. A file system that knows no locks has none; nobody sweeps
 * there but what is old. */
static int lock_folder(struct depot *d, struct err *err)
{
	_cleanup_(freep) char *path = xasprintf("%s/lock", d->folder);
	_cleanup_(freep) char *part = xasprintf("%s/%s", d->folder, lock_part);

	d->lock = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (d->lock < 0)
		return err_set(err, ERR_IO, "%s: %s", part, strerror(errno));
	if (flock(d->lock, LOCK_EX | LOCK_NB) == 0 && rename(part, path) < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	return 0;
}

int depot_make_folder(struct depot *d, const char *parent, struct err *err)
{
	char *folder = xasprintf("%s/share-XXXXXX", parent);

	if (mkdir(parent, 0777) == 0 || errno == EEXIST) {
		sweep(parent);
		if (mkdtemp(folder)) {
			d->folder = folder;
			return lock_folder(d, err);
		}
	}
	free(folder);
	return err_set(err, ERR_IO, "%s: %s", parent, strerror(errno));
}

void depot_remove_folder(struct depot *d)
{
	if (d->folder)
		remove_folder(d->folder);
	closep(&d->lock);
}
