#include "store-private.h"

#include "sql.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x70676174, SCHEMA_VERSION = 1, BUSY_MS = 60000 };

/* ---- errors ---- */

int store_error(struct store *s, const char *doing, struct err *err)
{
	int rc = sqlite3_errcode(s->db);

	switch (rc) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_STORE,
			"%s: %s: another process has held the store for a minute; run this again when it is done",
			s->path, doing);
	case SQLITE_FULL:
		return err_set(err, ERR_STORE,
			"%s: %s: the disk is full; nothing of this was stored: free some space and run it again",
			s->path, doing);
	case SQLITE_NOTADB:
		return err_set(err, ERR_STORE,
			"%s: not a perfgate store (no SQLite file); --store names another",
			s->path);
	case SQLITE_CORRUPT:
		return err_set(err, ERR_STORE,
			"%s: %s: the store is damaged (%s); it is left as it is: put a copy or a snapshot in its place, 'perfgate store check' says what is wrong",
			s->path, doing, sqlite3_errmsg(s->db));
	case SQLITE_READONLY:
		return err_set(err, ERR_STORE,
			"%s: %s: the store is read-only; make the file and its folder writable, or name another with --store",
			s->path, doing);
	case SQLITE_IOERR:
		return err_set(err, ERR_STORE, "%s: %s: %s (%s)", s->path, doing,
			sqlite3_errmsg(s->db),
			sqlite3_system_errno(s->db) ? strerror(sqlite3_system_errno(s->db))
						    : "no reason given");
	case SQLITE_INTERRUPT:
		return err_set(err, ERR_CANCELLED, "%s: interrupted", doing);
	case SQLITE_NOMEM: /* its own words may name a temporary file instead */
		return err_set(err, ERR_STORE, "%s: %s: out of memory", s->path, doing);
	default:
		return err_set(err, ERR_STORE, "%s: %s: %s", s->path, doing, sqlite3_errmsg(s->db));
	}
}

/* ---- statements ---- */

sqlite3_stmt *store_statement(struct store *s, const char *sql, struct err *err)
{
	int i;

	for (i = 0; i < s->n_statements; i++) {
		if (s->statements[i].sql == sql) {
			sqlite3_reset(s->statements[i].stmt);
			sqlite3_clear_bindings(s->statements[i].stmt);
			return s->statements[i].stmt;
		}
	}
	if (s->n_statements == STATEMENTS_MAX) {
		err_set(err, ERR_STORE, "too many kinds of statements");
		return NULL;
	}
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->statements[i].stmt,
		    NULL) != SQLITE_OK) {
		store_error(s, "preparing a query", err);
		return NULL;
	}
	s->statements[i].sql = sql;
	s->n_statements++;
	return s->statements[i].stmt;
}

int store_step(struct store *s, sqlite3_stmt *st, const char *doing, struct err *err)
{
	int rc = sqlite3_step(st);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		store_error(s, doing, err);
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? 0 : -1;
}

int store_exec(struct store *s, const char *sql, const char *doing, struct err *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
								       : store_error(s, doing, err);
}

