/*
 * context: what a command works on: the repository around the current folder, the CI system, the
 * store and the policy.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "ci.h"
#include "git.h"
#include "policy.h"
#include "store.h"

struct context {
	struct git *git;  /* NULL: no repository, or */
	bool git_missing; /* no git program */
	struct ci ci;
	char *store_path; /* NULL: none named and no repository */
	bool own_store;   /* it is the default one, in this repository's git folder */
	struct store *store;
	bool lent; /* the store is somebody else's */
	struct policy *policy;
	char *policy_name;      /* "perfgate.conf", "built-in rules" */
	struct buf policy_text; /* the file's; p NULL: there is none */
};

/* store: the --store option or NULL. Opens neither store nor policy. */
int context_init(struct context *c, const char *store, struct err *err);
void context_release(struct context *c);

/* Why there is no HEAD: "no git repository here", for messages. */
const char *context_no_head(const struct context *c);

/* Behind "this repository", where a commit was not found: what a shallow clone needs; else "". */
const char *context_shallow(const struct context *c);

int context_open_store(struct context *c, enum store_mode mode, struct err *err);
/* One that is open already, and stays open. */
void context_lend_store(struct context *c, struct store *s);

/* sha NULL: perfgate.conf of the work tree (of HEAD in a bare repository, of the current folder
 * without one); otherwise that of the commit. No file: the built-in rules. */
int context_load_policy(struct context *c, const char *sha, struct err *err);
/* That of a file, which has to be there. */
int context_load_policy_file(struct context *c, const char *path, struct err *err);

/* Where perfgate.conf is, or would be: at the top of the work tree, in the current folder without a
 * repository. The caller frees; NULL with err set in a bare one. */
char *context_policy_path(const struct context *c, struct err *err);

#endif
