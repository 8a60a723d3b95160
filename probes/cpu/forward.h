/*
 * forward: what it takes to load what was stored just before.
 */
#ifndef FORWARD_H
#define FORWARD_H

#include <stdint.h>

#include "cpu.h"

extern const struct cpu_group cpu_forward;

/* Adds one to a number in memory that many times: load, add, store. */
void forward_add(uint64_t *slot, int64_t n);

#endif
