/* Runs that go by their age. */
#include "store-rows.h"

#include "sql.h"

#include <string.h>

static const char pruning[] = "pruning";

int store_state(struct store *s, struct store_state *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_store_state, err);
	size_t i;

	if (!st || db_step(st, "counting", err) <= 0)
		return -1;
	for (i = 0; i < ARRAY_LEN(ret->v); i++)
		ret->v[i] = column_int(st, (int)i);
	db_reset(st);
	return 0;
}

static int mark(struct store *s, const struct store_run *r, int64_t at, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_pruned_add, err);

	if (!st)
		return -1;
	rows_bind_run(st, r->sha, r->tree_state, r->runner_key, r->digest);
	bind_text(st, 5, r->session);
	bind_int(st, 6, at);
	return db_step(st, pruning, err) < 0 ? -1 : 0;
}

static int prune_run(
	struct store *s, const struct store_pruning *p, const struct store_run *r, struct err *err)
{
	if (p->everywhere)
		return rows_drop(s, r, p->at, err);
	return rows_delete_run(s, r->id, err) < 0 ? -1 : mark(s, r, p->at, err);
}

struct work {
	struct store *s;
	const struct store_pruning *p;
	bool done; /* to be set */
};

static int prune_all(void *ctx, struct err *err)
{
	struct work *w = ctx;
	const struct store_pruning *p = w->p;
	struct store_state now;
	size_t i;

	w->done = false;
	if (store_state(w->s, &now, err) < 0)
		return -1;
	if (memcmp(&now, &p->state, sizeof(now)) != 0)
		return 0;
	for (i = 0; i < p->n; i++) {
		if (prune_run(w->s, p, p->runs[i], err) < 0)
			return -1;
		store_progress(w->s, (double)(i + 1), (double)p->n);
	}
	if (p->verify && p->verify(p->ctx, err) < 0)
		return -1;
	w->done = true;
	return 0;
}

int store_prune(struct store *s, const struct store_pruning *p, struct err *err)
{
	struct work w = {.s = s, .p = p};

	if (rows_transact(s, DB_WRITING, pruning, prune_all, &w, err) < 0)
		return -1;
	return !w.done ? 0 : db_shrink(s->db, err) < 0 ? -1 : 1;
}

bool store_shrinks(const struct store *s)
{
	return db_shrinks(s->db);
}

/* ---- undoing ---- */

struct undoing {
	struct store *s;
	const char *prefix;
	int64_t n; /* to be set */
};

static int undo(void *ctx, struct err *err)
{
	struct undoing *u = ctx;
	struct db_stmt *st = db_statement(u->s->db, sql_pruned_forget, err);

	if (!st)
		return -1;
	bind_text(st, 1, u->prefix);
	if (db_step(st, pruning, err) < 0)
		return -1;
	u->n = db_changes(st);
	return u->n > 0 ? rows_forget_marks(u->s, err) : 0;
}

int64_t store_unprune(struct store *s, const char *prefix, struct err *err)
{
	struct undoing u = {.s = s, .prefix = prefix};

	return rows_transact(s, DB_WRITING, pruning, undo, &u, err) < 0 ? -1 : u.n;
}

int store_pruned_sessions(struct store *s,
	int (*row)(void *ctx, const char *session, int64_t pruned_at, struct err *err), void *ctx,
	struct err *err)
{
	struct db_stmt *st;
	int r;

	if (s->db->schema < 2)
		return 0;
	st = db_statement(s->db, sql_pruned_sessions, err);
	while ((r = st ? db_step(st, "reading", err) : -1) > 0) {
		if (row(ctx, column_text(st, 0), column_int(st, 1), err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}
