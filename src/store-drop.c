#include "store-rows.h"

#include "sql.h"

static int run_by_id(struct store *s, const char *sql, int64_t id, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);

	if (!st)
		return -1;
	bind_int(st, 1, id);
	return db_step(st, "dropping", err);
}

static int delete_run(struct store *s, int64_t id, struct err *err)
{
	if (run_by_id(s, sql_run_drop_samples, id, err) < 0 ||
		run_by_id(s, sql_run_drop_absences, id, err) < 0)
		return -1;
	return run_by_id(s, sql_run_drop, id, err);
}

static int bind_tombstone(struct db_stmt *st, const struct tombstone *t)
{
	if (!st)
		return -1;
	rows_bind_run(st, t->sha, t->tree_state, t->runner_key, t->digest);
	return 0;
}

int rows_bury(struct store *s, const struct tombstone *t, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_tombstone_add, err);
	int64_t id;

	if (bind_tombstone(st, t) < 0)
		return -1;
	bind_int(st, 5, t->dropped_at == TIME_UNKNOWN ? 0 : t->dropped_at);
	if (db_step(st, "dropping", err) < 0)
		return -1;
	st = db_statement(s->db, sql_run_of_tombstone, err);
	if (bind_tombstone(st, t) < 0)
		return -1;
	id = rows_one_id(st, err);
	return id > 0 ? delete_run(s, id, err) : id < 0 ? -1 : 0;
}

static int drop_one(struct store *s, const struct store_run *r, int64_t dropped_at, struct err *err)
{
	struct tombstone t = {.sha = r->sha,
		.tree_state = r->tree_state,
		.runner_key = r->runner_key,
		.digest = r->digest,
		.dropped_at = dropped_at};

	return rows_bury(s, &t, err);
}

struct dropping {
	struct store *s;
	const struct store_run *runs;
	size_t n;
	int64_t at;
};

static int drop_all(void *ctx, struct err *err)
{
	const struct dropping *d = ctx;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (drop_one(d->s, &d->runs[i], d->at, err) < 0)
			return -1;
	return 0;
}

int store_drop(struct store *s, const struct store_run *runs, size_t n, int64_t dropped_at,
	struct err *err)
{
	struct dropping d = {s, runs, n, dropped_at};

	if (rows_transact(s, DB_WRITING, "dropping", drop_all, &d, err) < 0)
		return -1;
	return db_shrink(s->db, err);
}

int store_undrop(struct store *s, const char *prefix, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_tombstone_remove, err);

	if (!st)
		return -1;
	bind_text(st, 1, prefix);
	return db_step(st, "forgetting a drop", err) < 0 ? -1 : (int)db_changes(st);
}
