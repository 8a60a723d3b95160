/* Noise of logarithms as benchmarks have it, for simulations. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct family {
	const char *name;
	void (*fill)(uint64_t *state, double *x, size_t n); /* state: of random.h */
	bool independent;
};

enum { NORMAL, SKEWED, BIMODAL, SPIKES, HEAVY, AUTOCORRELATED, MACHINES, N_FAMILIES };
extern const struct family families[N_FAMILIES];

#endif
