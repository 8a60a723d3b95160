/*
 * result: what makes a result one that the reader takes.
 */
#ifndef PERFGATE_RESULT_H
#define PERFGATE_RESULT_H

#include "perfgate/kpi.h"

/* *ret = *r with git_sha and timestamp as they are to be written; the strings are borrowed. Returns
 * 0, or EINVAL where the reader would refuse it. */
int perfgate_result_complete(struct perfgate_result *ret, const struct perfgate_result *r);

/* An environment variable that is set and not empty; NULL in a program with more rights than
 * whoever called it. */
const char *perfgate_variable(const char *name);

#endif
