/*
 * bench: what the readers of other people's benchmark results share: units, times, facts.
 */
#ifndef BENCH_H
#define BENCH_H

#include "json.h"
#include "sink.h"

#define BENCH_TIME "s", "time", DIRECTION_LOWER

/* The i-th of an array that has to hold numbers; key is whose value that is, for messages. */
int bench_number(
	const struct jv *array, size_t i, const char *key, struct num *ret, struct err *err);

/* The k of "ns", "us", "ms", "s": one is 10^k s. 0, or -1 for another unit. */
int bench_time_exponent(const char *unit, int *ret);

/* RFC 3339 to ns; TIME_UNKNOWN for NULL and for anything else: old versions write local times in
 * many shapes. bench_time_utc() takes a time without an offset for UTC. */
int64_t bench_time(const char *text);
int64_t bench_time_utc(const char *text);

/* Facts of a run: members of an object, each a value as the document has it. What is larger than
 * 64 KiB is left out. The object is the caller's to free, NULL when there are none. */
void bench_fact(struct buf *facts, const char *key, const struct jv *value);
char *bench_facts(const struct buf *facts);

/* Appends "(a=1,b=2)" for an object of strings, numbers and booleans, sorted by key; nothing for an
 * empty one. key is whose value it is, for messages. */
int bench_parameters(struct buf *name, const char *key, const struct jv *o, struct err *err);

#endif
