#include "store-private.h"

#include "digest.h"
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
	int (*row)(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners,
		struct err *err),
	void *ctx, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_info_suites, err);
	int r;

	if (!st)
		return -1;
	while ((r = store_step(s, st, "counting", err)) > 0) {
		if (row(ctx, column_text(st, 0), sqlite3_column_int64(st, 1),
			    sqlite3_column_int64(st, 2), sqlite3_column_int64(st, 3), err) < 0) {
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
		report(c, xasprintf("table %s, row %s: refers to a row of %s that is not there",
				  column_text(st, 0), column_text(st, 1), column_text(st, 2)));
	return r;
}

struct digesting {
	struct sha256 *h;
	int64_t samples;
};

static void canonical_of(struct buf *b, const struct store_series *x)
{
	digest_canonical(b, x->benchmark, &x->metric, x->variant);
}

static int digest_one_series(void *ctx, const struct store_series *x, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	struct digesting *d = ctx;

	(void)err;
	canonical_of(&name, x);
	digest_series(d->h, name.p, name.len);
	return 0;
}

static int digest_one_value(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct digesting *d = ctx;

	(void)series;
	(void)err;
	digest_value(d->h, value);
	d->samples++;
	return 0;
}

static int digest_one_absence(void *ctx, const struct store_series *x, const char *status,
	const char *reason, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	struct digesting *d = ctx;
	enum sink_status s = SINK_ERROR;

	(void)err;
	sink_status_parse(status, &s);
	canonical_of(&name, x);
	digest_absence(d->h, name.p, name.len, s, reason);
	return 0;
}

static int check_run(struct checking *c, const struct store_run *r, struct err *err)
{
	static const struct run_visitor visitor = {
		digest_one_series, digest_one_value, digest_one_absence};
	struct run_head head = {.suite = r->suite,
		.component = r->component,
		.format = r->format,
		.format_version = r->format_version,
		.tool_version = r->tool_version,
		.started_at = r->started_at};
	struct digesting d = {.h = digest_new(&head)};
	char digest[65];
	int bad = store_walk_run(c->s, r->id, &visitor, &d, err);

	sha256_end(d.h, digest);
	if (bad < 0)
		return -1;
	if (strcmp(digest, r->digest))
		report(c,
			xasprintf(
				"run %.12s of commit %.12s (%s): its content has changed since it was stored (digest %.12s)",
				r->digest, r->sha, r->suite, digest));
	else if (d.samples != r->samples)
		report(c, xasprintf("run %.12s of commit %.12s (%s): %lld samples, recorded %lld",
				  r->digest, r->sha, r->suite, (long long)d.samples,
				  (long long)r->samples));
	return 0;
}

static int check_commit(void *ctx, const struct commit_fact *c, struct err *err)
{
	(void)ctx;
	(void)c;
	(void)err;
	return 0; /* reading it was the check */
}

int store_check(
	struct store *s, void (*finding)(void *ctx, const char *text), void *ctx, struct err *err)
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
		store_progress(s, (double)(i + 1), (double)runs.n);
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
		return err_set(
			err, ERR_IO, "%s: exists already; a snapshot does not overwrite", path);
	store_end_read(s); /* VACUUM is its own transaction */
	/* whoever finds a file of that name finds all of it */
	if (vacuum_into(s, part, err) == 0 && sync_file(part, err) == 0) {
		if (rename(part, path) == 0)
			return 0;
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	}
	unlink(part);
	return -1;
}
