/*
 * err: how a library function says what went wrong.
 *
 * A function that can fail takes a struct err as its last parameter, never NULL, and returns -1
 * (or NULL) after err_set(). The first error wins: err_set() on an err that already holds one
 * leaves it as it is. A message names the place, the value and what was expected; it may hold
 * bytes from a document, so whoever prints it escapes it (text_escape). Library layers never print.
 */
#ifndef ERR_H
#define ERR_H

#include <stdbool.h>

enum err_code {
	ERR_NONE,
	ERR_USAGE,    /* the command line cannot be carried out */
	ERR_FORMAT,   /* a document is not what it should be */
	ERR_IO,       /* the system refused to open, read or write */
	ERR_STORE,    /* the store is absent, damaged, full, foreign or from a newer version */
	ERR_GIT,      /* git failed or does not know the revision */
	ERR_POLICY,   /* perfgate.conf cannot be used */
	ERR_PIPE,     /* whoever read the output has gone: nothing to tell */
	ERR_CANCELLED /* a signal asked to stop */
};

struct err {
	int code; /* enum err_code; ERR_NONE while nothing failed */
	char msg[512];
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif

/* Records the error unless one is there already. Always returns -1. */
int err_set(struct err *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts "PREFIX: " before the message of an err that holds one. Always returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

void err_clear(struct err *err);

#endif
