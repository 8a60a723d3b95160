/*
 * counter: what libperfgate-alloc, a library of its own, counts. It is found by weak references, so
 * that libperfgate works without it.
 */
#ifndef PERFGATE_COUNTER_H
#define PERFGATE_COUNTER_H

#include <stdint.h>

#include "perfgate/kpi.h"

/* Of libperfgate-alloc: allocations and bytes of all threads until now. */
PERFGATE_API void perfgate_alloc_totals(uint64_t *ret_allocs, uint64_t *ret_bytes);

/* Of libperfgate-alloc: adds by to the calling thread's depth; while that is above 0 nothing that
 * it allocates is counted. */
PERFGATE_API void perfgate_alloc_hush(int by);

/* The same, and nothing where that library is not there. */
void perfgate_hush(int by);

#endif
