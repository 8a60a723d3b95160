/*
 * Samples become points, for so many series at a time that memory stays bounded.
 */
#include "trending-private.h"

#include "decimal.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROWS_WANTED = 1 << 19, /* of a chunk, as its suite has them on average */
	ROWS_MAX = 1 << 20,    /* more, and it is read again in halves; of one benchmark any */
	GAP = 64               /* numbers of series that are read over rather than a new search */
};

struct row {
	uint32_t slot; /* from the chunk's first */
	uint32_t run;  /* of its suite */
	struct num value;
};

struct range {
	int64_t first, last;
};

/* Slots from first to end, which are of one suite. */
struct reading {
	struct trending_private *p;
	struct trend_choice *choice;
	const struct trend_suite *suite;
	size_t first, end;
	bool single; /* it is one benchmark */
	struct range *ranges;
	size_t n_ranges, cap_ranges;
	uint32_t run; /* that is being read */
	struct row *rows;
	size_t n, cap;
	uint32_t *order; /* of the rows, by slot */
	size_t cap_order;
	bool full;
	trend_row_fn *row;
	void *ctx;
	void (*progress)(void *ctx, double done, double of);
	void *progress_ctx;
	double done, of; /* slots times runs */
};

/* ---- chunks ---- */

static bool same_benchmark(const struct trend_slot *a, const struct trend_slot *b)
{
	return !strcmp(a->key.suite, b->key.suite) && !strcmp(a->key.benchmark, b->key.benchmark);
}

/* Where the benchmark ends that begins at slot i. */
static size_t end_of_benchmark(const struct trend_choice *c, size_t i)
{
	size_t end = i + 1;

	while (end < c->n && same_benchmark(&c->v[i], &c->v[end]))
		end++;
	return end;
}

/* Whole benchmarks of one suite: at most so many series, but one benchmark. */
static void set_chunk(struct reading *r, size_t most)
{
	const struct trend_choice *c = r->choice;
	size_t end;

	r->end = end_of_benchmark(c, r->first);
	r->single = true;
	while (r->end < c->n && c->v[r->end].suite == c->v[r->first].suite) {
		end = end_of_benchmark(c, r->end);
		if (end - r->first > most)
			break;
		r->end = end;
		r->single = false;
	}
}

static size_t slots_wanted(const struct trend_suite *s)
{
	const double each = (double)s->samples / (double)(s->series ? s->series : 1);

	return each > 1 ? (size_t)(ROWS_WANTED / each) + 1 : ROWS_WANTED;
}

/* ---- numbers of series ---- */

