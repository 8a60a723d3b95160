/*
 * collected: what the runs of one work tree measured, as batches in the order of the runs: the
 * documents that the command wrote, or what it took itself where it wrote none.
 */
#ifndef COLLECTED_H
#define COLLECTED_H

#include "batch.h"
#include "measuring.h"

struct collected {
	struct batch **v;
	char **names; /* for messages: "HEAD~1, run 3: parse.json" */
	size_t n, cap, cap_names;
};

/* The first n runs. name: the benchmark's, where the command is measured itself or a document has
 * none; NULL: the command's base name. 0, or -1 with err set. */
int collect(struct collected *ret, const struct tree *t, size_t n, const char *command,
	const char *name, struct err *err);
void collected_release(struct collected *c);

#endif
