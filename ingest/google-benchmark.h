/*
 * google-benchmark: what the elements of such a document come to, and what is known of the names in
 * it so far.
 */
#ifndef GOOGLE_BENCHMARK_H
#define GOOGLE_BENCHMARK_H

#include "buf.h"
#include "intern.h"
#include "json.h"
#include "one-run.h"

#define GB_PENDING_MAX (16u << 20) /* bytes */

enum { GB_REPEATED = 1, GB_HAS_MEAN = 2, GB_HAS_MEDIAN = 4 };

struct gb {
	const char *file;
	struct one_run run;
	struct buf facts;
	char *version;
	int64_t started_at;
	bool has_benchmarks;

	struct intern *names;
	unsigned char *seen; /* by name: GB_REPEATED, ... */
	size_t n_seen;
	struct buf pending; /* elements, as JSON, that matter when their name has no repetition */
	size_t aggregates, complexities, alone, failed;
};

/* An element of 'benchmarks'; for js_objects(). */
int gb_element(void *ctx, const struct jv *o, struct err *err);

/* The elements that waited for the end. */
int gb_finish_elements(struct gb *g, struct err *err);

#endif
