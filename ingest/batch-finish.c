#include "batch-private.h"

#include "digest.h"
#include "sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the order of series ---- */

struct named {
	const char *p;
	size_t len;
	uint32_t id;
};

static int compare_named(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	return digest_compare(a->p, a->len, b->p, b->len);
}

void batch_order_series(struct batch *b)
{
	uint32_t n = intern_count(b->names), i;
	struct named *named;

	if (b->rank && b->ordered_count == n)
		return;
	named = xmalloc(n * sizeof(*named));
	for (i = 0; i < n; i++) {
		named[i].id = i;
		named[i].p = intern_get(b->names, i, &named[i].len);
	}
	qsort(named, n, sizeof(*named), compare_named);
	b->rank = xrealloc(b->rank, n * sizeof(*b->rank));
	for (i = 0; i < n; i++)
		b->rank[named[i].id] = i;
	b->ordered_count = n;
	free(named);
}

/* ---- absences and digests ---- */

static int compare_absences(
	const struct batch_absence *a, const struct batch_absence *b, const uint32_t *rank)
{
	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	if (a->series != b->series)
		return rank[a->series] < rank[b->series] ? -1 : 1;
	if (a->status != b->status)
		return strcmp(sink_status_name(a->status), sink_status_name(b->status));
	return strcmp(a->reason, b->reason);
}

/* Merge sort: qsort has no argument for the ranks, and qsort_r differs between systems. */
static void sort_absences(
	struct batch_absence *a, struct batch_absence *tmp, size_t n, const uint32_t *rank)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort_absences(a, tmp, half, rank);
	sort_absences(a + half, tmp, n - half, rank);
	while (i < half && j < n)
		tmp[k++] = compare_absences(&a[i], &a[j], rank) <= 0 ? a[i++] : a[j++];
	while (i < half)
		tmp[k++] = a[i++];
	while (j < n)
		tmp[k++] = a[j++];
	memcpy(a, tmp, n * sizeof(*a));
}

struct digesting {
	struct batch *b;
	struct sha256 *h;
	int run;
	uint32_t series;
	size_t absence; /* the next one to digest */
};

static void end_run(struct digesting *d)
{
	struct batch *b = d->b;

	for (; d->absence < b->n_absences && b->absences[d->absence].run == d->run; d->absence++) {
		const struct batch_absence *a = &b->absences[d->absence];
		size_t len;
		const char *p = intern_get(b->names, a->series, &len);
		digest_absence(d->h, p, len, a->status, a->reason);
		b->runs[d->run].absences++;
	}
	sha256_end(d->h, b->runs[d->run].digest);
	d->h = NULL;
}

/* Ends the runs before run and begins it; runs without samples get their digests too. */
static void advance_to(struct digesting *d, int run)
{
	while (d->run < run) {
		if (d->h)
			end_run(d);
		d->run++;
		if (d->run < (int)d->b->n_runs)
			d->h = digest_new(&d->b->runs[d->run].head);
		d->series = INTERN_NONE;
	}
}

static int digest_row(
	void *ctx, int run, uint32_t series, int64_t ordinal, struct num value, struct err *err)
{
	struct digesting *d = ctx;

	(void)ordinal;
	(void)err;
	advance_to(d, run);
	if (series != d->series) {
		size_t len;
		const char *p = intern_get(d->b->names, series, &len);
		digest_series(d->h, p, len);
		d->series = series;
		d->b->runs[run].series++;
	}
	digest_value(d->h, value);
	d->b->runs[run].samples++;
	return 0;
}

static int check_digests(const struct batch *b, struct err *err)
{
	size_t i;

	for (i = 0; i < b->n_runs; i++)
		if (b->runs[i].head.digest && strcmp(b->runs[i].head.digest, b->runs[i].digest))
			return err_set(err, ERR_FORMAT,
				"run %zu says its digest is %.64s, but its content has %s: it was changed or cut",
				i + 1, b->runs[i].head.digest, b->runs[i].digest);
	return 0;
}

static bool claims_digest(const struct batch *b)
{
	size_t i;

	for (i = 0; i < b->n_runs; i++)
		if (b->runs[i].head.digest)
			return true;
	return false;
}

int batch_finish(struct batch *b, enum batch_use use, struct err *err)
{
	struct digesting d = {.b = b, .run = -1, .series = INTERN_NONE};
	struct batch_absence *tmp = xcalloc(b->n_absences, sizeof(*tmp));

	batch_order_series(b);
	sort_absences(b->absences, tmp, b->n_absences, b->rank);
	free(tmp);
	if (batch_check_judgements(b, err) < 0)
		return -1;
	if (use == BATCH_COMPARE && !claims_digest(b))
		return 0;
	if (batch_each(b, digest_row, &d, err) < 0) {
		char unused[65];
		if (d.h)
			sha256_end(d.h, unused);
		return -1;
	}
	advance_to(&d, (int)b->n_runs);
	return check_digests(b, err);
}

/* ---- handing out ---- */

struct counting {
	int (*row)(void *ctx, int run, uint32_t series, int64_t ordinal, struct num value,
		struct err *err);
	void *ctx;
	uint32_t run, series;
	int64_t ordinal;
};

static int count_row(void *ctx, uint32_t run, uint32_t series, struct num value, struct err *err)
{
	struct counting *c = ctx;

	if (run != c->run || series != c->series) {
		c->run = run;
		c->series = series;
		c->ordinal = 0;
	}
	return c->row(c->ctx, (int)run, series, c->ordinal++, value, err);
}

int batch_each(struct batch *b,
	int (*row)(void *ctx, int run, uint32_t series, int64_t ordinal, struct num value,
		struct err *err),
	void *ctx, struct err *err)
{
	struct counting c = {.row = row, .ctx = ctx, .run = INTERN_NONE, .series = INTERN_NONE};

	batch_order_series(b);
	return spill_each(
		b->spill, b->rank, b->ordered_count, (uint32_t)b->n_runs, count_row, &c, err);
}

size_t batch_runs(const struct batch *b)
{
	return b->n_runs;
}

struct batch_run *batch_run(struct batch *b, size_t i)
{
	return &b->runs[i];
}

uint32_t batch_series_count(const struct batch *b)
{
	return intern_count(b->names);
}

size_t batch_absences(const struct batch *b, const struct batch_absence **ret)
{
	*ret = b->absences;
	return b->n_absences;
}

size_t batch_notes(const struct batch *b, char *const **ret)
{
	*ret = b->notes;
	return b->n_notes;
}

size_t batch_samples(const struct batch *b)
{
	return spill_count(b->spill);
}

size_t batch_commits(const struct batch *b, const struct commit_fact **ret)
{
	*ret = b->commits;
	return b->n_commits;
}

size_t batch_tombstones(const struct batch *b, const struct tombstone **ret)
{
	*ret = b->tombstones;
	return b->n_tombstones;
}
