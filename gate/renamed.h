/*
 * renamed: benchmarks that may only have got another name: one is gone, one is new, and all values
 * that are exact agree.
 */
#ifndef RENAMED_H
#define RENAMED_H

#include "verdict.h"

struct renamed {
	const char *suite, *from, *to; /* the pairs' strings */
	size_t values;                 /* how many agree */
};

/* Pairs of benchmarks, each of which has the same exact values as no other; by suite and name. The
 * caller frees. */
size_t renamed_find(const struct judged *j, size_t n, struct renamed **ret);

#endif
