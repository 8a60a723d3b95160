/*
 * branch: what a branch takes whose way the CPU foresees, one whose way is random, and a wrong
 * guess.
 */
#ifndef BRANCH_H
#define BRANCH_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

extern const struct cpu_group cpu_branch;

/* How many bytes are below 128: with a branch for each. */
int64_t branch_count(const uint8_t *bytes, size_t n);

#endif
