#include "db-sqlite.h"

#include "sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Each on top of the one before it. The first is version 1. */
static const char *const schemas[DB_SCHEMA] = {sql_schema_1, sql_schema_2};

bool sqlite_knows_view(const char *sql)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(schemas); i++)
		if (strstr(schemas[i], sql))
			return true;
	return false;
}

static int run_from(struct sqlite_db *s, int version, const char *doing, struct err *err)
{
	for (; version < DB_SCHEMA; version++)
		if (sqlite_run(s, schemas[version], doing, err) < 0)
			return -1;
	s->base.schema = version;
	return 0;
}

int sqlite_create_tables(struct sqlite_db *s, struct err *err)
{
	return run_from(s, 0, "creating the store", err);
}

/* ---- an older one ---- */

static int never(void *ctx)
{
	(void)ctx;
	return 0;
}

/* What there was is on the disk before anything of it changes. */
static int copy_whole(struct sqlite_db *s, const char *part, struct err *err)
{
	int fd, r = db_copy(&s->base, part, never, NULL, err);

	if (r < 0)
		return -1;
	fd = open(part, O_RDONLY | O_CLOEXEC);
	r = fd < 0 ? -1 : fsync(fd);
	if (r < 0)
		err_set(err, ERR_IO, "%s: %s", part, strerror(errno));
	if (fd >= 0)
		close(fd);
	return r;
}

/* Under the lock: somebody else may have done it in the meantime. */
static int migrate_locked(struct sqlite_db *s, const char *part, const char *doing, struct err *err)
{
	const int found = s->base.schema;
	_cleanup_(freep) char *kept = xasprintf("%s.schema-%d", s->base.name, found);

	if (sqlite_check_version(s, err) < 0)
		return -1;
	if (s->base.schema != found)
		return 0;
	if (run_from(s, found, doing, err) < 0)
		return -1;
	if (rename(part, kept) < 0)
		return err_set(err, ERR_IO, "%s: %s", kept, strerror(errno));
	return 0;
}

static int migrate(struct sqlite_db *s, const char *part, struct err *err)
{
	_cleanup_(freep) char *doing =
		xasprintf("bringing it from schema %d to %d", s->base.schema, DB_SCHEMA);
	struct db *db = &s->base;

	if (copy_whole(s, part, err) < 0)
		return err_prefix(err, "%s: a copy before %s", db->name, doing);
	if (db->driver->begin(db, DB_WRITING, doing, err) == 0 &&
		migrate_locked(s, part, doing, err) == 0 && db->driver->commit(db, doing, err) == 0)
		return 0;
	db->driver->rollback(db);
	return -1;
}

int sqlite_migrate(struct sqlite_db *s, struct err *err)
{
	_cleanup_(freep) char *part = xasprintf("%s.part-%ld", s->base.name, (long)getpid());
	_cleanup_(freep) char *journal = xasprintf("%s-journal", part);
	int r = migrate(s, part, err);

	unlink(part); /* where it was not put in its place */
	unlink(journal);
	return r;
}
