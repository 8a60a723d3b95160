/*
 * verdict: judges pairs of series. Arrays in, verdicts out.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "policy.h"
#include "series.h"

/* The closed list of DESIGN section 5, and those of it that this version can give. */
enum verdict {
	VERDICT_REGRESSED,
	VERDICT_LOST,
	VERDICT_MISSING,
	VERDICT_NOT_MEASURED,
	VERDICT_INCOMPARABLE,
	VERDICT_NO_BASE,
	VERDICT_IMPROVED,
	VERDICT_NEW,
	VERDICT_PASS,
	VERDICT_INFO,
	VERDICT_COUNT
};

const char *verdict_name(enum verdict v); /* "regressed", "not-measured", ... */

/* Why a head series has no base, found out by whoever looked for one. */
enum gap { GAP_NONE, GAP_NEW, GAP_NO_BASE, GAP_INCOMPARABLE };

struct pair {
	struct series_key key;
	struct side head, base;
	enum gap gap;           /* only where head has the series and base has not */
	const char *gap_reason; /* one clause for a person; NULL with GAP_NONE */
	bool not_measured;      /* the whole suite: benchmark and metric are "" */
	bool expected;          /* with not_measured: gate.expect lists the suite */
};

struct judged {
	const struct pair *pair;
	struct decision decision;
	enum verdict verdict;
	bool unstable; /* samples of one side spread by more than the tolerance */
	bool has_change;
	double change; /* (head - base) / |base|, signed as measured; only with has_change */
	double head_median, base_median;       /* where n > 0 */
	struct decimal head_exact, base_exact; /* the same, exactly */
	struct decimal tolerance; /* that applied: the decision's, or its cross_tolerance */
	const char *why;          /* a clause, borrowed; NULL: judged_reason() composes it */
};

struct judge_options {
	bool strict;    /* advisory regressions gate too */
	bool first_run; /* an empty history is permitted: no-base does not gate */
	bool require;   /* series that cannot be judged gate */
};

/* Judges one pair by the policy. Returns 0, or -1 with err set (a pattern's match limit). */
int judge_pair(struct policy *p, const struct pair *pair, const struct judge_options *opts,
	struct judged *ret, struct err *err);

/* Appends why, one clause for a person. Composed when it is asked for: most series pass, and nobody
 * reads why. */
void judged_reason(const struct judged *j, struct buf *out);

/* What one verdict asks for: 0, 1 or 3 (DESIGN section 5's table). */
int verdict_status(const struct judged *j, const struct judge_options *opts);

/* The exit status of all of them: 1 before 3 before 0. */
int verdicts_status(const struct judged *j, size_t n, const struct judge_options *opts);

/* Worst first: gating ones, then the order of enum verdict, then hard before advisory, then by
 * relative change, then suite, benchmark, metric, variant, runner. A total order. */
void verdicts_sort(struct judged *j, size_t n, const struct judge_options *opts);

#endif
