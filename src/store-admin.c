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
	struct db_stmt *st = db_statement(s->db, sql_property_get, err);
	int r;

	*ret = '\0';
	if (!st)
		return -1;
	bind_text(st, 1, "root");
	r = db_step(st, "reading", err);
	if (r > 0) {
		snprintf(ret, 65, "%s", column_text(st, 0));
		db_reset(st);
	}
	return r;
}

int store_has_mark(struct store *s, const char *name, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_property_get, err);
	int r;

	if (!st)
		return -1;
	bind_text(st, 1, name);
	r = db_step(st, "reading", err);
	if (r > 0)
		db_reset(st);
	return r;
}

static int set_mark(struct store *s, const char *name, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_property_set, err);

	if (!st)
		return -1;
	bind_text(st, 1, name);
	bind_text(st, 2, "");
	return db_step(st, "storing", err) < 0 ? -1 : 0;
}

struct marks {
	struct store *s;
	char *const *names;
	size_t n;
};

static int set_all_marks(void *ctx, struct err *err)
{
	const struct marks *m = ctx;
	size_t i;

	for (i = 0; i < m->n; i++)
		if (set_mark(m->s, m->names[i], err) < 0)
			return -1;
	return 0;
}

int store_set_marks(struct store *s, char *const *names, size_t n, struct err *err)
{
	struct marks m = {s, names, n};

	return n ? rows_transact(s, DB_WRITING, "storing", set_all_marks, &m, err) : 0;
}

static int count(struct store *s, const char *sql, int64_t *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql, err);

	if (!st || db_step(st, "counting", err) < 0)
		return -1;
	*ret = column_int(st, 0);
	db_reset(st);
	return 0;
}

int store_info(struct store *s, struct store_info *ret, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_info, err);

	*ret = (struct store_info){.version = s->db->schema};
	if (!st || db_step(st, "counting", err) < 0)
		return -1;
	ret->runs = column_int(st, 0);
	ret->commits = column_int(st, 1);
	ret->series = column_int(st, 2);
	ret->samples = column_int(st, 3);
	ret->tombstones = column_int(st, 4);
	ret->benchmarks = column_int(st, 5);
	db_reset(st);
	if (s->db->schema >= 2 && (count(s, sql_judgements_count, &ret->judgements, err) < 0 ||
					  count(s, sql_pruned_count, &ret->pruned, err) < 0))
		return -1;
	ret->bytes = db_bytes(s->db, err);
	return ret->bytes < 0 ? -1 : store_root(s, ret->root, err) < 0 ? -1 : 0;
}

int store_info_suites(struct store *s,
	int (*row)(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners,
		struct err *err),
	void *ctx, struct err *err)
{
	struct db_stmt *st = db_statement(s->db, sql_info_suites, err);
	int r;

	if (!st)
		return -1;
	while ((r = db_step(st, "counting", err)) > 0) {
		if (row(ctx, column_text(st, 0), column_int(st, 1), column_int(st, 2),
			    column_int(st, 3), err) < 0) {
			db_reset(st);
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

static void report(void *ctx, char *text)
{
	struct checking *c = ctx;

	c->finding(c->ctx, text);
	c->findings++;
	free(text);
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

static int check_judgement(void *ctx, const struct judgement_fact *j, struct err *err)
{
	char digest[65];

	(void)err;
	digest_judgement(j, digest);
	if (strcmp(digest, j->digest))
		report(ctx,
			xasprintf(
				"recorded gate %.12s of commit %.12s: its content has changed since it was stored (digest %.12s)",
				j->digest, j->head, digest));
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
	int r = db_check(s->db, report, &c, err);

	/* what is damaged below would only be reported again run by run */
	if (r == 0 && c.findings == 0)
		r = store_commits(s, check_commit, NULL, err);
	if (r == 0 && c.findings == 0)
		r = store_runs_exported(s, &runs, err);
	if (r == 0 && c.findings == 0)
		r = store_judgements_exported(s, check_judgement, &c, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		r = check_run(&c, &runs.v[i], err);
		store_progress(s, (double)(i + 1), (double)runs.n);
	}
	store_runs_release(&runs);
	return r < 0 ? -1 : c.findings;
}

/* ---- snapshot ---- */

/* Whether somebody wants this process to end. */
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

/* What a driver cannot copy is merged into a store beside the copy, and that is copied. */
static int copy_merged(struct store *s, const char *part, sigset_t *signals, struct err *err)
{
	_cleanup_(freep) char *path = xasprintf("%s-whole", part);
	static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
	struct store *to = store_open(path, STORE_WRITE, err);
	static const struct merge_options all;
	size_t counts[PLACED_PRUNED + 1], i;
	int r = -1;

	if (to) {
		to->stop = is_to_end;
		to->stop_ctx = signals;
		r = store_merge(to, s, &all, counts, err);
	}
	if (r == 0)
		r = db_copy(to->db, part, is_to_end, signals, err);
	store_close(to);
	for (i = 0; i < ARRAY_LEN(suffixes); i++) {
		_cleanup_(freep) char *left = xasprintf("%s%s", path, suffixes[i]);
		unlink(left);
	}
	return r;
}

static int copy(struct store *s, const char *part, sigset_t *signals, struct err *err)
{
	return db_copies(s->db) ? db_copy(s->db, part, is_to_end, signals, err)
				: copy_merged(s, part, signals, err);
}

/* Drivers leave that to their caller. */
static int sync_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), r = fd < 0 ? -1 : fsync(fd);

	if (r < 0)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return r;
}

/* Creates the file that the copy is to fill: what is wrong with its folder is then told in the
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
	if (copy(s, part, signals, err) == 0 && sync_file(part, err) == 0) {
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
	store_end_read(s); /* a copy is its own transaction */
	/* a signal has to wait until the part is gone */
	ending_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, &before);
	r = write_part(s, part, path, &signals, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}
