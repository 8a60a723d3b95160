/*
 * db-sqlite: what the files of the SQLite driver share. Nothing else includes it.
 */
#ifndef DB_SQLITE_H
#define DB_SQLITE_H

#include <sqlite3.h>

#include "db-drivers.h"

enum { STATEMENTS_MAX = 64, LOAD_ROWS = 32 };

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

/* ---- db-sqlite.c ---- */

/* The error of the last SQLite call, with what to do. Always -1. */
int sqlite_error(struct sqlite_db *s, const char *doing, struct err *err);

struct db_stmt *sqlite_statement(struct db *db, const char *sql, struct err *err);
int sqlite_run(struct sqlite_db *s, const char *sql, const char *doing, struct err *err);

/* Makes the SQL functions through which visits go known to a new connection. */
void sqlite_add_functions(struct sqlite_db *s);

#endif
