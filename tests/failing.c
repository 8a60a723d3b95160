/*
 * failing: preloaded into perfgate, makes one call fail.
 *
 *	FAILING_CALL   memory: malloc, calloc, realloc; file: what writes to a file, cuts or syncs
 *it FAILING_AT     the number of the call, from 1 up FAILING_ERRNO  the error, a number; ENOSPC,
 *for instance, is 28 on Linux FAILING_ON     if set, every later call fails too: a disk that stays
 *full FAILING_MARK   a file that is created when a call failed
 *
 * Programs of another name than perfgate are left alone, and so are the standard streams.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char *call;
static long at, count;
static int error;
static bool on;

/* What dlsym() needs before the real functions are known. */
static char early[16384];
static size_t early_used;

static void *early_malloc(size_t n)
{
	void *p = early + early_used;

	early_used += (n + 15) & ~(size_t)15;
	return early_used <= sizeof(early) ? p : NULL;
}

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

__attribute__((constructor)) static void start(void)
{
	const char *e = getenv("FAILING_ERRNO"), *n = getenv("FAILING_AT");

	if (strcmp(program_invocation_short_name, "perfgate") != 0)
		return;
	at = n ? strtol(n, NULL, 10) : 0;
	error = e ? (int)strtol(e, NULL, 10) : EIO;
	on = getenv("FAILING_ON") != NULL;
	call = getenv("FAILING_CALL");
}

static bool now(const char *what)
{
	const char *mark;
	int fd;

	if (!call || strcmp(call, what) != 0)
		return false;
	count++;
	if (count != at && !(on && count > at))
		return false;
	mark = getenv("FAILING_MARK");
	fd = mark ? (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0666) : -1;
	if (fd >= 0)
		close(fd);
	return true;
}

/* Looked up once; dlsym() returns functions as void *. */
#define REAL(name, result, ...)                                                                    \
	static result (*real)(__VA_ARGS__);                                                        \
	if (!real)                                                                                 \
	*(void **)(void *)&real = dlsym(RTLD_NEXT, #name)

/* ---- memory ---- */

static bool looking; /* dlsym() allocates */

void *malloc(size_t n)
{
	static void *(*real)(size_t);

	if (!real) {
		if (looking)
			return early_malloc(n);
		looking = true;
		*(void **)(void *)&real = dlsym(RTLD_NEXT, "malloc");
		looking = false;
	}
	if (now("memory")) {
		errno = ENOMEM;
		return NULL;
	}
	return real(n);
}

void *calloc(size_t n, size_t size)
{
	static void *(*real)(size_t, size_t);

	if (!real) {
		if (looking)
			return early_malloc(n * size);
		looking = true;
		*(void **)(void *)&real = dlsym(RTLD_NEXT, "calloc");
		looking = false;
	}
	if (now("memory")) {
		errno = ENOMEM;
		return NULL;
	}
	return real(n, size);
}

void *realloc(void *p, size_t n)
{
	REAL(realloc, void *, void *, size_t);

	if (is_early(p)) {
		void *q = malloc(n);
		if (q)
			memcpy(q, p, n);
		return q;
	}
	if (now("memory")) {
		errno = ENOMEM;
		return NULL;
	}
	return real(p, n);
}

void free(void *p)
{
	REAL(free, void, void *);

	if (p && !is_early(p))
		real(p);
}

/* ---- files ---- */

static bool file_fails(int fd)
{
	if (fd <= STDERR_FILENO || !now("file"))
		return false;
	errno = error;
	return true;
}

ssize_t write(int fd, const void *data, size_t n)
{
	REAL(write, ssize_t, int, const void *, size_t);

	return file_fails(fd) ? -1 : real(fd, data, n);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
	REAL(pwrite, ssize_t, int, const void *, size_t, off_t);

	return file_fails(fd) ? -1 : real(fd, data, n, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset)
{
	REAL(pwrite64, ssize_t, int, const void *, size_t, off64_t);

	return file_fails(fd) ? -1 : real(fd, data, n, offset);
}

int fdatasync(int fd)
{
	REAL(fdatasync, int, int);

	return file_fails(fd) ? -1 : real(fd);
}

int fsync(int fd)
{
	REAL(fsync, int, int);

	return file_fails(fd) ? -1 : real(fd);
}

int ftruncate(int fd, off_t n)
{
	REAL(ftruncate, int, int, off_t);

	return file_fails(fd) ? -1 : real(fd, n);
}

int ftruncate64(int fd, off64_t n)
{
	REAL(ftruncate64, int, int, off64_t);

	return file_fails(fd) ? -1 : real(fd, n);
}
