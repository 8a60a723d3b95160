/*
 * policy-said: all that a policy says of one series, for those who print it.
 */
#ifndef POLICY_SAID_H
#define POLICY_SAID_H

#include "policy.h"

struct said_of {
	struct series_key key; /* with its present name */
	const char *stored;    /* the name of its benchmark in the store */
};

struct said {
	const struct said_of *of;
	const struct policy *p;
	struct decision d;
	struct turn accept, waive, retire;
	int has_accept, has_waive, has_retire;
	int renamed_by; /* -1: it was not */
};

int said_ask(struct policy *p, const struct said_of *of, struct said *s, struct err *err);

/* Not every attribute has a rule: some follow from others, or are as the document has them. */
const char *said_by(const struct said *s, enum attribute a);
/* Without a rule there is no creep check; what an exact series is bound by is never asked. */
bool said_is_set(const struct said *s, enum attribute a);
/* A word, or NULL where the attribute is a number. */
const char *said_word(const struct said *s, enum attribute a);
struct decimal said_number(const struct said *s, enum attribute a);

#endif
