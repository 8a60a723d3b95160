/* Which series and steps are listed. */
#include "lists.h"

#include <stdlib.h>

bool suite_is_long(const struct site_suite *x)
{
	return x->n_series > SUITE_ROWS;
}

/* The series that stands for its benchmark. */
static size_t foremost(const struct site_lists *l, const struct site_benchmark *x)
{
	size_t best = x->first, i;
	int best_rank = 1000;

	for (i = x->first; i < x->first + x->n; i++) {
		const struct site_series *y = &l->series[i];
		const int rank = 10 * (int)y->state + (int)y->class_;
		if (rank < best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

size_t suite_rows(const struct site_lists *l, const struct site_suite *x, size_t **ret)
{
	const bool is_long = suite_is_long(x);
	const size_t n = is_long ? x->n : x->n_series;
	size_t i;

	*ret = xcalloc(n + 1, sizeof(**ret));
	for (i = 0; i < n; i++)
		(*ret)[i] =
			is_long ? foremost(l, &l->benchmarks[x->first + i]) : x->first_series + i;
	return n;
}

size_t recent_steps(const struct site *s, const struct site_lists *l, struct site_step **ret)
{
	size_t n = 0, i;

	*ret = xcalloc(l->n_steps + 1, sizeof(**ret));
	for (i = 0; i < l->n_steps && site_is_recent(s, l->steps[i].at); i++)
		(*ret)[n++] = l->steps[i];
	if (n)
		qsort(*ret, n, sizeof(**ret), site_compare_worst);
	return n;
}
