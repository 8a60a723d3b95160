/*
 * head: the commit that is judged, and what the store has of it: its clean runs, or the present
 * work tree's when they are asked for or there is nothing else.
 */
#ifndef HEAD_H
#define HEAD_H

#include "compare.h"

struct head_side {
	struct git_commit commit;
	bool checkout;       /* the commit is what is checked out */
	char tree_state[80]; /* of the runs used */
	bool any;            /* there are runs */
};

enum head_choice { HEAD_COMMIT_FIRST, HEAD_WORK_TREE };

/* Which commit is judged. rev NULL: what is checked out (or what the CI system says is). */
int head_resolve(struct context *c, const char *rev, struct head_side *ret, struct err *err);
/* Its runs, into x->head, after head_resolve(). */
int head_load(struct comparison *x, enum head_choice choice, struct head_side *h, struct err *err);
/* Both. */
int head_find(struct comparison *x, const char *rev, enum head_choice choice, struct head_side *ret,
	struct err *err);

#endif
