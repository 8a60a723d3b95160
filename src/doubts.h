/*
 * doubts: what makes the numbers of a session doubtful, as far as the facts of its runs say: load,
 * time that other guests took, heat, a battery. One line a side, where a noisy series moved.
 *
 * That a machine is virtual, or what governs its clock, is worth a word beside a doubt and none of
 * its own: most machines of CI systems are the one, and most laptops have the other.
 */
#ifndef DOUBTS_H
#define DOUBTS_H

#include "compare.h"

/* After the verdicts are settled; adds lines on the machine. */
int doubts_find(struct comparison *x, const struct judged *judged, size_t n, struct err *err);

#endif
