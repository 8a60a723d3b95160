/*
 * propose: a starting perfgate.conf as text, from what is known of a store. Pure. Names stand in
 * comments and patterns only, where they are one line whatever they hold.
 */
#ifndef PROPOSE_H
#define PROPOSE_H

#include "noise.h"

struct proposed_suite {
	const char *name;
	size_t commits; /* of the newest that were measured, how many with this suite */
};

struct proposal {
	const char *base; /* NULL: not known */
	const struct proposed_suite *suites;
	size_t n_suites, commits;
	const struct noise *noises; /* sorted */
	size_t n_noises;
};

/* Less than 1 MiB, however much is known: the last metrics are counted then. *n_rules: how many
 * [rule] sections hold; those in comments do not. */
void propose_conf(struct buf *ret, const struct proposal *p, size_t *n_rules);

/* Whether a branch may stand behind `base =`. */
bool proposal_base_usable(const char *branch);

#endif
