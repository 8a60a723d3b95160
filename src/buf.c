#include "buf.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *check(void *p)
{
	if (!p) {
		static const char msg[] = "perfgate: out of memory\n";
		ssize_t n = write(STDERR_FILENO, msg, sizeof(msg) - 1);
		(void)n;
		_exit(2);
	}
	return p;
}

void *xmalloc(size_t n)
{
	return check(malloc(n ? n : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t n)
{
	return check(realloc(p, n ? n : 1));
}

char *xstrdup(const char *s)
{
	return check(strdup(s));
}

char *xstrndup(const char *s, size_t n)
{
	return check(strndup(s, n));
}

char *xasprintf(const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	return buf_take(&b);
}

void *xgrow(void *arr, size_t len, size_t *cap, size_t size)
{
	if (len < *cap)
		return arr;
	*cap = *cap ? *cap * 2 : 16;
	if (*cap > SIZE_MAX / size)
		check(NULL);
	return xrealloc(arr, *cap * size);
}

void *xgrow_to(void *arr, size_t *n, size_t index, size_t size)
{
	const size_t old = *n;

	if (index < old)
		return arr;
	if (index >= SIZE_MAX / size / 2)
		check(NULL);
	*n = index >= 2 * old ? index + 1 : 2 * old;
	arr = xrealloc(arr, *n * size);
	memset((char *)arr + old * size, 0, (*n - old) * size);
	return arr;
}

int buf_room(struct buf *b, size_t n)
{
	size_t need, cap;

	if (b->max && (n > b->max || b->len > b->max - n))
		return -1;
	if (n > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		check(NULL);
	need = b->len + n + 1;
	if (need <= b->cap)
		return 0;
	cap = b->cap ? b->cap : 64;
	while (cap < need)
		cap *= 2;
	b->p = xrealloc(b->p, cap);
	b->cap = cap;
	return 0;
}

void buf_add(struct buf *b, const void *data, size_t n)
{
	if (buf_room(b, n) < 0)
		return;
	if (n)
		memcpy(b->p + b->len, data, n);
	b->len += n;
	b->p[b->len] = '\0';
}

void buf_addstr(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addch(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || buf_room(b, (size_t)n) < 0)
		return;
	vsnprintf(b->p + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->p)
		b->p[0] = '\0';
}

void buf_release(struct buf *b)
{
	if (b) {
		free(b->p);
		b->p = NULL;
		b->len = b->cap = 0;
	}
}

char *buf_take(struct buf *b)
{
	char *p = b->p ? b->p : xstrdup("");

	b->p = NULL;
	b->len = b->cap = 0;
	return p;
}

const char *buf_str(const struct buf *b)
{
	return b->p ? b->p : "";
}

void freep(void *p)
{
	free(*(void **)p);
}

void fclosep(void *p)
{
	FILE *f = *(FILE **)p;

	if (f)
		fclose(f);
}

void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

int write_all(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t written = write(fd, p, n);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		p += written;
		n -= (size_t)written;
	}
	return 0;
}
