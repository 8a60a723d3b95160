#include "store-rows.h"

#include "intern.h"
#include "sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char storing[] = "storing";

enum { TRIES = 12 };

static int transact_once(struct store *s, enum db_transaction kind, const char *doing,
	int (*work)(void *ctx, struct err *err), void *ctx, struct err *err)
{
	int r = db_begin(s->db, kind, doing, err);

	if (r == 0)
		r = work(ctx, err);
	if (r == 0)
		r = db_commit(s->db, storing, err);
	if (r < 0)
		db_rollback(s->db);
	return r;
}

/* Longer from try to try, and not as long as others that began at the same moment. */
static void pause_before(int try)
{
	long ms = 5L << (try < 8 ? try : 8);
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ms += t.tv_nsec / 1000 % ms;
	t = (struct timespec){ms / 1000, ms % 1000 * 1000000};
	nanosleep(&t, NULL);
}

int rows_transact(struct store *s, enum db_transaction kind, const char *doing,
	int (*work)(void *ctx, struct err *err), void *ctx, struct err *err)
{
	int r, try;

	PERFGATE_SCOPE("write to the store");
	r = transact_once(s, kind, doing, work, ctx, err);
	for (try = 1; r < 0 && try < TRIES && db_conflict(s->db); try++) {
		err_clear(err);
		pause_before(try);
		r = transact_once(s, kind, doing, work, ctx, err);
	}
	return r;
}

/* ---- rows that are found or added ---- */

int64_t rows_one_id(struct db_stmt *st, struct err *err)
{
	int64_t id = -1;
	int r = db_step(st, storing, err);

	if (r > 0) {
		id = column_int(st, 0);
		/* a RETURNING statement has to run to its end */
		r = db_step(st, storing, err);
	} else if (r == 0) {
		id = 0;
	}
	return r < 0 ? -1 : id;
}

int64_t rows_put_commit(struct store *s, const struct commit_fact *c, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_commit_add, err);
	int64_t id;
	int i;

	if (!st)
		return -1;
	bind_text(st, 1, c->sha);
	bind_text(st, 2, c->tree_sha);
	bind_time(st, 3, c->committed_at);
	if (c->n_parents >= 0)
		bind_int(st, 4, c->n_parents);
	id = rows_one_id(st, err);
	for (i = 0; id > 0 && i < c->n_parents; i++) {
		st = db_statement(s->db, sql_commit_parent_add, err);
		if (!st)
			return -1;
		bind_int(st, 1, id);
		bind_int(st, 2, i);
		bind_text(st, 3, c->parents[i]);
		if (db_step(st, storing, err) < 0)
			return -1;
	}
	return id;
}

static int64_t put_commit_sha(struct store *s, const char *sha, struct err *err)
{
	struct commit_fact c = {.sha = sha, .committed_at = TIME_UNKNOWN, .n_parents = -1};

	return rows_put_commit(s, &c, err);
}

static int64_t put_runner(struct store *s, const char *key, const char *label, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_runner_add, err);

	if (!st)
		return -1;
	bind_text(st, 1, key);
	bind_text(st, 2, label ? label : "");
	return rows_one_id(st, err);
}

/* Looks for a row by up to five texts and adds it when there is none. */
static int64_t find_or_add(struct store *s, const char *find, const char *add,
	const char *const *texts, int n, struct err *err)
{
	const char *const sql[] = {find, add};
	int64_t id = 0;
	int i, k;

	for (k = 0; k < 2 && id == 0; k++) {
		struct db_stmt *st = db_statement(s->db, sql[k], err);
		if (!st)
			return -1;
		for (i = 0; i < n; i++)
			bind_text(st, i + 1, texts[i]);
		id = rows_one_id(st, err);
	}
	return id;
}

void series_cache_release(struct series_cache *c)
{
	free(c->suite);
	free(c->benchmark);
	intern_free(c->metrics);
	free(c->metric_ids);
	known_release(&c->benchmarks);
	known_release(&c->series);
	*c = (struct series_cache){0};
}

