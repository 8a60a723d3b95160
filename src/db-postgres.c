#include "db-postgres.h"

#include "sql.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements ---- */

static struct pg_stmt *find_statement(struct pg_db *s, const char *sql, struct err *err)
{
	struct pg_stmt *st;
	int i;

	for (i = 0; i < s->n_statements; i++)
		if (s->statements[i].sql == sql)
			return &s->statements[i];
	if (i == PG_STATEMENTS_MAX) {
		err_set(err, ERR_STORE, "too many kinds of statements");
		return NULL;
	}
	st = &s->statements[s->n_statements++];
	st->base.driver = &db_postgres;
	st->db = s;
	st->sql = sql;
	st->text = pg_dollars(pg_sql(sql), &st->n_params);
	snprintf(st->name, sizeof(st->name), "s%d", i);
	return st;
}

struct db_stmt *pg_statement(struct db *db, const char *sql, struct err *err)
{
	struct pg_stmt *st = find_statement((struct pg_db *)db, sql, err);
	int i;

	if (!st)
		return NULL;
	pg_reset(&st->base);
	for (i = 0; i < st->n_params; i++)
		st->params[i].set = false;
	return &st->base;
}

void pg_reset(struct db_stmt *base)
{
	struct pg_stmt *st = (struct pg_stmt *)base;

	PQclear(st->rows);
	st->rows = NULL;
	st->row = -1;
}

/* A statement that is used once costs one message; from the second time on it is prepared. */
static PGresult *send(struct pg_stmt *st, bool binary)
{
	const char *values[PG_PARAMS_MAX];
	PGconn *conn = st->db->conn;
	int i;

	for (i = 0; i < st->n_params; i++)
		values[i] = st->params[i].set ? st->params[i].text : NULL;
	if (st->used && !st->prepared) {
		PGresult *r = PQprepare(conn, st->name, st->text, 0, NULL);
		if (PQresultStatus(r) != PGRES_COMMAND_OK)
			return r;
		PQclear(r);
		st->prepared = true;
	}
	st->used = true;
	return st->prepared
		       ? PQexecPrepared(conn, st->name, st->n_params, values, NULL, NULL, binary)
		       : PQexecParams(
				 conn, st->text, st->n_params, NULL, values, NULL, NULL, binary);
}

int pg_execute(struct pg_stmt *st, bool binary, const char *doing, struct err *err)
{
	struct pg_db *s = st->db;
	int status;

	pg_reset(&st->base);
	if (pg_settle(s, err) < 0)
		return -1;
	st->rows = send(st, binary);
	status = PQresultStatus(st->rows);
	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
		st->changes = strtoll(PQcmdTuples(st->rows), NULL, 10);
		return 0;
	}
	pg_error(s, st->rows, doing, err);
	pg_reset(&st->base);
	return -1;
}

static int pg_step(struct db_stmt *base, const char *doing, struct err *err)
{
	struct pg_stmt *st = (struct pg_stmt *)base;

	if (!st->rows && pg_execute(st, false, doing, err) < 0)
		return -1;
	if (++st->row < PQntuples(st->rows))
		return 1;
	pg_reset(base);
	return 0;
}

int pg_run(struct pg_db *s, const char *sql, const char *doing, struct err *err)
{
	PGresult *r = pg_settle(s, err) < 0 ? NULL : PQexec(s->conn, sql);
	int status = PQresultStatus(r), ret = 0;

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		ret = pg_error(s, r, doing, err);
	PQclear(r);
	return ret;
}

/* ---- parameters and columns ---- */

static char *param_room(struct pg_stmt *st, int i, size_t n)
{
	struct pg_param *p = &st->params[i - 1];

	if (n > p->cap) {
		p->cap = n + 32;
		p->text = xrealloc(p->text, p->cap);
	}
	p->set = true;
	return p->text;
}

static void pg_bind_int(struct db_stmt *st, int i, int64_t v)
{
	snprintf(param_room((struct pg_stmt *)st, i, 24), 24, "%" PRId64, v);
}

static void pg_bind_real(struct db_stmt *st, int i, double v)
{
	snprintf(param_room((struct pg_stmt *)st, i, 32), 32, "%.17g", v);
	if (isnan(v))
		((struct pg_stmt *)st)->params[i - 1].set = false;
}

static void pg_bind_text(struct db_stmt *st, int i, const char *text)
{
	size_t n = text ? strlen(text) + 1 : 0;
	char *room = param_room((struct pg_stmt *)st, i, n);

	if (text)
		memcpy(room, text, n);
	else
		((struct pg_stmt *)st)->params[i - 1].set = false;
}

