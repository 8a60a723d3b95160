/*
 * report: writes a gate's or diff's result. One file per format, all from one verdict list. The
 * table is in report.c, whose comment lists the steps of adding one.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "buf.h"
#include "verdict.h"

struct drifts;

struct report_commit {
	const char *sha;        /* NULL: none found, or documents were compared */
	const char *subject;    /* its first line, or NULL */
	const char *tree_state; /* "clean", "dirty" */
	const char *merged;     /* of a merge that the CI system made: the change request's own
				   commit; else NULL */
	const char *label;      /* what the user called it: "HEAD", "old.json", "the work tree" */
};

struct report_base {
	const char *asked; /* what was asked for: "main"; NULL: nothing */
	const char *sha;   /* the nearest commit with a run that served; NULL: none */
	const char *subject;
	int distance;
	const char *why; /* "merge base of main and HEAD, which has runs" ... */
	bool guess;      /* ancestry was unknown */
};

struct report {
	const char *command; /* "gate" or "diff" */
	int exit;            /* the status that the gate gives */
	bool exit_counts;    /* false for a plain diff, which exits 0 whatever it finds */
	bool unmeasured;     /* head has no run, or of probes alone: never passed */
	struct report_commit head;
	struct report_base base;
	const char *policy_name; /* "perfgate.conf" or "built-in rules" */
	const char *const
		*policy_changes; /* what differs from the base's policy, one clause each */
	size_t n_policy_changes;
	struct judge_options options;
	const struct judged *verdicts; /* sorted */
	size_t n;
	size_t counts[VERDICT_COUNT];
	size_t judged; /* verdicts that a comparison stands behind: pass, improved, regressed,
			  suspect, inherited, accepted */
	const char *const
		*machine; /* whether the machine was the same for both sides: a line each */
	size_t n_machine;
	const struct drifts *drifts; /* of its probes (drift.h) */
	size_t n_drifts;
	const char *const *notes; /* things to know: borrowed runs, a guess, what was narrowed */
	size_t n_notes;
	const char *const *next; /* commands to type next */
	size_t n_next;
};

struct report_style {
	int width; /* columns */
	bool colour;
	bool all; /* list pass and info as well */
};

struct report_format {
	const char *name; /* what --report takes */
	const char *summary;
	/* Returns 0, or -1 with err set (ERR_IO). */
	int (*write)(const struct report *r, const struct report_style *style, FILE *out,
		struct err *err);
};

extern const struct report_format *const report_formats[]; /* ends with NULL */
const struct report_format *report_find(const char *name);

/* Fills counts, judged and exit from the verdicts. */
void report_count(struct report *r);

/* What one verdict asks for in r: verdict_status(), and 3 for each suite of a head without a run.
 * In a plain diff too, which then does not heed it. */
int report_status(const struct report *r, const struct judged *j);

/* For the formats: writes what b holds and empties it. Returns 0, or -1 with err set (ERR_IO). */
int report_put(struct buf *b, FILE *out, struct err *err);
int report_end(struct buf *b, FILE *out, struct err *err); /* ... the last of it, and flushes */

#endif
