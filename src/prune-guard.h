/*
 * prune-guard: what no pruning may take: whatever the gates of HEAD, of all branches and of the
 * newest commits of the base branch take anything from, by watching them at work; and what somebody
 * pinned.
 */
#ifndef PRUNE_GUARD_H
#define PRUNE_GUARD_H

#include "context.h"
#include "pruning.h"

struct prune_guard {
	struct context *c;    /* borrowed; its store is open, its policy loaded */
	const char *store;    /* as it was named, or NULL; borrowed */
	unsigned char *stays; /* bits of enum prune_stay, by the number of the run */
	size_t n_stays;
	struct intern *judged;   /* commits */
	struct intern *branches; /* names of those that there are, here or at a remote */
	struct judged_head {
		char sha[65];    /* "": HEAD as it is checked out */
		char digest[65]; /* of its report */
	} heads[2]; /* HEAD and the base branch's: judged again once the runs are gone */
	size_t n_heads;
	struct store_runs all; /* of the store */
};

/* Reads the store as it is now. Errors: no repository, a shallow one, a gate of HEAD that cannot be
 * judged. */
int prune_guard_init(struct prune_guard *g, struct context *c, const char *store, struct err *err);
void prune_guard_release(struct prune_guard *g);

/* Whether a branch that runs were recorded on is there. */
bool prune_guard_branch(const struct prune_guard *g, const char *name);

/* Whether HEAD and the base branch's newest commit are judged as before. */
int prune_guard_verify(struct prune_guard *g, struct err *err);

#endif
