/*
 * worktree: temporary work trees of commits, made and taken away by git without leaving a trace in
 * the repository: no branch, no hook, nothing in its configuration. They lie in a folder of
 * perfgate's own, FOLDER/tree-..., and FOLDER/lock is held as long as they are in use.
 */
#ifndef WORKTREE_H
#define WORKTREE_H

#include "git.h"
#include "launch.h"

#define WORKTREE_FOLDER "perfgate-measure." /* and what mkdtemp() makes of six X */

/* Makes the lock in a folder; the descriptor, or -1 with err set. */
int worktree_lock(const char *folder, struct err *err);
/* From now on the folder is nobody's to sweep up. */
void worktree_unlock(const char *folder, int lock);

/* What worktrees need: the repository, how they are stopped, and a file for what git says. */
struct worktrees {
	const struct git *git;
	struct stop *stop;
	const char *output;
};

/* A new work tree of a commit, detached, sparse where the one around is, with the submodules that
 * are initialised there. Takes as long as it takes. 0, or -1 with err set (ERR_CANCELLED: stopped).
 */
int worktree_add(const struct worktrees *w, const char *path, const char *sha, struct err *err);
/* Its end, changed, locked or gone already. */
int worktree_remove(const struct worktrees *w, const char *path, struct err *err);

/* Takes away those whose process died, with their folders. */
void worktree_sweep(const struct worktrees *w);

#endif
