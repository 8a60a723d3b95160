/*
 * sane: arithmetic around a reading that needs no device: how much to launch, which clock to
 * believe, and which numbers cannot be true.
 */
#ifndef SANE_H
#define SANE_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/*
 * Seconds that launches took: by the device's profiling (event_ns, from the first START to the last
 * END) unless it contradicts the wall clock around them, which then counts; *ret_doubt says why, or
 * is NULL. An event cannot last longer than what encloses it (1 % and 10 us for two clocks), and
 * most of a wait of a millisecond and more is not overhead.
 */
double sane_seconds(double wall_s, int64_t event_ns, const char **ret_doubt);

/*
 * Whether time grew with the work: `more` is how many times the work the second measurement did.
 * -1 with err set where at least 7/10 of the added work cost nothing, or where time grew to more
 * than 16 times that: a short launch may have the processor to itself where a long one shares it.
 */
int sane_growth(double seconds, double more, double more_seconds, struct err *err);

/* A count of iterations near n, at least 1, whose remainder by 3 is r: results repeat by 3
 * (host.h), so that counts of different remainders cannot be mistaken for each other. */
uint32_t sane_count(int64_t n, unsigned r);

/* Work-groups of a launch that keeps all compute units busy, and on a CPU stays short. */
size_t sane_groups(uint64_t compute_units, bool cpu);

/*
 * More operations or bytes a second than any device has: 4096 a clock and compute unit (a unit of
 * today's does 1024 of the narrowest type), the clock taken as at least 4 GHz, since drivers tell
 * the one without boost or none.
 */
double sane_unit_limit(uint64_t compute_units, uint64_t clock_mhz);
#define SANE_MEMORY_LIMIT 64e12  /* B/s; eight times the fastest memory of today */
#define SANE_TRANSFER_LIMIT 1e12 /* B/s; no bus is that fast: nothing was copied */

#endif
