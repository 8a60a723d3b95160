/*
 * db-drivers: the kinds of databases. Only src/db.c includes it, and they themselves.
 */
#ifndef DB_DRIVERS_H
#define DB_DRIVERS_H

#include "db.h"

extern const struct db_driver db_postgres; /* src/db-postgres-none.c without libpq */
extern const struct db_driver db_sqlite;   /* takes every address: a file */

#endif
