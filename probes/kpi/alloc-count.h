/*
 * alloc-count: the counters of libperfgate-alloc.
 *
 * A thread adds to one of a fixed number of pairs, each on a cache line of its own, atomically: the
 * sum of all is exact for what happened before it is read, threads that have ended included, and
 * threads seldom meet.
 */
#ifndef PERFGATE_ALLOC_COUNT_H
#define PERFGATE_ALLOC_COUNT_H

#include <stddef.h>

/* Counts an allocation of size bytes, unless p is NULL or the thread is hushed. Returns p. */
void *perfgate_count(void *p, size_t size);

#endif
