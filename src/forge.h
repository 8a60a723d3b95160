/*
 * forge: where change requests are: GitHub and GitLab, by their REST interfaces.
 *
 * All that a server says is checked before it is used, and bounded: a page 16 MiB, a list 40 pages
 * of the same server. Requests are repeated where that does no harm, with the pauses that the
 * server asks for, until the deadline. No message holds the token.
 */
#ifndef FORGE_H
#define FORGE_H

#include "ci.h"
#include "json.h"

struct forge;

struct change {
	int64_t number;
	char head[65];
	bool open;
};

struct note {
	int64_t id;
	const char *body, *author; /* borrowed from the answer; author NULL: not told */
	bool bot;                  /* its author is a program */
};

/* A way to ask for something. repeatable: asking twice is asking once. */
struct forge_ask {
	const char *method, *path; /* behind the address of the API */
	const char *body;          /* JSON, or NULL */
	const char *right;         /* what a token lacks when it may not, for a message */
	bool repeatable;
};

/*
 * A kind of forge. To add one: its const struct in src/forge-NAME.c, a line in forge_kinds, its
 * variables in src/ci.c, and a part in tests/cmd-comment.sh.
 */
struct forge_kind {
	const char *name, *title;
	const char *request;        /* "pull request" */
	const char *api;            /* where no variable tells */
	const char *pages;          /* of the same, for people */
	const char *commit_page;    /* behind those of a repository; the SHA follows */
	const char *const *tokens;  /* variables, the first that is set serves; ends with NULL */
	const char *const *headers; /* of each request; ends with NULL */
	const char *job_token;      /* one of tokens that goes into another header; or NULL */
	const char *job_auth;
	const char *note_right, *status_right;
	/* Whether it can be one; the path of a repository below the API, "" none. */
	bool (*check_repository)(const char *repository);
	void (*add_base)(struct buf *b, const char *repository);
	/* Paths behind that of the repository. */
	void (*add_of_commit)(struct buf *b, const char *sha);
	void (*add_open)(struct buf *b);
	void (*add_one)(struct buf *b, int64_t number);
	void (*add_notes)(struct buf *b, int64_t number);
	void (*add_notes_query)(struct buf *b);
	const char *update_method;
	void (*add_note)(struct buf *b, int64_t number, int64_t id);
	void (*add_status)(struct buf *b, const char *sha);
	/* What the answers hold: 0, or -1 with err set. */
	int (*read_change)(const struct jv *v, struct change *ret, struct err *err);
	int (*read_note)(const struct jv *v, struct note *ret, struct err *err);
	const char *login_key;            /* in what /user answers */
	const char *(*state)(int status); /* of a commit, in its words; status: 0, 1 or 3 */
	const char *context_key;          /* what it calls the status's name */
	int description_max;              /* characters */
	bool bots_are_marked;             /* note.bot can be relied on */
};

extern const struct forge_kind *const forge_kinds[]; /* ends with NULL */
const struct forge_kind *forge_kind_find(const char *name);

struct forge_options {
	const char *forge, *api, *repository; /* NULL: as the CI system or the remote tells */
	int64_t timeout_s;
};

/*
 * Finds out where, and takes the token from the environment. Returns 1, 0 where there is no token
 * (err says which variables would serve), -1 with err set (ERR_USAGE: it is not clear where).
 */
int forge_open(struct forge **ret, const struct forge_options *o, struct err *err);
void forge_close(struct forge *f); /* NULL is fine */

const struct forge_kind *forge_kind_of(const struct forge *f);
const char *forge_repository(const struct forge *f);

/* A call, repeated where it may be. *ret (may be NULL) is the answer's JSON. Returns 0, or -1 with
 * err set; then forge_status() is that of the answer, 0 where there was none. */
int forge_call(struct forge *f, const struct forge_ask *q, struct jv **ret, struct err *err);
int forge_status(const struct forge *f);
bool forge_unsure(const struct forge *f); /* the call that failed may have been carried out */

/* Each element of a list, page by page. visit returns 0, 1 (enough), -1; so does this. */
typedef int forge_visit(void *ctx, const struct jv *v, struct err *err);
int forge_each(struct forge *f, const char *path, forge_visit *visit, void *ctx, struct err *err);

/* "https://github.com/OWNER/NAME/commit/{sha}": pages of commits, as the remote 'origin' tells; the
 * caller frees. NULL where it is none of the public forges. */
char *forge_commit_url(void);

/* ---- change requests ---- */

enum forge_found { FORGE_FOUND, FORGE_NONE, FORGE_MOVED, FORGE_CLOSED };

/* The open change request whose head is sha; number 0: whichever. FORGE_MOVED: there is one, and it
 * has another head by now. Returns 0, or -1 with err set. */
int forge_find(struct forge *f, const char *sha, int64_t number, struct change *ret,
	enum forge_found *ret_found, struct err *err);

enum forge_wrote { FORGE_CREATED, FORGE_UPDATED, FORGE_UNCHANGED };

/* Writes the comment that begins with marker: body begins with it. Returns 0, or -1 with err set.
 */
int forge_comment(struct forge *f, const struct change *c, const char *marker, const char *body,
	enum forge_wrote *ret, struct err *err);

int forge_set_status(struct forge *f, const char *sha, int status, const char *context,
	const char *description, struct err *err);

#endif
