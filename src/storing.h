/*
 * storing: from a batch that has its place to the store, with the commits that the store needs to
 * answer for ancestry.
 */
#ifndef STORING_H
#define STORING_H

#include "place.h"

/* What holds for all batches of one call; the caller fills the first three. */
struct storing {
	struct context *c;
	struct place *place;
	bool force; /* runs of another repository are welcome */
	bool root_asked, have_root;
	char root[65];
};

/* Stores all of a batch in one transaction; placings and ret for each of its runs. */
int storing_add(struct storing *g, struct batch *b, const struct placing *placings,
	enum placed *ret, struct err *err);

#endif
