/*
 * explain: what there is to say of a verdict, for a person: what was found, how sure that is, what
 * it would take, and which section of the policy says otherwise. Names and reasons are as they
 * came: whoever prints them escapes them.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "verdict.h"

enum { SHA_SHOWN = 7 }; /* bytes of a commit's name in a text */

/* Parts of a proof that may stand elsewhere, such as in a column. */
enum explain_part {
	EXPLAIN_INTERVAL = 1,
	EXPLAIN_EVIDENCE = 2,
	EXPLAIN_SAMPLES = 4,
	EXPLAIN_ALLOWED = 8,
	EXPLAIN_DETECTABLE = 16,
	EXPLAIN_ALL = 31
};

/* Appends all of it, without the parts of a proof that are left out. */
void explain(struct buf *b, const struct judged *j, unsigned leave_out);

/* "-0.9..+1.6 %"; nothing without a proof or where there is no relative change. */
void explain_interval(struct buf *b, const struct judged *j);
/* "p .004", "7 of 20 sessions", "25 sessions"; nothing without a proof. */
void explain_evidence(struct buf *b, const struct judged *j);
/* "2.9 %", or "none" when no change would be seen; nothing without a proof, or where there is no
 * relative change. */
void explain_detectable(struct buf *b, const struct judged *j);

/* "2 %", "2 %, 1": the tolerance, and the floor where there is one. */
void explain_allowed(struct buf *b, const struct judged *j);

#endif
