/* Gates that were recorded. */
#include "store-rows.h"

#include "digest.h"
#include "sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static int put_counts(struct store *s, int64_t id, const struct judgement_fact *j, struct err *err)
{
	size_t i;

	for (i = 0; i < j->n_counts; i++) {
		struct db_stmt *st = db_statement(s->db, sql_judgement_count_add, err);
		if (!st)
			return -1;
		bind_int(st, 1, id);
		bind_text(st, 2, j->counts[i].verdict);
		bind_int(st, 3, j->counts[i].series);
		if (db_step(st, "storing", err) < 0)
			return -1;
	}
	return 0;
}

static int put_verdict(
	struct store *s, int64_t id, size_t pos, const struct verdict_fact *v, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_verdict_add, err);
	const char *const texts[] = {v->suite, v->benchmark, v->metric, v->unit, v->variant,
		v->runner, v->class_, v->verdict};
	size_t i;

	if (!st)
		return -1;
	bind_int(st, 1, id);
	bind_int(st, 2, (int64_t)pos);
	for (i = 0; i < ARRAY_LEN(texts); i++)
		bind_text(st, (int)i + 3, texts[i]);
	bind_int(st, 11, v->gates);
	bind_text(st, 12, v->base);
	bind_real(st, 13, v->base_median);
	bind_real(st, 14, v->head_median);
	bind_real(st, 15, v->change);
	bind_text(st, 16, v->reason);
	return db_step(st, "storing", err) < 0 ? -1 : 0;
}

int rows_put_judgement(struct store *s, const struct judgement_fact *j, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_judgement_add, err);
	int64_t id;
	size_t i;

	if (!st)
		return -1;
	bind_text(st, 1, j->head);
	bind_text(st, 2, j->tree_state);
	bind_text(st, 3, j->base);
	bind_text(st, 4, j->policy);
	bind_int(st, 5, j->made_at);
	bind_int(st, 6, j->exit_status);
	bind_text(st, 7, j->digest);
	id = rows_one_id(st, err);
	if (id <= 0)
		return id < 0 ? -1 : 0;
	if (put_counts(s, id, j, err) < 0)
		return -1;
	for (i = 0; i < j->n_verdicts; i++)
		if (put_verdict(s, id, i, &j->verdicts[i], err) < 0)
			return -1;
	return 0;
}

struct recording {
	struct store *s;
	const struct judgement_fact *j;
};

static int record(void *ctx, struct err *err)
{
	const struct recording *r = ctx;

	return rows_put_judgement(r->s, r->j, err);
}

int store_record(struct store *s, const struct judgement_fact *j, struct err *err)
{
	struct judgement_fact whole = *j;
	struct recording r = {s, &whole};
	char digest[65];

	digest_judgement(j, digest);
	whole.digest = digest;
	return rows_transact(s, DB_WRITING, "recording the gate", record, &r, err);
}

/* ---- reading ---- */

/* The counts and verdicts of one judgement; their texts are owned. */
struct content {
	struct verdict_count *counts;
	size_t n_counts, cap_counts;
	struct verdict_fact *verdicts;
	size_t n_verdicts, cap_verdicts;
};

static const char *const *texts_of(const struct verdict_fact *v, const char *ret[10])
{
	const char *const texts[] = {v->suite, v->benchmark, v->metric, v->unit, v->variant,
		v->runner, v->class_, v->verdict, v->base, v->reason};

	memcpy(ret, texts, sizeof(texts));
	return ret;
}

static void content_release(struct content *c)
{
	const char *texts[10];
	size_t i, k;

	for (i = 0; i < c->n_counts; i++)
		free((char *)(uintptr_t)c->counts[i].verdict);
	for (i = 0; i < c->n_verdicts; i++)
		for (texts_of(&c->verdicts[i], texts), k = 0; k < ARRAY_LEN(texts); k++)
			free((char *)(uintptr_t)texts[k]);
	free(c->counts);
	free(c->verdicts);
	*c = (struct content){0};
}

