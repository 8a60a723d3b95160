/*
 * depot-private: what the files of the depot share. Nothing else includes it.
 */
#ifndef DEPOT_PRIVATE_H
#define DEPOT_PRIVATE_H

#include "depot.h"
#include "proc.h"

enum { DEPOT_LOCAL_S = 120, DEPOT_NETWORK_S = 900 };

struct names {
	char (*v)[65];
	size_t n, cap;
};

struct depot {
	char *remote; /* as git takes it */
	char *shown;  /* as messages show it */
	char *secret; /* what they do not; NULL none */
	char *top;    /* where relative URLs begin */
	char *folder, *git_dir, *marks;
	char *committer; /* NULL not asked yet */
	bool exists;     /* the branch was seen on the remote */
	int lock;
	char **env; /* owned strings, ends with NULL */
	size_t n_env, cap_env;
	char tip[65], root[65];
	struct depot_file *files;
	size_t n_files, cap_files, strangers;
	struct names held; /* in compacted files, sorted */
	struct proc objects;
	FILE *answers; /* of objects; NULL not started */
	unsigned last_mark;
};

/* argv begins behind "git". Messages of a git that fails: depot_failed(). */
int depot_git(struct depot *d, const char *const *argv, int timeout_s, struct buf *out,
	struct buf *errors, int *status, struct err *err);
/* Starts one that is fed. */
int depot_start(struct depot *d, struct proc *p, const char *const *argv, struct err *err);
/* The line in which git says why. Always -1. */
int depot_failed(struct depot *d, const char *doing, const struct buf *errors, struct err *err);

void depot_forget(struct depot *d); /* what depot_fetch() found */

#endif
