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
	struct git *git; /* NULL: no repository */
	struct ci ci;
	char *store_path; /* NULL: none named and no repository */
	struct store *store;
	struct policy *policy;
	char *policy_name; /* "perfgate.conf", "built-in rules" */
};

/* store: the --store option or NULL. Opens neither store nor policy. */
int context_init(struct context *c, const char *store, struct err *err);
void context_release(struct context *c);

int context_open_store(struct context *c, enum store_mode mode, struct err *err);

/* sha NULL: perfgate.conf of the work tree (or the current folder without a repository); otherwise
 * that of the commit. No file: the built-in rules. */
int context_load_policy(struct context *c, const char *sha, struct err *err);

#endif
