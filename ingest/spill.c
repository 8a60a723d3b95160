#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 16 bytes a sample: the run's top bit says that bits holds a double. */
struct record {
	uint32_t run;
	uint32_t series;
	uint64_t bits;
};

#define IS_REAL 0x80000000u

enum { RECORDS = SPILL_BYTES / sizeof(struct record), READ_AHEAD = 4096 };

struct part {
	off_t offset;
	size_t n;
};

struct spill {
	struct record *records;
	size_t n, cap;
	int fd;
	off_t end;
	struct part *parts;
	size_t n_parts, cap_parts;
	size_t total;
};

struct spill *spill_new(void)
{
	struct spill *s = xcalloc(1, sizeof(*s));

	s->fd = -1;
	return s;
}

void spill_free(struct spill *s)
{
	if (!s)
		return;
	closep(&s->fd);
	free(s->records);
	free(s->parts);
	free(s);
}

bool spill_full(const struct spill *s)
{
	return s->n == RECORDS;
}

size_t spill_count(const struct spill *s)
{
	return s->total;
}

void spill_add(struct spill *s, uint32_t run, uint32_t series, struct num value)
{
	struct record *r;

	s->records = xgrow(s->records, s->n, &s->cap, sizeof(*s->records));
	r = &s->records[s->n++];
	r->run = run | (value.is_int ? 0 : IS_REAL);
	r->series = series;
	memcpy(&r->bits, &value.i, sizeof(r->bits));
	s->total++;
}

static struct num record_value(const struct record *r)
{
	struct num v = {.is_int = !(r->run & IS_REAL)};

	memcpy(&v.i, &r->bits, sizeof(v.i));
	return v;
}

/* One stable counting pass: orders index by key(record) in [0, range). */
static void counting_pass(const struct record *records, const uint32_t *from, uint32_t *to,
	size_t n, uint32_t range, const uint32_t *rank)
{
	uint32_t *count = xcalloc((size_t)range + 1, sizeof(*count));
	size_t i;
	uint32_t k;

	for (i = 0; i < n; i++) {
		k = rank ? rank[records[i].series] : records[i].run & ~IS_REAL;
		count[k + 1]++;
	}
	for (k = 0; k < range; k++)
		count[k + 1] += count[k];
	for (i = 0; i < n; i++) {
		uint32_t at = from ? from[i] : (uint32_t)i;
		k = rank ? rank[records[at].series] : records[at].run & ~IS_REAL;
		to[count[k]++] = at;
	}
	free(count);
}

/* The records in memory as an index in (run, rank, arrival) order; the caller frees. */
static uint32_t *sorted_index(
	const struct spill *s, const uint32_t *rank, uint32_t series, uint32_t runs)
{
	uint32_t *by_rank = xmalloc(s->n * sizeof(*by_rank)), *by_run;

	counting_pass(s->records, NULL, by_rank, s->n, series, rank);
	if (runs <= 1)
		return by_rank;
	by_run = xmalloc(s->n * sizeof(*by_run));
	counting_pass(s->records, by_rank, by_run, s->n, runs, NULL);
	free(by_rank);
	return by_run;
}

static int open_temporary(struct spill *s, struct err *err)
{
	const char *dir = getenv("TMPDIR");
	_cleanup_(freep) char *path = NULL;

	if (s->fd >= 0)
		return 0;
	path = xasprintf("%s/perfgate-XXXXXX", dir && *dir ? dir : "/tmp");
	s->fd = mkstemp(path);
	if (s->fd < 0)
		return err_set(err, ERR_IO,
			"cannot create a temporary file %s: %s (TMPDIR names another folder)", path,
			strerror(errno));
	unlink(path);
	fcntl(s->fd, F_SETFD, FD_CLOEXEC);
	return 0;
}

static int append_all(struct spill *s, const void *data, size_t n, struct err *err)
{
	const char *p = data;

	while (n) {
		ssize_t w = pwrite(s->fd, p, n, s->end);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return err_set(err, ERR_IO, "cannot write the temporary file: %s",
				strerror(errno));
		p += w;
		n -= (size_t)w;
		s->end += w;
	}
	return 0;
}

int spill_flush(
	struct spill *s, const uint32_t *rank, uint32_t series, uint32_t runs, struct err *err)
{
	struct record block[READ_AHEAD];
	_cleanup_(freep) uint32_t *index = NULL;
	struct part part = {.offset = s->end, .n = s->n};
	size_t i, k = 0;

