/*
 * series: the thing that has a trend and gets a verdict, as the gate sees it. All strings borrowed.
 */
#ifndef SERIES_H
#define SERIES_H

#include "num.h"
#include "sink.h"

struct series_key {
	const char *suite, *benchmark;
	const char *metric, *unit, *quantity;
	enum direction direction; /* the document's; the policy may say otherwise */
	const char *variant;      /* "" when there is none */
	const char *runner;       /* the key */
};

/* By suite, benchmark, metric and variant, and then by runner, unit and quantity: the order of
 * every list. A name that is NULL, as most of a suite that was not measured are, counts as "". */
int series_key_compare(const struct series_key *a, const struct series_key *b);
/* By the first four alone. */
int series_names_compare(const struct series_key *a, const struct series_key *b);

/* What one side of a comparison has of a series. */
struct side {
	const char *sha;     /* NULL: nothing found; for documents given to diff: the file's name */
	int distance;        /* commits back along first parents; 0: not known, or head itself */
	const char *runner;  /* where it was measured, when not the series' own runner; else NULL */
	const char *session; /* whose samples these are; NULL: a document's, or */
	const char *const *pooled; /* those of these sessions together, newest first, ending with
				      NULL; NULL: of one */
	const struct num *values;
	const unsigned char *pairs; /* which pair of runs each value is of, from 1; 0: of none;
				       NULL: all of none */
	size_t n;
	const char *absence; /* "unsupported: no fp64", when a number is lacking on purpose; else
				NULL */
};

#endif
