/*
 * db-postgres: what the files of the PostgreSQL driver share. Nothing else includes it.
 *
 * Values reach the server as parameters or in binary COPY, never as text of a statement. Before
 * anything is sent, pg_settle() ends what is under way. libpq's types have their tags' names here,
 * so that its header is needed in the .c files only.
 */
#ifndef DB_POSTGRES_H
#define DB_POSTGRES_H

#include "db-drivers.h"

enum { PG_STATEMENTS_MAX = 96, PG_PARAMS_MAX = 20 };

struct pg_param {
	char *text;
	size_t cap;
	bool set;
};

struct pg_stmt {
	struct db_stmt base;
	struct pg_db *db;
	const char *sql; /* as the store named it: identifies the statement */
	char *text;      /* as the server gets it */
	char name[16];
	bool used, prepared;
	struct pg_param params[PG_PARAMS_MAX];
	int n_params;
	struct pg_result *rows;
	int row; /* -1: before the first */
	int64_t changes;
};

/* A table that rows are copied into. */
enum pg_table { PG_NONE, PG_BENCHMARK, PG_SERIES, PG_SAMPLE };

struct pg_db {
	struct db base; /* its name is the address without a password */
	struct pg_conn *conn;
	enum db_access access;
	struct pg_stmt statements[PG_STATEMENTS_MAX];
	int n_statements;
	bool writing, committing; /* in a transaction; what is lost with the connection */
	bool conflict;            /* the last error came of other transactions */
	enum pg_table copying;
	struct buf out;                /* of the table that is being copied into */
	struct buf benchmarks, series; /* rows that wait for db_load_end() */
};

/* ---- db-postgres-open.c ---- */

bool pg_takes(const char *address);
int pg_exists(const char *address, struct err *err);
struct db *pg_open(const char *address, enum db_access access, struct err *err);
void pg_close(struct db *db);

/* ---- db-postgres-error.c ---- */

/* What went wrong with a result (NULL: with the connection), with what to do. Always -1. */
int pg_error(struct pg_db *s, const struct pg_result *r, const char *doing, struct err *err);

/* Appends a message of libpq, which has several lines, as one. */
void pg_one_line(struct buf *b, const char *text);

/* ---- db-postgres.c ---- */

struct db_stmt *pg_statement(struct db *db, const char *sql, struct err *err);
int pg_execute(struct pg_stmt *st, bool binary, const char *doing, struct err *err);
void pg_reset(struct db_stmt *st);

/* A statement, or several, without parameters and rows. */
int pg_run(struct pg_db *s, const char *sql, const char *doing, struct err *err);

/* ---- db-postgres-sql.c ---- */

/* The statement that stands in for sql on PostgreSQL; sql itself where it needs none. */
const char *pg_sql(const char *sql);

/* sql with its parameters as PostgreSQL counts them, $1 for ?1, and how many there are. The caller
 * frees. */
char *pg_dollars(const char *sql, int *ret_params);

/* ---- db-postgres-copy.c ---- */

/* Ends a COPY that is under way. */
int pg_settle(struct pg_db *s, struct err *err);
/* Forgets it, and what waits. */
void pg_abandon(struct pg_db *s);

int pg_load(struct db *db, const struct db_sample *row, struct err *err);
void pg_load_benchmark(struct db *db, int64_t id, const char *suite, const char *name);
void pg_load_series(struct db *db, const struct db_series *x);
int pg_load_end(struct db *db, struct err *err);

/* ---- db-postgres-visit.c ---- */

int pg_visit_samples(struct db *db, int64_t run, const struct db_range *of, db_sample_fn *row,
	void *ctx, struct err *err);
int pg_visit_series(struct db *db, db_series_fn *row, void *ctx, struct err *err);

#endif
