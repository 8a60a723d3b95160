/*
 * joining: what the runs of a batch would become in the store: their series, and which of them it
 * has already.
 */
#ifndef JOINING_H
#define JOINING_H

#include "batch.h"
#include "naming-map.h"
#include "store.h"

struct joined {
	struct batch_series series;
	const char *suite, *runner_key; /* borrowed from the batch and the placings */
	const char *origin;             /* what the document calls it; NULL: the same */
	size_t points, absences;
	const char *first, *last; /* commits */
	bool known;               /* the store has it */
};

/* All of them, in the order of the batch; the caller frees *ret. m has loaded the store's names. */
int joining_find(struct batch *b, const struct placing *placings, struct naming_map *m,
	struct joined **ret, size_t *n, struct err *err);

#endif
