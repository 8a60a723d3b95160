/*
 * measuring: runs a command in the work trees of one or two revisions, in turns.
 *
 * Two revisions run in pairs, in blocks of two: base head head base, then head base base head, so
 * that neither the order nor a steady drift of the machine favours one. All that is made for it
 * lies in one temporary folder.
 */
#ifndef MEASURING_H
#define MEASURING_H

#include "git.h"
#include "launch.h"

struct measured_run {
	char *documents; /* the folder that was PERFGATE_OUT */
	struct launched launched;
};

struct tree {
	const char *rev; /* as it was named */
	bool here;       /* the work tree as it is */
	struct git_commit commit;
	char *dir;
	bool added; /* a temporary one, to be removed */
	struct measured_run *runs;
	size_t n;
};

/* The caller fills what stands before folder, and the rev, here, commit and (here) dir of trees. */
struct measuring {
	char *const *command; /* NULL at its end */
	const char *setup;    /* a line for sh; NULL: none */
	size_t pairs;
	int64_t timeout;         /* ns */
	const struct cpus *cpus; /* that the command is bound to; NULL: none */
	bool keep;               /* the temporary folder stays */
	struct tree trees[2];
	size_t n_trees;

	char *folder;
	struct stop stop;
	size_t complete; /* pairs of which each tree has its run */
};

/* The temporary folder, work trees in it, and the set-up in each. 0, or -1 with err set
 * (ERR_CANCELLED after a signal). */
int measuring_prepare(struct measuring *m, struct err *err);
/* All pairs, or as many as there were when -1 came with err set. */
int measuring_run(struct measuring *m, struct err *err);
/* Takes away what measuring_prepare() made, however far it came. */
void measuring_release(struct measuring *m);

#endif
