/*
 * gating: a whole gate up to its verdicts, for the commands that report or act on them.
 */
#ifndef GATING_H
#define GATING_H

#include "head.h"
#include "judge.h"

enum { GATING_NEXT_MAX = 8 };

struct gating {
	struct context c;
	struct narrowing narrowing;
	struct comparison x;
	struct baseline base;
	struct head_side head;
	struct report r; /* complete, with the verdicts sorted */
	const char *next[GATING_NEXT_MAX];
	char **policy_changes;
	size_t n_policy_changes;
};

/*
 * asked: BASE or NULL; rev: HEAD or NULL. The repository around the current folder, its policy, the
 * store to read. Release whatever comes back.
 */
int gating_judge(struct gating *g, const char *store, const char *asked, const char *rev,
	const struct judge_settings *s, struct err *err);
void gating_release(struct gating *g);

#endif