	if (s->n == 0)
		return 0;
	if (open_temporary(s, err) < 0)
		return -1;
	index = sorted_index(s, rank, series, runs);
	for (i = 0; i < s->n; i++) {
		block[k++] = s->records[index[i]];
		if (k == READ_AHEAD || i + 1 == s->n) {
			if (append_all(s, block, k * sizeof(*block), err) < 0)
				return -1;
			k = 0;
		}
	}
	s->parts = xgrow(s->parts, s->n_parts, &s->cap_parts, sizeof(*s->parts));
	s->parts[s->n_parts++] = part;
	s->n = 0;
	return 0;
}

/* ---- merging ---- */

struct cursor {
	struct record *block;
	size_t pos, held, left; /* in records; left is in the file */
	off_t offset;
	uint64_t key; /* run, rank */
	uint32_t part;
};

static uint64_t record_key(const struct record *r, const uint32_t *rank)
{
	return (uint64_t)(r->run & ~IS_REAL) << 32 | rank[r->series];
}

/* Moves to the next record of a part. Returns 1, 0 at its end, -1. */
static int cursor_next(struct spill *s, struct cursor *c, const uint32_t *rank, struct err *err)
{
	size_t want, done = 0;

	if (++c->pos >= c->held) {
		if (c->left == 0)
			return 0;
		c->held = c->left < READ_AHEAD ? c->left : READ_AHEAD;
		want = c->held * sizeof(*c->block);
		while (done < want) {
			ssize_t n = pread(s->fd, (char *)c->block + done, want - done,
				c->offset + (off_t)done);
			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return err_set(err, ERR_IO, "cannot read the temporary file: %s",
					n ? strerror(errno) : "it became shorter");
			done += (size_t)n;
		}
		c->offset += (off_t)want;
		c->left -= c->held;
		c->pos = 0;
	}
	c->key = record_key(&c->block[c->pos], rank);
	return 1;
}

static bool cursor_before(const struct cursor *a, const struct cursor *b)
{
	return a->key != b->key ? a->key < b->key : a->part < b->part;
}

static void sift_down(struct cursor **heap, size_t n, size_t i)
{
	for (;;) {
		size_t least = i, l = 2 * i + 1, r = l + 1;
		struct cursor *t;

		if (l < n && cursor_before(heap[l], heap[least]))
			least = l;
		if (r < n && cursor_before(heap[r], heap[least]))
			least = r;
		if (least == i)
			return;
		t = heap[i];
		heap[i] = heap[least];
		heap[least] = t;
		i = least;
	}
}

typedef int row_fn(void *ctx, uint32_t run, uint32_t series, struct num value, struct err *err);

static int give(const struct record *r, row_fn *row, void *ctx, struct err *err)
{
	return row(ctx, r->run & ~IS_REAL, r->series, record_value(r), err);
}

static int merge(struct spill *s, struct cursor *cursors, struct cursor **heap,
	const uint32_t *rank, row_fn *row, void *ctx, struct err *err)
{
	size_t n = 0, i;
	int r;

	for (i = 0; i < s->n_parts; i++) {
		cursors[i] = (struct cursor){.block = xmalloc(READ_AHEAD * sizeof(struct record)),
			.left = s->parts[i].n,
			.offset = s->parts[i].offset,
			.part = (uint32_t)i};
		r = cursor_next(s, &cursors[i], rank, err);
		if (r < 0)
			return -1;
		if (r > 0)
			heap[n++] = &cursors[i];
	}
	for (i = n; i-- > 0;)
		sift_down(heap, n, i);
	while (n) {
		if (give(&heap[0]->block[heap[0]->pos], row, ctx, err) < 0)
			return -1;
		r = cursor_next(s, heap[0], rank, err);
		if (r < 0)
			return -1;
		if (r == 0)
			heap[0] = heap[--n];
		sift_down(heap, n, 0);
	}
	return 0;
}

int spill_each(struct spill *s, const uint32_t *rank, uint32_t series, uint32_t runs, row_fn *row,
	void *ctx, struct err *err)
{
	_cleanup_(freep) uint32_t *index = NULL;
	struct cursor *cursors, **heap;
	size_t i;
	int r = 0;

	if (s->n_parts == 0) {
		index = s->n ? sorted_index(s, rank, series, runs) : NULL;
		for (i = 0; i < s->n; i++)
			if (give(&s->records[index[i]], row, ctx, err) < 0)
				return -1;
		return 0;
	}
	if (spill_flush(s, rank, series, runs, err) < 0)
		return -1;
	free(s->records); /* the memory is the merge's now */
	s->records = NULL;
	s->cap = 0;
	cursors = xcalloc(s->n_parts, sizeof(*cursors));
	heap = xcalloc(s->n_parts, sizeof(*heap));
	r = merge(s, cursors, heap, rank, row, ctx, err);
	for (i = 0; i < s->n_parts; i++)
		free(cursors[i].block);
	free(cursors);
	free(heap);
	return r;
}
