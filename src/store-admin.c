#include "store-private.h"

#include "sha256.h"
#include "sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- info ---- */

int store_info(struct store *s, struct store_info *ret, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_info, err);

	*ret = (struct store_info){.version = 1};
	if (!st || store_step(s, st, "counting", err) < 0)
		return -1;
	ret->runs = sqlite3_column_int64(st, 0);
	ret->commits = sqlite3_column_int64(st, 1);
	ret->series = sqlite3_column_int64(st, 2);
	ret->samples = sqlite3_column_int64(st, 3);
	ret->tombstones = sqlite3_column_int64(st, 4);
	ret->benchmarks = sqlite3_column_int64(st, 5);
	sqlite3_reset(st);
	st = store_statement(s, sql_page_bytes, err);
	if (!st || store_step(s, st, "counting", err) < 0)
		return -1;
	ret->bytes = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	st = store_statement(s, sql_property_get, err);
	if (!st)
		return -1;
	bind_text(st, 1, "root");
	switch (store_step(s, st, "reading", err)) {
	case 1:
		snprintf(ret->root, sizeof(ret->root), "%s", column_text(st, 0));
		sqlite3_reset(st);
		return 0;
	case 0:
		return 0;
	default:
		return -1;
	}
}

int store_info_suites(struct store *s,
	int (*row)(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners, struct err *err),
	void *ctx, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_info_suites, err);
	int r;

	if (!st)
		return -1;
	while ((r = store_step(s, st, "counting", err)) > 0) {
		if (row(ctx, column_text(st, 0), sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2),
			sqlite3_column_int64(st, 3), err) < 0) {
			sqlite3_reset(st);
			return -1;
		}
	}
	return r;
}

/* ---- check ---- */

struct checking {
	struct store *s;
	void (*finding)(void *ctx, const char *text);
	void *ctx;
	int findings;
};

static void report(struct checking *c, char *text)
{
	c->finding(c->ctx, text);
	c->findings++;
	free(text);
}

/* SQLite's findings come several to a text. */
static void report_lines(struct checking *c, const char *text)
{
	for (; *text; text += strspn(text, "\n")) {
		size_t n = strcspn(text, "\n");
		report(c, xstrndup(text, n));
		text += n;
	}
}

static int check_structure(struct checking *c, struct err *err)
{
	sqlite3_stmt *st = store_statement(c->s, sql_integrity_check, err);
	int r;

	if (!st)
		return -1;
	while ((r = store_step(c->s, st, "checking", err)) > 0)
		if (strcmp(column_text(st, 0), "ok"))
			report_lines(c, column_text(st, 0));
	if (r < 0)
		return -1;
	st = store_statement(c->s, sql_foreign_key_check, err);
	if (!st)
		return -1;
	while ((r = store_step(c->s, st, "checking", err)) > 0)
		report(c, xasprintf("table %s, row %s: refers to a row of %s that is not there", column_text(st, 0),
			column_text(st, 1), column_text(st, 2)));
	return r;
}

/* What one run holds, to be sorted by names as the digest wants it. */
struct piece {
	char *canonical;
	size_t len;
	struct num *values;
	size_t n, cap;
	char *status, *reason; /* of an absence */
	int64_t series;
};

struct pieces {
	struct store *s;
	struct piece *v;
	size_t n, cap;
	int64_t samples;
};

static struct piece *new_piece(struct pieces *p, int64_t series, struct err *err)
{
	const struct store_series *x = store_series(p->s, series, err);
	struct buf b = BUF_INIT;
	struct piece *piece;

	if (!x)
		return NULL;
	p->v = xgrow(p->v, p->n, &p->cap, sizeof(*p->v));
	piece = &p->v[p->n++];
	*piece = (struct piece){.series = series};
	batch_canonical(&b, x->benchmark, &x->metric, x->variant);
	piece->len = b.len;
	piece->canonical = buf_take(&b);
	return piece;
}

static int piece_sample(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct pieces *p = ctx;
	struct piece *x = p->n ? &p->v[p->n - 1] : NULL;

	if (!x || x->series != series)
		x = new_piece(p, series, err);
	if (!x)
		return -1;
	x->values = xgrow(x->values, x->n, &x->cap, sizeof(*x->values));
	x->values[x->n++] = value;
	p->samples++;
	return 0;
}

