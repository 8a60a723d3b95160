/*
 * git: what the repository says, through the git program: at most four processes a call of perfgate
 * but for work trees (one to find the repository, one that answers all questions about objects, one
 * for a merge base, a line of parents or origin's HEAD, one for the state of the work tree). Names
 * go to git as data on a pipe or after --end-of-options, never through a shell. Errors are ERR_GIT.
 */
#ifndef GIT_H
#define GIT_H

#include <stdint.h>

#include "buf.h"
#include "err.h"

struct git;

enum { GIT_PARENTS_MAX = 64 };

/* What the environment of a hook says of the repository that the hook runs for: to be taken away
 * (proc.h) from a git that works on another. */
#define GIT_HOOK_VARIABLES                                                                         \
	"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_PREFIX",      \
		"GIT_INTERNAL_SUPER_PREFIX", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",             \
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_NAMESPACE",        \
		"GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_ATTR_SOURCE"

struct git_commit {
	char sha[65], tree[65];
	char parents[GIT_PARENTS_MAX][65];
	int n_parents;
	int64_t committed_at; /* ns; 0 unknown, or too far away for ns */
	char subject[120];    /* the first line, cut */
};

/* The repository around the current folder; *ret NULL when there is none, or no git program at all
 * (*missing). Explains "dubious ownership" with the line to type. */
int git_open(struct git **ret, bool *missing, struct err *err);
void git_close(struct git *g); /* NULL is fine */

const char *git_toplevel(const struct git *g); /* NULL in a bare repository */
const char *git_dir(const struct git *g);      /* of this work tree */
const char *git_common_dir(const struct git *g);
const char *git_branch(const struct git *g);   /* as UTF-8; NULL when HEAD is detached */
const char *git_upstream(const struct git *g); /* "origin/main"; NULL when the branch has none */
bool git_shallow(const struct git *g);
/* The branch that origin's HEAD is, as far as the clone knows: 1 and "main" for the caller to free,
 * 0, -1. */
int git_origin_head(char **ret, struct err *err);

/* The commit that a revision names: 1, 0 unknown, -1. */
int git_commit(struct git *g, const char *rev, struct git_commit *ret, struct err *err);

/* A file's text in a commit: 1, 0 no such file, -1 (over 1 MiB too). */
int git_file(struct git *g, const char *sha, const char *path, struct buf *ret, struct err *err);

/* The best common ancestor of two commits: 1, 0 none, -1. */
int git_merge_base(struct git *g, const char *a, const char *b, char ret[65], struct err *err);

/* Whether tracked files differ from HEAD: 1 and a digest of the difference, 0, -1. Files matching
 * one of the globs do not count. */
int git_dirty(struct git *g, const char *const *ignore, size_t n_ignore, char ret_digest[65],
	struct err *err);

/* The names of those files, a line each. 0, or -1. */
int git_differing(struct git *g, const char *const *ignore, size_t n_ignore, struct buf *ret,
	struct err *err);

/* Calls row for a commit and its first parents, from new to old, with when they were committed (as
 * in struct git_commit), as far as the clone has them, until row returns 1. 0, or -1. */
int git_first_parents(struct git *g, const char *sha,
	int (*row)(void *ctx, const char *sha, int64_t committed_at, struct err *err), void *ctx,
	struct err *err);

/* Branches, of remotes too, or tags: each in turn, until row returns -1. name: "main" of
 * refs/heads/main and of refs/remotes/origin/main. */
enum git_refs { GIT_BRANCHES, GIT_TAGS };
int git_heads(struct git *g, enum git_refs which,
	int (*row)(void *ctx, const char *sha, const char *name, struct err *err), void *ctx,
	struct err *err);

/* The first commit on HEAD's first-parent line; 1, 0 unknown (a shallow clone), -1. */
int git_root(struct git *g, char ret[65], struct err *err);

bool git_is_sha(const char *s); /* 40 or 64 lower-case hexadecimal digits */

#endif