void bind_text(sqlite3_stmt *st, int i, const char *text)
{
	if (!text)
		sqlite3_bind_null(st, i);
	else if (sqlite3_bind_text(st, i, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
		xmalloc(SIZE_MAX); /* a NULL in its place would be stored; dies as every allocation
				      does */
}

void bind_time(sqlite3_stmt *st, int i, int64_t ns)
{
	if (ns == TIME_UNKNOWN)
		sqlite3_bind_null(st, i);
	else
		sqlite3_bind_int64(st, i, ns);
}

void bind_num(sqlite3_stmt *st, int i, struct num v)
{
	if (v.is_int)
		sqlite3_bind_int64(st, i, v.i);
	else
		sqlite3_bind_double(st, i, v.d);
}

const char *column_text(sqlite3_stmt *st, int i)
{
	int type = sqlite3_column_type(st, i);
	const unsigned char *p = sqlite3_column_text(st, i);

	if (!p && type != SQLITE_NULL)
		xmalloc(SIZE_MAX); /* "" is not what is there; dies as every allocation does */
	return p ? (const char *)p : "";
}

int64_t column_time(sqlite3_stmt *st, int i)
{
	return sqlite3_column_type(st, i) == SQLITE_NULL ? TIME_UNKNOWN
							 : sqlite3_column_int64(st, i);
}

const char *store_keep(struct store *s, const char *text)
{
	return intern_get(s->strings, intern_add(s->strings, text, strlen(text)), NULL);
}

/* ---- visiting ---- */

struct visiting {
	int (*row)(void *ctx, sqlite3_value **values, struct err *err);
	void *ctx;
	struct err *err;
};

/* The SQL function behind store_visit(). */
static void visit_row(sqlite3_context *ctx, int n, sqlite3_value **values)
{
	struct store *s = sqlite3_user_data(ctx);
	struct visiting *v = s->visiting;

	(void)n;
	if (v && v->row(v->ctx, values, v->err) < 0)
		sqlite3_result_error(ctx, "stopped", -1);
}

int store_visit(struct store *s, sqlite3_stmt *st,
	int (*row)(void *ctx, sqlite3_value **values, struct err *err), void *ctx, struct err *err)
{
	struct visiting v = {row, ctx, err}, *outer = s->visiting;
	int r;

	s->visiting = &v;
	r = store_step(s, st, "reading", err);
	s->visiting = outer;
	if (r > 0)
		sqlite3_reset(st);
	return r < 0 ? -1 : 0;
}

/* ---- opening ---- */

static int make_parents(const char *path, struct err *err)
{
	_cleanup_(freep) char *copy = xstrdup(path);
	char *p;

	for (p = copy + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			return err_set(err, ERR_STORE, "%s: cannot create the folder %s: %s", path,
				copy, strerror(errno));
		*p = '/';
	}
	return 0;
}

/* Only the last folder of a path may be created: a mistyped --store must not grow a tree. */
static int check_folder(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	_cleanup_(freep) char *folder = NULL, *above = NULL;
	struct stat st;
	char *p;

	folder = !slash ? xstrdup(".") : xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
	if (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
		return err_set(err, ERR_STORE, "%s: %s is not a folder", path, folder);
	if (stat(folder, &st) == 0)
		return access(path, F_OK) == 0 || access(folder, W_OK) == 0
			       ? 0
			       : err_set(err, ERR_STORE,
					 "%s: cannot create the store: %s; name another with --store",
					 path, strerror(errno));
	above = xstrdup(folder);
	p = strrchr(above, '/');
	if (p && p != above) {
		*p = '\0';
		if (stat(above, &st) < 0)
			return err_set(err, ERR_STORE,
				"%s: the folder %s does not exist; create it, or name another store with --store",
				path, above);
	}
	return make_parents(path, err);
}

/* A pipe would be waited for, and a device swallows what is written. */
static int check_file(const char *path, const struct stat *st, struct err *err)
{
	if (S_ISREG(st->st_mode))
		return 0;
	return err_set(err, ERR_STORE, "%s: %s, not a store; --store names another", path,
		S_ISDIR(st->st_mode) ? "a folder" : "a device, pipe or socket");
}

/* What a writer that is at work or was killed leaves beside the file, and belongs to it. */
static bool has_log(const char *path)
{
	static const char *const suffixes[] = {"-wal", "-journal"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(suffixes); i++) {
		_cleanup_(freep) char *log = xasprintf("%s%s", path, suffixes[i]);
		struct stat st;
		if (stat(log, &st) == 0 && st.st_size > 0)
			return true;
	}
	return false;
}

static int pragma_int(struct store *s, const char *sql, int64_t *ret, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql, err);
	int r;

	if (!st)
		return -1;
	r = store_step(s, st, "opening", err);
	if (r > 0) {
		*ret = sqlite3_column_int64(st, 0);
		sqlite3_reset(st);
	}
	return r < 0 ? -1 : 0;
}

/* Whether the file is ours and of our version. 1 yes, 0 it is empty, -1. */
static int check_version(struct store *s, struct err *err)
{
	int64_t application = 0, version = 0, tables = 0;

	/* the tables first: somebody may be creating them just now */
	if (pragma_int(s, sql_table_count, &tables, err) < 0 ||
		pragma_int(s, sql_application_id, &application, err) < 0 ||
		pragma_int(s, sql_user_version, &version, err) < 0)
		return -1;
	if (application == 0 && tables == 0)
		return 0;
	if (application != APPLICATION_ID)
		return err_set(err, ERR_STORE,
			"%s: a SQLite file of another program, left as it is; --store names another",
			s->path);
	if (version > SCHEMA_VERSION)
		return err_set(err, ERR_STORE,
			"%s: written by a newer perfgate (schema %lld, this one knows %d); install that version",
			s->path, (long long)version, SCHEMA_VERSION);
	if (version < 1)
		return err_set(err, ERR_STORE, "%s: schema %lld is not known", s->path,
			(long long)version);
	return 1;
}

/* Changing the journal mode does not wait for the busy time-out, and another process may be doing
 * the same at this moment. */
static int set_journal_mode(struct store *s, const char *sql, struct err *err)
{
	int tries;

	for (tries = 0; sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK; tries++) {
		if (sqlite3_errcode(s->db) != SQLITE_BUSY || tries == BUSY_MS / 20)
			return store_error(s, "opening", err);
		sqlite3_sleep(20);
	}
	return 0;
}

static int create_schema(struct store *s, struct err *err)
{
	int r;

	if (set_journal_mode(s, sql_create_pragmas, err) < 0 ||
		store_exec(s, sql_begin, "creating the store", err) < 0)
		return -1;
	/* somebody else may have created it in the meantime */
	r = check_version(s, err);
	if (r == 0)
		r = store_exec(s, sql_schema_1, "creating the store", err);
	if (r < 0) {
		sqlite3_exec(s->db, sql_rollback, NULL, NULL, NULL);
		return -1;
	}
	return store_exec(s, sql_commit, "creating the store", err);
}

char *store_uri(const char *path, const char *query)
{
	struct buf b = BUF_INIT;

	/* two slashes, so that a path with two is no host; a dot, so that ":memory:" is a file */
	buf_addstr(&b, *path == '/' ? "file://" : "file:./");
	for (; *path; path++) {
		if (strchr("?#%", *path))
			buf_addf(&b, "%%%02x", (unsigned char)*path);
		else
			buf_addch(&b, *path);
	}
	buf_addf(&b, "?%s", query);
	return buf_take(&b);
}

static int open_database(struct store *s, const char *query, struct err *err)
{
	_cleanup_(freep) char *uri = store_uri(s->path, query);
	int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
		    (s->mode == STORE_READ ? SQLITE_OPEN_READONLY
					   : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);

	if (sqlite3_open_v2(uri, &s->db, flags, NULL) != SQLITE_OK) {
		int rc = sqlite3_errcode(s->db), sys = sqlite3_system_errno(s->db);
		if (rc == SQLITE_CANTOPEN)
			return err_set(err, ERR_STORE, "%s: cannot open the store: %s", s->path,
				sys ? strerror(sys) : sqlite3_errmsg(s->db));
		return store_error(s, "opening", err);
	}
	sqlite3_extended_result_codes(s->db, 0);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_create_function(
		s->db, "visit_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, s, visit_row, NULL, NULL);
	return 0;
}

static void close_database(struct store *s)
{
	int i;

	for (i = 0; i < s->n_statements; i++)
		sqlite3_finalize(s->statements[i].stmt);
	s->n_statements = 0;
	sqlite3_close(s->db);
	s->db = NULL;
}

static int open_to_read(struct store *s, struct err *err)
{
	struct err first = ERR_INIT;
	struct stat st;
	int r;

	if (stat(s->path, &st) < 0)
		return err_set(err, ERR_STORE,
			"%s: %s; 'perfgate ingest' creates it from your benchmarks' documents",
			s->path, errno == ENOENT ? "there is no store yet" : strerror(errno));
	if (check_file(s->path, &st, err) < 0)
		return -1;
	if (open_database(s, "mode=ro", &first) == 0) {
		r = check_version(s, &first);
		if (r > 0)
			return store_exec(s, sql_open_pragmas, "opening", err);
		if (r == 0)
			return err_set(err, ERR_STORE, "%s: an empty file, not a store", s->path);
		r = sqlite3_errcode(s->db);
		/* SQLite needs to write beside a file in WAL mode even to read it, unless nobody
		 * else can be writing: read-only folders, and no log left by a writer */
		if ((r == SQLITE_READONLY || r == SQLITE_CANTOPEN) && has_log(s->path))
			return err_set(err, ERR_STORE,
				"%s: a writer left a log beside it that reading alone cannot work off; make the file and its folder writable and write to it once ('perfgate ingest'), or read a snapshot",
				s->path);
		if (r == SQLITE_READONLY || r == SQLITE_CANTOPEN) {
			close_database(s);
			s->immutable = true;
			if (open_database(s, "mode=ro&immutable=1", err) < 0)
				return -1;
			r = check_version(s, err);
			if (r == 0)
				err_set(err, ERR_STORE, "%s: an empty file, not a store", s->path);
			return r > 0 ? store_exec(s, sql_open_pragmas, "opening", err) : -1;
		}
	}
	*err = first;
	return -1;
}

static int open_to_write(struct store *s, struct err *err)
{
	struct stat st;
	int r;

	if (check_folder(s->path, err) < 0 ||
		(stat(s->path, &st) == 0 && check_file(s->path, &st, err) < 0) ||
		open_database(s, "mode=rwc", err) < 0)
		return -1;
	r = check_version(s, err);
	if (r < 0 || store_exec(s, sql_open_pragmas, "opening", err) < 0)
		return -1;
	if (sqlite3_db_readonly(s->db, "main") == 1)
		return err_set(err, ERR_STORE,
			"%s: the store is read-only; make the file and its folder writable, or name another with --store",
			s->path);
	/* a snapshot that was put in a store's place has no log yet, and readers would lock it */
	return r == 0 ? create_schema(s, err) : set_journal_mode(s, sql_journal_mode, err);
}

struct store *store_open(const char *path, enum store_mode mode, struct err *err)
{
	struct store *s = xcalloc(1, sizeof(*s));

	s->path = xstrdup(path);
	s->mode = mode;
	s->strings = intern_new();
	if ((mode == STORE_READ ? open_to_read(s, err) : open_to_write(s, err)) < 0) {
		store_close(s);
		return NULL;
	}
	return s;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	close_database(s);
	intern_free(s->strings);
	free(s->series);
	free(s->runners);
	free(s->parents);
	free(s->path);
	free(s);
}

void store_on_progress(
	struct store *s, void (*progress)(void *ctx, double done, double of), void *ctx)
{
	s->progress = progress;
	s->progress_ctx = ctx;
}

void store_progress(struct store *s, double done, double of)
{
	if (s->progress)
		s->progress(s->progress_ctx, done, of);
}

const char *store_path(const struct store *s)
{
	return s->path;
}

int store_begin_read(struct store *s, struct err *err)
{
	return store_exec(s, sql_begin_read, "reading", err);
}

void store_end_read(struct store *s)
{
	sqlite3_exec(s->db, sql_rollback, NULL, NULL, NULL);
}
