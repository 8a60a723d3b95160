/*
 * naming-map: what --map says, and what the store has, for the readers of names of others
 * (ingest/naming.h).
 */
#ifndef NAMING_MAP_H
#define NAMING_MAP_H

#include "naming.h"
#include "store.h"

struct naming_map;

/*
 * maps: "REGEX=SUITE:BENCHMARK:METRIC" each, n of them; NULL with err set. The pattern has to match
 * all of a name; what its groups matched can be named in BENCHMARK and METRIC by $1. store: opened,
 * or NULL where there is none yet; borrowed. component: what it has under "COMPONENT/" is meant,
 * without that; may be NULL.
 */
struct naming_map *naming_map_new(const char *const *maps, size_t n, struct store *store,
	const char *component, struct err *err);
void naming_map_free(struct naming_map *m); /* NULL is fine */
struct naming *naming_map_naming(struct naming_map *m);

/* Reads the store's names, once; before that it has none. */
int naming_map_load(struct naming_map *m, struct err *err);

/* Whether the store has a series. */
bool naming_map_has(struct naming_map *m, const char *suite, const char *benchmark,
	const struct metric *metric, const char *variant, const char *runner_key);

#endif
