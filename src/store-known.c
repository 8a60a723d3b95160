#include "store-known.h"

#include "sql.h"

#include <stdlib.h>
#include <string.h>

enum { ONE_BY_ONE = 64 };

static const char storing[] = "storing";

void known_release(struct known *k)
{
	intern_free(k->keys);
	intern_free(k->scopes);
	free(k->ids);
	*k = (struct known){0};
}

bool known_worthwhile(struct store *s, struct known *k)
{
	return db_reads_ahead(s->db) && ++k->asked > ONE_BY_ONE;
}

/* Where the number of a key is kept; 0 in it: not known. */
static int64_t *slot(struct known *k, const struct buf *key)
{
	uint32_t n = intern_count(k->keys), id = intern_add(k->keys, key->p, key->len);

	k->ids = xgrow(k->ids, id, &k->cap, sizeof(*k->ids));
	if (id == n)
		k->ids[id] = 0;
	return &k->ids[id];
}

static int read_last(struct store *s, struct known *k, const char *sql, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);

	if (!st || db_step(st, storing, err) < 0)
		return -1;
	k->last = column_int(st, 0);
	db_reset(st);
	return 0;
}

/* 1: the scope is new, and its rows are to be read. 0, -1. */
static int begin_scope(
	struct store *s, struct known *k, const char *max_sql, const char *scope, struct err *err)
{
	uint32_t n;

	if (!k->keys) {
		k->keys = intern_new();
		k->scopes = intern_new();
		if (read_last(s, k, max_sql, err) < 0)
			return -1;
	}
	n = intern_count(k->scopes);
	return intern_add(k->scopes, scope, strlen(scope)) == n;
}

/* ---- benchmarks ---- */

static void benchmark_key(struct buf *b, const char *suite, const char *name)
{
	buf_clear(b);
	buf_add(b, suite, strlen(suite) + 1);
	buf_addstr(b, name);
}

static int read_benchmarks(struct store *s, struct known *k, const char *suite, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_postgres_benchmarks_known, err);
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	int r;

	if (!st)
		return -1;
	bind_text(st, 1, suite);
	while ((r = db_step(st, storing, err)) > 0) {
		benchmark_key(&key, suite, column_text(st, 1));
		*slot(k, &key) = column_int(st, 0);
	}
	return r;
}

int64_t known_benchmark(
	struct store *s, struct known *k, const char *suite, const char *name, struct err *err)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	int r = begin_scope(s, k, sql_postgres_benchmark_max, suite, err);
	int64_t *id;

	if (r < 0 || (r > 0 && read_benchmarks(s, k, suite, err) < 0))
		return -1;
	benchmark_key(&key, suite, name);
	id = slot(k, &key);
	if (*id == 0) {
		*id = ++k->last;
		db_load_benchmark(s->db, *id, suite, name);
	}
	return *id;
}

/* ---- series ---- */

static void series_key(struct buf *b, const struct db_series *x)
{
	const int64_t numbers[] = {x->benchmark, x->metric, x->runner};

	buf_clear(b);
	buf_add(b, numbers, sizeof(numbers));
	buf_addstr(b, x->variant);
}

static int read_series(struct store *s, struct known *k, int64_t runner, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_postgres_series_known, err);
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	int r;

	if (!st)
		return -1;
	bind_int(st, 1, runner);
	while ((r = db_step(st, storing, err)) > 0) {
		series_key(&key, &(struct db_series){.benchmark = column_int(st, 1),
					 .metric = column_int(st, 2),
					 .variant = column_text(st, 3),
					 .runner = runner});
		*slot(k, &key) = column_int(st, 0);
	}
	return r;
}

int64_t known_series(struct store *s, struct known *k, const struct db_series *x, struct err *err)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	_cleanup_(freep) char *runner = xasprintf("%lld", (long long)x->runner);
	int r = begin_scope(s, k, sql_series_max, runner, err);
	struct db_series new = *x;
	int64_t *id;

	if (r < 0 || (r > 0 && read_series(s, k, x->runner, err) < 0))
		return -1;
	series_key(&key, x);
	id = slot(k, &key);
	if (*id == 0) {
		*id = new.id = ++k->last;
		db_load_series(s->db, &new);
	}
	return *id;
}
