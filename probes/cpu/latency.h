/*
 * latency: memory_latency: what a load takes that waits for the one before it, by level of memory.
 */
#ifndef LATENCY_H
#define LATENCY_H

#include "cpu.h"

extern const struct cpu_group cpu_latency;

#endif
