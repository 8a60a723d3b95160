/*
 * store-known: benchmarks and series that a writing transaction has read ahead, for databases where
 * asking for one costs a message. Writers take their turns, so that what was read stays true and
 * new numbers can be given here; new rows wait in the driver until db_load_end().
 */
#ifndef STORE_KNOWN_H
#define STORE_KNOWN_H

#include "store-private.h"

/* The rows of one table: those of the suites, or of the runners, that were asked for. */
struct known {
	struct intern *keys, *scopes;
	int64_t *ids; /* by the number of the key */
	size_t cap;
	int64_t last; /* the highest number in the table */
	int asked;
};

void known_release(struct known *k); /* and clears it */

/* Whether to read ahead: few things are asked for one by one. */
bool known_worthwhile(struct store *s, struct known *k);

/* The number of what is there already or is added by this. -1 with err set. */
int64_t known_benchmark(
	struct store *s, struct known *k, const char *suite, const char *name, struct err *err);
/* Of x, whose id is not looked at. */
int64_t known_series(struct store *s, struct known *k, const struct db_series *x, struct err *err);

#endif
