/*
 * How often a series is called regressed against itself: its samples in one session, split at
 * random, and in the order in which they came.
 */
#include "selftest-private.h"

#include <stdlib.h>
#include <string.h>

enum { SPLITS_MAX = 200000 }; /* of a place, from the newest stays on */

/* ---- random numbers: the same for the same seed and series, whatever else is tested ---- */

/* SplitMix64: G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}

uint64_t selftest_hash(uint64_t h, const char *s)
{
	do
		h = (h ^ (unsigned char)*s) * 0x100000001B3;
	while (*s++);
	return h;
}

static uint64_t seed_of(const struct store_run *r, uint64_t series, uint64_t seed)
{
	uint64_t h = series ^ seed;

	h = selftest_hash(h, r->sha);
	h = selftest_hash(h, r->tree_state);
	return selftest_hash(h, r->session);
}

/* Puts a random half first (Fisher and Yates). */
static void shuffle(double *v, size_t n, uint64_t *state)
{
	size_t i;

	for (i = n; i > 1; i--) {
		size_t k = (size_t)(next_random(state) % i);
		double x = v[i - 1];
		v[i - 1] = v[k];
		v[k] = x;
	}
}

static void compare(const struct testing *t, const struct series_spec *s, const double *head,
	size_t n_head, const double *base, size_t n_base, struct counted *count)
{
	struct evidence e;
	struct alarm a;

	evidence_compare(head, n_head, base, n_base, &e);
	a = selftest_alarm(selftest_p_worse(&e, s), s->sign * e.change, &e, s, t->s->alpha);
	count->trials++;
	count->alarms += a.p;
	count->beyond += a.beyond;
}

/* Of random splits and of the halves as they came. */
struct split_counts {
	struct counted random, order;
};

static void split_series(const struct testing *t, const struct stay *stay,
	const struct stay_series *x, struct split_counts *counts)
{
	const struct series_spec *s = &t->specs[x->series];
	uint64_t state = seed_of(stay->runs, s->hash, t->s->seed);
	double *v = xmalloc(x->n * sizeof(*v));
	const size_t half = x->n / 2;
	int64_t i;

	memcpy(v, x->values, x->n * sizeof(*v));
	/* both ways, since drift goes either way */
	compare(t, s, v, half, v + half, x->n - half, &counts->order);
	compare(t, s, v + half, x->n - half, v, half, &counts->order);
	for (i = 0; i < t->s->splits; i++) {
		shuffle(v, x->n, &state);
		compare(t, s, v, half, v + half, x->n - half, &counts->random);
	}
	free(v);
}

static int split_stay(struct testing *t, const struct stay *stay, struct selftest_rate *rate,
	struct split_counts *counts, struct err *err)
{
	struct stay_samples m;
	bool any = false;
	size_t i;
	int r = stay_samples_load(&m, t->c->store, stay, selftest_wanted, t, err);

	for (i = 0; r == 0 && i < m.n && counts->random.trials < SPLITS_MAX; i++) {
		struct series_spec *s = &t->specs[m.v[i].series];
		if (m.v[i].n < 2 * SELFTEST_SIDE)
			continue;
		rate->series += !s->split;
		s->split = any = true;
		split_series(t, stay, &m.v[i], counts);
		progress_update(t->progress, (double)counts->random.trials, 0);
	}
	rate->units += any;
	stay_samples_release(&m);
	return r;
}

static void set_rate(struct selftest_rate *rate, const struct counted *count)
{
	rate->trials = count->trials;
	if (!count->trials)
		return;
	rate->alarms = interval_of_trials(count->alarms, (double)count->trials);
	rate->beyond = interval_of_trials(count->beyond, (double)count->trials);
}

int selftest_split(struct testing *t, const struct stay *v, size_t n, struct selftest_place *place,
	struct err *err)
{
	struct split_counts counts = {0};
	size_t i;

	for (i = n; i > 0 && counts.random.trials < SPLITS_MAX; i--)
		if (split_stay(t, &v[i - 1], &place->split, &counts, err) < 0)
			return -1;
	place->order.series = place->split.series;
	place->order.units = place->split.units;
	set_rate(&place->split, &counts.random);
	set_rate(&place->order, &counts.order);
	return 0;
}