static int by_number(const void *pa, const void *pb)
{
	const struct trend_id *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

static size_t first_id(const struct trend_choice *c, size_t slot)
{
	size_t low = 0, high = c->n_ids;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		if (c->ids[mid].slot < slot)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void set_ranges(struct reading *r)
{
	const size_t from = first_id(r->choice, r->first), n = first_id(r->choice, r->end) - from;
	_cleanup_(freep) struct trend_id *ids = xcalloc(n + 1, sizeof(*ids));
	size_t i;

	memcpy(ids, r->choice->ids + from, n * sizeof(*ids));
	if (n)
		qsort(ids, n, sizeof(*ids), by_number);
	for (r->n_ranges = 0, i = 0; i < n; i++) {
		struct range *last = r->n_ranges ? &r->ranges[r->n_ranges - 1] : NULL;
		if (last && ids[i].id - last->last <= GAP) {
			last->last = ids[i].id;
			continue;
		}
		r->ranges = xgrow(r->ranges, r->n_ranges, &r->cap_ranges, sizeof(*r->ranges));
		r->ranges[r->n_ranges++] = (struct range){ids[i].id, ids[i].id};
	}
}

/* ---- rows ---- */

/* Where two stored names became one, a point has the samples of the one that came first. */
static bool is_other(struct reading *r, struct trend_slot *slot, int64_t series)
{
	const uint32_t point = r->suite->runs[r->run].point;

	if (slot->last_id && slot->last_id != series && slot->last_point == point)
		return true;
	slot->last_id = series;
	slot->last_point = point;
	return false;
}

static int add_row(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct reading *r = ctx;
	const struct trend_choice *c = r->choice;
	const size_t slot = (size_t)series < c->n_by_id ? c->by_id[series] : 0;

	(void)err;
	if (slot <= r->first || slot > r->end || is_other(r, &r->choice->v[slot - 1], series))
		return 0;
	if (r->n == ROWS_MAX && !r->single) {
		r->full = true;
		return -1;
	}
	r->rows = xgrow(r->rows, r->n, &r->cap, sizeof(*r->rows));
	r->rows[r->n++] = (struct row){(uint32_t)(slot - 1 - r->first), r->run, value};
	return 0;
}

static int read_run(struct reading *r, struct err *err)
{
	const struct trend_run *run = &r->suite->runs[r->run];
	size_t i;

	for (i = 0; i < r->n_ranges; i++)
		if (store_visit_samples_between(r->p->c->store, run->id, r->ranges[i].first,
			    r->ranges[i].last, add_row, r, err) < 0)
			return -1;
	return 0;
}

/* 1: too many rows, 0, -1. */
static int read_rows(struct reading *r, struct err *err)
{
	const double slots = (double)(r->end - r->first);

	size_t i;

	set_ranges(r);
	for (i = r->first; i < r->end; i++)
		r->choice->v[i].last_id = 0;
	r->n = 0;
	r->full = false;
	for (r->run = 0; r->run < r->suite->n; r->run++) {
		if (read_run(r, err) < 0) {
			if (r->full)
				err_clear(err);
			return r->full ? 1 : -1;
		}
		if (r->progress)
			r->progress(r->progress_ctx, r->done + slots * r->run, r->of);
	}
	r->done += slots * (double)r->suite->n;
	return 0;
}

/* Rows of a slot stay in their order. */
static void sort_rows(struct reading *r)
{
	struct trend_slot *slots = r->choice->v + r->first;
	size_t i, at = 0;

	if (r->cap_order < r->n) {
		r->cap_order = r->cap;
		r->order = xrealloc(r->order, r->cap_order * sizeof(*r->order));
	}
	for (i = 0; i < r->end - r->first; i++)
		slots[i].n = 0;
	for (i = 0; i < r->n; i++)
		slots[r->rows[i].slot].n++;
	for (i = 0; i < r->end - r->first; i++) {
		slots[i].first = at;
		at += slots[i].n;
		slots[i].n = 0;
	}
	for (i = 0; i < r->n; i++) {
		struct trend_slot *s = &slots[r->rows[i].slot];
		r->order[s->first + s->n++] = (uint32_t)i;
	}
}

/* ---- points ---- */

static struct num median_of(const struct row *rows, const uint32_t *order, size_t n)
{
	_cleanup_(freep) struct num *v = NULL;
	size_t i;

	if (n == 1)
		return rows[order[0]].value;
	v = xcalloc(n, sizeof(*v));
	for (i = 0; i < n; i++)
		v[i] = rows[order[i]].value;
	return decimal_num(decimal_median(v, n));
}

/* How many of n rows are of the point that the first is of. */
static size_t rows_of_point(const struct reading *r, const uint32_t *order, size_t n)
{
	const struct trend_run *runs = r->suite->runs;
	size_t i = 1;

	while (i < n && runs[r->rows[order[i]].run].point == runs[r->rows[order[0]].run].point)
		i++;
	return i;
}

static struct trending_point make_point(
	const struct reading *r, const uint32_t *order, size_t n, double *samples)
{
	const struct trend_run *run = &r->suite->runs[r->rows[order[0]].run];
	size_t i;

	n = n < TRENDING_SAMPLES_MAX ? n : TRENDING_SAMPLES_MAX;
	for (i = 0; i < n; i++)
		samples[i] = num_double(r->rows[order[i]].value);
	return (struct trending_point){.commit = r->p->known[run->known].at,
		.session = run->session,
		.value = median_of(r->rows, order, n),
		.samples = samples,
		.n = n};
}

/* points and samples have room for all rows of the slot. */
static size_t make_points(const struct reading *r, const struct trend_slot *s,
	struct trending_point *points, double *samples)
{
	const uint32_t *order = r->order + s->first;
	size_t i, n = 0;

	for (i = 0; i < s->n;) {
		const size_t rows = rows_of_point(r, order + i, s->n - i);
		points[n++] = make_point(r, order + i, rows, samples + i);
		i += rows;
	}
	return n;
}

static void find_trend(struct trending_series *s)
{
	_cleanup_(freep) double *x = xcalloc(s->n, sizeof(*x));
	const struct trend_rule rule = {.exact = s->decision.judge == JUDGE_EXACT,
		.direction = s->decision.direction,
		.tolerance = decimal_double(s->decision.tolerance)};
	size_t i;

	for (i = 0; i < s->n; i++)
		x[i] = num_double(s->points[i].value);
	trend_of(x, s->n, &rule, &s->trend);
}

static int make_series(const struct reading *r, const struct trend_slot *s,
	struct trending_point *points, double *samples, struct trending_series *ret,
	struct err *err)
{
	const int64_t last = r->p->o.last;
	const struct row *newest = &r->rows[r->order[s->first + s->n - 1]];
	size_t n = make_points(r, s, points, samples), skip = 0;

	if (last && n > (size_t)last)
		skip = n - (size_t)last;
	*ret = (struct trending_series){.key = s->key,
		.by_time = r->suite->by_time,
		.points = points + skip,
		.n = n - skip,
		.missing = trend_is_outdated(r->p, &r->suite->runs[newest->run])};
	if (policy_decide(r->p->c->policy, &s->key, &ret->decision, err) < 0)
		return -1;
	find_trend(ret);
	return 0;
}

/* ---- benchmarks ---- */

static int give_benchmark(struct reading *r, size_t first, size_t end, struct err *err)
{
	const struct trend_slot *slots = r->choice->v;
	const size_t base = slots[first].first,
		     rows = slots[end - 1].first + slots[end - 1].n - base;
	struct trending_point *points = xcalloc(rows + 1, sizeof(*points));
	double *samples = xcalloc(rows + 1, sizeof(*samples));
	struct trending_series *v = xcalloc(end - first, sizeof(*v));
	size_t i, n = 0;
	int ret = 0;

	for (i = first; ret == 0 && i < end; i++)
		if (slots[i].n)
			ret = make_series(r, &slots[i], points + (slots[i].first - base),
				samples + (slots[i].first - base), &v[n++], err);
	if (ret == 0 && n)
		ret = r->row(r->ctx, v, n, err);
	for (i = 0; i < n; i++)
		trend_release(&v[i].trend);
	free(v);
	free(samples);
	free(points);
	return ret;
}

static int give_chunk(struct reading *r, struct err *err)
{
	size_t i, end;
	int ret = 0;

	sort_rows(r);
	for (i = r->first; ret >= 0 && i < r->end; i = end) {
		end = end_of_benchmark(r->choice, i);
		ret = give_benchmark(r, i, end, err);
	}
	return ret < 0 ? ret : 0;
}

static int read_chunk(struct reading *r, struct err *err)
{
	size_t most;
	int ret;

	r->suite = &r->p->suites[r->choice->v[r->first].suite];
	most = slots_wanted(r->suite);
	do {
		set_chunk(r, most);
		ret = read_rows(r, err);
		most = (r->end - r->first) / 2;
	} while (ret > 0);
	return ret == 0 ? give_chunk(r, err) : ret;
}

static void count_work(struct reading *r)
{
	size_t i;

	for (i = 0; i < r->choice->n; i++)
		r->of += (double)r->p->suites[r->choice->v[i].suite].n;
}

int trend_read(struct trending_private *p, struct trend_choice *choice, trend_row_fn *row,
	void *ctx, void (*progress)(void *ctx, double done, double of), void *progress_ctx,
	struct err *err)
{
	struct reading r = {.p = p,
		.choice = choice,
		.row = row,
		.ctx = ctx,
		.progress = progress,
		.progress_ctx = progress_ctx};
	int ret = 0;

	count_work(&r);
	while (ret == 0 && r.first < choice->n) {
		ret = read_chunk(&r, err);
		r.first = r.end;
	}
	free(r.ranges);
	free(r.rows);
	free(r.order);
	return ret;
}
