/*
 * counted: readings of kernels that loop as often as they are told: (out, count). Their results are
 * compared with the host's after every launch, and their time has to grow with the count.
 */
#ifndef COUNTED_H
#define COUNTED_H

#include "ocl.h"

struct counted {
	const char *kernel;
	size_t local_bytes; /* of a third argument in local memory, an item; 0: there is none */
	size_t out_bytes;   /* of a result, an item: 4 or 8 */
	size_t group_max;   /* items */
	double amount;      /* of one iteration of one item */
	double limit;       /* as for ocl_limit() */
	/* Whether item `item` of groups of `group` may say so after `count` iterations. */
	bool (*ok)(const void *data, uint32_t item, size_t group, uint32_t count, const void *out);
	const void *data;
};

void counted_measure(struct ocl_device *d, const struct counted *c, const struct settings *s,
	struct outcome *ret);

#endif
