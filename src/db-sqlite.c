#include "db-sqlite.h"

#include "sql.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- errors ---- */

int sqlite_error(struct sqlite_db *s, const char *doing, struct err *err)
{
	int rc = sqlite3_errcode(s->handle);

	switch (rc) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_STORE,
			"%s: %s: another process has held the store for a minute; run this again when it is done",
			s->base.name, doing);
	case SQLITE_FULL:
		return err_set(err, ERR_STORE,
			"%s: %s: the disk is full; nothing of this was stored: free some space and run it again",
			s->base.name, doing);
	case SQLITE_NOTADB:
		return err_set(err, ERR_STORE,
			"%s: not a perfgate store (no SQLite file); --store names another",
			s->base.name);
	case SQLITE_CORRUPT:
		return err_set(err, ERR_STORE,
			"%s: %s: the store is damaged (%s); it is left as it is: put a copy or a snapshot in its place, 'perfgate store check' says what is wrong",
			s->base.name, doing, sqlite3_errmsg(s->handle));
	case SQLITE_READONLY:
		return err_set(err, ERR_STORE,
			"%s: %s: the store is read-only; make the file and its folder writable, or name another with --store",
			s->base.name, doing);
	case SQLITE_CANTOPEN: /* of the log beside it, in a folder that cannot be written */
		return err_set(err, ERR_STORE,
			"%s: %s: it, or what has to be made beside it, cannot be opened; make the file and its folder writable, or name another with --store",
			s->base.name, doing);
	case SQLITE_IOERR:
		return err_set(err, ERR_STORE, "%s: %s: %s (%s)", s->base.name, doing,
			sqlite3_errmsg(s->handle),
			sqlite3_system_errno(s->handle) ? strerror(sqlite3_system_errno(s->handle))
							: "no reason given");
	case SQLITE_INTERRUPT:
		return err_set(err, ERR_CANCELLED, "%s: interrupted", doing);
	case SQLITE_NOMEM: /* its own words may name a temporary file instead */
		return err_set(err, ERR_STORE, "%s: %s: out of memory", s->base.name, doing);
	default:
		return err_set(err, ERR_STORE, "%s: %s: %s", s->base.name, doing,
			sqlite3_errmsg(s->handle));
	}
}

/* ---- statements ---- */

static sqlite3_stmt *handle(struct db_stmt *st)
{
	return ((struct sqlite_stmt *)st)->handle;
}

struct db_stmt *sqlite_statement(struct db *db, const char *sql, struct err *err)
{
	struct sqlite_db *s = (struct sqlite_db *)db;
	struct sqlite_stmt *st;
	int i;

	for (i = 0; i < s->n_statements; i++) {
		st = &s->statements[i];
		if (st->sql == sql) {
			sqlite3_reset(st->handle);
			sqlite3_clear_bindings(st->handle);
			return &st->base;
		}
	}
	if (s->n_statements == STATEMENTS_MAX) {
		err_set(err, ERR_STORE, "too many kinds of statements");
		return NULL;
	}
	st = &s->statements[i];
	if (sqlite3_prepare_v3(s->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &st->handle, NULL) !=
		SQLITE_OK) {
		sqlite_error(s, "preparing a query", err);
		return NULL;
	}
	st->base.driver = &db_sqlite;
	st->db = s;
	st->sql = sql;
	s->n_statements++;
	return &st->base;
}

static int sqlite_step(struct db_stmt *st, const char *doing, struct err *err)
{
	int rc = sqlite3_step(handle(st));

	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		sqlite_error(((struct sqlite_stmt *)st)->db, doing, err);
	sqlite3_reset(handle(st));
	return rc == SQLITE_DONE ? 0 : -1;
}

static void sqlite_reset(struct db_stmt *st)
{
	sqlite3_reset(handle(st));
}

