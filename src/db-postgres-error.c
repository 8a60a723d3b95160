#include "db-postgres.h"

#include <libpq-fe.h>
#include <string.h>

/* What PostgreSQL's error codes (its manual, appendix A) mean for whoever runs a command. */
static const struct {
	const char *state;
	bool conflict;
	const char *advice;
} advices[] = {
	{"40001", true, "other writers got in the way each time; run this again"},
	{"40P01", true, "other writers got in the way each time; run this again"},
	{"55P03", false,
		"another process has held the store for a minute; run this again when it is done"},
	{"53100", false,
		"the server's disk is full; nothing of this was stored: free some space there and run it again"},
	{"53200", false, "the server is out of memory; nothing of this was stored"},
	{"42501", false,
		"this role may not do that; perfgate-store(5) has the grants of a reader and of a writer"},
	{"25006", false,
		"the server only reads (a standby?); name the one that is written to with --store"},
	{"22021", false,
		"a text here is not UTF-8, which PostgreSQL does not store; nothing of this was stored"},
	{"42P01", false,
		"a table of the store is not there, or this role may not see it; perfgate-store(5) has the grants"},
	{"3F000", false,
		"the schema of the store is not there; perfgate-store(5) says how one is made"},
	{"57014", false, "the server gave up (its statement_timeout?)"},
	{"54000", false, "a name is longer than the server takes; nothing of this was stored"},
};

void pg_one_line(struct buf *b, const char *text)
{
	size_t n;

	for (; *text; text += n + strspn(text + n, "\n\t ")) {
		n = strcspn(text, "\n");
		if (b->len)
			buf_addstr(b, "; ");
		buf_add(b, text, n);
	}
}

static int lost(struct pg_db *s, const char *doing, struct err *err)
{
	_cleanup_(buf_release) struct buf why = BUF_INIT;
	const char *then = "run this again";

	pg_one_line(&why, PQerrorMessage(s->conn));
	if (s->committing)
		then = "it is stored as a whole or not at all: run this again, which stores nothing twice";
	else if (s->writing)
		then = "nothing of this was stored: run it again";
	return err_set(err, ERR_STORE, "%s: %s: the connection to the server was lost (%.200s); %s",
		s->base.name, doing, buf_str(&why), then);
}

int pg_error(struct pg_db *s, const PGresult *r, const char *doing, struct err *err)
{
	const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
	const char *text = r ? PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY) : NULL;
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	s->conflict = false;
	if (PQstatus(s->conn) == CONNECTION_BAD)
		return lost(s, doing, err);
	for (i = 0; state && i < ARRAY_LEN(advices); i++) {
		if (strcmp(state, advices[i].state))
			continue;
		s->conflict = advices[i].conflict;
		return err_set(err, ERR_STORE, "%s: %s: %s (%.200s)", s->base.name, doing,
			advices[i].advice, text ? text : "");
	}
	pg_one_line(&b, text ? text : r ? PQresultErrorMessage(r) : PQerrorMessage(s->conn));
	return err_set(err, ERR_STORE, "%s: %s: %.300s", s->base.name, doing, buf_str(&b));
}
