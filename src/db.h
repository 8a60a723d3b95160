/*
 * db: the database under the store. The store says what it wants in the statements of sql/ and
 * sees no type of any database; a driver is one table of functions.
 *
 * A statement belongs to its connection and is known by the address of its text, so that asking
 * for it again costs a look-up. Parameters count from 1, columns from 0. Texts of a row live until
 * the statement is stepped or reset. Errors are ERR_STORE and say what to do.
 *
 * A new kind of database: src/db-NAME.c with a struct db_driver, a line in db_drivers (src/db.c)
 * and one in src/local.mk; where its SQL differs, files of the same names in sql/NAME/.
 */
#ifndef DB_H
#define DB_H

#include <stdint.h>

#include "err.h"
#include "num.h"

struct db_driver;

enum { DB_SCHEMA = 2 }; /* the newest version */

struct db {
	const struct db_driver *driver;
	char *name; /* the path or address as messages show it: without a password */
	int schema; /* its version; DB_SCHEMA once it was opened to write */
};

struct db_stmt {
	const struct db_driver *driver;
};

/* To write: what is not there is created, and an older schema brought up to date. */
enum db_access { DB_READ, DB_WRITE };

/* DB_LOAD: a writing transaction that may call db_load(). */
enum db_transaction { DB_READING, DB_WRITING, DB_LOADING };

struct db_sample {
	int64_t run, series, ordinal;
	struct num value;
};

/* A row of the table series. */
struct db_series {
	int64_t id, benchmark, metric, runner, first_run;
	const char *variant;
};

/* Numbers of series, both ends among them. */
struct db_range {
	int64_t first, last;
};

typedef int db_sample_fn(void *ctx, int64_t series, struct num value, struct err *err);
typedef int db_series_fn(void *ctx, const struct db_series *x, struct err *err);

struct db_driver {
	bool (*takes)(const char *address);
	struct db *(*open)(const char *address, enum db_access access, struct err *err);
	int (*exists)(const char *address, struct err *err);
	void (*close)(struct db *db);

	struct db_stmt *(*statement)(struct db *db, const char *sql, struct err *err);
	int (*step)(struct db_stmt *st, const char *doing, struct err *err);
	void (*reset)(struct db_stmt *st);
	void (*bind_int)(struct db_stmt *st, int i, int64_t v);
	void (*bind_real)(struct db_stmt *st, int i, double v);
	void (*bind_text)(struct db_stmt *st, int i, const char *text);
	bool (*is_null)(struct db_stmt *st, int i);
	int64_t (*column_int)(struct db_stmt *st, int i);
	const char *(*column_text)(struct db_stmt *st, int i);
	int (*column_num)(struct db_stmt *st, int i, struct num *ret);
	int64_t (*changes)(struct db_stmt *st);

	int (*begin)(struct db *db, enum db_transaction kind, const char *doing, struct err *err);
	int (*commit)(struct db *db, const char *doing, struct err *err);
	void (*rollback)(struct db *db);
	bool (*conflict)(const struct db *db); /* NULL: there are none */

	int (*load)(struct db *db, const struct db_sample *row, struct err *err);
	/* Where a statement costs a message; else both NULL. */
	void (*load_benchmark)(struct db *db, int64_t id, const char *suite, const char *name);
	void (*load_series)(struct db *db, const struct db_series *x);
	int (*load_end)(struct db *db, struct err *err);
	int (*visit_samples)(struct db *db, int64_t run, const struct db_range *of,
		db_sample_fn *row, void *ctx, struct err *err);
	int (*visit_series)(struct db *db, db_series_fn *row, void *ctx, struct err *err);

	int64_t (*bytes)(struct db *db, struct err *err);
	int (*check)(
		struct db *db, void (*finding)(void *ctx, char *text), void *ctx, struct err *err);
	int (*shrink)(struct db *db, struct err *err); /* NULL: nothing to do */
	int (*copy)(                                   /* NULL: it can be merged into another */
		struct db *db, const char *path, int (*stop)(void *ctx), void *ctx,
		struct err *err);
};

/* NULL with err set. */
struct db *db_open(const char *address, enum db_access access, struct err *err);
void db_close(struct db *db); /* NULL is fine */

int db_exists(const char *address, struct err *err); /* 1, 0, -1: cannot be told */
bool db_is_address(const char *address);             /* of a server; it may hold a password */

/* A prepared statement, reset, without bindings. NULL with err set. */
static inline struct db_stmt *db_statement(struct db *db, const char *sql, struct err *err)
{
	return db->driver->statement(db, sql, err);
}

