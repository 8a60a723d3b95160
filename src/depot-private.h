/*
 * depot-private: what the files of the depot share. Nothing else includes it.
 */
#ifndef DEPOT_PRIVATE_H
#define DEPOT_PRIVATE_H

#include "depot.h"
#include "proc.h"
#include "scratch.h"

enum { DEPOT_LOCAL_S = 120, DEPOT_NETWORK_S = 900 };

struct names {
	char (*v)[65];
	size_t n, cap;
};

struct depot {
	char *remote; /* as git takes it */
	bool named;   /* it is a remote's name */
	char *shown;  /* as messages show it */
	char *top;    /* where relative URLs begin */
	struct scratch folder;
	char *git_dir, *marks;
	char *committer; /* NULL not asked yet */
	bool exists;     /* the branch was seen on the remote */
	char **env;      /* owned strings, ends with NULL */
	size_t n_env, cap_env;
	char tip[65], root[65];
	char refused_at[65]; /* the tip on which the last push found no place */
	int refused;         /* how often in a row */
	struct depot_file *files;
	size_t n_files, cap_files, strangers;
	char stranger[80]; /* the first of them */
	struct names held; /* in compacted files, sorted */
	struct proc objects;
	FILE *answers; /* of objects; NULL not started */
	unsigned last_mark;
};

/* The environment without anything that misleads; the settings that hold in the repository around;
 * those of them that the private repository, which is there by then, would not have. */
void depot_plain_env(struct depot *d);
int depot_read_settings(struct depot *d, struct buf *text, bool *sha256, struct err *err);
int depot_pass_settings(struct depot *d, struct buf *text, struct err *err);

/* A text with *** for users, passwords and queries of URLs. The caller frees. */
char *depot_redacted(const char *text);

/* argv begins behind "git". Messages of a git that fails: depot_failed(). */
int depot_git(struct depot *d, const char *const *argv, int timeout_s, struct buf *out,
	struct buf *errors, int *status, struct err *err);
/* The same where all that matters is that it works. */
int depot_ask(struct depot *d, const char *const *argv, const char *doing, struct buf *out,
	struct err *err);
/* Starts one that is fed. */
int depot_start(struct depot *d, struct proc *p, const char *const *argv, struct err *err);
/* What git or the other side says of why. Always -1. */
int depot_failed(struct depot *d, const char *doing, const struct buf *errors, struct err *err);

void depot_forget(struct depot *d); /* what depot_fetch() found */

#endif
