/*
 * cpus: a set of CPUs by the kernel's numbers, and its text as the kernel writes it: "0-3,8".
 */
#ifndef CPUS_H
#define CPUS_H

#include <limits.h>

#include "buf.h"

enum { CPUS_MAX = 8192, CPUS_WORD = CHAR_BIT * sizeof(unsigned long) };

struct cpus {
	unsigned long set[CPUS_MAX / CPUS_WORD]; /* bit n % CPUS_WORD of set[n / CPUS_WORD] */
};

void cpus_add(struct cpus *c, size_t cpu); /* < CPUS_MAX */
bool cpus_have(const struct cpus *c, size_t cpu);
bool cpus_none(const struct cpus *c);

/* At least one CPU. 0, or -1 with err set (ERR_USAGE) and ret untouched. */
int cpus_parse(struct cpus *ret, const char *text, struct err *err);
void cpus_format(struct buf *ret, const struct cpus *c);

#endif
