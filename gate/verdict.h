/*
 * verdict: judges pairs of series. Arrays in, verdicts out.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "evidence.h"
#include "history.h"
#include "policy.h"
#include "series.h"

/* The closed list of DESIGN section 5, worst first. */
enum verdict {
	VERDICT_REGRESSED,
	VERDICT_LOST,
	VERDICT_MISSING,
	VERDICT_NOT_MEASURED,
	VERDICT_INCOMPARABLE,
	VERDICT_NO_BASE,
	VERDICT_INCONCLUSIVE,
	VERDICT_SUSPECT,
	VERDICT_INHERITED,
	VERDICT_ACCEPTED,
	VERDICT_WAIVED,
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
	enum gap gap;            /* only where head has the series and base has not */
	const char *gap_reason;  /* one clause for a person; NULL with GAP_NONE */
	bool elsewhere;          /* with GAP_NO_BASE: some other commit has its suite */
	bool one_session;        /* the samples of both sides share their weather */
	const struct past *past; /* the series on the base's line of commits; NULL: not looked up */
	struct side good; /* the last good level where the base is worse than it; n 0: none */
	const char
		*culprit; /* the commit that made the base's line worse than its last good level */
	const struct side *reference; /* at the pinned revision of the creep check; NULL: none */
	const struct side *earlier;   /* head again, in older sessions, newest first */
	const struct side *then;      /* base in each of these, n 0: not measured in it; NULL: the
					 session that is judged is not shared */
	size_t n_earlier;
	bool not_measured; /* the whole suite: benchmark and metric are "" */
	bool expected;     /* with not_measured: gate.expect lists the suite */
};

/* How a noisy series was judged. */
enum method {
	METHOD_RANKS,    /* samples against samples: Mann-Whitney, Hodges-Lehmann */
	METHOD_SESSIONS, /* one session against those of the past */
	METHOD_PAIRS     /* pairs of samples: sign flips, Hodges-Lehmann (signflip.h) */
};

struct drift;

struct proof {
	enum method method;
	double p;     /* one-sided: of getting worse where it is worse, of improving elsewhere */
	double level; /* what p had to reach for one hit in its family; NAN: nothing to reach */
	double low, high;  /* interval of the change (95 %), as change is; may be infinite */
	double detectable; /* the smallest worsening that would be seen 95 times of 100, as a share;
			      INFINITY: none would */
	size_t n_head, n_base;    /* samples or pairs, or 1 and sessions */
	size_t left_out;          /* pairs whose runs had unlike numbers of samples */
	size_t needed;            /* a side (or sessions) so that there is a chance; 0: there was */
	size_t family;            /* series that were tested together */
	struct evidence evidence; /* METHOD_RANKS, METHOD_PAIRS */
	bool accepts;             /* the policy accepts a level of the series: */
	struct decimal accept;
	bool used_accept; /* without it the last good level would be another */
};

const char *proof_method_name(enum method m); /* "ranks", "sessions", "pairs" */

struct judged {
	const struct pair *pair;
	struct decision decision;
	enum verdict verdict;
	/* The machine was slower too, by its probe, and no less than the series (drift.h); NULL:
	 * not known to be. */
	const struct drift *environment;
	bool unstable; /* samples of one side spread by more than the tolerance */
	bool has_change;
	double change; /* (head - base) / |base|, signed as measured; only with has_change */
	double head_median, base_median;       /* where n > 0 */
	struct decimal head_exact, base_exact; /* the same, exactly */
	struct decimal tolerance; /* that applied: the decision's, or its cross_tolerance */
	/* What there is to say of a noisy series that has numbers on both sides: how sure the
	 * change is; NULL for all others. verdicts_release() frees it. */
	struct proof *proof;
	const char *culprit; /* the commit that made it worse, where that is not head: inherited,
				and regressed since then; NULL none */
	const char *section; /* of the policy, that turned the verdict: "perfgate.conf:12 accept
				\"alloc pooling\""; NULL none */
	const char *section_reason; /* what its author wrote; NULL none */
	enum verdict without;       /* with section: what the verdict was before it */
	bool expired;               /* section is a waiver that would have turned it, and is over */
	bool crept;           /* regressed against the pinned revision, not against the base */
	bool differed;        /* an older session of head would have had another verdict: */
	enum verdict earlier; /* this one */
	const char *earlier_session;
	const char *why;  /* a clause, borrowed; NULL: judged_reason() composes it */
	const char *said; /* of a report that was read: all that explain() said; else NULL */
};

struct judge_options {
	bool strict;    /* advisory regressions gate too */
	bool first_run; /* an empty history is permitted: no-base does not gate where no other
			  commit has the suite */
	bool require;   /* series that cannot be judged gate */
	bool on_line;   /* head is on the base's branch: held to the last good level, not excused */
	int64_t head_time; /* committer date, ns since 1970, for waivers; 0: not known, they hold */
};

/* The false discovery rate of the noisy series that are tested together. */
#define DISCOVERY_RATE 0.05

/*
 * After past is filled: holds the pair to the last good level (DESIGN 5.7). On the base's branch
 * that becomes the base, elsewhere it is kept as pair->good. Returns 0, or -1 with err set.
 */
int pair_take_level(struct policy *p, struct pair *pair, bool on_line, struct err *err);

/* Judges one pair by the policy. Returns 0, or -1 with err set (a pattern's match limit). What
 * depends on the other pairs and on sections that turn verdicts follows in verdicts_settle(). */
int judge_pair(struct policy *p, const struct pair *pair, const struct judge_options *opts,
	struct judged *ret, struct err *err);

/* Once, after all pairs were judged: Benjamini-Hochberg over the noisy ones of a suite, runner and
 * metric, then accepts, waivers and retirements. */
int verdicts_settle(struct policy *p, struct judged *j, size_t n, const struct judge_options *opts,
	struct err *err);

void verdicts_release(struct judged *j, size_t n); /* what they own, not the array */

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
