/*
 * clpeak-write: a record as a clpeak result (clpeak/run, format 3), key by key as clpeak writes it:
 * in its order, two blanks a step, what is not known left out, numbers with seven digits, a message
 * of the log a line. A metric has two keys more, behind clpeak's, that other readers pass over:
 * repeats, the numbers of its batches in their order, and spread, from the lowest to the highest as
 * a share of the value, which is their median.
 */
#ifndef CLPEAK_WRITE_H
#define CLPEAK_WRITE_H

#include "record.h"

void clpeak_write(struct buf *out, const struct record *r);

/* The file beside the document for as long as that is not written: its first line, and one for each
 * message. With the newline. */
void clpeak_write_log_head(struct buf *out, const struct record *r);
void clpeak_write_log_entry(struct buf *out, const struct log_entry *e);

#endif