static bool pg_is_null(struct db_stmt *base, int i)
{
	const struct pg_stmt *st = (const struct pg_stmt *)base;

	return PQgetisnull(st->rows, st->row, i);
}

static const char *pg_column_text(struct db_stmt *base, int i)
{
	const struct pg_stmt *st = (const struct pg_stmt *)base;

	return PQgetvalue(st->rows, st->row, i); /* "" for NULL */
}

static int64_t pg_column_int(struct db_stmt *st, int i)
{
	return strtoll(pg_column_text(st, i), NULL, 10);
}

/* Two columns: the integer, or else the double. */
static int pg_column_num(struct db_stmt *st, int i, struct num *ret)
{
	if (!pg_is_null(st, i))
		*ret = num_int(pg_column_int(st, i));
	else if (!pg_is_null(st, i + 1))
		*ret = num_real(strtod(pg_column_text(st, i + 1), NULL));
	else
		return -1;
	return ret->is_int || isfinite(ret->d) ? 0 : -1;
}

static int64_t pg_changes(struct db_stmt *st)
{
	return ((struct pg_stmt *)st)->changes;
}

/* ---- transactions ---- */

static void pg_rollback(struct db *db)
{
	struct pg_db *s = (struct pg_db *)db;
	bool conflict = s->conflict;
	struct err ignored = ERR_INIT;

	pg_abandon(s);
	if (PQstatus(s->conn) == CONNECTION_OK && PQtransactionStatus(s->conn) != PQTRANS_IDLE)
		pg_run(s, sql_rollback, "giving up", &ignored);
	s->writing = s->committing = false;
	s->conflict = conflict;
}

static int pg_begin(struct db *db, enum db_transaction kind, const char *doing, struct err *err)
{
	struct pg_db *s = (struct pg_db *)db;
	struct db_stmt *st;

	s->conflict = false;
	s->writing = kind != DB_READING;
	if (pg_run(s, pg_sql(s->writing ? sql_begin : sql_begin_read), doing, err) < 0)
		return -1;
	if (!s->writing)
		return 0;
	st = pg_statement(db, sql_postgres_lock, err);
	if (!st || pg_step(st, doing, err) < 0)
		return -1;
	pg_reset(st);
	return 0;
}

static int pg_commit(struct db *db, const char *doing, struct err *err)
{
	struct pg_db *s = (struct pg_db *)db;

	if (pg_settle(s, err) < 0)
		return -1;
	if (PQtransactionStatus(s->conn) == PQTRANS_INERROR)
		return err_set(err, ERR_STORE, "%s: an error before left nothing to store", doing);
	s->committing = true;
	if (pg_run(s, sql_commit, doing, err) < 0)
		return -1;
	s->writing = s->committing = false;
	return 0;
}

static bool pg_conflict(const struct db *db)
{
	return ((const struct pg_db *)db)->conflict;
}

/* ---- care ---- */

static int64_t pg_bytes(struct db *db, struct err *err)
{
	struct db_stmt *st = pg_statement(db, sql_postgres_bytes, err);
	int64_t ret;

	if (!st || pg_step(st, "counting", err) <= 0)
		return -1;
	ret = pg_column_int(st, 0);
	pg_reset(st);
	return ret;
}

static int pg_check(
	struct db *db, void (*finding)(void *ctx, char *text), void *ctx, struct err *err)
{
	struct db_stmt *st = pg_statement(db, sql_postgres_check_references, err);
	int r;

	if (!st)
		return -1;
	while ((r = pg_step(st, "checking", err)) > 0)
		finding(ctx, xasprintf("table %s: refers to %s %s, which is not there",
				     pg_column_text(st, 0), pg_column_text(st, 1),
				     pg_column_text(st, 2)));
	return r;
}

const struct db_driver db_postgres = {.takes = pg_takes,
	.open = pg_open,
	.exists = pg_exists,
	.close = pg_close,
	.statement = pg_statement,
	.step = pg_step,
	.reset = pg_reset,
	.bind_int = pg_bind_int,
	.bind_real = pg_bind_real,
	.bind_text = pg_bind_text,
	.is_null = pg_is_null,
	.column_int = pg_column_int,
	.column_text = pg_column_text,
	.column_num = pg_column_num,
	.changes = pg_changes,
	.begin = pg_begin,
	.commit = pg_commit,
	.rollback = pg_rollback,
	.conflict = pg_conflict,
	.load = pg_load,
	.load_benchmark = pg_load_benchmark,
	.load_series = pg_load_series,
	.load_end = pg_load_end,
	.visit_samples = pg_visit_samples,
	.visit_series = pg_visit_series,
	.bytes = pg_bytes,
	.check = pg_check};
