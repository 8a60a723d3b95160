#include "verdict.h"

#include "buf.h"

#include <math.h>
#include <stdlib.h>

/* 1 before 3 before 0. */
static int status_rank(int status)
{
	return status == 1 ? 0 : status == 3 ? 1 : 2;
}

/* A change from 0 is larger than any other. */
static double change_size(const struct judged *j)
{
	if (!j->pair->head.n || !j->pair->base.n)
		return 0;
	if (j->has_change)
		return fabs(j->change);
	return decimal_cmp(j->head_exact, j->base_exact) ? INFINITY : 0;
}

/* What decides mostly, close together: verdicts are large and far apart. */
struct sort_key {
	unsigned rank; /* status, verdict, class */
	double size;
	const struct judged *j;
};

static int compare(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return series_key_compare(&a->j->pair->key, &b->j->pair->key);
}

/* Puts j[keys[k].j] in place k for all k, along the cycles of the permutation. */
static void permute(struct judged *j, struct sort_key *keys, size_t n)
{
	size_t i, k, from;

	for (i = 0; i < n; i++) {
		struct judged held;
		if (!keys[i].j)
			continue;
		held = j[i];
		for (k = i;; k = from) {
			from = (size_t)(keys[k].j - j);
			keys[k].j = NULL; /* done */
			if (from == i)
				break;
			j[k] = j[from];
		}
		j[k] = held;
	}
}

void verdicts_sort(struct judged *j, size_t n, const struct judge_options *opts)
{
	struct sort_key *keys = xmalloc(n * sizeof(*keys));
	size_t i;

	for (i = 0; i < n; i++)
		keys[i] = (struct sort_key){
			(unsigned)status_rank(verdict_status(&j[i], opts)) << 16 |
				(unsigned)j[i].verdict << 8 | (unsigned)j[i].decision.class_,
			change_size(&j[i]), &j[i]};
	if (n)
		qsort(keys, n, sizeof(*keys), compare);
	permute(j, keys, n);
	free(keys);
}
