/*
 * each-series: the series of a store as a policy names them now.
 */
#ifndef EACH_SERIES_H
#define EACH_SERIES_H

#include "intern.h"
#include "pattern.h"
#include "policy.h"
#include "store.h"

/*
 * Calls row for each series of the store whose present name matches only (NULL: all); key has the
 * present name of its benchmark, stored the one
 * in the store. Strings live as long as names (which is the caller's) and the store. What row
 * returns below 0 ends it, and is returned.
 */
int each_series(struct store *s, struct policy *p, struct pattern *only, struct intern *names,
	int (*row)(void *ctx, const struct series_key *key, const struct store_series *stored,
		struct err *err),
	void *ctx, struct err *err);

/* What names a series, as members of a JSON object. */
void json_series_key(struct buf *b, const struct series_key *k);

#endif
