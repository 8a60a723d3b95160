#include "store-private.h"

#include "sql.h"

#include <stdlib.h>
#include <string.h>

static const char reading[] = "reading";

/* Numbers are given from 1 up; a file with others is damaged, or made to do harm. */
enum { SERIES_MAX = 1 << 26 };

static struct store_series *series_slot(struct store *s, int64_t id, struct err *err)
{
	if (id < 1 || id > SERIES_MAX) {
		err_set(err, ERR_STORE, "%s: damaged: a series has the number %lld", s->path,
			(long long)id);
		return NULL;
	}
	s->series = xgrow_to(s->series, &s->n_series, (size_t)id, sizeof(*s->series));
	return &s->series[id];
}

static int series_from_row(struct store *s, struct db_stmt *st, struct err *err)
{
	struct store_series *x = series_slot(s, column_int(st, 0), err);

	if (!x) {
		db_reset(st);
		return -1;
	}
	x->id = column_int(st, 0);
	x->suite = store_keep(s, column_text(st, 1));
	x->benchmark = store_keep(s, column_text(st, 2));
	x->metric.name = store_keep(s, column_text(st, 3));
	x->metric.unit = store_keep(s, column_text(st, 4));
	x->metric.quantity = store_keep(s, column_text(st, 5));
	direction_parse(column_text(st, 6), &x->metric.direction);
	x->variant = store_keep(s, column_text(st, 7));
	x->runner_id = column_int(st, 8);
	x->first_run = column_int(st, 9);
	return 0;
}

/* Rows of a small table by their numbers, as store_series wants their texts. */
struct name_row {
	const char *text[4];
};

struct name_rows {
	struct name_row *v;
	size_t n;
};

static struct name_row *name_slot(struct name_rows *rows, int64_t id)
{
	size_t n = rows->n;

	if ((size_t)id >= n) {
		rows->n = (size_t)id * 2 + 64;
		rows->v = xrealloc(rows->v, rows->n * sizeof(*rows->v));
		memset(rows->v + n, 0, (rows->n - n) * sizeof(*rows->v));
	}
	return &rows->v[id];
}

static int damaged(struct store *s, const char *what, int64_t id, struct err *err)
{
	return err_set(
		err, ERR_STORE, "%s: damaged: %s %lld is not there", s->path, what, (long long)id);
}

static int load_names(
	struct store *s, const char *sql, int texts, struct name_rows *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);
	int r, i;

	if (!st)
		return -1;
	while ((r = db_step(st, reading, err)) > 0) {
		int64_t id = column_int(st, 0);
		struct name_row *row;
		if (id < 1 || id > SERIES_MAX)
			return damaged(s, "a name with a number that can be, not", id, err);
		row = name_slot(ret, id);
		for (i = 0; i < texts; i++)
			row->text[i] = store_keep(s, column_text(st, i + 1));
	}
	return r;
}

struct series_visit {
	struct store *s;
	struct name_rows benchmarks, metrics;
	enum direction *directions; /* of metrics */
};

static int visit_series(void *ctx, const struct db_series *row, struct err *err)
{
	struct series_visit *v = ctx;
	int64_t b = row->benchmark, m = row->metric;
	struct store_series *x = series_slot(v->s, row->id, err);
	const char *const *metric;

	if (!x)
		return -1;
	if ((size_t)b >= v->benchmarks.n || !v->benchmarks.v[b].text[0])
		return damaged(v->s, "benchmark", b, err);
	if ((size_t)m >= v->metrics.n || !v->metrics.v[m].text[0])
		return damaged(v->s, "metric", m, err);
	metric = v->metrics.v[m].text;
	*x = (struct store_series){.id = row->id,
		.suite = v->benchmarks.v[b].text[0],
		.benchmark = v->benchmarks.v[b].text[1],
		.metric = {metric[0], metric[1], metric[2], v->directions[m]},
		.variant = store_keep(v->s, row->variant),
		.runner_id = row->runner,
		.first_run = row->first_run};
	return 0;
}

static enum direction *parse_directions(const struct name_rows *metrics)
{
	enum direction *ret = xcalloc(metrics->n, sizeof(*ret));
	size_t i;

	for (i = 0; i < metrics->n; i++)
		if (metrics->v[i].text[3])
			direction_parse(metrics->v[i].text[3], &ret[i]);
	return ret;
}

/* Room for all at once, so that they do not move while they are loaded. */
static int reserve_series(struct store *s, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_series_max, err);
	int64_t max;

	if (!st || db_step(st, reading, err) < 0)
		return -1;
	max = column_int(st, 0);
	db_reset(st);
	return max == 0 || series_slot(s, max, err) ? 0 : -1;
}

static int load_series(struct series_visit *v, struct err *err)
{
	struct store *s = v->s;

	if (reserve_series(s, err) < 0 ||
		load_names(s, sql_benchmarks_all, 2, &v->benchmarks, err) < 0 ||
		load_names(s, sql_metrics_all, 4, &v->metrics, err) < 0)
		return -1;
	v->directions = parse_directions(&v->metrics);
	return db_visit_series(s->db, visit_series, v, err);
}

int store_series_load(struct store *s, struct err *err)
{
	struct series_visit v = {.s = s};
	int r = s->all_series ? 0 : load_series(&v, err);

	free(v.directions);
	free(v.benchmarks.v);
	free(v.metrics.v);
	s->all_series = r == 0;
	return r;
}

int store_each_series(struct store *s,
	int (*row)(void *ctx, const struct store_series *x, struct err *err), void *ctx,
	struct err *err)
{
	size_t i;

	if (store_series_load(s, err) < 0)
		return -1;
	for (i = 0; i < s->n_series; i++)
		if (s->series[i].id && row(ctx, &s->series[i], err) < 0)
			return -1;
	return 0;
}

const struct store_series *store_series(struct store *s, int64_t id, struct err *err)
{
	struct db_stmt *st;
	int r;

	if (id > 0 && (size_t)id < s->n_series && s->series[id].id)
		return &s->series[id];
	st = db_statement(s->db, sql_series_get, err);
	if (!st)
		return NULL;
	bind_int(st, 1, id);
	r = db_step(st, reading, err);
	if (r <= 0) {
		if (r == 0)
			err_set(err, ERR_STORE,
				"%s: damaged: a sample of series %lld, which is not there", s->path,
				(long long)id);
		return NULL;
	}
	if (series_from_row(s, st, err) < 0)
		return NULL;
	db_reset(st);
	return &s->series[id];
}

/* ---- runners ---- */

const char *store_runner_key(struct store *s, int64_t runner_id, struct err *err)
{
	struct db_stmt *st;
	size_t i;
	int r;

	for (i = 0; i < s->n_runners; i++)
		if (s->runners[i].id == runner_id)
			return s->runners[i].key;
	s->n_runners = 0;
	st = db_statement(s->db, sql_runners, err);
	if (!st)
		return NULL;
	while ((r = db_step(st, reading, err)) > 0) {
		s->runners = xgrow(s->runners, s->n_runners, &s->cap_runners, sizeof(*s->runners));
		s->runners[s->n_runners].id = column_int(st, 0);
		s->runners[s->n_runners++].key = store_keep(s, column_text(st, 1));
	}
	for (i = 0; r == 0 && i < s->n_runners; i++)
		if (s->runners[i].id == runner_id)
			return s->runners[i].key;
	if (r == 0)
		err_set(err, ERR_STORE, "%s: damaged: runner %lld is not there", s->path,
			(long long)runner_id);
	return NULL;
}
