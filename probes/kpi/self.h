/*
 * self: what the kernel says of this process in /proc. Nothing here allocates.
 */
#ifndef PERFGATE_SELF_H
#define PERFGATE_SELF_H

#include <stdint.h>

/* Resident memory in bytes; 0 where it cannot be had. */
uint64_t perfgate_self_rss(void);

/* Threads of this process; 0 where it cannot be had. */
int perfgate_self_threads(void);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t perfgate_self_clock(void);

#endif
