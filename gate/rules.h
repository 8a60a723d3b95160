/*
 * rules: the inside of a policy, shared by the files that build it (policy-parse.c,
 * policy-rules.c, policy-value.c) and the one that decides with it (policy.c).
 */
#ifndef RULES_H
#define RULES_H

#include "intern.h"
#include "pattern.h"
#include "policy.h"

enum field { FIELD_SUITE, FIELD_BENCHMARK, FIELD_METRIC, FIELD_VARIANT, FIELD_RUNNER, FIELD_COUNT };

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

struct rule {
	char *name;
	const struct builtin *builtin; /* NULL: from the file */
	struct pattern *patterns[FIELD_COUNT];
	unsigned set;
	struct decision decision; /* the attributes in set */
	bool used;
};

struct words {
	const char **v;
	size_t n, cap;
};

/* The rules whose suite, metric and variant match; they are the same for many series. */
struct candidates {
	int *rules;
	size_t n, cap;
	bool fixed; /* no rule looks at benchmark or runner: decision holds */
	struct decision decision;
};

/* Which rules' patterns match the last value seen of a field: -1 not asked, 0 or 1. */
struct memo {
	struct buf value;
	bool filled;
	signed char *match;
};

enum { RECENT = 64 };

struct recent {
	bool used;
	uint32_t id; /* in keys */
};

struct policy {
	struct recent recent[RECENT];
	struct rule *rules;
	size_t n, cap;
	char digest[65];
	char *base;
	int64_t max_distance;
	bool require;
	struct words expect, ignore_dirty;
	struct intern *keys; /* "SUITE\0METRIC\0VARIANT"; ids index candidates */
	struct candidates *candidates;
	size_t cap_candidates;
	struct memo benchmark, runner;
};

/*
 * Values of the file. Each returns 0, or -1 with err set to what was expected, without the place.
 */
struct attribute_key {
	const char *key;
	int (*parse)(const char *value, struct decision *d, struct err *err);
};

extern const struct attribute_key attribute_keys[ATTR_COUNT];

/* "expected WHAT, not 'VALUE'"; nearest may be NULL. */
int value_expected(const char *what, const char *value, const char *nearest, struct err *err);
/* The index of value in words[0..n), which what lists for a person; or -1. */
int value_word(
	const char *value, const char *const *words, size_t n, const char *what, struct err *err);

/* Adds what the file says. Returns 0, or -1 with err set (ERR_POLICY, "NAME:LINE: ..."). */
int policy_parse(struct policy *p, const char *name, const char *text, size_t len, struct err *err);

#endif
