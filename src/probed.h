/*
 * probed: what the probes of the machine say of a comparison: it looks for the runs of
 * `perfgate probe` in the sessions whose samples were compared, and flags the verdicts that a
 * slower machine may be the reason of.
 *
 * Which sessions these are differs by series: each pair of them is told of once. Both sides in one
 * session, as perfgate measure has them, share its weather, and nothing is asked. Documents have
 * no session.
 */
#ifndef PROBED_H
#define PROBED_H

#include "compare.h"
#include "report.h"

/* After the verdicts are settled: fills r->drifts and the environment of judged. What r points to
 * is the comparison's. */
int probed_find(struct comparison *x, struct report *r, struct judged *judged, struct err *err);

#endif
