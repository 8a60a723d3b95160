#include "store-private.h"

#include "digest.h"
#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* A series of the run, or an absence, with what it is sorted by. */
struct stop {
	const struct store_series *series;
	char *canonical;
	size_t len;
	char *status, *reason; /* of an absence */
};

struct stops {
	struct store *s;
	struct stop *v;
	size_t n, cap;
};

static struct stop *add_stop(struct stops *t, int64_t series, struct err *err)
{
	const struct store_series *x = store_series(t->s, series, err);
	struct buf b = BUF_INIT;

	if (!x)
		return NULL;
	digest_canonical(&b, x->benchmark, &x->metric, x->variant);
	t->v = xgrow(t->v, t->n, &t->cap, sizeof(*t->v));
	t->v[t->n] = (struct stop){.series = x, .len = b.len};
	t->v[t->n].canonical = buf_take(&b);
	return &t->v[t->n++];
}

static int add_absence(
	void *ctx, int64_t series, const char *status, const char *reason, struct err *err)
{
	struct stop *stop = add_stop(ctx, series, err);

	if (!stop)
		return -1;
	stop->status = xstrdup(status);
	stop->reason = xstrdup(reason);
	return 0;
}

static int add_series(struct stops *t, int64_t run, struct err *err)
{
	struct db_stmt *st = db_statement(t->s->db, sql_series_of_run, err);
	int r;

	if (!st)
		return -1;
	bind_int(st, 1, run);
	while ((r = db_step(st, "reading", err)) > 0) {
		if (!add_stop(t, column_int(st, 0), err)) {
			db_reset(st);
			return -1;
		}
	}
	return r;
}

/* Series first, then absences; each by name. */
static int compare_stops(const void *pa, const void *pb)
{
	const struct stop *a = pa, *b = pb;
	int c;

	if (!a->status != !b->status)
		return a->status ? 1 : -1;
	c = digest_compare(a->canonical, a->len, b->canonical, b->len);
	if (c || !a->status)
		return c;
	c = strcmp(a->status, b->status);
	return c ? c : strcmp(a->reason, b->reason);
}

static int visit_stops(
	const struct stops *t, int64_t run, const struct run_visitor *v, void *ctx, struct err *err)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct stop *x = &t->v[i];
		if (x->status) {
			if (v->absence(ctx, x->series, x->status, x->reason, err) < 0)
				return -1;
			continue;
		}
		if (v->series(ctx, x->series, err) < 0 ||
			store_samples_of(t->s, run, x->series->id, v->value, ctx, err) < 0)
			return -1;
	}
	return 0;
}

int store_walk_run(
	struct store *s, int64_t run, const struct run_visitor *v, void *ctx, struct err *err)
{
	struct stops t = {.s = s};
	size_t i;
	int r = store_series_load(s, err); /* so that they stay where they are */

	if (r == 0)
		r = add_series(&t, run, err);
	if (r == 0)
		r = store_absences(s, run, add_absence, &t, err);
	if (r == 0) {
		if (t.n)
			qsort(t.v, t.n, sizeof(*t.v), compare_stops);
		r = visit_stops(&t, run, v, ctx, err);
	}
	for (i = 0; i < t.n; i++) {
		free(t.v[i].canonical);
		free(t.v[i].status);
		free(t.v[i].reason);
	}
	free(t.v);
	return r;
}
