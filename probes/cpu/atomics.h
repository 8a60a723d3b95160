/*
 * atomics: what adding to a number atomically takes, with and without others at it.
 */
#ifndef ATOMICS_H
#define ATOMICS_H

#include "cpu.h"

extern const struct cpu_group cpu_atomics;

#endif
