/*
 * prune-show: what `perfgate store prune` says.
 */
#ifndef PRUNE_SHOW_H
#define PRUNE_SHOW_H

#include "pruning.h"

struct prune_report {
	const struct pruned *v; /* all runs */
	size_t n;
	const char *keep;
	bool thin, applied, everywhere;
	bool returns;                    /* space is given back at once */
	struct store_info before, after; /* after: only where it was applied */
};

void prune_show(const struct prune_report *r);
void prune_show_json(const struct prune_report *r);

#endif
