/*
 * line: what perfgate's two formats of one JSON object a line have in common: the export and
 * samples.
 */
#ifndef LINE_H
#define LINE_H

#include "json.h"
#include "sink.h"

/* Calls row for each object of the input, blank lines apart. Errors get "FILE:LINE: ". */
int line_each(struct input *in, int (*row)(void *ctx, const struct jv *o, struct err *err),
	void *ctx, struct err *err);

/* The series that a line names: benchmark, metric, unit, quantity, direction, variant. Its number,
 * or -1. */
int64_t line_series(struct sink *sink, const struct jv *o, struct err *err);

/* The absence that it tells of by status and reason. */
int line_absence(struct sink *sink, int run, int64_t series, const struct jv *o, struct err *err);

/* s: digits in a or b places. */
int line_check_hex(const char *key, const char *s, size_t a, size_t b, struct err *err);
/* "clean" or "dirty:DIGEST". */
int line_check_state(const char *state, struct err *err);

#endif
