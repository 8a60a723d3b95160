/*
 * recording: keeps in the store what a gate said (perfgate gate --record). No gate reads it.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "gating.h"

/* After gating_judge(). made_at in ns. An error says that the verdict was not recorded. */
int gating_record(const struct gating *g, int64_t made_at, struct err *err);

#endif
