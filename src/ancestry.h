/*
 * ancestry: commits and how they are related, from git while it has them and from the store beyond
 * a shallow clone's edge or without a repository.
 */
#ifndef ANCESTRY_H
#define ANCESTRY_H

#include "context.h"

/* The commit that a revision names, from git, else from the store by its SHA or the beginning of
 * it. 1, 0 unknown, -1. */
int resolve_commit(struct context *c, const char *rev, struct git_commit *ret, struct err *err);

/* The same where an unknown revision is an error. 0 or -1. */
int require_commit(struct context *c, const char *rev, struct git_commit *ret, struct err *err);

/* The commit of a full SHA. 1 (n_parents -1 where only its name is known), 0 unknown, -1. */
int find_commit(struct context *c, const char *sha, struct git_commit *ret, struct err *err);

/* How many first parents back from one commit another is: 0 itself. -1 when it is not on that line
 * as far as it is known, -2 with err set. */
int steps_back(struct context *c, const char *from, const char *to, struct err *err);

/* The best common ancestor as far as commits are known: 1, 0 none found, -1. */
int known_merge_base(
	struct context *c, const char *a, const char *b, char ret[65], struct err *err);

#endif
