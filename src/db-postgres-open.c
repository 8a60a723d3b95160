#include "db-postgres.h"

#include "sql.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

enum { SERVER_OLDEST = 120000 };

bool pg_takes(const char *address)
{
	return db_is_address(address);
}

/* ---- the address ---- */

static void add_encoded(struct buf *b, const char *s)
{
	for (; *s; s++) {
		if (strchr("%@/?#&: []", *s))
			buf_addf(b, "%%%02x", (unsigned char)*s);
		else
			buf_addch(b, *s);
	}
}

static const char *option(const PQconninfoOption *o, const char *keyword)
{
	for (; o->keyword; o++)
		if (!strcmp(o->keyword, keyword))
			return o->val;
	return NULL;
}

/* What messages show: who, where and which database, and none of the rest, whatever it is. */
static char *shown(const PQconninfoOption *o)
{
	const char *user = option(o, "user"), *host = option(o, "host"), *port = option(o, "port"),
		   *name = option(o, "dbname");
	bool folder = host && *host == '/';
	struct buf b = BUF_INIT;

	buf_addstr(&b, "postgresql://");
	if (user)
		add_encoded(&b, user);
	if (user)
		buf_addch(&b, '@');
	if (host && !folder)
		add_encoded(&b, host);
	if (port && !folder)
		buf_addf(&b, ":%s", port);
	buf_addch(&b, '/');
	if (name)
		add_encoded(&b, name);
	if (folder)
		buf_addf(&b, "?host=%s", host);
	if (folder && port)
		buf_addf(&b, "&port=%s", port);
	return buf_take(&b);
}

/* A password with an @, / or : in it that is not encoded ends up in other parts, which are shown.
 */
static bool is_clear(const char *address, const PQconninfoOption *o)
{
	const char *rest = strstr(address, "://"), *end, *at, *slash, *port = option(o, "port");

	if (!rest || (port && port[strspn(port, "0123456789,")]))
		return false;
	rest += 3;
	end = rest + strcspn(rest, "?");
	at = memchr(rest, '@', (size_t)(end - rest));
	slash = memchr(rest, '/', (size_t)(end - rest));
	return !at || (at == memrchr(rest, '@', (size_t)(end - rest)) && (!slash || at < slash));
}

/* libpq's own message would repeat what it does not understand, which may be the password. */
static PQconninfoOption *parse(const char *address, struct err *err)
{
	PQconninfoOption *o = PQconninfoParse(address, NULL);

	if (o && is_clear(address, o))
		return o;
	PQconninfoFree(o);
	err_set(err, ERR_STORE,
		"the store's address is none that libpq understands; expected "
		"postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full, with %%40 for an @ in a name or password, %%2F for / and %%3A for : (not repeated here, since it may hold a password)");
	return NULL;
}

/* ---- connecting ---- */

static void say_nothing(void *ctx, const char *message)
{
	(void)ctx;
	(void)message;
}

/* The address's own parameters, then what it leaves open. */
static PGconn *connect_to(const PQconninfoOption *o)
{
	const char *keys[64], *values[64];
	int n = 0;

	for (; o->keyword && n < 60; o++) {
		if (!o->val)
			continue;
		keys[n] = o->keyword;
		values[n++] = o->val;
	}
	keys[n] = "client_encoding";
	values[n++] = "UTF8";
	keys[n] = "fallback_application_name";
	values[n++] = "perfgate";
	if (!getenv("PGCONNECT_TIMEOUT")) {
		/* before the address's own, which wins */
		memmove(keys + 1, keys, (size_t)n * sizeof(*keys));
		memmove(values + 1, values, (size_t)n * sizeof(*values));
		keys[0] = "connect_timeout";
		values[0] = "30";
		n++;
	}
	keys[n] = NULL;
	values[n] = NULL;
	return PQconnectdbParams(keys, values, 0);
}

static int cannot_connect(struct pg_db *s, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	pg_one_line(&b, s->conn ? PQerrorMessage(s->conn) : "out of memory");
	return err_set(
		err, ERR_STORE, "%s: cannot open the store: %.300s", s->base.name, buf_str(&b));
}

static int prepare_session(struct pg_db *s, struct err *err)
{
	if (PQserverVersion(s->conn) < SERVER_OLDEST)
		return err_set(err, ERR_STORE,
			"%s: the server is PostgreSQL %d; 12 or newer is needed", s->base.name,
			PQserverVersion(s->conn) / 10000);
	PQsetNoticeProcessor(s->conn, say_nothing, NULL);
	if (pg_run(s, sql_postgres_session, "opening", err) < 0)
		return -1;
	return s->access == DB_READ ? pg_run(s, sql_postgres_session_read, "opening", err) : 0;
}

/* ---- the schema ---- */

enum found { NO_SCHEMA, NO_TABLES, FOUND };

/* What is there of the store, whether this role may read it or not. -1 with err set. */
static int find_schema(struct pg_db *s, struct err *err)
{
	struct db_stmt *st = pg_statement(&s->base, sql_postgres_schema_find, err);
	int r;

	if (!st || db_step(st, "opening", err) <= 0)
		return -1;
	r = column_int(st, 1) > 0 ? FOUND : column_int(st, 0) > 0 ? NO_TABLES : NO_SCHEMA;
	db_reset(st);
	return r;
}

