/*
 * policy: what perfgate.conf and the built-in rules say of each series.
 *
 * Rules match unanchored PCRE2 patterns on suite, benchmark, metric, variant and runner; the last
 * match wins, attribute by attribute; built-in rules come first, then what [gate] says of all
 * series. Pure: the text comes from the caller. Texts that are shown hold no control characters but
 * tabs; patterns, branches and names are bounded in what they can cost.
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
enum sessions_rule { SESSIONS_SEPARATE, SESSIONS_POOL };
/* Which part of the machine the speed of a series hangs on. */
enum bound { BOUND_COMPUTE, BOUND_BANDWIDTH, BOUND_LATENCY, BOUND_NONE };

const char *gate_class_name(enum gate_class c);
const char *judge_name(enum judge j);
const char *missing_rule_name(enum missing_rule m);
const char *across_name(enum across a);
const char *sessions_rule_name(enum sessions_rule s); /* "separate", "pool" */
const char *bound_name(enum bound b);                 /* "compute", ... "none" */

/* What rules and sections look at. */
enum field { FIELD_SUITE, FIELD_BENCHMARK, FIELD_METRIC, FIELD_VARIANT, FIELD_RUNNER, FIELD_COUNT };

const char *policy_field_name(enum field f); /* "suite": the key in perfgate.conf */

enum attribute {
	ATTR_CLASS,
	ATTR_JUDGE,
	ATTR_DIRECTION,
	ATTR_TOLERANCE,
	ATTR_FLOOR,
	ATTR_CROSS_TOLERANCE,
	ATTR_MISSING,
	ATTR_ACROSS,
	ATTR_SESSIONS,
	ATTR_CREEP,
	ATTR_BOUND,
	ATTR_COUNT
};

const char *policy_attribute_name(enum attribute a); /* "cross-tolerance": the key */

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
	enum sessions_rule sessions;
	struct decimal
		creep; /* a share, allowed against the reference; where by[ATTR_CREEP] >= 0 */
	enum bound bound;
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

/*
 * Decides a series. Fails (ERR_POLICY) only when a pattern runs into its match limit, or the floor
 * that decides has a unit that does not fit the metric's ("perfgate.conf:12: floor: ..."). A floor
 * is in the metric's unit in the end; one of a series that is not judged (info) and has another
 * unit is 0. What depends on (suite, metric, variant) is cached, and so are the last benchmark and
 * runner: many series cost little, less when those of a benchmark follow each other.
 *
 * Where no rule sets `missing`, the class does: error for hard, warn for the rest. A
 * cross-tolerance is at least the tolerance, unless the rule that sets it comes later.
 */
int policy_decide(
	struct policy *p, const struct series_key *key, struct decision *ret, struct err *err);

const char *policy_rule_name(
	const struct policy *p, int rule); /* "built-in: kpi counts", "perfgate.conf:12 wobble" */

/* [gate], [ingest] and [measure] */
const char *policy_base(const struct policy *p); /* NULL: not set */
int policy_max_distance(const struct policy *p); /* 1000 unless set */
bool policy_require(
	const struct policy *p); /* on when there is a file, unless it says `require = no` */
bool policy_expects(const struct policy *p, const char *suite);
size_t policy_expected(const struct policy *p, const char *const **ret_suites);
size_t policy_ignore_dirty(const struct policy *p, const char *const **ret_globs);

enum { MEASURE_PAIRS_MAX = 32 }; /* that can be judged; see signflip.h */

/* What a [measure] says; strings are the policy's. */
struct measure_job {
	const char *name; /* "measure" where the section has none */
	bool named;
	const char *setup, *cpus; /* NULL: not set */
	const char *const *command;
	size_t n_command;       /* words */
	int64_t pairs, timeout; /* 0: not set; ns */
};

/* [measure] itself, whether it has a command or not. */
struct measure_job policy_measure(const struct policy *p);
/* All that have a command, in the file's order; what a [measure "NAME"] leaves out is as in
 * [measure]. The caller frees *ret. */
size_t policy_measure_jobs(const struct policy *p, struct measure_job **ret);
bool policy_measures(const struct policy *p); /* whether there is any */

