/*
 * digest: what identifies the content of a run, from wherever the run is kept.
 *
 * A run's digest covers its suite, component, format and version, tool version, start, samples and
 * absences. Series come in the order of their canonical forms, absences behind them in the order of
 * canonical form, status and reason.
 */
#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>

#include "buf.h"
#include "sink.h"

struct sha256;

struct sha256 *digest_new(const struct run_head *head);
void digest_series(struct sha256 *h, const char *canonical, size_t len);
void digest_value(struct sha256 *h, struct num value);
void digest_absence(struct sha256 *h, const char *canonical, size_t len, enum sink_status status,
	const char *reason);

/* What tells a recorded gate from all others: of all of it, in its order; counts by their verdicts'
 * names. */
void digest_judgement(const struct judgement_fact *j, char ret[65]);

/* Appends the canonical form of a series' names. */
void digest_canonical(
	struct buf *out, const char *benchmark, const struct metric *m, const char *variant);

/* The order of canonical forms: bytewise, a beginning before the whole. Below, at or above 0. */
int digest_compare(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
