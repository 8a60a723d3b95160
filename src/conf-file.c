#include "conf-file.h"

#include "conf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int conf_file_read(const char *path, struct buf *ret, struct err *err)
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
		if (ret->len + n > CONF_MAX)
			return err_set(err, ERR_POLICY, "%s: more than 1 MiB", path);
		buf_add(ret, chunk, n);
	}
	return ferror(f) ? err_set(err, ERR_POLICY, "%s: %s", path, strerror(errno)) : 1;
}

/* The file that path stands for, links followed; *st is its state, with st_nlink 0 and the mode of
 * a new file where there is none. NULL with err set. */
static char *real_file(const char *path, struct stat *st, struct err *err)
{
	mode_t mask = umask(0);
	char *real = NULL;

	umask(mask);
	if (lstat(path, st) < 0 && errno == ENOENT) {
		*st = (struct stat){.st_mode = 0666 & ~mask};
		return xstrdup(path);
	}
	real = realpath(path, NULL);
	if (!real || stat(real, st) < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	else if (!S_ISREG(st->st_mode))
		err_set(err, ERR_IO, "%s: not a file", path);
	if (!err->code)
		return real;
	free(real);
	return NULL;
}

/* Mode and, where that is allowed, owner of the old file. */
static int keep_mode(int fd, const struct stat *st)
{
	bool owned = !st->st_nlink || fchown(fd, st->st_uid, st->st_gid) == 0;

	/* set-user-ID and the like are for the owner that they were given by */
	return fchmod(fd, st->st_mode & (owned ? 07777 : 0777));
}

/* The new name, too, shall outlive a power cut. Where a folder cannot be flushed nothing is lost.
 */
static void flush_folder(const char *file)
{
	const char *slash = strrchr(file, '/');
	_cleanup_(freep) char *folder =
		slash ? xstrndup(file, (size_t)(slash - file) + 1) : xstrdup(".");
	_cleanup_(closep) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		fsync(fd);
}

/* That the file is still what was read; NULL: whatever it is. */
static int check_unchanged(const char *path, const struct buf *old, struct err *err)
{
	_cleanup_(buf_release) struct buf now = BUF_INIT;

	if (!old)
		return 0;
	if (conf_file_read(path, &now, err) < 0)
		return -1;
	if (now.len == old->len && !memcmp(buf_str(&now), buf_str(old), now.len))
		return 0;
	return err_set(err, ERR_IO,
		"%s: somebody else changed it meanwhile; nothing was written, try again", path);
}

int conf_file_write(
	const char *path, const struct buf *text, const struct buf *old, struct err *err)
{
	struct stat st;
	_cleanup_(freep) char *real = real_file(path, &st, err);
	_cleanup_(freep) char *fresh = real ? xasprintf("%s.XXXXXX", real) : NULL;
	_cleanup_(closep) int fd = fresh ? mkostemp(fresh, O_CLOEXEC) : -1;

	if (!real)
		return -1;
	if (fd < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (write_all(fd, buf_str(text), text->len) < 0 || keep_mode(fd, &st) < 0 || fsync(fd) < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	else if (check_unchanged(path, old, err) == 0 && rename(fresh, real) < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (err->code) {
		unlink(fresh);
		return -1;
	}
	flush_folder(real);
	return 0;
}

const char *conf_file_pathspec(const char *path)
{
	struct stat here, there;
	bool same = stat("perfgate.conf", &here) == 0 && stat(path, &there) == 0 &&
		    here.st_dev == there.st_dev && here.st_ino == there.st_ino;

	return same ? "perfgate.conf" : ":/perfgate.conf";
}
