/*
 * replace: a file that is written beside its place and takes it when it is whole, so that whoever
 * finds it finds all of it, and what was there before stays where writing fails. What is no regular
 * file (a pipe, a device) is written to directly, and so is a file in a folder that takes no other.
 */
#ifndef REPLACE_H
#define REPLACE_H

#include <stdio.h>

#include "err.h"

struct replacement {
	FILE *f;
	char *path, *part; /* part NULL: written directly */
};

/* Both return 0, or -1 with err set (ERR_IO), which names no file. After replace_open() worked,
 * one of the other two releases r. */
int replace_open(struct replacement *r, const char *path, struct err *err);
int replace_close(struct replacement *r, struct err *err);
void replace_abandon(struct replacement *r); /* what was there stays */

#endif
