/*
 * pruning: which runs go by their age (perfgate store prune). Arrays in, answers out.
 *
 * A run is old when it is older than so long, or when so many newer commits have its suite,
 * component, runner and branch; branches that are gone count as one. Old runs go, but for those
 * that something stands for (bits of struct pruned.stays, set by the caller); thinned, one commit
 * of each seven days stays, and of what is older than a year one of each 28 days, counted from 1970
 * so that the next call keeps the same ones. Of commits that were measured more than four weeks
 * after they were made one stays for each of these stretches of their own time. What was measured
 * at one commit in one session stays or goes as a whole, and probes of the machine stay with their
 * session.
 */
#ifndef PRUNING_H
#define PRUNING_H

#include "store.h"

enum prune_stay {
	STAYS_GATE = 1,       /* a gate of HEAD or of a branch looks at it */
	STAYS_LEVEL = 2,      /* the last good level of a series */
	STAYS_REFERENCE = 4,  /* the pinned revision of the creep check */
	STAYS_NEWEST = 8,     /* the newest of its suite and runner */
	STAYS_TAG = 16,       /* of a tagged commit */
	STAYS_WORK_TREE = 32, /* of the changed work tree as it is now */
	STAYS_THINNED = 64,   /* the one of its week, or of its four weeks */
	STAYS_SESSION = 128   /* belongs to what stays */
};

struct prune_rule {
	int64_t older_ns; /* than this; 0: by newest */
	int64_t newest;
	bool thin;
	int64_t now;
};

struct pruned {
	const struct store_run *run;
	const char *branch; /* "" gone */
	unsigned stays;     /* bits */
	bool old;           /* to be set, as the rest of the bits */
};

/* "90d", "26w", "2y", or a number of commits. 0, or -1 with err set. */
int prune_rule_parse(const char *keep, struct prune_rule *ret, struct err *err);

/* Fills old, and stays of what is old. Old runs without a bit go. */
void prune_decide(struct pruned *v, size_t n, const struct prune_rule *rule);

static inline bool prune_goes(const struct pruned *p)
{
	return p->old && !p->stays;
}

#endif
