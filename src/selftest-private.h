/*
 * selftest-private: between selftest.c, which says what to test, and the two tests.
 */
#ifndef SELFTEST_PRIVATE_H
#define SELFTEST_PRIVATE_H

#include "evidence.h"
#include "selftest.h"
#include "stays.h"
#include "term.h"

struct series_spec {
	bool wanted;
	bool split, pooled; /* was tested so */
	int sign;           /* 1: more is worse */
	double tolerance;
	uint64_t hash;
};

/* What all parts of a test work on. */
struct testing {
	struct context *c;
	const struct selftest_settings *s;
	struct series_spec *specs; /* by the store's number */
	size_t n_specs;
	struct progress *progress;
};

struct counted {
	size_t trials;
	double alarms, beyond;
};

bool selftest_wanted(void *ctx, int64_t series); /* for stay_samples_load(): of a struct testing */

/* What a series would be called that is worse by so much of its base. */
struct alarm {
	bool p, beyond;
};

struct alarm selftest_alarm(double p, double worse, const struct evidence *e,
	const struct series_spec *s, double alpha);
double selftest_p_worse(const struct evidence *e, const struct series_spec *s); /* one-sided */

/* FNV-1a, 64 bits, of a string and its NUL. */
uint64_t selftest_hash(uint64_t h, const char *s);

/* v[0..n) are the stays of one suite and runner. -1 with err set. */
int selftest_split(struct testing *t, const struct stay *v, size_t n, struct selftest_place *place,
	struct err *err);
int selftest_pool(struct testing *t, const struct stay *v, size_t n, struct selftest_place *place,
	struct err *err);

#endif
