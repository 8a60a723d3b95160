/*
 * baseline: which commit a commit is compared with (DESIGN section 5, rule 1).
 *
 * baseline_find() decides where the walk starts and why; walk_next() then goes along first parents,
 * from git while it has the commits and from the store beyond a shallow clone's edge, and stops at
 * every commit that has clean runs of its own or, lacking those, of a commit with the same tree.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include "context.h"

struct baseline {
	const char *head_name; /* borrowed */
	char *asked;           /* "main", NULL: nothing was asked for */
	char start[65];        /* "": ancestry does not say; see branch */
	char merged[65];       /* HEAD is a merge that the CI system made: of this commit; or "" */
	char *branch;          /* only commits with runs recorded on this branch serve; NULL: any */
	char *guess;  /* the branch whose newest run serves when ancestry is unknown and the walk
		       * finds    nothing; NULL: none */
	bool on_line; /* HEAD is on the base's branch itself, or no base was named */
	char *why;    /* a clause about the start */
	char *remedy; /* a command that makes it surer, or NULL */
};

/*
 * asked: the BASE operand or NULL. head_name: what to call HEAD. Errors: an operand or gate.base
 * that names nothing. head_is_checkout: HEAD is what is checked out, so that the CI system's words
 * hold for it.
 */
int baseline_find(struct context *c, const char *asked, const struct git_commit *head,
	const char *head_name, bool head_is_checkout, struct baseline *ret, struct err *err);
void baseline_release(struct baseline *b);

struct walk {
	struct context *c;
	const struct baseline *base;
	char head[65], next[65];
	bool changed;   /* HEAD's changed work tree is compared, so that HEAD itself may serve */
	int steps, max; /* commits looked at */
	int offset;     /* from HEAD to the start, along first parents; -1: not on that line */
	bool ended, unknown; /* no more commits; because ancestry is not known further */
	bool guess_wanted;   /* set by the caller: a guess would still help */
	bool guessed;
};

struct candidate {
	struct git_commit commit;
	int distance;           /* along first parents from HEAD; 0: not known, or HEAD itself */
	struct store_runs runs; /* clean ones */
	char borrowed[65];      /* the commit with the same tree whose runs these are, or "" */
	bool guess;
};

/* head_sha "": documents, which have no line of parents. */
int walk_start(struct walk *w, struct context *c, const struct baseline *base, const char *head_sha,
	int max, bool changed, struct err *err);
int walk_next(struct walk *w, struct candidate *ret, struct err *err); /* 1, 0 no more, -1 */
void candidate_release(struct candidate *c);

/* The clean runs of a commit, or those of one with the same tree but for but_sha (NULL none). */
int runs_of(struct context *c, const struct git_commit *commit, const char *but_sha,
	struct store_runs *ret, char borrowed[65], struct err *err);

#endif
