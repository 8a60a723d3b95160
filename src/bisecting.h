/*
 * bisecting: git bisect over commits of this repository, in a private repository that borrows its
 * objects. HEAD, refs, index and work tree, and a bisect that is under way in them, stay as they
 * are, however this one ends.
 */
#ifndef BISECTING_H
#define BISECTING_H

#include "git.h"

struct shas {
	char (*v)[65];
	size_t n, cap;
};

void shas_add(struct shas *s, const char *sha);
bool shas_have(const struct shas *s, const char *sha);
void shas_release(struct shas *s);

struct bisecting;

/* folder: one of the caller's, that lives longer; sha: any of the commits. first_parent: merged
 * branches are one step each. ERR_GIT, ERR_IO. */
int bisecting_open(struct bisecting **ret, const struct git *g, const char *folder, const char *sha,
	bool first_parent, struct err *err);
void bisecting_close(struct bisecting *b); /* NULL is fine */

/* Appends the commits that lead to bad and to none of the good ones, the newest first. */
int bisecting_range(struct bisecting *b, const char *bad, const struct shas *good, struct shas *ret,
	struct err *err);

/* Appends when a commit was written, by its author's clock: "2026-01-31". */
int bisecting_date(struct bisecting *b, const char *sha, struct buf *ret, struct err *err);

enum bisect_say { BISECT_GOOD, BISECT_BAD, BISECT_SKIP };

/*
 * Runs git bisect between a bad commit and an ancestor of it that is good. say is called for each
 * commit that git asks about, with how many more git expects (-1 not known); -1 with err set ends
 * it all. What is left then is bisecting_range() of what was said.
 */
int bisecting_run(struct bisecting *b, const char *bad, const char *good,
	int (*say)(void *ctx, const char *sha, int more, enum bisect_say *ret, struct err *err),
	void *ctx, struct err *err);

/* git's own account of it. */
int bisecting_log(struct bisecting *b, struct buf *ret, struct err *err);

#endif
