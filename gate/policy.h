/*
 * policy: what perfgate.conf and the built-in rules say of each series.
 *
 * Rules match unanchored PCRE2 patterns on suite, benchmark, metric, variant and runner; the last
 * match wins, attribute by attribute; built-in rules come first. Pure: the text comes from the
 * caller.
 */
#ifndef POLICY_H
#define POLICY_H

#include "decimal.h"
#include "err.h"
#include "series.h"

enum gate_class { CLASS_HARD, CLASS_ADVISORY, CLASS_INFO };
enum judge { JUDGE_EXACT, JUDGE_NOISY };
enum missing_rule { MISSING_ERROR, MISSING_WARN, MISSING_IGNORE };
enum across { ACROSS_NO, ACROSS_FALLBACK, ACROSS_YES };

const char *gate_class_name(enum gate_class c);
const char *judge_name(enum judge j);
const char *missing_rule_name(enum missing_rule m);
const char *across_name(enum across a);

enum attribute {
	ATTR_CLASS,
	ATTR_JUDGE,
	ATTR_DIRECTION,
	ATTR_TOLERANCE,
	ATTR_FLOOR,
	ATTR_CROSS_TOLERANCE,
	ATTR_MISSING,
	ATTR_ACROSS,
	ATTR_COUNT
};

struct decision {
	enum gate_class class_;
	enum judge judge;
	enum direction direction;
	struct decimal tolerance; /* relative to |base|: 0.02 is 2 % */
	struct decimal floor;     /* in the metric's unit */
	struct decimal
		cross_tolerance; /* used instead of tolerance when the base ran on another runner */
	enum missing_rule missing;
	enum across across;
	/* The rule that set each, for policy_rule_name(); -1 for a direction that is the
	 * document's. */
	int by[ATTR_COUNT];
};

struct policy;

/*
 * text NULL: the built-in rules alone. name is the file's name for messages. NULL with err set
 * (ERR_POLICY, "NAME:LINE: ...").
 */
struct policy *policy_new(const char *name, const char *text, size_t len, struct err *err);
void policy_free(struct policy *p); /* NULL is fine */
void policy_freep(struct policy **p);

/*
 * Decides a series. Fails (ERR_POLICY) only when a pattern runs into its match limit. What depends
 * on (suite, metric, variant) is cached, and so are the last benchmark and runner: many series cost
 * little, less when those of a benchmark follow each other.
 *
 * Where no rule sets `missing`, the class does: error for hard, warn for the rest. A
 * cross-tolerance is at least the tolerance, unless the rule that sets it comes later.
 */
int policy_decide(
	struct policy *p, const struct series_key *key, struct decision *ret, struct err *err);

int policy_rules(const struct policy *p); /* how many, built-in ones included */
const char *policy_rule_name(
	const struct policy *p, int rule); /* "built-in: kpi counts", "perfgate.conf:12 wobble" */

/* [gate] and [ingest] */
const char *policy_base(const struct policy *p); /* NULL: not set */
int policy_max_distance(const struct policy *p); /* 1000 unless set */
bool policy_require(
	const struct policy *p); /* on when there is a file, unless it says `require = no` */
bool policy_expects(const struct policy *p, const char *suite);
size_t policy_expected(const struct policy *p, const char *const **ret_suites);
size_t policy_ignore_dirty(const struct policy *p, const char *const **ret_globs);

/* Rules of the file that matched no series decided so far: indices into ret (caller frees). */
size_t policy_unused(const struct policy *p, int **ret);

/* Lower-case hexadecimal digest of the text (the built-in rules' version when there is none). */
const char *policy_digest(const struct policy *p);

#endif
