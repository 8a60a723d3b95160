#include "db-sqlite.h"

#include "sql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x70676174, BUSY_MS = 60000 };

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

static int pragma_int(struct sqlite_db *s, const char *sql, int64_t *ret, struct err *err)
{
	struct db_stmt *st = sqlite_statement(&s->base, sql, err);
	int r;

	if (!st)
		return -1;
	r = db_step(st, "opening", err);
	if (r > 0) {
		*ret = column_int(st, 0);
		db_reset(st);
	}
	return r < 0 ? -1 : 0;
}

/* A file from elsewhere may have a view in place of a table, with rows without end. */
static int check_views(struct sqlite_db *s, struct err *err)
{
	struct db_stmt *st = sqlite_statement(&s->base, sql_views, err);
	int r;

	while ((r = st ? db_step(st, "opening", err) : -1) > 0) {
		if (sqlite_knows_view(column_text(st, 1)))
			continue;
		err_set(err, ERR_STORE,
			"%s: damaged: %s is a view that perfgate did not make; left as it is",
			s->base.name, column_text(st, 0));
		db_reset(st);
		return -1;
	}
	return r;
}

int sqlite_check_version(struct sqlite_db *s, struct err *err)
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
			s->base.name);
	if (version > DB_SCHEMA)
		return err_set(err, ERR_STORE,
			"%s: written by a newer perfgate (schema %lld, this one knows %d); install that version",
			s->base.name, (long long)version, DB_SCHEMA);
	if (version < 1)
		return err_set(err, ERR_STORE, "%s: schema %lld is not known", s->base.name,
			(long long)version);
	s->base.schema = (int)version;
	return check_views(s, err) < 0 ? -1 : 1;
}

/* Changing the journal mode waits for the busy time-out at some locks only, and another process may
 * be doing the same at this moment: all of the waiting is done here. */
static int set_journal_mode(struct sqlite_db *s, const char *sql, struct err *err)
{
	int tries, r = 0;

	sqlite3_busy_timeout(s->handle, 0);
	for (tries = 0; sqlite3_exec(s->handle, sql, NULL, NULL, NULL) != SQLITE_OK; tries++) {
		if (sqlite3_errcode(s->handle) != SQLITE_BUSY || tries == BUSY_MS / 20) {
			r = sqlite_error(s, "opening", err);
			break;
		}
		sqlite3_sleep(20);
	}
	sqlite3_busy_timeout(s->handle, BUSY_MS);
	return r;
}

static int create_schema(struct sqlite_db *s, struct err *err)
{
	int r;

	if (set_journal_mode(s, sql_create_pragmas, err) < 0 ||
		sqlite_run(s, sql_begin, "creating the store", err) < 0)
		return -1;
	/* somebody else may have created it in the meantime */
	r = sqlite_check_version(s, err);
	if (r == 0)
		r = sqlite_create_tables(s, err);
	if (r < 0) {
		sqlite3_exec(s->handle, sql_rollback, NULL, NULL, NULL);
		return -1;
	}
	return sqlite_run(s, sql_commit, "creating the store", err);
}

char *sqlite_uri(const char *path, const char *query)
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

