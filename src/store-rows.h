/*
 * store-rows: writing rows, as adding, merging and dropping share it. Only src/store-*.c include
 * it.
 */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include "store-known.h"

/* ---- transactions ---- */

/* Runs work in one transaction: nothing of it is stored when it, or the commit, fails. Where others
 * get in its way it begins anew, so work first clears what it left behind. */
int rows_transact(struct store *s, enum db_transaction kind, const char *doing,
	int (*work)(void *ctx, struct err *err), void *ctx, struct err *err);

/* ---- rows that are found or added: their ids, or -1 with err set ---- */

/* The id that a one-row statement gives, 0 when it gives none; runs it to its end. */
int64_t rows_one_id(struct db_stmt *st, struct err *err);

int64_t rows_put_commit(struct store *s, const struct commit_fact *c, struct err *err);

/* Where the last series went: neighbours in sorted order share their benchmark. */
struct series_cache {
	char *suite, *benchmark;
	int64_t benchmark_id;
	struct intern *metrics; /* the metric's fields joined; ids index metric_ids */
	int64_t *metric_ids;
	size_t cap;
	struct known benchmarks, series;
};

void series_cache_release(struct series_cache *c); /* and clears it */
int64_t rows_put_series(struct store *s, struct series_cache *c, const char *suite,
	const char *benchmark, const struct metric *m, const char *variant, int64_t runner,
	int64_t run, struct err *err);

int rows_put_absence(struct store *s, int64_t run, int64_t series, const char *status,
	const char *reason, struct err *err);

/* ---- runs ---- */

/* A run about to be stored, whatever it came from. */
struct incoming {
	const char *sha, *tree_state, *branch, *session;
	const char *runner_key, *runner_label;
	const char *suite, *component, *format, *format_version, *tool_version;
	int64_t started_at, ingested_at;
	const char *digest, *facts;
	bool merging; /* from another store, not from a document */
	int64_t series, samples, absences;
};

/* Binds parameters 1 to 4 of the tombstone queries: what tells a run from all others. */
void rows_bind_run(struct db_stmt *st, const char *sha, const char *tree_state,
	const char *runner_key, const char *digest);

/* Begins a run: *run > 0 and PLACED_STORED when its samples are wanted. */
int rows_begin_run(struct store *s, const struct incoming *r, int64_t *run, int64_t *runner,
	enum placed *placed, struct err *err);

/* Remembers the repository's first commit, or compares it with the one that is known. NULL:
 * nothing. */
int rows_check_root(struct store *s, const char *root, bool force, struct err *err);

/* Records a tombstone and deletes the run that it is for, if it is here; or records that it was
 * undone. Neither does anything where the other is the later one. */
int rows_bury(struct store *s, const struct tombstone *t, struct err *err);

/* With its samples and absences. */
int rows_delete_run(struct store *s, int64_t id, struct err *err);
/* The same, leaving a tombstone. A drop of now is the later one, whatever the clock of who undid
 * the one before. */
int rows_drop(struct store *s, const struct store_run *r, int64_t dropped_at, struct err *err);
/* A file that was fetched may hold what is wanted again. */
int rows_forget_marks(struct store *s, struct err *err);

/* ---- recorded gates ---- */

/* One that is there already stays as it is. */
int rows_put_judgement(struct store *s, const struct judgement_fact *j, struct err *err);

#endif
