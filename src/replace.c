#include "replace.h"

#include "buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct err *err)
{
	return err_set(err, ERR_IO, "%s", strerror(errno));
}

/* Where the file is to be in the end, links followed; NULL where it is none that can be replaced.
 */
static char *place_of(const char *path, mode_t *ret_mode)
{
	struct stat st;

	*ret_mode = 0;
	if (lstat(path, &st) < 0)
		return errno == ENOENT ? xstrdup(path) : NULL;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || access(path, W_OK) < 0)
		return NULL;
	*ret_mode = st.st_mode & 07777;
	return realpath(path, NULL);
}

/* A new file beside it; -1: the folder takes none. */
static int create_part(struct replacement *r, const char *place, mode_t mode)
{
	int fd;

	r->part = xasprintf("%s.part-%ld", place, (long)getpid());
	fd = open(r->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0 && mode && fchmod(fd, mode) < 0) {
		close(fd);
		unlink(r->part);
		fd = -1;
	}
	if (fd < 0) {
		free(r->part);
		r->part = NULL;
	}
	return fd;
}

int replace_open(struct replacement *r, const char *path, struct err *err)
{
	mode_t mode;
	char *place = place_of(path, &mode);
	int fd;

	*r = (struct replacement){.path = place};
	fd = place ? create_part(r, place, mode) : -1;
	r->f = fd >= 0 ? fdopen(fd, "w") : fopen(path, "we");
	if (r->f)
		return 0;
	fail(err);
	replace_abandon(r);
	return -1;
}

static void release(struct replacement *r)
{
	free(r->path);
	free(r->part);
	*r = (struct replacement){0};
}

int replace_close(struct replacement *r, struct err *err)
{
	int ret = fclose(r->f);

	r->f = NULL;
	if (ret == 0 && r->part)
		ret = rename(r->part, r->path);
	if (ret != 0) {
		fail(err);
		replace_abandon(r);
		return -1;
	}
	release(r);
	return 0;
}

void replace_abandon(struct replacement *r)
{
	if (r->f)
		fclose(r->f);
	if (r->part)
		unlink(r->part);
	release(r);
}
