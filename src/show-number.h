/*
 * show-number: a reading as clpeak shows it: 205 GFLOPS, 6.89 us.
 */
#ifndef SHOW_NUMBER_H
#define SHOW_NUMBER_H

#include "buf.h"

/* unit: a word of a back end's (probes/words.h). */
void show_number(struct buf *b, double value, const char *unit);

#endif
