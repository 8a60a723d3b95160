/*
 * gates-log: the list of the gates that were recorded.
 */
#ifndef GATES_LOG_H
#define GATES_LOG_H

#include "context.h"

/* Newest first, at most limit (0: all); of a commit where sha is not NULL. Prints it. */
int gates_log(struct context *c, const char *sha, int64_t limit, bool json, struct err *err);

#endif
