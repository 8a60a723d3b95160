/*
 * host-memory: how much memory there is, of which a control group's limit may leave less than the
 * machine has.
 */
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H

#include <stdint.h>

/* Bytes, from the kernel's files below root ("" for this machine); INT64_MAX where it tells
 * nothing. */
struct memory {
	int64_t total, free;
};

void memory_look(struct memory *ret, const char *root);

#endif