static int64_t cached_benchmark(struct store *s, struct series_cache *c, const char *suite,
	const char *name, struct err *err)
{
	const char *texts[] = {suite, name};

	if (c->benchmark && !strcmp(c->benchmark, name) && !strcmp(c->suite, suite))
		return c->benchmark_id;
	free(c->suite);
	free(c->benchmark);
	c->suite = xstrdup(suite);
	c->benchmark = xstrdup(name);
	c->benchmark_id =
		known_worthwhile(s, &c->benchmarks)
			? known_benchmark(s, &c->benchmarks, suite, name, err)
			: find_or_add(s, sql_benchmark_find, sql_benchmark_add, texts, 2, err);
	return c->benchmark_id;
}

static int64_t cached_metric(struct store *s, struct series_cache *c, const char *suite,
	const struct metric *m, struct err *err)
{
	const char *texts[] = {suite, m->name, m->unit, m->quantity, direction_name(m->direction)};
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t known, id;
	size_t i;

	if (!c->metrics)
		c->metrics = intern_new();
	for (i = 0; i < ARRAY_LEN(texts); i++)
		buf_add(&key, texts[i], strlen(texts[i]) + 1);
	known = intern_count(c->metrics);
	id = intern_add(c->metrics, key.p, key.len);
	c->metric_ids = xgrow(c->metric_ids, id, &c->cap, sizeof(*c->metric_ids));
	if (id == known)
		c->metric_ids[id] = find_or_add(s, sql_metric_find, sql_metric_add, texts, 5, err);
	return c->metric_ids[id];
}

static int64_t find_or_add_series(struct store *s, const struct db_series *x, struct err *err)
{
	const char *const sql[] = {sql_series_find, sql_series_add};
	int64_t id = 0;
	int i;

	for (i = 0; i < 2 && id == 0; i++) {
		struct db_stmt *st = db_statement(s->db, sql[i], err);
		if (!st)
			return -1;
		bind_int(st, 1, x->benchmark);
		bind_int(st, 2, x->metric);
		bind_text(st, 3, x->variant);
		bind_int(st, 4, x->runner);
		if (i == 1)
			bind_int(st, 5, x->first_run);
		id = rows_one_id(st, err);
	}
	return id;
}

int64_t rows_put_series(struct store *s, struct series_cache *c, const char *suite,
	const char *benchmark, const struct metric *m, const char *variant, int64_t runner,
	int64_t run, struct err *err)
{
	struct db_series x = {.variant = variant, .runner = runner, .first_run = run};

	x.benchmark = cached_benchmark(s, c, suite, benchmark, err);
	x.metric = x.benchmark < 0 ? -1 : cached_metric(s, c, suite, m, err);
	if (x.metric < 0)
		return -1;
	return known_worthwhile(s, &c->series) ? known_series(s, &c->series, &x, err)
					       : find_or_add_series(s, &x, err);
}

int rows_put_absence(struct store *s, int64_t run, int64_t series, const char *status,
	const char *reason, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_absence_add, err);

	if (!st)
		return -1;
	bind_int(st, 1, run);
	bind_int(st, 2, series);
	bind_text(st, 3, status);
	bind_text(st, 4, reason);
	return db_step(st, storing, err);
}

/* ---- runs ---- */

void rows_bind_run(struct db_stmt *st, const char *sha, const char *tree_state,
	const char *runner_key, const char *digest)
{
	bind_text(st, 1, sha);
	bind_text(st, 2, tree_state);
	bind_text(st, 3, runner_key);
	bind_text(st, 4, digest);
}

/* 1, 0, -1 */
static int has_mark(struct store *s, const char *sql, const struct incoming *r, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);
	int found;

	if (!st)
		return -1;
	rows_bind_run(st, r->sha, r->tree_state, r->runner_key, r->digest);
	found = db_step(st, storing, err);
	if (found > 0)
		db_reset(st);
	return found;
}

