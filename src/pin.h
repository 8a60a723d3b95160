/*
 * pin: binds a process to some CPUs, and its threads and descendants with it. pin.c where the
 * kernel can, pin-none.c elsewhere.
 */
#ifndef PIN_H
#define PIN_H

#include "cpus.h"

/* Whether a process may be bound to all of them here. 0, or -1 with err set (ERR_USAGE) to what
 * may be had instead. */
int pin_check(const struct cpus *c, struct err *err);

/* The calling process, or the calling one of its threads. -1 with errno. Allocates nothing. */
int pin_self(const struct cpus *c);

/* What the caller is bound to. -1 with errno. */
int pin_bound(struct cpus *ret);

#endif