static int read_counts(struct store *s, int64_t id, struct content *c, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_judgement_counts, err);
	int r;

	if (!st)
		return -1;
	bind_int(st, 1, id);
	while ((r = db_step(st, "reading", err)) > 0) {
		c->counts = xgrow(c->counts, c->n_counts, &c->cap_counts, sizeof(*c->counts));
		c->counts[c->n_counts++] =
			(struct verdict_count){xstrdup(column_text(st, 0)), column_int(st, 1)};
	}
	return r;
}

/* Of two columns. */
static double number_at(struct db_stmt *st, int i)
{
	struct num v;

	return column_num(st, i, &v) < 0 ? NAN : num_double(v);
}

static int read_verdicts(struct store *s, int64_t id, struct content *c, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_verdicts, err);
	int r;

	if (!st)
		return -1;
	bind_int(st, 1, id);
	while ((r = db_step(st, "reading", err)) > 0) {
		c->verdicts =
			xgrow(c->verdicts, c->n_verdicts, &c->cap_verdicts, sizeof(*c->verdicts));
		c->verdicts[c->n_verdicts++] =
			(struct verdict_fact){.suite = xstrdup(column_text(st, 0)),
				.benchmark = xstrdup(column_text(st, 1)),
				.metric = xstrdup(column_text(st, 2)),
				.unit = xstrdup(column_text(st, 3)),
				.variant = xstrdup(column_text(st, 4)),
				.runner = xstrdup(column_text(st, 5)),
				.class_ = xstrdup(column_text(st, 6)),
				.verdict = xstrdup(column_text(st, 7)),
				.gates = column_int(st, 8) != 0,
				.base = xstrdup(column_text(st, 9)),
				.base_median = number_at(st, 10),
				.head_median = number_at(st, 12),
				.change = number_at(st, 14),
				.reason = xstrdup(column_text(st, 16))};
	}
	return r;
}

typedef int judgement_fn(void *ctx, const struct judgement_fact *j, struct err *err);

static int give(struct store *s, struct db_stmt *st, struct content *c, judgement_fn *row,
	void *ctx, struct err *err)
{
	struct judgement_fact j;
	const int64_t id = column_int(st, 0);

	if (read_counts(s, id, c, err) < 0 || read_verdicts(s, id, c, err) < 0)
		return -1;
	j = (struct judgement_fact){.head = column_text(st, 1),
		.tree_state = column_text(st, 2),
		.base = column_text(st, 3),
		.policy = column_text(st, 4),
		.made_at = column_int(st, 5),
		.exit_status = (int)column_int(st, 6),
		.counts = c->counts,
		.n_counts = c->n_counts,
		.verdicts = c->verdicts,
		.n_verdicts = c->n_verdicts,
		.digest = column_text(st, 7)};
	return row(ctx, &j, err);
}

static int each(struct store *s, struct db_stmt *st, judgement_fn *row, void *ctx, struct err *err)
{
	struct content c = {0};
	int r;

	while ((r = db_step(st, "reading", err)) > 0) {
		r = give(s, st, &c, row, ctx, err);
		content_release(&c);
		if (r < 0) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}

/* The tables came with schema 2. */
static bool has_judgements(const struct store *s)
{
	return s->db->schema >= 2;
}

int store_judgements(struct store *s, int64_t limit, judgement_fn *row, void *ctx, struct err *err)
{
	struct db_stmt *st;

	if (!has_judgements(s))
		return 0;
	st = db_statement(s->db, sql_judgements_newest, err);
	if (!st)
		return -1;
	bind_int(st, 1, limit);
	return each(s, st, row, ctx, err);
}

int store_judgements_of(
	struct store *s, const char *head, judgement_fn *row, void *ctx, struct err *err)
{
	struct db_stmt *st;

	if (!has_judgements(s))
		return 0;
	st = db_statement(s->db, sql_judgements_of_commit, err);
	if (!st)
		return -1;
	bind_text(st, 1, head);
	return each(s, st, row, ctx, err);
}

int store_judgements_exported(struct store *s, judgement_fn *row, void *ctx, struct err *err)
{
	struct db_stmt *st;

	if (!has_judgements(s))
		return 0;
	st = db_statement(s->db, sql_judgements_exported, err);
	return st ? each(s, st, row, ctx, err) : -1;
}
