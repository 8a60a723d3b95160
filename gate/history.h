/*
 * history: what a series was at earlier commits, and what follows for the newest value (DESIGN 5.5
 * and 5.7). Everything is computed from the observations; nothing is remembered between calls.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "decimal.h"
#include "sink.h"

/* How many measured commits are looked at: for the level of exact series, and for the sessions of
 * noisy ones, of which three in a row that are worse than all by chance are the rarer the more
 * there are. */
enum { PAST_COMMITS = 50, PAST_SESSIONS = 150 };
enum { SESSIONS_NEEDED = 20, SESSIONS_IN_A_ROW = 3 };

/* A commit on the line that leads to head, first parents only. */
struct past_commit {
	const char *sha;
	int distance; /* from head; 0 not known */
	bool own;     /* between the base and head: it is no level that others are held to */
};

/* One session of one commit; for exact series the newest session of each commit is all. */
struct observation {
	struct num median;
	const char *session; /* whose it is; NULL of exact series */
	unsigned commit;     /* index in commits */
	unsigned until; /* of an exact series: the last of the commits in a row with this value */
};

/* Samples of a commit against those of the one before it that has the series, where they may be
 * compared: in a session that both share, by its pairs if it has any, or by policy. As struct
 * evidence has it. */
struct link {
	unsigned commit; /* the later one */
	double change, p_up, p_down;
};

struct past {
	const struct past_commit *commits; /* oldest first, the same for all series */
	const struct observation *v;       /* oldest first; sessions of one commit by time */
	size_t n;
	const struct link *links; /* of series that are compared by samples; by commit */
	size_t n_links;
};

/* How values are told apart: the rule of the series. */
struct step_rule {
	enum direction direction; /* not none */
	struct decimal tolerance, floor;
	bool accepts;          /* a level that was accepted by policy: */
	struct decimal accept; /* worse up to here, and by the tolerance beyond, is no regression */
};

/* Whether accept covers a value: not worse than it by more than the tolerance. */
bool step_accepted(const struct step_rule *r, struct decimal value);

/*
 * The last good level of an exact series. Oldest first, an observation that is regressed against
 * the level (exact_verdict(), but for what is accepted) leaves it where it is; any other becomes
 * the level. Own commits do not count.
 */
struct level {
	bool known;       /* there is any observation */
	size_t at;        /* the observation that is the level */
	bool regressed;   /* the newest observation is worse than the level: */
	size_t culprit;   /* the first observation of that stretch */
	bool used_accept; /* an observation would have been regressed without it */
};
void history_level(const struct past *p, const struct step_rule *r, struct level *ret);

/*
 * The session rule for noisy series: head is one session's median, and so is each observation.
 *
 * Good observations are the history: those since its last change point (changepoints()), but for
 * own commits'. One that is worse than all of at least SESSIONS_NEEDED of them, by more than the
 * tolerance against their median and by no less than the floor, is suspect and waits; what was
 * suspect is history once the row is broken. SESSIONS_IN_A_ROW of different commits in a row are a
 * regressed stretch. So are the observations behind a change point for the worse beyond the
 * tolerance, which a regression that is no larger than the noise makes: it is no new level unless
 * that was accepted. From then on the history stays as it was, and what is worse than its median
 * beyond the tolerance belongs to the stretch, until as many in a row are not: those are history
 * again, single ones are not. Of several sessions of a commit the newest counts for the row; those
 * that are not worse count as history.
 *
 * Better is the mirror image, but that a complete row becomes history, and a change point of it.
 *
 * Where the noise (the deviation of a session) is more than SESSIONS_SEEN times what is allowed,
 * head is not passed: there is no chance to see a regression before many more nights.
 *
 * A stretch is known as one only while past reaches back to the good sessions before it: what is
 * longer than past allows is the level. Medians of 0 have no relative change: whatever is worse
 * than all, by the floor, counts.
 */
enum { SESSIONS_SEEN = 2 };
enum sessions_say {
	SESSIONS_FEW,
	SESSIONS_BLIND,
	SESSIONS_PASS,
	SESSIONS_SUSPECT,
	SESSIONS_REGRESSED,
	SESSIONS_IMPROVED
};

struct sessions {
	enum sessions_say say;
	size_t n;      /* sessions in the history that head was compared with */
	double median; /* of these, 0 if none */
	double change; /* of head against it, a share, signed as measured; NAN when median is 0 */
	double low, high;    /* head against the history's middle 95 %, as change; infinite where
				there is no change */
	double p;            /* (1 + how many are not better than head) / (1 + n) */
	double detectable;   /* as a share: what would be worse than all of them, and by more than
				the tolerance, 95 times of 100; INFINITY with too few */
	bool base_regressed; /* the newest observation that is not an own commit's is within a
				regressed stretch, and itself worse than the history */
	bool worse;          /* head is worse than all, by more than the tolerance; in a stretch: by
				more than the tolerance than what was before it */
	size_t beyond_base;  /* how many own commits in a row, head the last, are worse than all of
				the stretch that the base is in, and beyond the tolerance */
	size_t culprit;   /* the first observation of the row that head ends, or that base_regressed
			     is about; p->n: head itself, or none */
	bool used_accept; /* a value that mattered, or head, would have been worse without it */
};
void history_sessions(
	const struct past *p, const struct step_rule *r, double head, struct sessions *ret);

#endif
