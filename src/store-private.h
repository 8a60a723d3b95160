/*
 * store-private: what the files of the store share. Nothing else includes it.
 */
#ifndef STORE_PRIVATE_H
#define STORE_PRIVATE_H

#include "db.h"
#include "intern.h"
#include "stage.h"
#include "store.h"

struct store {
	struct db *db;
	const char *path; /* as messages show it */

	/* read caches; strings live in the intern */
	struct intern *strings;
	struct store_series *series; /* by id; id 0 = not loaded */
	size_t n_series;
	bool all_series;
	struct {
		int64_t id;
		const char *key;
	} * runners;
	size_t n_runners, cap_runners;
	void (*progress)(void *ctx, double done, double of);
	void *progress_ctx;
	void (*use)(void *ctx, int64_t run);
	void *use_ctx;
	int (*stop)(void *ctx); /* NULL, or whether to give up a merge into it */
	void *stop_ctx;
	const char **parents; /* of the last store_commit() */
	size_t cap_parents;
};

void store_progress(struct store *s, double done, double of);

const char *store_keep(struct store *s, const char *text); /* interned, lives until store_close */

#endif
