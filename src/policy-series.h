/*
 * policy-series: prints what the policy says of each series, for `perfgate policy`.
 */
#ifndef POLICY_SERIES_H
#define POLICY_SERIES_H

#include "context.h"
#include "pattern.h"

/* Every series by itself whose present name matches only (NULL: all): what each attribute is and
 * who says so, the sections that are for it. c has both policy and store. */
int policy_print_series(struct context *c, struct pattern *only, bool json, struct err *err);

#endif
