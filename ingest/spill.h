/*
 * spill: samples sorted by (run, rank of their series, arrival) in bounded memory: an external
 * merge sort over an unlinked temporary file once SPILL_BYTES are held.
 *
 * The rank of a series may change as long as series are added; only the order between two series
 * must not (names sort the same whatever else there is).
 */
#ifndef SPILL_H
#define SPILL_H

#include <stddef.h>

#include "err.h"
#include "num.h"

#define SPILL_BYTES (32u << 20)

struct spill;

struct spill *spill_new(void);
void spill_free(struct spill *s); /* NULL is fine */

bool spill_full(const struct spill *s); /* the next spill_add() needs a spill_flush() first */
void spill_add(struct spill *s, uint32_t run, uint32_t series, struct num value);

/* Sorts what is in memory by rank[series] and moves it to the file. */
int spill_flush(
	struct spill *s, const uint32_t *rank, uint32_t series, uint32_t runs, struct err *err);

/* Calls row in sorted order with the final ranks. */
int spill_each(struct spill *s, const uint32_t *rank, uint32_t series, uint32_t runs,
	int (*row)(void *ctx, uint32_t run, uint32_t series, struct num value, struct err *err),
	void *ctx, struct err *err);

size_t spill_count(const struct spill *s);

#endif
