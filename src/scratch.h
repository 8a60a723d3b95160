/*
 * scratch: a folder that goes away again. Its maker holds the lock beside it; what a call that was
 * killed left behind is held by nobody, and the next call takes it away.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "buf.h"

struct scratch {
	char *path; /* NULL: there is none */
	char *made; /* its parent, where that was made for it */
	char *lock_path;
	int lock; /* -1: not held */
};

/* PARENT/PREFIXxxxxxx; parent is made where there is none, and older ones of that prefix are swept
 * away. ERR_IO. */
int scratch_make(struct scratch *s, const char *parent, const char *prefix, struct err *err);
/* With all that is in it, and with a parent that was made for it and holds nothing else. One that
 * was never made is fine. */
void scratch_remove(struct scratch *s);

/* A folder and all in it; symbolic links are not followed. */
void remove_all(const char *folder);

#endif
