/*
 * share: what pushing to and fetching from a depot have in common.
 */
#ifndef SHARE_H
#define SHARE_H

#include "context.h"
#include "depot.h"

#define OPT_FORCE_SHARE(type)                                                                      \
	{                                                                                          \
		"force", 0, OPT_FLAG, offsetof(type, force), NULL,                                 \
			"even if it holds another repository"                                      \
	}

/* The remote's depot, for the repository around the current folder; NULL with err set. */
struct depot *share_open(const struct context *c, const char *remote, struct err *err);

/* Refuses what was measured in another repository, unless force. *ret is this one's first commit,
 * "" unknown. The store is open. */
int share_check_root(
	const struct context *c, const struct depot *d, bool force, char ret[65], struct err *err);

/* Tries until attempt() is not 0, which says that somebody else pushed, with a pause at random
 * between. -1 after the last one, too. *attempts: how many it took. */
int share_try(struct depot *d, int (*attempt)(void *ctx, struct err *err), void *ctx, int *attempts,
	struct err *err);

/* Replaces all exports on the branch that can be read by one. Returns how many, 0 when there is at
 * most one, -1. complain() gets those that stay as they are. */
int share_compact(struct context *c, struct depot *d, struct err *err);

#endif
