/*
 * rules: the inside of a policy, shared by the files that build it (policy.c, policy-graft.c,
 * policy-measure.c, policy-parse.c, policy-rules.c, policy-sections.c, policy-value.c,
 * policy-words.c) and those that decide with it (policy-decide.c, policy-gate.c, policy-rename.c,
 * policy-turn.c).
 */
#ifndef RULES_H
#define RULES_H

#include "conf.h"
#include "intern.h"
#include "pattern.h"
#include "policy.h"
#include "unit.h"

/* The words of the file. */
extern const char *const field_keys[FIELD_COUNT];
extern const char *const class_words[CLASS_INFO + 1],
	*const judge_words[JUDGE_NOISY + 1],
		*const missing_words[MISSING_IGNORE + 1],
			*const across_words[ACROSS_YES + 1],
				*const sessions_words[SESSIONS_POOL + 1],
					*const bound_words[BOUND_NONE + 1];

enum { BUILTIN_METRICS = 10 };

/* A rule of the program. It matches by plain strings, which is what its speed comes from. */
struct builtin {
	const char *name;
	const char *suite;                        /* NULL: any */
	const char *variant;                      /* what it begins with; NULL: any */
	const char *metrics[BUILTIN_METRICS + 1]; /* globs; none: any */
	unsigned set;                             /* bits 1 << enum attribute */
	struct decision decision;
};

extern const struct builtin builtin_rules[];
extern const size_t builtin_count;
extern const char builtin_version[]; /* changes with the table */

bool builtin_match(const struct builtin *b, const struct series_key *key);

/* Which series something is for. */
struct selector {
	char *name; /* "perfgate.conf:12 wobble" */
	struct pattern *patterns[FIELD_COUNT];
	bool used; /* it matched something */
};

struct rule {
	struct selector selector;
	const struct builtin *builtin; /* NULL: from the file */
	bool own;                      /* a [rule] of the file */
	unsigned set;
	struct decision decision;      /* the attributes in set */
	const struct unit *floor_unit; /* of decision.floor; NULL: the metric's own */
	unsigned floor_line;
};

enum section_kind { SECTION_ACCEPT, SECTION_WAIVE, SECTION_RETIRE, SECTION_RENAME, SECTION_KINDS };

extern const char *const section_kinds[SECTION_KINDS]; /* "accept", ... */

/* An [accept], [waive], [retire] or [rename]. */
struct section {
	enum section_kind kind;
	struct selector selector; /* of a rename: benchmark is `from` */
	unsigned line;
	char *reason;
	bool turned;
	bool has_to;
	struct decimal to; /* accept, in to_unit */
	const struct unit *to_unit;
	unsigned to_line;
	int64_t until; /* waive; 0: not set */
	char *into;    /* rename: `to` */
};

struct words {
	const char **v;
	size_t n, cap;
};

/* A [measure] or [measure "NAME"]. */
struct job {
	char *name, *setup, *cpus; /* or NULL */
	struct words command;
	int64_t pairs, timeout; /* 0: not set */
};

enum gate_key {
	GATE_BASE,
	GATE_EXPECT,
	GATE_MAX_DISTANCE,
	GATE_REQUIRE,
	GATE_REFERENCE,
	GATE_CREEP,
	GATE_POLICY_FROM,
	GATE_KEYS
};

/* [gate] or [gate "GLOB"]: the settings in set, bits 1 << enum gate_key. */
struct gate {
	char *glob; /* NULL: whatever the target branch */
	char *name; /* "perfgate.conf:2 [gate]" */
	unsigned set;
	char *base, *reference;
	int64_t max_distance;
	bool require, from_base;
	struct decimal creep;
	struct words expect;
};

/* What rules and sections look at suite, metric and variant that match; the same for many series.
 */
struct candidates {
	int *rules;
	size_t n, cap;
	int *sections; /* of the kinds that turn verdicts */
	size_t n_sections, cap_sections;
	bool fixed; /* no rule looks at benchmark or runner: decision holds */
	struct decision decision;
};

