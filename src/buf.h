/*
 * buf: memory. Allocation that dies when there is none, growing byte buffers, scope cleanup.
 *
 * A buf always holds a NUL after its len bytes once anything was added. A buf fed from outside
 * gets a maximum (max > 0); buf_room() then fails instead of growing past it.
 */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "err.h"

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Makes room for one more element of *arr; *cap counts elements. */
void *xgrow(void *arr, size_t len, size_t *cap, size_t size);
/* Makes room for the element at index of an array of *n elements; new ones are zeroes. */
void *xgrow_to(void *arr, size_t *n, size_t index, size_t size);

struct buf {
	char *p;
	size_t len, cap, max; /* max 0: no maximum */
};

#define BUF_INIT                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}

/* Room for n more bytes and a NUL. Returns -1, with nothing changed, past the maximum. */
int buf_room(struct buf *b, size_t n);
void buf_add(struct buf *b, const void *data, size_t n);
void buf_addstr(struct buf *b, const char *s);
void buf_addch(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap);
void buf_clear(struct buf *b);            /* forgets the bytes, keeps the memory */
void buf_release(struct buf *b);          /* frees the memory; NULL is fine */
char *buf_take(struct buf *b);            /* the caller frees; never NULL; b is empty again */
const char *buf_str(const struct buf *b); /* never NULL */

void freep(void *p);   /* for _cleanup_ on a malloc'ed pointer */
void fclosep(void *p); /* ... on a FILE * */
void closep(int *fd);  /* ... on a file descriptor, -1 = none */

/* Writes all n bytes to a file descriptor, whatever interrupts it. -1 with errno. */
int write_all(int fd, const void *data, size_t n);

#define _cleanup_(f) __attribute__((cleanup(f)))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
