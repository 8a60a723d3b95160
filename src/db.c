#include "db.h"

#include "db-drivers.h"

#include <string.h>

/* The first that takes an address opens it; the last takes all. */
static const struct db_driver *const db_drivers[] = {&db_postgres, &db_sqlite};

static const struct db_driver *driver_of(const char *address)
{
	size_t i = 0;

	while (!db_drivers[i]->takes(address))
		i++;
	return db_drivers[i];
}

struct db *db_open(const char *address, enum db_access access, struct err *err)
{
	return driver_of(address)->open(address, access, err);
}

int db_exists(const char *address, struct err *err)
{
	return driver_of(address)->exists(address, err);
}

bool db_is_address(const char *address)
{
	static const char *const schemes[] = {"postgresql://", "postgres://"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(schemes); i++)
		if (!strncmp(address, schemes[i], strlen(schemes[i])))
			return true;
	return false;
}

void db_close(struct db *db)
{
	if (db)
		db->driver->close(db);
}

void bind_time(struct db_stmt *st, int i, int64_t ns)
{
	if (ns == TIME_UNKNOWN)
		bind_text(st, i, NULL);
	else
		bind_int(st, i, ns);
}

int64_t column_time(struct db_stmt *st, int i)
{
	return column_is_null(st, i) ? TIME_UNKNOWN : column_int(st, i);
}

int64_t db_bytes(struct db *db, struct err *err)
{
	return db->driver->bytes(db, err);
}

int db_check(struct db *db, void (*finding)(void *ctx, char *text), void *ctx, struct err *err)
{
	return db->driver->check(db, finding, ctx, err);
}

int db_shrink(struct db *db, struct err *err)
{
	return db->driver->shrink ? db->driver->shrink(db, err) : 0;
}

int db_copy(struct db *db, const char *path, int (*stop)(void *ctx), void *ctx, struct err *err)
{
	return db->driver->copy(db, path, stop, ctx, err);
}

int db_no_number(const struct db *db, struct err *err)
{
	return err_set(err, ERR_STORE,
		"%s: damaged: a sample that is no number; 'perfgate store check' says more",
		db->name);
}
