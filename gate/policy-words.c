/* The words of perfgate.conf, as it is read and as they are shown. */
#include "rules.h"

const char *const class_words[CLASS_INFO + 1] = {
	[CLASS_HARD] = "hard", [CLASS_ADVISORY] = "advisory", [CLASS_INFO] = "info"};

const char *const judge_words[JUDGE_NOISY + 1] = {[JUDGE_EXACT] = "exact", [JUDGE_NOISY] = "noisy"};

const char *const missing_words[MISSING_IGNORE + 1] = {
	[MISSING_ERROR] = "error", [MISSING_WARN] = "warn", [MISSING_IGNORE] = "ignore"};

const char *const across_words[ACROSS_YES + 1] = {
	[ACROSS_NO] = "no", [ACROSS_FALLBACK] = "fallback", [ACROSS_YES] = "yes"};

const char *const sessions_words[SESSIONS_POOL + 1] = {
	[SESSIONS_SEPARATE] = "separate", [SESSIONS_POOL] = "pool"};

const char *const bound_words[BOUND_NONE + 1] = {
	[BOUND_COMPUTE] = "compute",
	[BOUND_BANDWIDTH] = "bandwidth",
	[BOUND_LATENCY] = "latency",
	[BOUND_NONE] = "none",
};

const char *const field_keys[FIELD_COUNT] = {
	[FIELD_SUITE] = "suite",
	[FIELD_BENCHMARK] = "benchmark",
	[FIELD_METRIC] = "metric",
	[FIELD_VARIANT] = "variant",
	[FIELD_RUNNER] = "runner",
};

const char *gate_class_name(enum gate_class c)
{
	return class_words[c];
}

const char *judge_name(enum judge j)
{
	return judge_words[j];
}

const char *missing_rule_name(enum missing_rule m)
{
	return missing_words[m];
}

const char *across_name(enum across a)
{
	return across_words[a];
}

const char *sessions_rule_name(enum sessions_rule s)
{
	return sessions_words[s];
}

const char *bound_name(enum bound b)
{
	return bound_words[b];
}

const char *policy_field_name(enum field f)
{
	return field_keys[f];
}

const char *policy_attribute_name(enum attribute a)
{
	return attribute_keys[a].key;
}