static int piece_absence(void *ctx, int64_t series, const char *status, const char *reason, struct err *err)
{
	struct piece *x = new_piece(ctx, series, err);

	if (!x)
		return -1;
	x->status = xstrdup(status);
	x->reason = xstrdup(reason);
	return 0;
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;
	int c;

	if (!a->status != !b->status)
		return a->status ? 1 : -1;
	c = memcmp(a->canonical, b->canonical, a->len < b->len ? a->len : b->len);
	if (c || a->len != b->len)
		return c ? c : a->len < b->len ? -1 : 1;
	if (!a->status)
		return 0;
	c = strcmp(a->status, b->status);
	return c ? c : strcmp(a->reason, b->reason);
}

static void digest_pieces(const struct pieces *p, const struct store_run *r, char out[65])
{
	struct run_head head = {.suite = r->suite, .component = r->component, .format = r->format,
		.format_version = r->format_version, .tool_version = r->tool_version, .started_at = r->started_at};
	struct sha256 *h = batch_digest_new(&head);
	enum sink_status status;
	size_t i, k;

	for (i = 0; i < p->n; i++) {
		const struct piece *x = &p->v[i];
		if (x->status && sink_status_parse(x->status, &status) == 0) {
			batch_digest_absence(h, x->canonical, x->len, status, x->reason);
			continue;
		}
		batch_digest_series(h, x->canonical, x->len);
		for (k = 0; k < x->n; k++)
			batch_digest_value(h, x->values[k]);
	}
	sha256_end(h, out);
}

static void pieces_release(struct pieces *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->v[i].canonical);
		free(p->v[i].values);
		free(p->v[i].status);
		free(p->v[i].reason);
	}
	free(p->v);
}

static int check_run(struct checking *c, const struct store_run *r, struct err *err)
{
	struct pieces p = {.s = c->s};
	char digest[65];
	int bad = store_samples(c->s, r->id, piece_sample, &p, err);

	if (bad == 0)
		bad = store_absences(c->s, r->id, piece_absence, &p, err);
	if (bad == 0) {
		qsort(p.v, p.n, sizeof(*p.v), compare_pieces);
		digest_pieces(&p, r, digest);
		if (strcmp(digest, r->digest))
			report(c, xasprintf("run %.12s of commit %.12s (%s): its content has changed since it was stored (digest %.12s)",
				r->digest, r->sha, r->suite, digest));
		else if (p.samples != r->samples)
			report(c, xasprintf("run %.12s of commit %.12s (%s): %lld samples, recorded %lld", r->digest, r->sha,
				r->suite, (long long)p.samples, (long long)r->samples));
	}
	pieces_release(&p);
	return bad;
}

static int check_commit(void *ctx, const struct commit_fact *c, struct err *err)
{
	(void)ctx;
	(void)c;
	(void)err;
	return 0; /* reading it was the check */
}

int store_check(struct store *s, void (*finding)(void *ctx, const char *text),
	void (*progress)(void *ctx, size_t done, size_t of), void *ctx, struct err *err)
{
	struct checking c = {.s = s, .finding = finding, .ctx = ctx};
	struct store_runs runs = {0};
	size_t i;
	int r = check_structure(&c, err);

	/* what is damaged below would only be reported again run by run */
	if (r == 0 && c.findings == 0)
		r = store_commits(s, check_commit, NULL, err);
	if (r == 0 && c.findings == 0)
		r = store_runs_exported(s, &runs, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		r = check_run(&c, &runs.v[i], err);
		if (progress)
			progress(ctx, i + 1, runs.n);
	}
	store_runs_release(&runs);
	return r < 0 ? -1 : c.findings;
}

/* ---- snapshot ---- */

static int vacuum_into(struct store *s, const char *path, struct err *err)
{
	_cleanup_(freep) char *uri = store_uri(path, "mode=rwc");
	sqlite3_stmt *st = store_statement(s, sql_vacuum_into, err);

	if (!st)
		return -1;
	bind_text(st, 1, uri);
	return store_step(s, st, "writing the snapshot", err);
}

/* SQLite does not sync what it vacuums into. */
static int sync_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), r = fd < 0 ? -1 : fsync(fd);

	if (r < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return r;
}

int store_snapshot(struct store *s, const char *path, struct err *err)
{
	_cleanup_(freep) char *part = xasprintf("%s.part-%ld", path, (long)getpid());

	if (access(path, F_OK) == 0)
		return err_set(err, ERR_IO, "%s: exists already; a snapshot does not overwrite", path);
	/* whoever finds a file of that name finds all of it */
	if (vacuum_into(s, part, err) == 0 && sync_file(part, err) == 0) {
		if (rename(part, path) == 0)
			return 0;
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	}
	unlink(part);
	return -1;
}
