/*
 * input: where a document's bytes come from: a file, standard input, or memory (tests, fuzzers).
 *
 * The head can be looked at before reading (detection); reading then starts at the first byte
 * again. A file is opened at the first use and can be closed and reopened, so that a call over
 * thousands of files holds few descriptors.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define INPUT_HEAD 65536 /* bytes that input_head() shows at most */

struct input;

struct input *input_file(const char *path); /* "-" is standard input */
struct input *input_memory(const char *name, const void *data, size_t len); /* data is borrowed */
void input_free(struct input *in);                                          /* NULL is fine */

const char *input_name(const struct input *in); /* the path; "standard input" for "-" */

/* Sets ERR_FORMAT with "NAME:LINE: " before the message. Always returns -1. */
int input_error_at(
	const struct input *in, unsigned line, struct err *err, const char *fmt, va_list ap);

/* The first bytes, up to INPUT_HEAD, without consuming them. Returns 0, or -1 with err set. */
int input_head(struct input *in, const char **ret, size_t *ret_len, struct err *err);

/* Reads up to n bytes. Returns how many, 0 at the end, -1 with err set. */
long input_read(struct input *in, void *buf, size_t n, struct err *err);

/* Bytes read so far and in all (-1 unknown), for progress. */
int64_t input_position(const struct input *in);
int64_t input_size(const struct input *in);

/* Closes the descriptor of a file; the next use starts at its first byte. */
void input_close(struct input *in);

#endif
