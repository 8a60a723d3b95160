/*
 * measuring: runs commands in the work trees of one or more revisions, in turns.
 *
 * Two revisions run in pairs, in blocks of two: base head head base, then head base base head, so
 * that neither the order nor a steady drift of the machine favours one. Of more each round has one
 * run, and every other of these turns goes through them from behind. All that is made for it lies
 * in one temporary folder.
 */
#ifndef MEASURING_H
#define MEASURING_H

#include "git.h"
#include "launch.h"

enum { TREES_MAX = 8 };

struct measured_run {
	char *documents; /* the folder that was PERFGATE_OUT */
	struct launched launched;
};

struct tree {
	const char *rev; /* as it was named */
	bool here;       /* the work tree as it is */
	struct git_commit commit;
	char *dir;
	bool added;                /* a temporary one, to be removed */
	struct measured_run *runs; /* of the present job */
	size_t n;
};

/* What is run, how, and how often. */
struct job {
	const char *name;      /* for messages; NULL: there is only one */
	const char *benchmark; /* the name of what it measures itself; NULL: the command's */
	char *const *command;  /* NULL at its end */
	const char *setup;     /* a line for sh; NULL: none */
	size_t pairs;
	int64_t timeout;         /* ns */
	const struct cpus *cpus; /* that the command is bound to; NULL: none */
};

/* The caller fills what stands before folder, and the rev, here, commit and (here) dir of trees. */
struct measuring {
	const struct git *git;
	bool keep; /* the temporary folder stays */
	struct tree trees[TREES_MAX];
	size_t n_trees;

	char *folder;
	int lock;
	struct stop stop;
	const struct job *job; /* the present one */
	size_t jobs;           /* how many were begun */
	const char *set_up;    /* the line that ran last in the trees; NULL: none did */
	size_t complete;       /* pairs of the job of which each tree has its run */
};

/* The temporary folder and work trees in it. 0, or -1 with err set (ERR_CANCELLED after a signal).
 */
int measuring_prepare(struct measuring *m, struct err *err);
/* The job's set-up, unless the same was the last one. What the job before measured is forgotten. */
int measuring_begin(struct measuring *m, const struct job *job, struct err *err);
/* The pairs of the job that was begun, or as many as there were when -1 came with err set. */
int measuring_run(struct measuring *m, struct err *err);
/* Takes away what measuring_prepare() made, however far it came. */
void measuring_release(struct measuring *m);

#endif
