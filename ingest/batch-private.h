/*
 * batch-private: a batch from within: batch.c fills it, batch-finish.c sorts it and hands it out.
 */
#ifndef BATCH_PRIVATE_H
#define BATCH_PRIVATE_H

#include "batch.h"
#include "intern.h"
#include "spill.h"

struct batch {
	struct sink sink;
	char *component;
	struct spill *spill;
	struct intern *names; /* canonical forms; ids are series numbers */
	struct intern
		*reasons; /* "run\0series\0status\0reason": an absence said twice counts once */
	struct intern *origins; /* names that documents give series */
	uint32_t *origin;       /* of a series: 1 + its number there, 0 none */
	size_t n_origin;
	struct batch_run *runs;
	size_t n_runs, cap_runs;
	size_t first_run; /* of the present document */
	struct batch_absence *absences;
	size_t n_absences, cap_absences;
	char **notes;
	size_t n_notes, cap_notes;
	struct commit_fact *commits;
	size_t n_commits, cap_commits;
	struct tombstone *tombstones;
	size_t n_tombstones, cap_tombstones;
	struct judgement_fact *judgements;
	size_t n_judgements, cap_judgements;
	size_t cap_verdicts; /* of the last */
	size_t judgement_bytes;
	uint32_t *rank; /* of series in the order of their names; current while ordered_count ==
			   intern_count(names) */
	uint32_t ordered_count;
	struct buf scratch;
	void (*progress)(void *ctx);
	void *progress_ctx;
};

/* Brings rank up to date with the series there are. */
void batch_order_series(struct batch *b);

/* ---- batch-judgement.c ---- */

int batch_add_judgement(struct sink *s, const struct judgement_fact *j, struct err *err);
/* Of the last judgement, which there is. */
int batch_add_verdict(struct sink *s, const struct verdict_fact *v, struct err *err);
int batch_check_judgements(const struct batch *b, struct err *err); /* their digests */
void batch_free_judgements(struct batch *b);

#endif
