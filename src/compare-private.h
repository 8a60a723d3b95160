/*
 * compare-private: what compare.c (the bases), bases.c (looking for them) and pairing.c (making
 * pairs) share.
 */
#ifndef COMPARE_PRIVATE_H
#define COMPARE_PRIVATE_H

#include "compare.h"

/* A head series that needs a base, and what was found. */
struct want {
	size_t head;  /* position in x->head.v */
	bool decided; /* across is known; it is asked for when the same runner has nothing */
	enum across across;
	struct measured *base, *fallback;
	size_t base_set, fallback_set;
};

struct base_set {
	struct measurements m;
	char label[80]; /* a SHA or a file's name */
	int distance;
	/* the (suite, component)s for which this is the nearest: what is missing is found here */
	struct coverage *nearest;
	size_t n_nearest;
};

/* Takes over m as a further base. Returns its number. */
size_t comparison_new_base(
	struct comparison *x, struct measurements *m, const char *label, int distance);
/* Compares with it what still lacks a base. */
int comparison_match(struct comparison *x, size_t set, struct err *err);

void id_map_free(struct id_map *map); /* NULL is fine */

/* Whether a base so far is the nearest with runs of this suite and component. */
bool covered_before(const struct comparison *x, const char *suite, const char *component);

bool suite_ran(const struct comparison *x, const char *suite); /* at HEAD */

/* Suites that HEAD did not run have one pair each, without a benchmark. The suite is borrowed. */
bool already_not_measured(const struct comparison *x, const char *suite);
struct pair *pair_not_measured(struct comparison *x, const char *suite);

/* The same series with numbers on another runner; NULL none. */
struct measured *on_other_runner(struct measurements *m, struct measured *like, bool same_arch);

#endif
