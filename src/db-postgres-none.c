#include "db-drivers.h"

/* In place of the driver, where there was no libpq when perfgate was built. The address may hold a
 * password, and only libpq knows where. */

static int exists(const char *address, struct err *err)
{
	(void)address;
	return err_set(err, ERR_STORE,
		"the store is a PostgreSQL database, and this perfgate was built without libpq; "
		"build it with --with-postgresql (Debian: package libpq-dev), or name a file with --store");
}

static struct db *open_none(const char *address, enum db_access access, struct err *err)
{
	(void)access;
	exists(address, err);
	return NULL;
}

const struct db_driver db_postgres = {.takes = db_is_address, .open = open_none, .exists = exists};
