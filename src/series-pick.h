/*
 * series-pick: the series that a person means with one text: SUITE:BENCHMARK:METRIC as it is, else
 * a pattern (PCRE2, unanchored) on that. Variants and runners of a metric are one series here.
 */
#ifndef SERIES_PICK_H
#define SERIES_PICK_H

#include "buf.h"
#include "pattern.h"

struct picked {
	char *suite, *benchmark, *metric;
	char *name; /* joined by ':' */
};

struct series_pick {
	const char *text;
	struct pattern *pattern; /* NULL: the text is none; only an exact name can be meant */
	struct err bad;          /* why it is none */
	struct picked *v;        /* those meant so far, each once; a few of many */
	size_t n, cap;
	bool exact; /* v has the one that is called exactly so */
};

void series_pick_init(struct series_pick *p, const char *text);
void series_pick_release(struct series_pick *p);

/* Considers one series. 0, or -1 with err set (a match limit). */
int series_pick_add(struct series_pick *p, const char *suite, const char *benchmark,
	const char *metric, struct err *err);
/* What was meant, after all were considered; NULL: none. Several, or a text that is no pattern:
 * NULL with err set (ERR_USAGE), in which the first are named. */
const struct picked *series_pick_one(const struct series_pick *p, struct err *err);

#endif