static int open_database(struct sqlite_db *s, const char *query, struct err *err)
{
	_cleanup_(freep) char *uri = sqlite_uri(s->base.name, query);
	int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
		    (s->access == DB_READ ? SQLITE_OPEN_READONLY
					  : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);

	if (sqlite3_open_v2(uri, &s->handle, flags, NULL) != SQLITE_OK) {
		int rc = sqlite3_errcode(s->handle), sys = sqlite3_system_errno(s->handle);
		if (rc == SQLITE_CANTOPEN)
			return err_set(err, ERR_STORE, "%s: cannot open the store: %s",
				s->base.name, sys ? strerror(sys) : sqlite3_errmsg(s->handle));
		return sqlite_error(s, "opening", err);
	}
	sqlite3_extended_result_codes(s->handle, 0);
	sqlite3_busy_timeout(s->handle, BUSY_MS);
	sqlite3_db_config(s->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return sqlite_add_functions(s, err);
}

static void close_database(struct sqlite_db *s)
{
	int i;

	for (i = 0; i < s->n_statements; i++)
		sqlite3_finalize(s->statements[i].handle);
	s->n_statements = 0;
	sqlite3_close(s->handle);
	s->handle = NULL;
}

static int open_to_read(struct sqlite_db *s, struct err *err)
{
	struct err first = ERR_INIT;
	struct stat st;
	int r;

	if (stat(s->base.name, &st) < 0)
		return err_set(err, ERR_STORE,
			"%s: %s; 'perfgate ingest' creates it from your benchmarks' documents, 'perfgate store fetch' from a remote's record",
			s->base.name, errno == ENOENT ? "there is no store yet" : strerror(errno));
	if (check_file(s->base.name, &st, err) < 0)
		return -1;
	if (open_database(s, "mode=ro", &first) == 0) {
		r = sqlite_check_version(s, &first);
		if (r > 0)
			return sqlite_run(s, sql_open_pragmas, "opening", err);
		if (r == 0)
			return err_set(
				err, ERR_STORE, "%s: an empty file, not a store", s->base.name);
		r = sqlite3_errcode(s->handle);
		/* SQLite needs to write beside a file in WAL mode even to read it, unless nobody
		 * else can be writing: read-only folders, and no log left by a writer */
		if ((r == SQLITE_READONLY || r == SQLITE_CANTOPEN) && has_log(s->base.name))
			return err_set(err, ERR_STORE,
				"%s: a writer left a log beside it that reading alone cannot work off; make the file and its folder writable and write to it once ('perfgate ingest'), or read a snapshot",
				s->base.name);
		if (r == SQLITE_READONLY || r == SQLITE_CANTOPEN) {
			close_database(s);
			if (open_database(s, "mode=ro&immutable=1", err) < 0)
				return -1;
			r = sqlite_check_version(s, err);
			if (r == 0)
				err_set(err, ERR_STORE, "%s: an empty file, not a store",
					s->base.name);
			return r > 0 ? sqlite_run(s, sql_open_pragmas, "opening", err) : -1;
		}
	}
	*err = first;
	return -1;
}

static int open_to_write(struct sqlite_db *s, struct err *err)
{
	struct stat st;
	int r;

	if (check_folder(s->base.name, err) < 0 ||
		(stat(s->base.name, &st) == 0 && check_file(s->base.name, &st, err) < 0) ||
		open_database(s, "mode=rwc", err) < 0)
		return -1;
	r = sqlite_check_version(s, err);
	if (r < 0 || sqlite_run(s, sql_open_pragmas, "opening", err) < 0)
		return -1;
	if (sqlite3_db_readonly(s->handle, "main") == 1)
		return err_set(err, ERR_STORE,
			"%s: the store is read-only; make the file and its folder writable, or name another with --store",
			s->base.name);
	/* a snapshot that was put in a store's place has no log yet, and readers would lock it */
	if ((r == 0 ? create_schema(s, err) : set_journal_mode(s, sql_journal_mode, err)) < 0)
		return -1;
	return s->base.schema < DB_SCHEMA ? sqlite_migrate(s, err) : 0;
}

struct db *sqlite_open(const char *path, enum db_access access, struct err *err)
{
	struct sqlite_db *s = xcalloc(1, sizeof(*s));

	s->base.driver = &db_sqlite;
	s->base.name = xstrdup(path);
	s->access = access;
	if ((access == DB_READ ? open_to_read(s, err) : open_to_write(s, err)) < 0) {
		sqlite_close(&s->base);
		return NULL;
	}
	return &s->base;
}

void sqlite_close(struct db *db)
{
	struct sqlite_db *s = (struct sqlite_db *)db;

	close_database(s);
	free(s->base.name);
	free(s);
}
