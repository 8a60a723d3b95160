/*
 * bench: what the readers of other people's benchmark results share: units, times, facts.
 */
#ifndef BENCH_H
#define BENCH_H

#include "json.h"
#include "sink.h"

#define BENCH_TIME "s", "time", DIRECTION_LOWER

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

#endif
