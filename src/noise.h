/*
 * noise: how much the numbers in a store vary, for each suite, metric and runner: within sessions
 * and between them.
 */
#ifndef NOISE_H
#define NOISE_H

#include "intern.h"
#include "policy.h"
#include "stays.h"

enum { NOISE_NAMES = 3 };

struct noise {
	const char *suite, *metric, *runner; /* as long as store and stays */
	enum judge judge;
	double tolerance; /* the policy's, the largest of the series */
	size_t series, sessions, samples;

	/* Judge noisy. Shares; NAN where there is too little: */
	double within;  /* robust standard deviation of a sample within a session */
	double between; /* ... of a session's median, from one session to the next */
	size_t usual_n; /* samples of a series in a session, the median */
	double seen_within, seen_between; /* the smallest change that such a comparison shows 95
					     times of 100, at a rate of false alarms of 5 % */

	/* Judge exact: series whose samples of one commit differed by more than the tolerance. */
	size_t wobbling;
	double wobble; /* by how much at most */
	const char *wobblers[NOISE_NAMES];
};

struct noises {
	struct noise *v; /* by suite, metric, runner */
	size_t n, cap;
	struct intern *names; /* of benchmarks that were renamed */
};

/*
 * Of the newest sessions of each suite and runner. within and between are such that three of four
 * series have less. The policy says which series count, and what their benchmarks are called now.
 */
int noise_measure(struct noises *ret, struct store *s, struct policy *p, const struct stays *stays,
	struct err *err);
void noises_release(struct noises *n);

#endif