static int check_version(struct pg_db *s, struct err *err)
{
	struct db_stmt *st = pg_statement(&s->base, sql_postgres_version, err);
	int r = st ? db_step(st, "opening", err) : -1;
	int64_t version = r > 0 ? column_int(st, 0) : 0;

	if (r < 0)
		return -1;
	db_reset(st);
	if (version > DB_SCHEMA)
		return err_set(err, ERR_STORE,
			"%s: written by a newer perfgate (schema %lld, this one knows %d); install that version",
			s->base.name, (long long)version, DB_SCHEMA);
	if (version < 1)
		return err_set(err, ERR_STORE, "%s: schema %lld is not known", s->base.name,
			(long long)version);
	s->base.schema = (int)version;
	return 0;
}

static int create_tables(struct pg_db *s, int found, struct err *err)
{
	static const char creating[] = "creating the store";

	if (pg_run(s, sql_postgres_begin, creating, err) < 0)
		return -1;
	if ((found == NO_SCHEMA && pg_run(s, sql_postgres_schema_create, creating, err) < 0) ||
		pg_run(s, sql_postgres_schema_1, creating, err) < 0 ||
		pg_run(s, sql_postgres_schema_2, creating, err) < 0) {
		s->base.driver->rollback(&s->base);
		return -1;
	}
	s->base.schema = DB_SCHEMA;
	return pg_run(s, sql_commit, creating, err);
}

/* Writers take their turns: whoever waited finds it done. */
static int migrate_locked(struct pg_db *s, const char *doing, struct err *err)
{
	if (s->base.driver->begin(&s->base, DB_WRITING, doing, err) < 0 ||
		check_version(s, err) < 0)
		return -1;
	if (s->base.schema == 1 && pg_run(s, sql_postgres_schema_2, doing, err) < 0)
		return -1;
	s->base.schema = DB_SCHEMA;
	return s->base.driver->commit(&s->base, doing, err);
}

/* An older schema brought up to date, in one transaction. */
static int migrate(struct pg_db *s, struct err *err)
{
	if (migrate_locked(s, "bringing the store to schema 2", err) == 0)
		return 0;
	s->base.driver->rollback(&s->base);
	return -1;
}

static int create_schema(struct pg_db *s, int found, struct err *err)
{
	const char *encoding = PQparameterStatus(s->conn, "server_encoding");
	struct err first = ERR_INIT, ignored = ERR_INIT;

	if (!encoding || strcmp(encoding, "UTF8"))
		return err_set(err, ERR_STORE,
			"%s: the database's encoding is %s; make one with ENCODING 'UTF8' TEMPLATE template0",
			s->base.name, encoding ? encoding : "not known");
	if (create_tables(s, found, &first) == 0)
		return 0;
	/* somebody else may have created it in the meantime */
	if (find_schema(s, &ignored) == FOUND)
		return check_version(s, err);
	*err = first;
	return -1;
}

static int open_schema(struct pg_db *s, struct err *err)
{
	int found = find_schema(s, err);

	if (found < 0)
		return -1;
	if (found == FOUND && check_version(s, err) < 0)
		return -1;
	if (found == FOUND)
		return s->access == DB_WRITE && s->base.schema < DB_SCHEMA ? migrate(s, err) : 0;
	if (s->access == DB_WRITE)
		return create_schema(s, found, err);
	return err_set(err, ERR_STORE,
		"%s: there is no store yet; 'perfgate ingest' creates it from your benchmarks' documents",
		s->base.name);
}

/* ---- opening ---- */

static struct pg_db *connected(const char *address, enum db_access access, struct err *err)
{
	PQconninfoOption *o = parse(address, err);
	struct pg_db *s;
	int r;

	if (!o)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->base.driver = &db_postgres;
	s->base.name = shown(o);
	s->access = access;
	s->conn = connect_to(o);
	PQconninfoFree(o);
	r = PQstatus(s->conn) == CONNECTION_OK ? prepare_session(s, err) : cannot_connect(s, err);
	if (r == 0)
		return s;
	pg_close(&s->base);
	return NULL;
}

struct db *pg_open(const char *address, enum db_access access, struct err *err)
{
	struct pg_db *s = connected(address, access, err);

	if (!s)
		return NULL;
	if (open_schema(s, err) == 0)
		return &s->base;
	pg_close(&s->base);
	return NULL;
}

int pg_exists(const char *address, struct err *err)
{
	struct pg_db *s = connected(address, DB_READ, err);
	int found = s ? find_schema(s, err) : -1;

	if (s)
		pg_close(&s->base);
	return found < 0 ? -1 : found == FOUND;
}

static void free_statement(struct pg_stmt *st)
{
	int i;

	pg_reset(&st->base);
	free(st->text);
	for (i = 0; i < PG_PARAMS_MAX; i++)
		free(st->params[i].text);
}

void pg_close(struct db *db)
{
	struct pg_db *s = (struct pg_db *)db;
	int i;

	for (i = 0; i < s->n_statements; i++)
		free_statement(&s->statements[i]);
	PQfinish(s->conn);
	buf_release(&s->out);
	buf_release(&s->benchmarks);
	buf_release(&s->series);
	free(s->base.name);
	free(s);
}
