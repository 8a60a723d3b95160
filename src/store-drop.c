#include "store-rows.h"

#include "sql.h"

#include <string.h>

static const char dropping[] = "dropping";

static int run_by_id(struct store *s, const char *sql, int64_t id, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);

	if (!st)
		return -1;
	bind_int(st, 1, id);
	return db_step(st, dropping, err);
}

int rows_delete_run(struct store *s, int64_t id, struct err *err)
{
	if (run_by_id(s, sql_run_drop_samples, id, err) < 0 ||
		run_by_id(s, sql_run_drop_absences, id, err) < 0)
		return -1;
	return run_by_id(s, sql_run_drop, id, err);
}

/* ---- drops and their undoing: of each run the later of the two ---- */

static struct db_stmt *statement_of(
	struct store *s, const char *sql, const struct tombstone *t, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);

	if (st)
		rows_bind_run(st, t->sha, t->tree_state, t->runner_key, t->digest);
	return st;
}

static bool is_undone(const struct tombstone *t)
{
	return !strncmp(t->tree_state, TOMBSTONE_UNDONE, strlen(TOMBSTONE_UNDONE));
}

/* What undid a drop, or the drop that was undone. */
static char *other_state(const struct tombstone *t)
{
	return is_undone(t) ? xstrdup(t->tree_state + strlen(TOMBSTONE_UNDONE))
			    : xasprintf(TOMBSTONE_UNDONE "%s", t->tree_state);
}

static bool is_later(const struct tombstone *a, const struct tombstone *b)
{
	return a->dropped_at == b->dropped_at ? is_undone(a) : a->dropped_at > b->dropped_at;
}

/* When that was: 1, 0 never, -1. */
static int find_time(struct store *s, struct tombstone *t, struct err *err)
{
	struct db_stmt *st = statement_of(s, sql_tombstone_find, t, err);
	int r = st ? db_step(st, dropping, err) : -1;

	if (r > 0) {
		t->dropped_at = column_int(st, 0);
		db_reset(st);
	}
	return r;
}

static int run_statement(struct db_stmt *st, struct err *err)
{
	return st && db_step(st, dropping, err) >= 0 ? 0 : -1;
}

int rows_forget_marks(struct store *s, struct err *err)
{
	return run_statement(db_statement(s->db, sql_marks_forget, err), err);
}

/* Instead of the other, where there is one. */
static int put_tombstone(struct store *s, const struct tombstone *t, const struct tombstone *other,
	bool instead, struct err *err)
{
	struct db_stmt *st = statement_of(s, sql_tombstone_add, t, err);
	int64_t id;

	if (st)
		bind_int(st, 5, t->dropped_at);
	if (run_statement(st, err) < 0)
		return -1;
	if (instead && run_statement(statement_of(s, sql_tombstone_remove, other, err), err) < 0)
		return -1;
	if (is_undone(t))
		return instead ? rows_forget_marks(s, err) : 0;
	st = statement_of(s, sql_run_of_tombstone, t, err);
	id = st ? rows_one_id(st, err) : -1;
	return id > 0 ? rows_delete_run(s, id, err) : id < 0 ? -1 : 0;
}

int rows_bury(struct store *s, const struct tombstone *t, struct err *err)
{
	_cleanup_(freep) char *state = other_state(t);
	struct tombstone it = *t, other = *t;
	int r;

	it.dropped_at = t->dropped_at == TIME_UNKNOWN ? 0 : t->dropped_at;
	other.tree_state = state;
	r = find_time(s, &other, err);
	if (r < 0)
		return -1;
	if (r > 0 && !is_later(&it, &other))
		return 0;
	return put_tombstone(s, &it, &other, r > 0, err);
}

int rows_drop(struct store *s, const struct store_run *r, int64_t dropped_at, struct err *err)
{
	struct tombstone t = {.sha = r->sha,
		.tree_state = r->tree_state,
		.runner_key = r->runner_key,
		.digest = r->digest,
		.dropped_at = dropped_at};
	_cleanup_(freep) char *state = other_state(&t);
	struct tombstone other = t;
	int found;

	other.tree_state = state;
	found = find_time(s, &other, err);
	if (found < 0)
		return -1;
	if (found > 0 && !is_later(&t, &other))
		t.dropped_at = other.dropped_at + (other.dropped_at < INT64_MAX);
	return put_tombstone(s, &t, &other, found > 0, err);
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
		if (rows_drop(d->s, &d->runs[i], d->at, err) < 0)
			return -1;
	return 0;
}

int store_drop(struct store *s, const struct store_run *runs, size_t n, int64_t dropped_at,
	struct err *err)
{
	struct dropping d = {s, runs, n, dropped_at};

	if (rows_transact(s, DB_WRITING, dropping, drop_all, &d, err) < 0)
		return -1;
	return db_shrink(s->db, err);
}

struct undoing {
	struct store *s;
	const char *prefix;
	int64_t at;
	int64_t n; /* to be set */
};

static int undo_all(void *ctx, struct err *err)
{
	struct undoing *u = ctx;
	struct db_stmt *st = db_statement(u->s->db, sql_tombstones_undone, err);

	if (!st)
		return -1;
	bind_text(st, 1, u->prefix);
	bind_int(st, 2, u->at);
	if (run_statement(st, err) < 0)
		return -1;
	st = db_statement(u->s->db, sql_tombstones_remove, err);
	if (!st)
		return -1;
	bind_text(st, 1, u->prefix);
	if (run_statement(st, err) < 0)
		return -1;
	u->n = db_changes(st);
	return u->n > 0 ? rows_forget_marks(u->s, err) : 0;
}

int store_undrop(struct store *s, const char *prefix, int64_t undone_at, struct err *err)
{
	struct undoing u = {s, prefix, undone_at, 0};

	return rows_transact(s, DB_WRITING, dropping, undo_all, &u, err) < 0 ? -1 : (int)u.n;
}

int store_check_prefix(const char *digest, struct err *err)
{
	size_t n = strlen(digest);

	if (n < 6 || n > 64 || strspn(digest, "0123456789abcdef") != n)
		return err_set(err, ERR_USAGE,
			"'%.80s' is no digest (at least 6 hexadecimal digits; perfgate log --json shows them whole)",
			digest);
	return 0;
}
