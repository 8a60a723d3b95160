/*
 * db-sqlite: what the files of the SQLite driver share. Nothing else includes it.
 */
#ifndef DB_SQLITE_H
#define DB_SQLITE_H

#include <sqlite3.h>

#include "db-drivers.h"

enum { STATEMENTS_MAX = 96, LOAD_ROWS = 32 };

struct sqlite_stmt {
	struct db_stmt base;
	struct sqlite_db *db;
	const char *sql; /* identifies the statement */
	sqlite3_stmt *handle;
};

struct sqlite_db {
	struct db base; /* its name is the path */
	sqlite3 *handle;
	enum db_access access;
	struct sqlite_stmt statements[STATEMENTS_MAX];
	int n_statements;
	struct visiting *visiting; /* during a visit */
	struct db_sample rows[LOAD_ROWS];
	int n_rows;
};

/* ---- db-sqlite-open.c ---- */

struct db *sqlite_open(const char *path, enum db_access access, struct err *err);
void sqlite_close(struct db *db);

/* The path as SQLite's URI, taken literally. The caller frees. */
char *sqlite_uri(const char *path, const char *query);

/* Whether the file is ours and of no newer version than ours; sets its schema. 1 yes, 0 it is
 * empty, -1. */
int sqlite_check_version(struct sqlite_db *s, struct err *err);

/* ---- db-sqlite-schema.c ---- */

/* Everything, in the transaction that is under way. */
int sqlite_create_tables(struct sqlite_db *s, struct err *err);
/* Brings an older schema up to date, in one transaction, and leaves a copy of the file as it was
 * beside it. */
int sqlite_migrate(struct sqlite_db *s, struct err *err);
/* Whether a view is as one of the schemas makes it. */
bool sqlite_knows_view(const char *sql);

/* ---- db-sqlite.c ---- */

/* The error of the last SQLite call, with what to do. Always -1. */
int sqlite_error(struct sqlite_db *s, const char *doing, struct err *err);

struct db_stmt *sqlite_statement(struct db *db, const char *sql, struct err *err);
int sqlite_run(struct sqlite_db *s, const char *sql, const char *doing, struct err *err);

/* Makes the SQL functions through which visits go known to a new connection. */
int sqlite_add_functions(struct sqlite_db *s, struct err *err);

#endif
