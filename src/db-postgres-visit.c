#include "db-postgres.h"

#include "sql.h"

#include <libpq-fe.h>
#include <math.h>
#include <string.h>

enum { FETCH_ROWS = 16384 }; /* as samples-first.sql and samples-fetch.sql have it */

static int64_t big_endian(const char *p, int bytes)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < bytes; i++)
		v = v << 8 | (unsigned char)p[i];
	return (int64_t)v;
}

/* A sample of a binary answer: series, integer or NULL, double or NULL. */
static int read_value(const PGresult *rows, int i, struct num *ret)
{
	int64_t bits;
	double d;

	if (!PQgetisnull(rows, i, 1)) {
		*ret = num_int(big_endian(PQgetvalue(rows, i, 1), 8));
		return 0;
	}
	if (PQgetisnull(rows, i, 2))
		return -1;
	bits = big_endian(PQgetvalue(rows, i, 2), 8);
	memcpy(&d, &bits, sizeof(d));
	*ret = num_real(d);
	return isfinite(d) ? 0 : -1;
}

/* Whether the columns are as schema-1.sql makes them: somebody may have altered the table. */
static bool is_sample(const PGresult *rows)
{
	return PQnfields(rows) == 3 && PQfsize(rows, 0) == 4 && PQfsize(rows, 1) == 8 &&
	       PQfsize(rows, 2) == 8;
}

/* Takes the rows over, so that row() may ask for what it likes. */
static int visit_rows(struct pg_stmt *st, int from, db_sample_fn *row, void *ctx, struct err *err)
{
	PGresult *rows = st->rows;
	int i, n = PQntuples(rows), r = 0;

	st->rows = NULL;
	for (i = from; r == 0 && i < n; i++) {
		struct num value;
		if (!is_sample(rows) || read_value(rows, i, &value) < 0)
			r = db_no_number(&st->db->base, err);
		else
			r = row(ctx, big_endian(PQgetvalue(rows, i, 0), 4), value, err);
	}
	PQclear(rows);
	return r < 0 ? -1 : 0;
}

static int visit_fetched(struct pg_db *s, bool skip, db_sample_fn *row, void *ctx, struct err *err)
{
	struct pg_stmt *st;
	int n;

	do {
		st = (struct pg_stmt *)pg_statement(&s->base, sql_postgres_samples_fetch, err);
		if (!st || pg_execute(st, true, "reading", err) < 0)
			return -1;
		n = PQntuples(st->rows);
		/* the first rows were in the first answer */
		if (visit_rows(st, skip ? n : 0, row, ctx, err) < 0)
			return -1;
		skip = false;
	} while (n == FETCH_ROWS);
	return 0;
}

static void bind_range(struct db_stmt *st, int64_t run, const struct db_range *of)
{
	bind_int(st, 1, run);
	bind_int(st, 2, of ? of->first : 0);
	bind_int(st, 3, of ? of->last : INT32_MAX);
}

/* A cursor needs a transaction; this one reads, whatever the one around it does. */
static int visit_cursor(struct pg_db *s, int64_t run, const struct db_range *of, db_sample_fn *row,
	void *ctx, struct err *err)
{
	bool own = PQtransactionStatus(s->conn) == PQTRANS_IDLE;
	struct db_stmt *st;
	int r = own ? pg_run(s, sql_postgres_begin_read, "reading", err) : 0;

	st = r < 0 ? NULL : pg_statement(&s->base, sql_postgres_samples_cursor, err);
	if (!st)
		return -1;
	bind_range(st, run, of);
	r = db_step(st, "reading", err) < 0 ? -1 : visit_fetched(s, true, row, ctx, err);
	if (r == 0)
		r = pg_run(s, own ? sql_commit : sql_postgres_samples_close, "reading", err);
	else if (own)
		s->base.driver->rollback(&s->base);
	return r;
}

int pg_visit_samples(struct db *db, int64_t run, const struct db_range *of, db_sample_fn *row,
	void *ctx, struct err *err)
{
	struct db_stmt *st = pg_statement(db, sql_postgres_samples_first, err);
	struct pg_stmt *first = (struct pg_stmt *)st;
	int n;

	if (!st)
		return -1;
	bind_range(st, run, of);
	if (pg_execute(first, true, "reading", err) < 0)
		return -1;
	n = PQntuples(first->rows);
	if (visit_rows(first, 0, row, ctx, err) < 0)
		return -1;
	return n < FETCH_ROWS ? 0 : visit_cursor((struct pg_db *)db, run, of, row, ctx, err);
}

int pg_visit_series(struct db *db, db_series_fn *row, void *ctx, struct err *err)
{
	struct db_stmt *st = pg_statement(db, sql_series_all, err);
	int r;

	if (!st)
		return -1;
	while ((r = db_step(st, "reading", err)) > 0) {
		struct db_series x = {.id = column_int(st, 0),
			.benchmark = column_int(st, 1),
			.metric = column_int(st, 2),
			.variant = column_text(st, 3),
			.runner = column_int(st, 4),
			.first_run = column_int(st, 5)};
		if (row(ctx, &x, err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}
