#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRAM_MAX = 64 };

/* Returns 0 or an errno value. */
static int write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		bytes += n;
		len -= (size_t)n;
	}
	return fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

static int is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

int perfgate_file_put(const char *path, const char *part, const char *bytes, size_t len, int fresh)
{
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), r;

	if (fd < 0)
		return errno;
	r = fresh && is_there(path) ? EEXIST : write_all(fd, bytes, len);
	if (close(fd) < 0 && !r)
		r = errno;
	if (!r && rename(part, path) < 0)
		r = errno;
	if (r)
		unlink(part);
	return r;
}

static char *format(
	const char *fmt, int len, const char *folder, const char *name, long long number)
{
	int need = snprintf(NULL, 0, fmt, len, folder, name, number);
	char *s = need < 0 ? NULL : malloc((size_t)need + 1);

	if (s)
		snprintf(s, (size_t)need + 1, fmt, len, folder, name, number);
	return s;
}

char *perfgate_file_part(const char *path, unsigned number)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return format("%.*s.%s.%lld.part", (int)(name - path), path, name, number);
}

/* The program's name with nothing in it that a shell or a terminal could mind. */
static void program_name(char *buf, size_t size)
{
	size_t i;

	snprintf(buf, size, "%s", program_invocation_short_name);
	for (i = 0; buf[i]; i++) {
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
			    buf[i]))
			buf[i] = '_';
	}
}

char *perfgate_file_name(const char *folder, long long number)
{
	char program[PROGRAM_MAX], name[PROGRAM_MAX + 40];

	program_name(program, sizeof(program));
	snprintf(name, sizeof(name), "/kpi-%s-%ld", program, (long)getpid());
	return format("%.*s%s-%lld.json", (int)strlen(folder), folder, name, number);
}
