#include "store-private.h"

#include "sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char reading[] = "reading";

/* ---- runs ---- */

static void run_release(struct store_run *r)
{
	char *owned[] = {r->sha, r->tree_state, r->branch, r->session, r->runner_key,
		r->runner_label, r->suite, r->component, r->format, r->format_version,
		r->tool_version, r->digest, r->facts, r->tree_sha};
	size_t i;

	for (i = 0; i < ARRAY_LEN(owned); i++)
		free(owned[i]);
}

void store_runs_release(struct store_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->n; i++)
		run_release(&runs->v[i]);
	free(runs->v);
	*runs = (struct store_runs){0};
}

int64_t store_run_time(const struct store_run *r)
{
	return r->started_at != TIME_UNKNOWN ? r->started_at : r->ingested_at;
}

/* The columns of run_v, in their order. */
static void run_from_row(struct db_stmt *st, struct store_run *r)
{
	char **const text[] = {&r->sha, &r->tree_state, &r->branch, &r->session, NULL,
		&r->runner_key, &r->runner_label, &r->suite, &r->component, &r->format,
		&r->format_version, &r->tool_version};
	size_t i;

	r->id = column_int(st, 0);
	for (i = 0; i < ARRAY_LEN(text); i++)
		if (text[i])
			*text[i] = xstrdup(column_text(st, (int)i + 1));
	r->runner_id = column_int(st, 5);
	r->started_at = column_time(st, 13);
	r->ingested_at = column_time(st, 14);
	r->digest = xstrdup(column_text(st, 15));
	r->series = column_int(st, 16);
	r->samples = column_int(st, 17);
	r->absences = column_int(st, 18);
	r->facts = xstrdup(column_text(st, 19));
	r->committed_at = column_time(st, 20);
	r->tree_sha = column_is_null(st, 21) ? NULL : xstrdup(column_text(st, 21));
}

/* Tables are made by the numbers of runs, and sums of what they have: both are to fit. */
static int check_run(
	const struct store *s, struct db_stmt *st, int64_t id, int64_t samples, struct err *err)
{
	if (id >= 1 && id <= INT32_MAX && samples >= 0 && samples <= INT32_MAX)
		return 0;
	db_reset(st);
	return err_set(err, ERR_STORE, "%s: damaged: a run has the number %lld, and %lld samples",
		s->path, (long long)id, (long long)samples);
}

static int collect_runs(
	const struct store *s, struct db_stmt *st, struct store_runs *ret, struct err *err)
{
	int r;

	while ((r = db_step(st, reading, err)) > 0) {
		struct store_run *run;
		ret->v = xgrow(ret->v, ret->n, &ret->cap, sizeof(*ret->v));
		run = &ret->v[ret->n++];
		run_from_row(st, run);
		if (check_run(s, st, run->id, run->samples, err) < 0)
			return -1;
	}
	return r;
}

/* A run query with one or two text parameters. */
static int runs_by_text(struct store *s, const char *sql, const char *a, const char *b,
	struct store_runs *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);

	if (!st)
		return -1;
	bind_text(st, 1, a);
	if (b)
		bind_text(st, 2, b);
	return collect_runs(s, st, ret, err);
}

int store_runs_of_commit(struct store *s, const char *sha, struct store_runs *ret, struct err *err)
{
	return runs_by_text(s, sql_runs_of_commit, sha, NULL, ret, err);
}

int store_runs_of_tree(struct store *s, const char *tree_sha, const char *but_sha,
	struct store_runs *ret, struct err *err)
{
	return runs_by_text(s, sql_runs_of_tree, tree_sha, but_sha, ret, err);
}

int store_runs_of_branch(struct store *s, const char *branch, const char *but_sha,
	struct store_runs *ret, struct err *err)
{
	return runs_by_text(s, sql_runs_of_branch, branch, but_sha, ret, err);
}

int store_runs_of_suite(struct store *s, const char *suite, struct store_runs *ret, struct err *err)
{
	return runs_by_text(s, sql_runs_of_suite, suite, NULL, ret, err);
}

int store_runs_by_digest(
	struct store *s, const char *prefix, struct store_runs *ret, struct err *err)
{
	return runs_by_text(s, sql_runs_by_digest, prefix, NULL, ret, err);
}

int store_runs_newest(struct store *s, int64_t limit, struct store_runs *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_runs_newest, err);

	if (!st)
		return -1;
	bind_int(st, 1, limit);
	return collect_runs(s, st, ret, err);
}

int store_runs_exported(struct store *s, struct store_runs *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_runs_exported, err);

	return st ? collect_runs(s, st, ret, err) : -1;
}

static void clean_run_from_row(struct db_stmt *st, struct store_clean_run *r)
{
	*r = (struct store_clean_run){.id = column_int(st, 0),
		.runner_id = column_int(st, 1),
		.sha = column_text(st, 2),
		.branch = column_text(st, 3),
		.session = column_text(st, 4),
		.suite = column_text(st, 5),
		.component = column_text(st, 6),
		.digest = column_text(st, 7),
		.at = column_int(st, 8),
		.ingested_at = column_int(st, 9),
		.committed_at = column_time(st, 10),
		.series = column_int(st, 11),
		.samples = column_int(st, 12),
		.narrowed = column_int(st, 13)};
}

