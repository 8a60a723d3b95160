#include "signs.h"

#include "buf.h"
#include "distribution.h"
#include "noisy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMMON_LEAST = 10, LOPSIDED_LEAST = 8 };

#define COMMON_SHARE 0.8
#define COMMON_SHIFT 0.01
#define COMMON_P 0.001
#define LOPSIDED_P 0.01

static int compare_runners(const void *pa, const void *pb)
{
	const struct judged *const *a = pa, *const *b = pb;
	int r = strcmp((*a)->pair->key.runner, (*b)->pair->key.runner);
	double wa = worsening(*a, (*a)->change), wb = worsening(*b, (*b)->change);

	return r ? r : (wa > wb) - (wa < wb);
}

/* The series of one runner, from the most improved to the worst. */
static void remark_common(const struct judged **j, size_t n, struct buf *ret)
{
	size_t worse = 0, better = 0, i, most;
	double middle = worsening(j[n / 2], j[n / 2]->change);

	for (i = 0; i < n; i++) {
		worse += worsening(j[i], j[i]->change) > 0;
		better += worsening(j[i], j[i]->change) < 0;
	}
	most = worse > better ? worse : better;
	if (worse + better < COMMON_LEAST || (double)most < COMMON_SHARE * (double)n ||
		fabs(middle) < COMMON_SHIFT || 2 * binomial_tail(most, worse + better) > COMMON_P)
		return;
	buf_addf(ret,
		"%zu of %zu noisy series moved together on %.80s: %s, by %.1f %% in the middle; a change of the machine does that more often than one of the code\n",
		most, n, j[0]->pair->key.runner, worse > better ? "worse" : "better",
		fabs(middle) * 100);
}

static void remark_shifts(const struct judged *j, size_t n, struct buf *ret)
{
	const struct judged **v = xmalloc(n * sizeof(*v));
	size_t i, first, m = 0;

	for (i = 0; i < n; i++)
		if (j[i].proof && j[i].has_change)
			v[m++] = &j[i];
	if (m)
		qsort(v, m, sizeof(*v), compare_runners);
	for (first = 0; first < m; first = i) {
		for (i = first + 1;
			i < m && !strcmp(v[i]->pair->key.runner, v[first]->pair->key.runner);)
			i++;
		remark_common(v + first, i - first, ret);
	}
	free(v);
}

/* Suspects do not count: what is better than all sessions once is not told. */
static bool is_flagged_worse(const struct judged *j)
{
	return j->verdict == VERDICT_REGRESSED || (j->section && j->without == VERDICT_REGRESSED);
}

static void remark_lopsided(const struct judged *j, size_t n, struct buf *ret)
{
	size_t worse = 0, better = 0, i, most;

	for (i = 0; i < n; i++) {
		if (!j[i].proof)
			continue;
		worse += is_flagged_worse(&j[i]);
		better += j[i].verdict == VERDICT_IMPROVED;
	}
	most = worse > better ? worse : better;
	if (worse + better < LOPSIDED_LEAST || 2 * binomial_tail(most, worse + better) > LOPSIDED_P)
		return;
	buf_addf(ret,
		"of %zu noisy series that were flagged %zu got worse and %zu better: noise alone would flag both alike\n",
		worse + better, worse, better);
}

void signs_remarks(const struct judged *j, size_t n, struct buf *ret)
{
	remark_shifts(j, n, ret);
	remark_lopsided(j, n, ret);
}
