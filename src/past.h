/*
 * past: what the series of a comparison were at earlier commits, for the last good level and the
 * session rule (DESIGN 5.5 and 5.7).
 *
 * The line is that of the base: from where the walk for a base starts along first parents, at most
 * PAST_COMMITS commits with runs, PAST_SESSIONS for noisy series; and head's own first parents down
 * to it. Each commit's runs are read once, oldest first, for all series together.
 */
#ifndef PAST_H
#define PAST_H

#include "compare.h"

/* Which pairs are held to the last good level; the session rule is for all noisy ones. PAST_EVER: to
 * that of all that there ever was, which no gate looks at. */
enum past_levels { PAST_NO_LEVELS, PAST_LEVELS, PAST_EVER };

/*
 * After comparison_end(): fills past of the pairs that need it and applies the last good level.
 * head_sha "" for documents. on_line: head is on the base's branch.
 */
int comparison_past(struct comparison *x, const struct baseline *base, const char *head_sha,
	enum past_levels levels, bool on_line, struct err *err);
void pasts_free(struct pasts *p); /* NULL is fine */

#endif
