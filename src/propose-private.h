/*
 * propose-private: between propose.c, which decides what to write, and propose-rule.c, which does.
 */
#ifndef PROPOSE_PRIVATE_H
#define PROPOSE_PRIVATE_H

#include "intern.h"
#include "propose.h"

/* What is being written. */
struct writing {
	struct buf *b;
	struct intern *names; /* of rules, so that no two are the same */
	size_t n_rules;
	size_t n_left; /* metrics for which there was no room */
};

/* What becomes of a metric. */
enum fate { FATE_RULE, FATE_INFO, FATE_HOLDS, FATE_UNKNOWN };

struct entry {
	const struct noise *x;
	enum fate fate;
	double tolerance; /* with FATE_RULE */
	bool runner;      /* it is about one runner alone */
};

/* n >= 1 entries of one suite, fate and tolerance: comments, and rules where the fate is one. */
void proposal_block(struct writing *w, const struct entry *v, size_t n);

/* A suggestion in comments, for a metric that is exact and wobbles. */
void proposal_wobble(struct writing *w, const struct noise *x);

#endif