/* Which selectors match the last value seen of a field: -1 not asked, 0 or 1. */
struct memo {
	struct buf value;
	bool filled;
	signed char *match; /* rules, then sections */
};

enum { RECENT = 64 };

struct recent {
	bool used;
	uint32_t id; /* in keys */
};

/* What a benchmark is called now. */
struct renamed {
	char *name;  /* NULL: as before */
	int section; /* the first that renamed it, or -1 */
};

struct policy {
	struct recent recent[RECENT];
	char *file;
	struct rule *rules; /* built-in ones, the one for gate.creep, the file's */
	size_t n, cap;
	struct section *sections;
	size_t n_sections, cap_sections;
	size_t of_kind[SECTION_KINDS];
	struct gate *gates;
	size_t n_gates, cap_gates;
	int by[GATE_KEYS]; /* which of gates decides a key, or -1 */
	bool from_file;
	char digest[65];
	struct words ignore_dirty;
	struct job *jobs;
	size_t n_jobs, cap_jobs;
	struct intern *keys; /* "SUITE\0METRIC\0VARIANT"; ids index candidates */
	struct candidates *candidates;
	size_t cap_candidates;
	struct memo benchmark, runner;
	struct intern *names; /* "SUITE\0BENCHMARK"; ids index renamed */
	struct renamed *renamed;
	size_t cap_renamed;
};

/* ---- building ---- */

/*
 * Values of the file. Each returns 0, or -1 with err set to what was expected, without the place.
 */
struct attribute_key {
	const char *key;
	int (*parse)(const char *value, struct rule *r, struct err *err);
};

extern const struct attribute_key attribute_keys[ATTR_COUNT];

/* "expected WHAT, not 'VALUE'"; nearest may be NULL. */
int value_expected(const char *what, const char *value, const char *nearest, struct err *err);
/* The index of value in words[0..n), which what lists for a person; or -1. */
int value_word(
	const char *value, const char *const *words, size_t n, const char *what, struct err *err);
int value_share(const char *value, struct decimal *ret, struct err *err);
/* "2027-01-31": the first moment of the day after it. */
int value_day(const char *value, int64_t *ret, struct err *err);
/* The field of a key; FIELD_COUNT: it is none. */
enum field value_field(const char *key);
/* A pattern into patterns[field]. */
int value_pattern(struct selector *s, enum field field, const char *value, struct err *err);

/* Puts "NAME:LINE: KEY: " before an error (key NULL: not that). Always returns -1. */
int parse_place(const char *name, unsigned line, const char *key, struct err *err);
/* There is no such key in s, but known[0..n). Always returns -1. */
int parse_unknown_key(const struct conf_section *s, const char *key, const char *const *known,
	size_t n, struct err *err);

/* An [accept], [waive], [retire] or [rename] of the file; -1 with err and its place. */
int section_parse(struct policy *p, const char *name, const struct conf_section *s,
	enum section_kind kind, struct err *err);

void selector_release(struct selector *s);
void words_release(struct words *w);
void gate_release(struct gate *g);
void section_release(struct section *s);
void renames_release(struct policy *p);

/* Adds what the file says. Returns 0, or -1 with err set (ERR_POLICY, "NAME:LINE: ..."). */
int policy_parse_conf(struct policy *p, const char *name, const struct conf *conf, struct err *err);

/* Both texts (NULL: no file) parsed; or neither with err set. */
int policy_parse_both(const char *base_text, size_t base_len, const char *head_text,
	size_t head_len, struct conf **ret_base, struct conf **ret_head, struct err *err);

/* The sections of a text that policy-from = base takes from head, or all others. Text NULL: none.
 */
struct conf *policy_sections_of(
	const char *name, const char *text, size_t len, bool grafted, struct err *err);

/* ---- deciding ---- */

const struct candidates *policy_candidates(
	struct policy *p, const struct series_key *key, struct err *err);
void policy_forget_candidates(struct policy *p); /* rules have changed */
/* Whether benchmark and runner match those of a section that is a candidate: 1, 0, -1. */
int policy_section_matches(
	struct policy *p, int section, const struct series_key *key, struct err *err);

#endif