int store_clean_runs(struct store *s,
	int (*row)(void *ctx, const struct store_clean_run *r, struct err *err), void *ctx,
	struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_runs_clean, err);
	int r;

	if (!st)
		return -1;
	while ((r = db_step(st, reading, err)) > 0) {
		struct store_clean_run x;
		clean_run_from_row(st, &x);
		if (check_run(s, st, x.id, x.samples, err) < 0)
			return -1;
		if (row(ctx, &x, err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}

/* 1 when the statement has a row, 0, -1. */
static int any_row(struct db_stmt *st, struct err *err)
{
	int r = db_step(st, reading, err);

	if (r > 0)
		db_reset(st);
	return r;
}

int store_suite_elsewhere(struct store *s, const char *suite, const char *but_sha, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_suite_elsewhere, err);

	if (!st)
		return -1;
	bind_text(st, 1, suite);
	bind_text(st, 2, but_sha);
	return any_row(st, err);
}

int store_branch_known(struct store *s, const char *branch, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_branch_known, err);

	if (!st)
		return -1;
	bind_text(st, 1, branch);
	return any_row(st, err);
}

/* ---- commits ---- */

static int read_parents(struct store *s, int64_t id, struct commit_fact *c, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_commit_parents, err);
	size_t n = 0;
	int r;

	if (!st)
		return -1;
	bind_int(st, 1, id);
	while ((r = db_step(st, reading, err)) > 0) {
		s->parents = xgrow(s->parents, n, &s->cap_parents, sizeof(*s->parents));
		s->parents[n++] = store_keep(s, column_text(st, 0));
	}
	c->parents = s->parents;
	if (r == 0 && n != (size_t)c->n_parents)
		return err_set(err, ERR_STORE,
			"%s: damaged: commit %.12s has %d parents, but %zu are stored", s->path,
			c->sha, c->n_parents, n);
	return r;
}

int store_commit(struct store *s, const char *sha, struct commit_fact *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_commit_find, err);
	int64_t id;
	int r;

	if (!st)
		return -1;
	bind_text(st, 1, sha);
	r = db_step(st, reading, err);
	if (r <= 0)
		return r;
	id = column_int(st, 0);
	ret->sha = store_keep(s, sha);
	ret->tree_sha = column_is_null(st, 1) ? NULL : store_keep(s, column_text(st, 1));
	ret->committed_at = column_time(st, 2);
	ret->n_parents = column_is_null(st, 3) ? -1 : (int)column_int(st, 3);
	ret->parents = NULL;
	db_reset(st);
	if (ret->n_parents > 0 && read_parents(s, id, ret, err) < 0)
		return -1;
	return 1;
}

int store_commit_prefix(struct store *s, const char *prefix, char ret_sha[65], struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_commit_prefix, err);
	int r, n = 0;

	if (!st)
		return -1;
	bind_text(st, 1, prefix);
	while ((r = db_step(st, reading, err)) > 0)
		if (n++ == 0)
			snprintf(ret_sha, 65, "%s", column_text(st, 0));
	return r < 0 ? -1 : n;
}

static int64_t count(struct db_stmt *st, struct err *err)
{
	int64_t n;

	if (db_step(st, reading, err) < 0)
		return -1;
	n = column_int(st, 0);
	db_reset(st);
	return n;
}

int64_t store_commits_measured(struct store *s, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_commits_measured, err);

	return st ? count(st, err) : -1;
}

int64_t store_commits_of_branch(struct store *s, const char *branch, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_branch_commits, err);

	if (!st)
		return -1;
	bind_text(st, 1, branch);
	return count(st, err);
}

int store_commits(struct store *s,
	int (*row)(void *ctx, const struct commit_fact *c, struct err *err), void *ctx,
	struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_commits_all, err);
	int r;

	if (!st)
		return -1;
	while ((r = db_step(st, reading, err)) > 0) {
		struct commit_fact c;
		if (store_commit(s, column_text(st, 1), &c, err) < 0 || row(ctx, &c, err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}

int store_tombstones(struct store *s,
	int (*row)(void *ctx, const struct tombstone *t, struct err *err), void *ctx,
	struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_tombstones, err);
	int r;

	if (!st)
		return -1;
	while ((r = db_step(st, reading, err)) > 0) {
		struct tombstone t = {.sha = column_text(st, 0),
			.tree_state = column_text(st, 1),
			.runner_key = column_text(st, 2),
			.digest = column_text(st, 3),
			.dropped_at = column_time(st, 4)};
		if (row(ctx, &t, err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}

/* ---- samples ---- */

int store_visit_samples(struct store *s, int64_t run,
	int (*row)(void *ctx, int64_t series, struct num value, struct err *err), void *ctx,
	struct err *err)
{
	store_use(s, run);
	return db_visit_samples(s->db, run, NULL, row, ctx, err);
}

int store_visit_samples_between(struct store *s, int64_t run, int64_t first, int64_t last,
	int (*row)(void *ctx, int64_t series, struct num value, struct err *err), void *ctx,
	struct err *err)
{
	const struct db_range of = {first, last};

	return db_visit_samples(s->db, run, &of, row, ctx, err);
}

int store_samples_of(struct store *s, int64_t run, int64_t series,
	int (*row)(void *ctx, int64_t series, struct num value, struct err *err), void *ctx,
	struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_samples_of_series, err);
	int r, found = 0;

	if (!st)
		return -1;
	bind_int(st, 1, run);
	bind_int(st, 2, series);
	while ((r = db_step(st, reading, err)) > 0) {
		struct num v;
		found = 1;
		if ((column_num(st, 0, &v) < 0 && db_no_number(s->db, err)) ||
			row(ctx, series, v, err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	if (found)
		store_use(s, run);
	return r < 0 ? -1 : found;
}

int store_absences(struct store *s, int64_t run,
	int (*row)(
		void *ctx, int64_t series, const char *status, const char *reason, struct err *err),
	void *ctx, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_absences_of_run, err);
	int r;

	if (!st)
		return -1;
	bind_int(st, 1, run);
	while ((r = db_step(st, reading, err)) > 0) {
		_cleanup_(freep) char *status = xstrdup(column_text(st, 1));
		if (row(ctx, column_int(st, 0), status, column_text(st, 2), err) < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}
