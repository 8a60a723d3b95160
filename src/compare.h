/*
 * compare: pairs what HEAD measured with what its base measured, ready to be judged (DESIGN
 * section 5, rules 1, 2 and 6).
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "baseline.h"
#include "measured.h"
#include "verdict.h"

struct comparison {
	struct context *c; /* its policy decides what may be compared across runners */
	struct names names;
	struct measurements head;
	char head_label[80];
	bool any_runner; /* documents given side by side: the user said to compare them */
	const struct narrowing *narrowing;

	/* results */
	struct pair *pairs;
	size_t n, cap;
	char **notes;
	size_t n_notes, cap_notes;
	const char **machine; /* lines on the machine, owned */
	size_t n_machine, cap_machine;
	bool measured;     /* after comparison_end(): HEAD has runs, and others than probes of its
			      machine, unless those are what is asked for or all that there ever is */
	char base_sha[65]; /* the nearest commit that measured anything that HEAD did; "" none */
	char base_subject[120];
	int base_distance;
	bool base_guess;

	/* inner */
	struct want *wants;
	size_t n_wants, open;
	struct base_set *bases;
	size_t n_bases, cap_bases;
	struct id_map *ids;
	void **owned; /* strings and sides of the pairs */
	size_t n_owned, cap_owned;
	const char *asked_suite; /* the last one that was looked for at other commits, */
	bool asked_elsewhere;    /* and whether they have it */
	bool line_cut;           /* the base's line is not known as far as it was measured */
	struct pasts *pasts;     /* of the pairs; see past.h */
	struct absent_runner {
		const char *runner, *sha;
		size_t series;
	} * absent_runners; /* of the base, where HEAD ran the suite on another only */
	size_t n_absent_runners, cap_absent_runners;
	size_t n_unasked; /* series of the base that HEAD was not asked for */
	struct measurements reference;
};

void comparison_init(struct comparison *x, struct context *c, const struct narrowing *w);
void comparison_release(struct comparison *x);
/* Keeps a string, or what else malloc() gave, as long as the comparison. Returns it. */
void *comparison_own(struct comparison *x, void *p);
/* A line on the machine; the same again is not another. Takes it over. */
void comparison_take_machine(struct comparison *x, char *line);
void comparison_note(struct comparison *x, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* After x->head is filled: prepares what has to be found. */
int comparison_begin(struct comparison *x, struct err *err);

/* One side that is simply there. Takes over m's content. label: what to call it. */
int comparison_add_base(struct comparison *x, struct measurements *m, const char *label,
	int distance, struct err *err);

/* Says which suites and components such a side was measured in, and head was not. */
void comparison_unmeasured(struct comparison *x, const struct measurements *base, const char *sha);

/* Looks for bases along a walk until everything is found or the walk ends. */
int comparison_walk(struct comparison *x, struct walk *w, struct err *err);

/* Makes the pairs. why_no_base: a clause for series whose suite no base measured. */
int comparison_end(struct comparison *x, const char *why_no_base, struct err *err);

#endif