static int adopt_run(struct store *s, int64_t id, const struct incoming *r, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_run_adopt, err);

	if (!st)
		return -1;
	bind_int(st, 1, id);
	bind_int(st, 2, r->ingested_at);
	bind_text(st, 3, r->session);
	bind_text(st, 4, r->branch);
	bind_text(st, 5, r->facts);
	bind_int(st, 6, r->merging);
	return db_step(st, storing, err);
}

static int64_t find_run(
	struct store *s, int64_t commit, int64_t runner, const struct incoming *r, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_run_find, err);

	if (!st)
		return -1;
	bind_int(st, 1, commit);
	bind_text(st, 2, r->tree_state);
	bind_int(st, 3, runner);
	bind_text(st, 4, r->digest);
	return rows_one_id(st, err);
}

static int64_t insert_run(
	struct store *s, int64_t commit, int64_t runner, const struct incoming *r, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_run_add, err);

	if (!st)
		return -1;
	bind_int(st, 1, commit);
	bind_text(st, 2, r->tree_state);
	bind_text(st, 3, r->branch);
	bind_text(st, 4, r->session);
	bind_int(st, 5, runner);
	bind_text(st, 6, r->suite);
	bind_text(st, 7, r->component);
	bind_text(st, 8, r->format);
	bind_text(st, 9, r->format_version);
	bind_text(st, 10, r->tool_version);
	bind_time(st, 11, r->started_at);
	bind_int(st, 12, r->ingested_at);
	bind_text(st, 13, r->digest);
	bind_int(st, 14, r->series);
	bind_int(st, 15, r->samples);
	bind_int(st, 16, r->absences);
	bind_text(st, 17, r->facts);
	return rows_one_id(st, err);
}

int rows_begin_run(struct store *s, const struct incoming *r, int64_t *run, int64_t *runner,
	enum placed *placed, struct err *err)
{
	int dropped = has_mark(s, sql_tombstone_find, r, err);
	int pruned = dropped == 0 ? has_mark(s, sql_pruned_find, r, err) : 0;
	int64_t commit;

	*run = 0;
	*placed = pruned ? PLACED_PRUNED : PLACED_DROPPED;
	if (dropped || pruned)
		return dropped < 0 || pruned < 0 ? -1 : 0;
	commit = put_commit_sha(s, r->sha, err);
	*runner = commit < 0 ? -1 : put_runner(s, r->runner_key, r->runner_label, err);
	if (*runner < 0)
		return -1;
	*run = find_run(s, commit, *runner, r, err);
	if (*run < 0)
		return -1;
	if (*run > 0) {
		int64_t known = *run;
		*run = 0;
		*placed = PLACED_ALREADY;
		return adopt_run(s, known, r, err);
	}
	*placed = PLACED_STORED;
	*run = insert_run(s, commit, *runner, r, err);
	return *run < 0 ? -1 : 0;
}

int rows_check_root(struct store *s, const char *root, bool force, struct err *err)
{
	struct db_stmt *st;
	char known[65] = "";
	int r;

	if (!root)
		return 0;
	st = db_statement(s->db, sql_property_get, err);
	if (!st)
		return -1;
	bind_text(st, 1, "root");
	r = db_step(st, storing, err);
	if (r > 0) {
		snprintf(known, sizeof(known), "%s", column_text(st, 0));
		db_reset(st);
	}
	if (r < 0)
		return -1;
	if (!*known) {
		st = db_statement(s->db, sql_property_set, err);
		if (!st)
			return -1;
		bind_text(st, 1, "root");
		bind_text(st, 2, root);
		return db_step(st, storing, err);
	}
	if (strcmp(known, root) && !force)
		return err_set(err, ERR_STORE,
			"%s: holds another repository (its first commit is %.12s, this one's %.12s); name a store of its own with --store, or --force",
			s->path, known, root);
	return 0;
}
