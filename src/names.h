/*
 * names: the strings of series, once each, and numbers for what series have in common.
 */
#ifndef NAMES_H
#define NAMES_H

#include "intern.h"
#include "policy.h"
#include "series.h"
#include "store.h"

/* The names of both sides, so that their numbers compare. */
struct names {
	struct policy *renames; /* its [rename] sections hold for what is stored; NULL: there are
				   none */
	struct intern *strings, *identities, *names, *runners;
	uint32_t *by_id; /* identity + 1 by the store's number of a series; 0 not yet */
	size_t n_by_id;
};

void names_init(struct names *n);
void names_release(struct names *n);
/* A string that lives as long as the names. */
const char *names_keep(struct names *n, const char *s);

/* The number of what a series is but for its runner. */
uint32_t names_identity(struct names *n, const struct series_key *k);
/* The same of a series in a store, kept by its number there. */
uint32_t names_stored_identity(struct names *n, const struct series_key *k, int64_t id);
/* Of suite, benchmark and metric alone. */
uint32_t names_name(struct names *n, const char *suite, const char *benchmark, const char *metric);

/* The key of a stored series, with the runner's key; runner NULL where it does not matter. */
struct series_key stored_key(const struct store_series *x, const char *runner);
/* The same under its present name: 1 when that is another than the stored one, 0, -1 with err set.
 */
int names_present_key(struct names *n, const struct store_series *x, const char *runner,
	struct series_key *ret, struct err *err);

#endif
