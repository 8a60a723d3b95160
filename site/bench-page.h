/*
 * bench-page: a benchmark's page, and the data that the script draws its charts from.
 */
#ifndef BENCH_PAGE_H
#define BENCH_PAGE_H

#include "site.h"

struct bench_point {
	uint32_t commit;
	double value;
	const double *samples; /* where they are to be drawn, else NULL */
	size_t n;              /* 0 */
};

struct bench_series {
	const struct site_series *of;
	const struct bench_point *points; /* oldest first */
	size_t n;
	const struct trend *trend;
	const struct site_step *steps; /* those of trend */
	const double *accepts;
	size_t n_accepts;
};

struct bench {
	const char *suite, *name;
	const struct bench_series *v;
	size_t n;
};

void bench_page(struct buf *b, const struct site *s, const struct bench *x);
void bench_data(struct buf *b, const struct bench *x); /* data/b/SLUG.json */

#endif
