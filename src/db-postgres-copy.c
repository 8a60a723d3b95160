#include "db-postgres.h"

#include "sql.h"

#include <libpq-fe.h>
#include <limits.h>
#include <string.h>

/*
 * COPY's binary format (PostgreSQL's manual, COPY): a header; for each row the number of its fields
 * in 16 bits and each field as its length in 32 bits, -1 for NULL, and its bytes; at the end -1 in
 * place of a number of fields. All numbers are big-endian.
 */
static const char header[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";

enum { HEADER_SIZE = 19, CHUNK = 65536 };

static const char *const copies[] = {[PG_BENCHMARK] = sql_postgres_benchmark_copy,
	[PG_SERIES] = sql_postgres_series_copy,
	[PG_SAMPLE] = sql_postgres_sample_copy};

static char *put(char *p, uint64_t v, int bytes)
{
	int i;

	for (i = bytes; i-- > 0; v >>= 8)
		p[i] = (char)(v & 0xff);
	return p + bytes;
}

static void put_fields(struct buf *b, int n)
{
	char head[2];

	put(head, (uint64_t)n, 2);
	buf_add(b, head, sizeof(head));
}

static void put_int(struct buf *b, int64_t v, int bytes)
{
	char field[12];
	const char *end = put(put(field, (uint64_t)bytes, 4), (uint64_t)v, bytes);

	buf_add(b, field, (size_t)(end - field));
}

static void put_text(struct buf *b, const char *s)
{
	char length[4];
	size_t n = strlen(s);

	put(length, n, 4);
	buf_add(b, length, sizeof(length));
	buf_add(b, s, n);
}

/* ---- sending ---- */

static int flush(struct pg_db *s, struct err *err)
{
	int r = s->out.len ? PQputCopyData(s->conn, s->out.p, (int)s->out.len) : 1;

	buf_clear(&s->out);
	return r == 1 ? 0 : pg_error(s, NULL, "storing", err);
}

/* The result of a command, when it is the one that is expected; the connection is free again. */
static int expect(struct pg_db *s, ExecStatusType wanted, struct err *err)
{
	PGresult *r;
	int ret = 0;

	while ((r = PQgetResult(s->conn))) {
		if (PQresultStatus(r) != wanted && ret == 0)
			ret = pg_error(s, r, "storing", err);
		PQclear(r);
		if (wanted == PGRES_COPY_IN && ret == 0)
			return 0;
	}
	return ret;
}

int pg_settle(struct pg_db *s, struct err *err)
{
	char end[2];

	if (s->copying == PG_NONE)
		return 0;
	put(end, UINT16_MAX, 2);
	buf_add(&s->out, end, sizeof(end));
	s->copying = PG_NONE;
	if (flush(s, err) < 0 || PQputCopyEnd(s->conn, NULL) != 1)
		return pg_error(s, NULL, "storing", err);
	return expect(s, PGRES_COMMAND_OK, err);
}

void pg_abandon(struct pg_db *s)
{
	struct err ignored = ERR_INIT;

	if (s->copying != PG_NONE && PQstatus(s->conn) == CONNECTION_OK) {
		PQputCopyEnd(s->conn, "given up");
		expect(s, PGRES_COMMAND_OK, &ignored);
	}
	s->copying = PG_NONE;
	buf_clear(&s->out);
	buf_clear(&s->benchmarks);
	buf_clear(&s->series);
}

static int start(struct pg_db *s, enum pg_table table, struct err *err)
{
	if (s->copying == table)
		return 0;
	if (pg_settle(s, err) < 0)
		return -1;
	if (PQsendQuery(s->conn, copies[table]) != 1)
		return pg_error(s, NULL, "storing", err);
	if (expect(s, PGRES_COPY_IN, err) < 0)
		return -1;
	s->copying = table;
	buf_add(&s->out, header, HEADER_SIZE);
	return 0;
}

/* ---- rows ---- */

int pg_load(struct db *db, const struct db_sample *row, struct err *err)
{
	struct pg_db *s = (struct pg_db *)db;
	uint64_t bits = (uint64_t)row->value.i;
	char *p;

	if (start(s, PG_SAMPLE, err) < 0)
		return -1;
	if (row->run > INT_MAX || row->ordinal > INT_MAX)
		return err_set(err, ERR_STORE, "%s: more samples than it can number", db->name);
	if (!row->value.is_int)
		memcpy(&bits, &row->value.d, sizeof(bits));
	buf_room(&s->out, 42);
	p = put(s->out.p + s->out.len, 5, 2);
	p = put(put(p, 4, 4), (uint64_t)row->run, 4);
	p = put(put(p, 4, 4), (uint64_t)row->series, 4);
	p = put(put(p, 4, 4), (uint64_t)row->ordinal, 4);
	if (!row->value.is_int)
		p = put(p, UINT32_MAX, 4);
	p = put(put(p, 8, 4), bits, 8);
	if (row->value.is_int)
		p = put(p, UINT32_MAX, 4);
	s->out.len = (size_t)(p - s->out.p);
	return s->out.len < CHUNK ? 0 : flush(s, err);
}

void pg_load_benchmark(struct db *db, int64_t id, const char *suite, const char *name)
{
	struct buf *b = &((struct pg_db *)db)->benchmarks;

	put_fields(b, 3);
	put_int(b, id, 4);
	put_text(b, suite);
	put_text(b, name);
}

void pg_load_series(struct db *db, const struct db_series *x)
{
	struct buf *b = &((struct pg_db *)db)->series;

	put_fields(b, 6);
	put_int(b, x->id, 4);
	put_int(b, x->benchmark, 4);
	put_int(b, x->metric, 4);
	put_text(b, x->variant);
	put_int(b, x->runner, 8);
	put_int(b, x->first_run, 8);
}

static int load_waiting(struct pg_db *s, enum pg_table table, struct buf *rows, struct err *err)
{
	size_t at, n;

	if (!rows->len)
		return 0;
	if (start(s, table, err) < 0)
		return -1;
	for (at = 0; at < rows->len; at += n) {
		n = rows->len - at < CHUNK ? rows->len - at : CHUNK;
		buf_add(&s->out, rows->p + at, n);
		if (flush(s, err) < 0)
			return -1;
	}
	buf_clear(rows);
	return 0;
}

int pg_load_end(struct db *db, struct err *err)
{
	struct pg_db *s = (struct pg_db *)db;

	if (load_waiting(s, PG_BENCHMARK, &s->benchmarks, err) < 0 ||
		load_waiting(s, PG_SERIES, &s->series, err) < 0)
		return -1;
	return pg_settle(s, err);
}