/* 1 a row, 0 done (and reset), -1 with err set (and reset). */
static inline int db_step(struct db_stmt *st, const char *doing, struct err *err)
{
	return st->driver->step(st, doing, err);
}

static inline void db_reset(struct db_stmt *st)
{
	st->driver->reset(st);
}

static inline void bind_int(struct db_stmt *st, int i, int64_t v)
{
	st->driver->bind_int(st, i, v);
}

/* NAN binds NULL. */
static inline void bind_real(struct db_stmt *st, int i, double v)
{
	st->driver->bind_real(st, i, v);
}

/* NULL binds NULL. The text is copied. */
static inline void bind_text(struct db_stmt *st, int i, const char *text)
{
	st->driver->bind_text(st, i, text);
}

void bind_time(struct db_stmt *st, int i, int64_t ns); /* TIME_UNKNOWN binds NULL */

static inline bool column_is_null(struct db_stmt *st, int i)
{
	return st->driver->is_null(st, i);
}

static inline int64_t column_int(struct db_stmt *st, int i)
{
	return st->driver->column_int(st, i);
}

/* "" for NULL. */
static inline const char *column_text(struct db_stmt *st, int i)
{
	return st->driver->column_text(st, i);
}

int64_t column_time(struct db_stmt *st, int i);

/* -1, without an err: it is none, or none that is finite. */
static inline int column_num(struct db_stmt *st, int i, struct num *ret)
{
	return st->driver->column_num(st, i, ret);
}

/* Rows that the statement changed, once it is done. */
static inline int64_t db_changes(struct db_stmt *st)
{
	return st->driver->changes(st);
}

/* ---- transactions ---- */

/* Writing ones wait for their turn: a second writer begins when the first has ended. */
static inline int db_begin(
	struct db *db, enum db_transaction kind, const char *doing, struct err *err)
{
	return db->driver->begin(db, kind, doing, err);
}

static inline int db_commit(struct db *db, const char *doing, struct err *err)
{
	return db->driver->commit(db, doing, err);
}

static inline void db_rollback(struct db *db)
{
	db->driver->rollback(db);
}

/* Whether the last error came of other transactions, so that the same again may succeed. */
static inline bool db_conflict(const struct db *db)
{
	return db->driver->conflict && db->driver->conflict(db);
}

/* ---- many rows ---- */

/* Whether what is asked for often is better read ahead, and added by these (src/store-known.h). */
static inline bool db_reads_ahead(const struct db *db)
{
	return db->driver->load_series;
}

static inline void db_load_benchmark(struct db *db, int64_t id, const char *suite, const char *name)
{
	db->driver->load_benchmark(db, id, suite, name);
}

static inline void db_load_series(struct db *db, const struct db_series *x)
{
	db->driver->load_series(db, x);
}

/* Samples on their way into the table, many at a time; db_load_end() sends what is left. */
static inline int db_load(struct db *db, const struct db_sample *row, struct err *err)
{
	return db->driver->load(db, row, err);
}

static inline int db_load_end(struct db *db, struct err *err)
{
	return db->driver->load_end(db, err);
}

/* Every sample of a run, or those of some series (of NULL: all), in the order of series and
 * ordinals, in bounded memory. row() returns -1 with err set to stop. */
static inline int db_visit_samples(struct db *db, int64_t run, const struct db_range *of,
	db_sample_fn *row, void *ctx, struct err *err)
{
	return db->driver->visit_samples(db, run, of, row, ctx, err);
}

static inline int db_visit_series(struct db *db, db_series_fn *row, void *ctx, struct err *err)
{
	return db->driver->visit_series(db, row, ctx, err);
}

/* ---- care ---- */

int64_t db_bytes(struct db *db, struct err *err); /* that it takes; -1 */

/* Structure and references. finding() gets, and frees, a text for each fault. */
int db_check(struct db *db, void (*finding)(void *ctx, char *text), void *ctx, struct err *err);

int db_shrink(struct db *db, struct err *err); /* gives back the room of what was deleted */
static inline bool db_shrinks(const struct db *db)
{
	return db->driver->shrink;
}

/* All of it into the empty SQLite file at path; stop() is asked now and then. Only where
 * db_copies(). */
int db_copy(struct db *db, const char *path, int (*stop)(void *ctx), void *ctx, struct err *err);

static inline bool db_copies(const struct db *db)
{
	return db->driver->copy;
}

/* For drivers: what a damaged sample is called. Always -1. */
int db_no_number(const struct db *db, struct err *err);

#endif
