/*
 * store-private: what the files of the store share. Nothing else includes it.
 */
#ifndef STORE_PRIVATE_H
#define STORE_PRIVATE_H

#include <sqlite3.h>

#include "intern.h"
#include "store.h"

enum { STATEMENTS_MAX = 64 };

struct store {
	sqlite3 *db;
	char *path;
	enum store_mode mode;
	bool immutable; /* opened without locks: nobody can be writing */
	struct {
		const char *sql; /* identifies the statement */
		sqlite3_stmt *stmt;
	} statements[STATEMENTS_MAX];
	int n_statements;

	/* read caches; strings live in the intern */
	struct intern *strings;
	struct store_series *series; /* by id; id 0 = not loaded */
	size_t n_series;
	bool all_series;
	struct {
		int64_t id;
		const char *key;
	} * runners;
	size_t n_runners, cap_runners;
	void (*progress)(void *ctx, double done, double of);
	void *progress_ctx;
	struct visiting *visiting; /* during store_visit() */
	const char **parents;      /* of the last store_commit() */
	size_t cap_parents;
};

/* The path as SQLite's URI, taken literally. The caller frees. */
char *store_uri(const char *path, const char *query);

/* The error of the last SQLite call, with what to do. Always -1. */
int store_error(struct store *s, const char *doing, struct err *err);

/* A prepared statement, reset, without bindings; owned by the store. NULL with err set. */
sqlite3_stmt *store_statement(struct store *s, const char *sql, struct err *err);

/* Steps: 1 a row, 0 done (and reset), -1 with err set (and reset). */
int store_step(struct store *s, sqlite3_stmt *st, const char *doing, struct err *err);

void store_progress(struct store *s, double done, double of);

int store_exec(struct store *s, const char *sql, const char *doing, struct err *err);

void bind_text(sqlite3_stmt *st, int i, const char *text); /* NULL binds NULL */
void bind_time(sqlite3_stmt *st, int i, int64_t ns);       /* TIME_UNKNOWN binds NULL */
void bind_num(sqlite3_stmt *st, int i, struct num v);
const char *column_text(sqlite3_stmt *st, int i); /* "" for NULL */
int64_t column_time(sqlite3_stmt *st, int i);
/* Runs a statement whose rows go to row() through the SQL function visit_row(): a third less work a
 * row than stepping. row() returns -1 with err set to stop. */
int store_visit(struct store *s, sqlite3_stmt *st,
	int (*row)(void *ctx, sqlite3_value **values, struct err *err), void *ctx, struct err *err);

const char *store_keep(struct store *s, const char *text); /* interned, lives until store_close */

#endif
