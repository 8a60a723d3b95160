#include "store-rows.h"

#include "digest.h"
#include "sha256.h"
#include "sql.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- info ---- */

int store_root(struct store *s, char ret[65], struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_property_get, err);
	int r;

	*ret = '\0';
	if (!st)
		return -1;
	bind_text(st, 1, "root");
	r = store_step(s, st, "reading", err);
	if (r > 0) {
		snprintf(ret, 65, "%s", column_text(st, 0));
		sqlite3_reset(st);
	}
	return r;
}

int store_has_mark(struct store *s, const char *name, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_property_get, err);
	int r;

	if (!st)
		return -1;
	bind_text(st, 1, name);
	r = store_step(s, st, "reading", err);
	if (r > 0)
		sqlite3_reset(st);
	return r;
}

static int set_mark(struct store *s, const char *name, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_property_set, err);

	if (!st)
		return -1;
	bind_text(st, 1, name);
	bind_text(st, 2, "");
	return store_step(s, st, "storing", err) < 0 ? -1 : 0;
}

int store_set_marks(struct store *s, char *const *names, size_t n, struct err *err)
{
	size_t i;
	int r = n ? rows_begin(s, "storing", err) : 0;

	if (r < 0 || n == 0)
		return r;
	for (i = 0; r == 0 && i < n; i++)
		r = set_mark(s, names[i], err);
	return rows_finish(s, r, err);
}

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
	return store_root(s, ret->root, err) < 0 ? -1 : 0;
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

/* SQLite's progress callback: whether somebody wants this process to end. */
static int is_to_end(void *signals)
{
	sigset_t pending;
	int s;

	if (sigpending(&pending) < 0)
		return 0;
	for (s = 1; s < SIGRTMIN; s++)
		if (sigismember(signals, s) == 1 && sigismember(&pending, s) == 1)
			return 1;
	return 0;
}

enum { STEPS_BETWEEN = 1000 }; /* of SQLite's machine: less than a millisecond */

static int vacuum_into(struct store *s, const char *path, sigset_t *signals, struct err *err)
{
	_cleanup_(freep) char *uri = store_uri(path, "mode=rwc");
	sqlite3_stmt *st = store_statement(s, sql_vacuum_into, err);
	int r;

	if (!st)
		return -1;
	bind_text(st, 1, uri);
	sqlite3_progress_handler(s->db, STEPS_BETWEEN, is_to_end, signals);
	r = store_step(s, st, "writing the snapshot", err);
	sqlite3_progress_handler(s->db, 0, NULL, NULL);
	return r;
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

/* Creates the file that VACUUM INTO is to fill: what is wrong with its folder is then told in the
 * words of the system, and of the path that was asked for. */
static int create_empty(const char *part, const char *path, struct err *err)
{
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	close(fd);
	return 0;
}

static void remove_part(const char *part)
{
	_cleanup_(freep) char *journal = xasprintf("%s-journal", part);

	unlink(part);
	unlink(journal); /* where a disk is full SQLite leaves it */
}

static int write_part(
	struct store *s, const char *part, const char *path, sigset_t *signals, struct err *err)
{
	if (create_empty(part, path, err) < 0)
		return -1;
	/* whoever finds a file of that name finds all of it */
	if (vacuum_into(s, part, signals, err) == 0 && sync_file(part, err) == 0) {
		if (rename(part, path) == 0)
			return 0;
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	}
	remove_part(part);
	return -1;
}

/* Signals that would end this process now. */
static void ending_signals(sigset_t *ret)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
	struct sigaction now;
	size_t i;

	sigemptyset(ret);
	for (i = 0; i < ARRAY_LEN(ends); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaddset(ret, ends[i]);
}

int store_snapshot(struct store *s, const char *path, struct err *err)
{
	_cleanup_(freep) char *part = xasprintf("%s.part-%ld", path, (long)getpid());
	sigset_t signals, before;
	int r;

	if (access(path, F_OK) == 0)
		return err_set(
			err, ERR_IO, "%s: exists already; a snapshot does not overwrite", path);
	store_end_read(s); /* VACUUM is its own transaction */
	/* a signal has to wait until the part is gone */
	ending_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, &before);
	r = write_part(s, part, path, &signals, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}
