/*
 * past-line: the commits with runs that lead to head, oldest first.
 */
#ifndef PAST_LINE_H
#define PAST_LINE_H

#include "baseline.h"

struct line_commit {
	char sha[65];
	int distance;    /* from head; 0 not known */
	bool own;        /* between the base's line and head */
	char source[65]; /* whose runs these are: its own, or of a commit with the same tree */
	bool again;      /* another commit of the line has the same runs, and their sessions */
	struct store_runs runs;
};

struct line {
	struct line_commit *v;
	size_t n, cap;
	int64_t unseen; /* commits recorded on the base's branch that are not on the line as far as
			   it is known, at a shallow clone's edge */
	size_t recent; /* the newest PAST_COMMITS measured ones begin here, and head's own follow */
};

enum { LINE_WHOLE = INT32_MAX };

/* The runs of at most so many measured commits on the base's line (LINE_WHOLE: all there are,
 * however far away, and the newest PAST_COMMITS are no others than the rest), and some of head's
 * own (only where own). Neighbours with the same runs are one commit, the oldest. head_sha "":
 * documents. */
int line_find(struct line *ret, struct context *c, const struct baseline *base,
	const char *head_sha, int64_t commits, bool own, struct err *err);
void line_release(struct line *l);

#endif
