/*
 * alloc-count: the counters of libperfgate-alloc.
 *
 * The first threads have a pair of counters each, on a cache line of its own, that nobody else writes;
 * later ones share pairs and add atomically. The sum of all is exact for what happened before it is
 * read, threads that have ended included.
 */
#ifndef PERFGATE_ALLOC_COUNT_H
#define PERFGATE_ALLOC_COUNT_H

#include <stddef.h>

/* Counts an allocation of size bytes, unless p is NULL or the thread is hushed. Returns p. */
void *perfgate_count(void *p, size_t size);

#endif
