/*
 * stage: what perfgate itself spends its time with, for `perfgate --trace FILE`. A stage is a
 * PERFGATE_SCOPE() of perfgate/trace.h; without a trace it costs a load and a branch.
 */
#ifndef STAGE_H
#define STAGE_H

#define PERFGATE_TRACE_EXTERN /* the rest is in stage.c */
#include <perfgate/trace.h>

#include "err.h"

/* Begins the trace, which exit() would end too. Returns 0, or -1 with err set. */
int stage_trace(const char *file, struct err *err);

/* Ends it, if there is one. Returns 0, or -1 with err set when the file is not complete. */
int stage_trace_end(const char *file, struct err *err);

#endif
