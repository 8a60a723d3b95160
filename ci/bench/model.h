/*
 * model: what is published of a processor's fused multiply-add in its widest vectors. Sources:
 * Intel's optimization manual, AMD's optimization guides, uops.info.
 */
#ifndef MODEL_H
#define MODEL_H

#include "isa.h"

struct model {
	char vendor[16];
	unsigned family, first, last;
	enum isa isa;
	int latency; /* cycles */
	int units;   /* how many begin each cycle */
};

/* This processor, if isa has its widest vectors; NULL: not known. */
const struct model *model_find(enum isa isa);

#endif
