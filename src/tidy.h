/*
 * tidy: which [accept] sections of a perfgate.conf have done their work.
 */
#ifndef TIDY_H
#define TIDY_H

#include "accepts.h"
#include "gating.h"

/*
 * Marks the sections that can go: those that the base meets already, and those for series that the
 * store does not have at all. g has judged. Says on standard error why some stay that look as if
 * they could go. All sections have names. Returns how many, or -1.
 */
int tidy_mark(struct accepts *a, struct gating *g, struct err *err);

/* Prints what was dropped; pathspec for git, NULL: what would be. */
void tidy_report(const struct accepts *a, const char *pathspec);

#endif
