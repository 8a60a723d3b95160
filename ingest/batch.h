/*
 * batch: the sink that collects what one document (or the documents of one run) said.
 *
 * It checks names, numbers runs and series, keeps samples in 32 MiB of memory and beyond that in
 * an unlinked temporary file, and hands everything out sorted: by run, then series in the order of
 * their names, then arrival. Nothing here knows where that goes.
 *
 * A run's digest (digest.h) is of that sorted content.
 */
#ifndef BATCH_H
#define BATCH_H

#include <stddef.h>

#include "sink.h"

struct batch;
struct batch_run {
	struct run_head head; /* owned strings; component and all */
	char digest[65];
	size_t samples, series, absences;
};

struct batch_series {
	const char *benchmark;
	struct metric metric;
	const char *variant;
	const char *canonical; /* the sort key: fields joined by NUL bytes */
	size_t canonical_len;
};

struct batch_absence {
	int run;
	uint32_t series;
	enum sink_status status;
	const char *reason;
};

/* component: prefixed to benchmark names with a '/'; NULL or "" for none. */
struct batch *batch_new(const char *component);
void batch_free(struct batch *b); /* NULL is fine */
void batch_freep(struct batch **b);
struct sink *batch_sink(struct batch *b);
/* What comes now is another document, whose reader counts its runs from 0. */
void batch_begin_document(struct batch *b);

/* Called now and then while samples arrive. */
void batch_on_progress(struct batch *b, void (*progress)(void *ctx), void *ctx);

/* After the reader's last call: sorts, and to be stored computes digests and counts. To be compared
 * only, a digest is computed where the document names one, since it has to be right. */
enum batch_use { BATCH_STORE, BATCH_COMPARE };
int batch_finish(struct batch *b, enum batch_use use, struct err *err);

size_t batch_runs(const struct batch *b);
struct batch_run *batch_run(struct batch *b, size_t i);
uint32_t batch_series_count(const struct batch *b);
void batch_series(const struct batch *b, uint32_t id, struct batch_series *ret);
const char *batch_origin(const struct batch *b, uint32_t id); /* NULL: not told */
size_t batch_absences(const struct batch *b, const struct batch_absence **ret);
size_t batch_notes(const struct batch *b, char *const **ret);
size_t batch_samples(const struct batch *b);
size_t batch_commits(const struct batch *b, const struct commit_fact **ret);
size_t batch_tombstones(const struct batch *b, const struct tombstone **ret);
size_t batch_judgements(const struct batch *b, const struct judgement_fact **ret);

/* Calls row for every sample in sorted order; ordinal counts within (run, series). Can be repeated.
 */
int batch_each(struct batch *b,
	int (*row)(void *ctx, int run, uint32_t series, int64_t ordinal, struct num value,
		struct err *err),
	void *ctx, struct err *err);

#endif