/* The target branch, so that [gate "GLOB"] sections whose name matches it hold; the last that sets
 * a key decides, before [gate] itself wherever that stands. NULL: none of them does. To be called
 * before the settings are asked for, and before the first series is decided. */
void policy_set_target(struct policy *p, const char *branch);
const char *policy_reference(const struct policy *p); /* a revision; NULL: no creep check */
bool policy_from_base(const struct policy *p);        /* policy-from = base */

/* ---- sections that turn verdicts: [accept], [waive], [retire] ---- */

/*
 * The last section of a kind that matches a series: 1 and *ret filled, 0 none, -1 with err set (a
 * match limit, a unit that does not fit the metric's). It counts as matched.
 */
struct turn {
	int section;       /* for the functions below */
	struct decimal to; /* accept: in the metric's unit */
	int64_t until;     /* waive: the first moment (ns since 1970) that it no longer covers */
};
int policy_accept(
	struct policy *p, const struct series_key *key, struct turn *ret, struct err *err);
int policy_waive(struct policy *p, const struct series_key *key, struct turn *ret, struct err *err);
int policy_retire(
	struct policy *p, const struct series_key *key, struct turn *ret, struct err *err);
/* All that match count as matched, though nothing is asked of them. 0, or -1 with err set. */
int policy_note_sections(struct policy *p, const struct series_key *key, struct err *err);
/* Some verdict is another for it: otherwise it can go (see policy_idle). */
void policy_turned(struct policy *p, int section);
const char *policy_section_name(
	const struct policy *p, int section); /* "perfgate.conf:12 accept \"alloc pooling\"" */
const char *policy_section_reason(const struct policy *p, int section); /* NULL: none given */
bool policy_sets_creep(const struct policy *p); /* for any series, whatever the branch */
size_t policy_count(const struct policy *p, const char *kind); /* "rule", "accept": of the file */

/* Rules, waivers, accepts, renames and retirements of the file that matched nothing so far: their
 * names into ret (the array is the caller's, the names are p's). */
size_t policy_unused(const struct policy *p, const char ***ret);
/* Accepts and retirements that matched and turned nothing: section numbers (caller frees). */
size_t policy_idle(const struct policy *p, int **ret);

/* ---- [rename] ---- */

bool policy_renames(const struct policy *p); /* there is any */
/*
 * The present name of a benchmark that the store has under an older one. Chains are followed: the
 * result is matched again until no section changes it. 1 renamed, 0 it keeps its name, -1 with err
 * set: a cycle or more than 100 steps (the sections named), a match limit, a name that becomes
 * empty or over 4 KiB or has a control character. Answers are kept: asking again costs little.
 */
int policy_rename(struct policy *p, const char *suite, const char *benchmark, struct buf *ret,
	struct err *err);

/* The first section that renames it, for policy_section_name(), or -1 (with err set: as above). */
int policy_renamed_by(struct policy *p, const char *suite, const char *benchmark, struct err *err);

/* ---- two policies ---- */

/* For policy-from = base: the policy of base's text with the accept, rename and retire sections of
 * head's in place of its own. Each section keeps the line that it has in its own file. NULL with
 * err set when either cannot be used. NULL text: no file. */
struct policy *policy_new_grafted(const char *name, const char *base_text, size_t base_len,
	const char *head_text, size_t head_len, struct err *err);
/* The same as a text, in which only base's sections keep their lines; the caller frees. NULL with
 * err set when either cannot be parsed. */
char *policy_graft(const char *base_text, size_t base_len, const char *head_text, size_t head_len,
	struct err *err);
/* What of head's differs from base's, one clause a section or key ("[rule \"x\"]: tolerance was 2%,
 * is 5%", "[accept \"y\"] is new", "the [rule] sections stand in another order"): strings and array
 * are the caller's. Files that cannot be parsed differ as a whole. */
size_t policy_diff(const char *base_text, size_t base_len, const char *head_text, size_t head_len,
	char ***ret);

/* Lower-case hexadecimal digest of the text (the built-in rules' version when there is none). */
const char *policy_digest(const struct policy *p);

#endif
