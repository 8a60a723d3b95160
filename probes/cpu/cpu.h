/*
 * cpu: the parts of the CPU's probe. Each adds tests and readings to the plan; the table is in
 * main.c.
 */
#ifndef CPU_H
#define CPU_H

#include "outcome.h"
#include "plan.h"

struct cpu_group {
	const char *name;
	void (*list)(struct plan *plan, const struct settings *s);
};

/* Adds the processor and what is known of it. */
void cpu_device(struct plan *plan);

#endif
