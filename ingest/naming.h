/*
 * naming: what a reader of names that are not perfgate's own asks about them: which series --map
 * makes of one, and how the store calls what it has. Whoever calls the reader answers.
 */
#ifndef NAMING_H
#define NAMING_H

#include "sink.h"

struct mapped {
	const char *suite, *benchmark, *metric;
};

struct naming {
	/* What the first fitting --map makes of a name: 1 and *ret, which lives until the next
	 * call; 0 none fits; -1 with err set. */
	int (*map)(struct naming *n, const char *name, struct mapped *ret, struct err *err);
	/* The only benchmark of a suite in the store whose name ends in ".NAME"; NULL: none or
	 * several. It lives as long as n. */
	const char *(*qualified)(struct naming *n, const char *suite, const char *name);
	/* The only metric of that name in a suite of the store; NULL: none, or several that differ.
	 */
	const struct metric *(*metric)(struct naming *n, const char *suite, const char *name);
};

#endif
