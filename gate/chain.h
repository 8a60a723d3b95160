/*
 * chain: the last good level of noisy series that are compared sample by sample (DESIGN 5.7).
 * Levels of different sessions cannot be compared, but each commit was with the one before it: what
 * got worse on the way and was not made good is carried along.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "verdict.h"

/*
 * For a family (series that are tested together), after its verdicts were given. A link counts
 * where its p is a hit among those of the family at that commit and the change is beyond the
 * tolerance. Where the base is worse than its last good level, and head did not make that good:
 * regressed on the base's branch, elsewhere inherited unless it is regressed itself.
 */
void chain_hold(struct judged **j, size_t n, bool on_line);

#endif
