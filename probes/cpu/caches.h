/*
 * caches: the sizes of the data caches that the first CPU sees, shared ones in full.
 */
#ifndef CACHES_H
#define CACHES_H

#include <stdint.h>

struct caches {
	int64_t l1d, l2, l3; /* bytes; 0: there is none, or it is not known */
	int64_t line;        /* bytes; 64 where it is not known */
};

/* From sysfs, else from the C library. */
void caches_find(struct caches *ret);

/* From a folder like /sys/devices/system/cpu/cpu0/cache; what it does not say stays as it is. */
void caches_read(struct caches *ret, const char *folder);

#endif
