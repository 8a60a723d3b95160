/*
 * place: where a run belongs: commit, state of the tree, branch, runner, session. Options come
 * first. Then, for the commit: the document, an environment recorded by `perfgate env`, HEAD; for
 * runner and session: that environment, the document, this machine.
 */
#ifndef PLACE_H
#define PLACE_H

#include "context.h"
#include "store.h"

struct place_options {
	const char *commit, *runner, *session, *branch, *env; /* or NULL */
	bool clean, dirty;
};

/* Options of whoever says where a run belongs; the struct has a `place` of them. */
#define OPT_SESSION_BRANCH(type)                                                                   \
	{"session", 0, OPT_STRING, offsetof(type, place.session), "NAME",                          \
		"the stay on one machine (default: the CI job, else boot and login)"},             \
	{                                                                                          \
		"branch", 0, OPT_STRING, offsetof(type, place.branch), "NAME",                     \
			"the branch to record (default: the one checked out)"                      \
	}
#define OPT_TREE_STATE(type)                                                                       \
	{"clean", 0, OPT_FLAG, offsetof(type, place.clean), NULL,                                  \
		"record the work tree as clean whatever git says"},                                \
	{                                                                                          \
		"dirty", 0, OPT_FLAG, offsetof(type, place.dirty), NULL, "record it as changed"    \
	}

/* What holds for all runs of one call. */
struct place {
	struct context *c;
	const struct place_options *opts;
	struct jv *env; /* of --env, or NULL */
	char *this_runner, *this_session, *this_facts;
	bool have_head;
	struct git_commit head; /* HEAD or what --env or the CI system says is checked out */
	int dirty;              /* -1 not asked yet */
	bool lineage_looked_at; /* the first-parent line of a commit, to its end */
	char tree_state[80];
	const char *more_facts; /* members of a JSON object, of runs on this machine; NULL: none */
	size_t pair;            /* of perfgate measure, that the next runs are of; 0: of none */
	const char *remarked;   /* the document whose commit was remarked on: once is enough */
	void (*note)(const char *fmt, ...) PRINTF_LIKE(1, 2);
	char **owned;
	size_t n_owned, cap_owned;
};

int place_init(
	struct place *p, struct context *c, const struct place_options *opts, struct err *err);
void place_release(struct place *p);

/* Fills a placing for a run; strings live until place_release(). name: the document's, for notes.
 */
int place_run(struct place *p, const struct batch_run *run, const char *name, struct placing *ret,
	struct err *err);

/* The work tree's state: "clean", or "dirty:" and a digest. Asks git once. */
int place_tree_state(struct place *p, const char **ret, struct err *err);

/*
 * Facts of a commit and of its first parents up to one that the store knows, so that the store can
 * answer for ancestry where git cannot. Appends to commits; *known: the store had one of them.
 */
struct commit_list {
	struct commit_fact *v;
	size_t n, cap;
	struct intern *seen; /* SHAs that were visited: once is enough */
};
void commit_list_release(struct commit_list *list);
int place_lineage(
	struct place *p, const char *sha, struct commit_list *ret, bool *known, struct err *err);

#endif
