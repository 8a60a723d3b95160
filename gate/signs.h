/*
 * signs: what the noisy series say together that none of them says alone. Both are remarks; neither
 * changes a verdict.
 */
#ifndef SIGNS_H
#define SIGNS_H

#include "verdict.h"

/*
 * Appends one line each ("\n" at its end):
 *
 * - for a runner on which at least 10 noisy series moved, four of five of them in one direction by
 *   at least 1 % in the middle, which chance (a sign test at .001) does not do: common shift;
 * - where at least 8 noisy series were flagged and worse against better is lopsided beyond chance
 * (a two-sided sign test at .01).
 */
void signs_remarks(const struct judged *j, size_t n, struct buf *ret);

#endif