int sqlite_run(struct sqlite_db *s, const char *sql, const char *doing, struct err *err)
{
	return sqlite3_exec(s->handle, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : sqlite_error(s, doing, err);
}

static void sqlite_bind_int(struct db_stmt *st, int i, int64_t v)
{
	sqlite3_bind_int64(handle(st), i, v);
}

static void sqlite_bind_real(struct db_stmt *st, int i, double v)
{
	sqlite3_bind_double(handle(st), i, v); /* which takes NAN for NULL */
}

static void sqlite_bind_text(struct db_stmt *st, int i, const char *text)
{
	if (!text)
		sqlite3_bind_null(handle(st), i);
	else if (sqlite3_bind_text(handle(st), i, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
		xmalloc(SIZE_MAX); /* a NULL in its place would be stored; dies as every allocation
				      does */
}

static bool sqlite_is_null(struct db_stmt *st, int i)
{
	return sqlite3_column_type(handle(st), i) == SQLITE_NULL;
}

static int64_t sqlite_column_int(struct db_stmt *st, int i)
{
	return sqlite3_column_int64(handle(st), i);
}

static const char *sqlite_column_text(struct db_stmt *st, int i)
{
	int type = sqlite3_column_type(handle(st), i);
	const unsigned char *p = sqlite3_column_text(handle(st), i);

	if (!p && type != SQLITE_NULL)
		xmalloc(SIZE_MAX); /* "" is not what is there; dies as every allocation does */
	return p ? (const char *)p : "";
}

static int number(sqlite3_value *v, struct num *ret)
{
	switch (sqlite3_value_type(v)) {
	case SQLITE_INTEGER:
		*ret = num_int(sqlite3_value_int64(v));
		return 0;
	case SQLITE_FLOAT:
		*ret = num_real(sqlite3_value_double(v));
		return isfinite(ret->d) ? 0 : -1;
	default:
		return -1;
	}
}

static int sqlite_column_num(struct db_stmt *st, int i, struct num *ret)
{
	return number(sqlite3_column_value(handle(st), i), ret);
}

static int64_t sqlite_changes(struct db_stmt *st)
{
	return sqlite3_changes(((struct sqlite_stmt *)st)->db->handle);
}

/* ---- transactions ---- */

/*
 * While samples are loaded, foreign keys are not enforced on this connection: both numbers of each
 * row were looked up or added in the same transaction, and checking them again takes as long as the
 * insertion. `store check` checks them.
 */
static int sqlite_begin(struct db *db, enum db_transaction kind, const char *doing, struct err *err)
{
	struct sqlite_db *s = (struct sqlite_db *)db;

	s->n_rows = 0;
	if (kind == DB_LOADING && sqlite_run(s, sql_foreign_keys_off, doing, err) < 0)
		return -1;
	return sqlite_run(s, kind == DB_READING ? sql_begin_read : sql_begin, doing, err);
}

static int sqlite_commit(struct db *db, const char *doing, struct err *err)
{
	struct sqlite_db *s = (struct sqlite_db *)db;

	if (sqlite_run(s, sql_commit, doing, err) < 0)
		return -1;
	sqlite3_exec(s->handle, sql_foreign_keys_on, NULL, NULL, NULL);
	return 0;
}

static void sqlite_rollback(struct db *db)
{
	struct sqlite_db *s = (struct sqlite_db *)db;

	sqlite3_exec(s->handle, sql_rollback, NULL, NULL, NULL);
	sqlite3_exec(s->handle, sql_foreign_keys_on, NULL, NULL, NULL);
}

/* ---- loading ---- */

static int insert_rows(
	struct sqlite_db *s, const char *sql, const struct db_sample *rows, int n, struct err *err)
{
	struct db_stmt *st = sqlite_statement(&s->base, sql, err);
	int i;

	if (!st)
		return -1;
	for (i = 0; i < n; i++) {
		sqlite3_bind_int64(handle(st), 4 * i + 1, rows[i].run);
		sqlite3_bind_int64(handle(st), 4 * i + 2, rows[i].series);
		sqlite3_bind_int64(handle(st), 4 * i + 3, rows[i].ordinal);
		if (rows[i].value.is_int)
			sqlite3_bind_int64(handle(st), 4 * i + 4, rows[i].value.i);
		else
			sqlite3_bind_double(handle(st), 4 * i + 4, rows[i].value.d);
	}
	return sqlite_step(st, "storing", err);
}

static int sqlite_load(struct db *db, const struct db_sample *row, struct err *err)
{
	struct sqlite_db *s = (struct sqlite_db *)db;

	s->rows[s->n_rows++] = *row;
	if (s->n_rows < LOAD_ROWS)
		return 0;
	s->n_rows = 0;
	return insert_rows(s, sql_samples_add, s->rows, LOAD_ROWS, err);
}

static int sqlite_load_end(struct db *db, struct err *err)
{
	struct sqlite_db *s = (struct sqlite_db *)db;
	int i, r = 0;

	for (i = 0; r == 0 && i < s->n_rows; i++)
		r = insert_rows(s, sql_sample_add, &s->rows[i], 1, err);
	s->n_rows = 0;
	return r;
}

/* ---- visiting ---- */

/* Rows go to row() through SQL functions, from within the scan: a third less work a row than
 * stepping. */
struct visiting {
	db_sample_fn *sample;
	db_series_fn *series;
	void *ctx;
	struct err *err;
};

static void visit_sample(sqlite3_context *ctx, int n, sqlite3_value **values)
{
	const struct sqlite_db *s = sqlite3_user_data(ctx);
	const struct visiting *v = s->visiting;
	struct num value;

	(void)n;
	if (!v || !v->sample)
		return;
	if (number(values[1], &value) < 0)
		db_no_number(&s->base, v->err);
	else if (v->sample(v->ctx, sqlite3_value_int64(values[0]), value, v->err) == 0)
		return;
	sqlite3_result_error(ctx, "stopped", -1);
}

static const char *value_text(sqlite3_value *v)
{
	const unsigned char *text = sqlite3_value_bytes(v) ? sqlite3_value_text(v) : NULL;

	return text ? (const char *)text : "";
}

static void visit_series(sqlite3_context *ctx, int n, sqlite3_value **values)
{
	const struct sqlite_db *s = sqlite3_user_data(ctx);
	const struct visiting *v = s->visiting;
	struct db_series x;

	(void)n;
	if (!v || !v->series)
		return;
	x = (struct db_series){.id = sqlite3_value_int64(values[0]),
		.benchmark = sqlite3_value_int64(values[1]),
		.metric = sqlite3_value_int64(values[2]),
		.variant = value_text(values[3]),
		.runner = sqlite3_value_int64(values[4]),
		.first_run = sqlite3_value_int64(values[5])};
	if (v->series(v->ctx, &x, v->err) < 0)
		sqlite3_result_error(ctx, "stopped", -1);
}

int sqlite_add_functions(struct sqlite_db *s, struct err *err)
{
	static const struct {
		const char *name;
		int n_values;
		void (*visit)(sqlite3_context *ctx, int n, sqlite3_value **values);
	} functions[] = {{"visit_sample", 2, visit_sample}, {"visit_series", 6, visit_series}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(functions); i++)
		if (sqlite3_create_function(s->handle, functions[i].name, functions[i].n_values,
			    SQLITE_UTF8 | SQLITE_DIRECTONLY, s, functions[i].visit, NULL,
			    NULL) != SQLITE_OK)
			return sqlite_error(s, "opening", err);
	return 0;
}

static int visit(struct sqlite_db *s, struct db_stmt *st, struct visiting *v)
{
	struct visiting *outer = s->visiting;
	int r;

	s->visiting = v;
	r = sqlite_step(st, "reading", v->err);
	s->visiting = outer;
	if (r > 0)
		sqlite_reset(st);
	return r < 0 ? -1 : 0;
}

static int sqlite_visit_samples(struct db *db, int64_t run, const struct db_range *of,
	db_sample_fn *row, void *ctx, struct err *err)
{
	struct visiting v = {.sample = row, .ctx = ctx, .err = err};
	struct db_stmt *st =
		sqlite_statement(db, of ? sql_samples_between : sql_samples_visit, err);

	if (!st)
		return -1;
	sqlite_bind_int(st, 1, run);
	if (of) {
		sqlite_bind_int(st, 2, of->first);
		sqlite_bind_int(st, 3, of->last);
	}
	return visit((struct sqlite_db *)db, st, &v);
}

static int sqlite_visit_series(struct db *db, db_series_fn *row, void *ctx, struct err *err)
{
	struct visiting v = {.series = row, .ctx = ctx, .err = err};
	struct db_stmt *st = sqlite_statement(db, sql_series_all, err);

	return st ? visit((struct sqlite_db *)db, st, &v) : -1;
}

/* ---- care ---- */

static int64_t sqlite_bytes(struct db *db, struct err *err)
{
	struct db_stmt *st = sqlite_statement(db, sql_page_bytes, err);
	int64_t ret;

	if (!st || sqlite_step(st, "counting", err) < 0)
		return -1;
	ret = sqlite_column_int(st, 0);
	sqlite_reset(st);
	return ret;
}

/* SQLite's findings come several to a text. */
static void report_lines(void (*finding)(void *ctx, char *text), void *ctx, const char *text)
{
	for (; *text; text += strspn(text, "\n")) {
		size_t n = strcspn(text, "\n");
		finding(ctx, xstrndup(text, n));
		text += n;
	}
}

static int check_integrity(
	struct db *db, void (*finding)(void *ctx, char *text), void *ctx, struct err *err)
{
	struct db_stmt *st = sqlite_statement(db, sql_integrity_check, err);
	int r;

	if (!st)
		return -1;
	while ((r = sqlite_step(st, "checking", err)) > 0)
		if (strcmp(sqlite_column_text(st, 0), "ok"))
			report_lines(finding, ctx, sqlite_column_text(st, 0));
	return r;
}

static int sqlite_check(
	struct db *db, void (*finding)(void *ctx, char *text), void *ctx, struct err *err)
{
	struct db_stmt *st;
	int r;

	if (check_integrity(db, finding, ctx, err) < 0)
		return -1;
	st = sqlite_statement(db, sql_foreign_key_check, err);
	if (!st)
		return -1;
	while ((r = sqlite_step(st, "checking", err)) > 0)
		finding(ctx, xasprintf("table %s, row %s: refers to a row of %s that is not there",
				     sqlite_column_text(st, 0), sqlite_column_text(st, 1),
				     sqlite_column_text(st, 2)));
	return r;
}

static int sqlite_shrink(struct db *db, struct err *err)
{
	return sqlite_run((struct sqlite_db *)db, sql_incremental_vacuum, "giving space back", err);
}

enum { STEPS_BETWEEN = 1000 }; /* of SQLite's machine: less than a millisecond */

static int sqlite_copy(
	struct db *db, const char *path, int (*stop)(void *ctx), void *ctx, struct err *err)
{
	struct sqlite_db *s = (struct sqlite_db *)db;
	_cleanup_(freep) char *uri = sqlite_uri(path, "mode=rwc");
	struct db_stmt *st = sqlite_statement(db, sql_vacuum_into, err);
	int r;

	if (!st)
		return -1;
	sqlite_bind_text(st, 1, uri);
	sqlite3_progress_handler(s->handle, STEPS_BETWEEN, stop, ctx);
	r = sqlite_step(st, "writing the snapshot", err);
	sqlite3_progress_handler(s->handle, 0, NULL, NULL);
	return r;
}

static bool sqlite_takes(const char *address)
{
	(void)address;
	return true;
}

static int sqlite_exists(const char *path, struct err *err)
{
	struct stat st;

	(void)err; /* opening it says what is wrong */
	return stat(path, &st) == 0 || errno != ENOENT;
}

const struct db_driver db_sqlite = {.takes = sqlite_takes,
	.open = sqlite_open,
	.exists = sqlite_exists,
	.close = sqlite_close,
	.statement = sqlite_statement,
	.step = sqlite_step,
	.reset = sqlite_reset,
	.bind_int = sqlite_bind_int,
	.bind_real = sqlite_bind_real,
	.bind_text = sqlite_bind_text,
	.is_null = sqlite_is_null,
	.column_int = sqlite_column_int,
	.column_text = sqlite_column_text,
	.column_num = sqlite_column_num,
	.changes = sqlite_changes,
	.begin = sqlite_begin,
	.commit = sqlite_commit,
	.rollback = sqlite_rollback,
	.load = sqlite_load,
	.load_end = sqlite_load_end,
	.visit_samples = sqlite_visit_samples,
	.visit_series = sqlite_visit_series,
	.bytes = sqlite_bytes,
	.check = sqlite_check,
	.shrink = sqlite_shrink,
	.copy = sqlite_copy};
