/*
 * sweep: readings of kernels that read all of some memory once: a batch is so many launches. Items
 * store a sum, which is compared with the host's.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "ocl.h"

struct sweep {
	cl_kernel kernel; /* its arguments set */
	struct ocl_range range;
	cl_mem out; /* a word an item */
	double bytes;
	/* What item (x, y) has to store. */
	uint32_t (*expected)(const struct sweep *w, size_t x, size_t y);
	unsigned width;
};

/* A launch that counts for nothing, and one that says the seconds. */
int sweep_try(struct ocl_device *d, struct sweep *w, double *ret_seconds, struct err *err);
void sweep_measure(
	struct ocl_device *d, struct sweep *w, const struct settings *s, struct outcome *ret);

#endif
