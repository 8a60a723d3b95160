/*
 * depot: the branch perfgate-data of a git remote, on which stores exchange sessions.
 *
 * Git works in a private bare repository beside the store, which lasts as long as the call: the
 * repository around the current folder, its objects, refs, index, work tree and the edge of its
 * history are never touched, and a call that is killed leaves a folder that the next one sweeps
 * away. What the repository's own configuration says of remotes, URLs and credentials holds.
 *
 * The branch holds
 *     perfgate-data              what it is: a version and the repository's first commit
 *     data/AB/ABCD....ndjson     an export of one session, never changed (data-file.h)
 *     names/ABCD....txt          the names of the files that a compacted one took the place of
 * Errors are ERR_GIT, with git's own words.
 */
#ifndef DEPOT_H
#define DEPOT_H

#include <stdio.h>

#include "git.h"

#define DEPOT_BRANCH "perfgate-data"
/* A file of a session that is larger is none: it is not written and not read. */
enum { DEPOT_FILE_MAX = 100 << 20 };

#define DEPOT_REF "refs/heads/" DEPOT_BRANCH

struct depot;

struct depot *depot_open(const struct git *g, const char *remote, struct err *err);
void depot_close(struct depot *d);               /* NULL is fine */
const char *depot_remote(const struct depot *d); /* for messages: no password in it */
const char *depot_folder(const struct depot *d); /* for files of this call */

/* The commit that the branch is at: 1, 0 there is no such branch, -1. */
int depot_look(struct depot *d, char ret[65], struct err *err);

/* Brings the branch, without its history, and lists it. 1, 0 there is no such branch, -1 (something
 * else of that name, too). */
int depot_fetch(struct depot *d, struct err *err);

struct depot_file {
	char name[65]; /* the digest that it is named by */
	char blob[65];
	long long size;
	char *path; /* on the branch */
	bool names; /* not an export, but the names of others */
};

/* What the last depot_fetch() found, by path. */
size_t depot_files(const struct depot *d, const struct depot_file **ret);
/* Files that are none of perfgate's, and the path of one. */
size_t depot_strangers(const struct depot *d, const char **first);
const char *depot_root(const struct depot *d); /* the first commit; "" unknown */
const char *depot_tip(const struct depot *d);  /* the branch's commit; "" none */

/* Whether the branch has a name, as a file or in the place of one. */
bool depot_has(const struct depot *d, const char *name);

/* All of those names, in order. */
size_t depot_names(const struct depot *d, const char (**ret)[65]);

/* Writes a file's content. */
int depot_read(struct depot *d, const struct depot_file *file, FILE *to, struct err *err);

/* A file to write (in full by write(), which is called once) or, without write, to take away. */
struct depot_change {
	char *path;
	int (*write)(void *ctx, FILE *f, struct err *err);
	void *ctx;
	unsigned mark; /* 0 at first */
};

/*
 * Puts a commit with these changes on top of what the last depot_fetch() found and pushes it: 1, 0
 * somebody else was faster (fetch and try again), -1. root: to be noted where the branch names
 * none; NULL unknown.
 */
int depot_push(struct depot *d, struct depot_change *changes, size_t n, const char *root,
	const char *message, struct err *err);

#endif
