/*
 * collected: what the runs of a job measured, in one batch: the documents that the command wrote,
 * or what it took itself where no run wrote one.
 *
 * A run of the batch starts when the command did, whatever its document says: that tells runs apart
 * that measured the same.
 */
#ifndef COLLECTED_H
#define COLLECTED_H

#include "batch.h"
#include "measuring.h"

/* Where a run of the batch is from. */
struct origin {
	size_t tree, pair; /* the pair counts from 1 */
	char *name;        /* for messages: "HEAD~1, run 3: parse.json" */
};

struct collected {
	struct batch *b;
	struct origin *origins;
	size_t n, cap;
};

/* The complete pairs. name: the benchmark's, where a document has none; NULL: none is given.
 * command: the same where the command is measured itself. 0, or -1 with err set. */
int collect(struct collected *ret, const struct measuring *m, const char *name, const char *command,
	struct err *err);
void collected_release(struct collected *c);

#endif
