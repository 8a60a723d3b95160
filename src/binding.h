/*
 * binding: which CPUs a command that is measured is bound to.
 *
 * As a rule none: a program of many threads would get slower, and nobody can tell by looking at it.
 * CPUs that the machine's owner took from the scheduler (isolcpus) are there to be measured on, so
 * those are used where there are any.
 */
#ifndef BINDING_H
#define BINDING_H

#include "cpus.h"

enum binding { BINDING_NONE, BINDING_ASKED, BINDING_ISOLATED };

/* text: "none", "auto" or a list of CPUs. 0 and *ret_cpus filled unless it is BINDING_NONE, or -1
 * with err set (ERR_USAGE: not a list, or CPUs that are not to be had). root: before /sys. */
int binding_choose(const char *text, const char *root, enum binding *ret, struct cpus *ret_cpus,
	struct err *err);

#endif
