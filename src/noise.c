#include "noise.h"

#include "each-series.h"
#include "evidence.h"
#include "order.h"
#include "spread.h"
#include "term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sessions of one suite and runner that are looked at, and how many medians are kept meanwhile. */
enum { STAYS_MAX = 200, MEDIANS_MAX = 4 << 20 };
/* What it takes: samples for a spread, sessions for one between them. */
enum { SAMPLES_LEAST = 4, SESSIONS_LEAST = 5 };

/* The chance of a false alarm, and of missing what is to be seen. */
static const double LEVEL = .05;

/* Of two medians with the same spread: both chances are 5 %, 2 x 1.645 x sqrt(2). */
static const double TWO_MEDIANS = 4.652349532;

/* ---- what is gathered ---- */

struct gathered { /* one series of one place */
	bool wanted, exact;
	const char *metric, *benchmark;
	double tolerance, floor;
	double *medians, *spreads, *counts; /* newest session first */
	size_t n, cap, n_spreads;
	size_t samples;
	size_t last_stay; /* its newest session looked at last, plus 1 */
	double wobble;    /* the largest difference above the tolerance; 0 none */
};

struct gathering {
	struct store *s;
	struct policy *p;
	struct gathered *v; /* by the store's number */
	size_t n;
	size_t medians; /* in all of v */
	const struct stay *place;
	struct progress *progress;
};

static int add_series(
	void *ctx, const struct series_key *key, const struct store_series *x, struct err *err)
{
	struct gathering *g = ctx;
	struct decision d = {0};

	if (policy_decide(g->p, key, &d, err) < 0)
		return -1;
	if (d.class_ == CLASS_INFO || d.direction == DIRECTION_NONE)
		return 0;
	g->v = xgrow_to(g->v, &g->n, (size_t)x->id, sizeof(*g->v));
	g->v[x->id] = (struct gathered){.wanted = true,
		.exact = d.judge == JUDGE_EXACT,
		.metric = key->metric,
		.benchmark = key->benchmark,
		.tolerance = decimal_double(d.tolerance),
		.floor = decimal_double(d.floor)};
	return 0;
}

static bool wanted(void *ctx, int64_t series)
{
	const struct gathering *g = ctx;

	return series >= 0 && (size_t)series < g->n && g->v[series].wanted;
}

static void note_wobble(struct gathered *s, double a, double b)
{
	double difference = fabs(a - b), size = fmin(fabs(a), fabs(b));

	if (difference < s->floor || difference <= s->tolerance * size)
		return;
	difference = size > 0 ? difference / size : INFINITY;
	s->wobble = fmax(s->wobble, difference);
}

/* What differs within a session, or between sessions of one commit, is no change of the code. */
static void look_for_wobble(struct gathering *g, struct gathered *s, const struct stay_series *x,
	double middle, size_t stay)
{
	double low = x->values[0], high = low;
	size_t i;

	for (i = 1; i < x->n; i++) {
		low = fmin(low, x->values[i]);
		high = fmax(high, x->values[i]);
	}
	note_wobble(s, low, high);
	if (s->n && stays_same_commit(&g->place[s->last_stay - 1], &g->place[stay]))
		note_wobble(s, s->medians[s->n - 1], middle);
}

static double sample_spread(const struct stay_series *x)
{
	struct evidence e;

	if (x->n < SAMPLES_LEAST)
		return NAN;
	evidence_compare(x->values, x->n, x->values, x->n, &e);
	return e.relative ? e.spread : NAN;
}

static void keep(struct gathering *g, struct gathered *s, double middle, double n, double spread)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 8;
		s->medians = xrealloc(s->medians, s->cap * sizeof(*s->medians));
		s->spreads = xrealloc(s->spreads, s->cap * sizeof(*s->spreads));
		s->counts = xrealloc(s->counts, s->cap * sizeof(*s->counts));
	}
	s->medians[s->n] = middle;
	s->counts[s->n++] = n;
	if (!isnan(spread))
		s->spreads[s->n_spreads++] = spread;
	g->medians++;
}

static void gather_series(struct gathering *g, const struct stay_series *x, size_t stay)
{
	struct gathered *s = &g->v[x->series];
	double *copy = xmalloc(x->n * sizeof(*copy)), middle;

	memcpy(copy, x->values, x->n * sizeof(*copy));
	middle = order_and_median(copy, x->n);
	free(copy);
	if (s->exact)
		look_for_wobble(g, s, x, middle, stay);
	keep(g, s, middle, (double)x->n, s->exact ? NAN : sample_spread(x));
	s->samples += x->n;
	s->last_stay = stay + 1;
}

static int gather_stay(struct gathering *g, size_t stay, struct err *err)
{
	struct stay_samples m;
	size_t i;
	int r = stay_samples_load(&m, g->s, &g->place[stay], wanted, g, err);

	for (i = 0; r == 0 && i < m.n; i++)
		gather_series(g, &m.v[i], stay);
	stay_samples_release(&m);
	return r;
}

/* ---- what follows ---- */

static int by_metric(const void *pa, const void *pb)
{
	const struct gathered *a = *(struct gathered *const *)pa,
			      *b = *(struct gathered *const *)pb;
	int c = strcmp(a->metric, b->metric);

	if (!c)
		c = (int)a->exact - (int)b->exact;
	return c ? c : (a > b) - (a < b);
}

static void count_series(struct noise *x, const struct gathered *s)
{
	x->series++;
	x->samples += s->samples;
	x->sessions = s->n > x->sessions ? s->n : x->sessions;
	x->tolerance = fmax(x->tolerance, s->tolerance);
	if (!s->wobble)
		return;
	if (x->wobbling < NOISE_NAMES)
		x->wobblers[x->wobbling] = s->benchmark;
	x->wobbling++;
	x->wobble = fmax(x->wobble, s->wobble);
}

/* Three of four are at most that; sorts v. NAN of none. */
static double upper(double *v, size_t n)
{
	order_doubles(v, n);
	return order_at_least(v, n, .75);
}

/* The spreads of n series become one, and what could be seen with it. */
static void sum_up(struct noise *x, struct gathered **v, size_t n)
{
	double *within = xcalloc(n, sizeof(*within)), *between = xcalloc(n, sizeof(*between)),
	       *counts = xcalloc(n, sizeof(*counts));
	size_t n_within = 0, n_between = 0, i;

	for (i = 0; i < n; i++) {
		struct gathered *s = v[i];
		counts[i] = order_and_median(s->counts, s->n);
		if (s->n_spreads)
			within[n_within++] = order_and_median(s->spreads, s->n_spreads);
		if (s->n >= SESSIONS_LEAST && of_one_sign(s->medians, s->n))
			between[n_between++] = spread_of_steps(s->medians, s->n);
	}
	x->usual_n = (size_t)order_and_median(counts, n);
	x->within = upper(within, n_within);
	x->between = upper(between, n_between);
	x->seen_between = TWO_MEDIANS * x->between;
	if (n_within) {
		struct evidence e = {.n_head = x->usual_n,
			.n_base = x->usual_n,
			.logs = true,
			.relative = true,
			.spread = x->within};
		x->seen_within = evidence_detectable(&e, LEVEL, 0);
	}
	free(within);
	free(between);
	free(counts);
}

/* One metric's series. */
static void finish_metric(
	struct noises *ret, const struct stay *place, struct gathered **v, size_t n)
{
	struct noise x = {.suite = place->runs->suite,
		.runner = place->runs->runner_key,
		.metric = v[0]->metric,
		.judge = v[0]->exact ? JUDGE_EXACT : JUDGE_NOISY,
		.within = NAN,
		.between = NAN,
		.seen_within = NAN,
		.seen_between = NAN};
	size_t i;

	for (i = 0; i < n; i++)
		count_series(&x, v[i]);
	if (x.judge == JUDGE_NOISY)
		sum_up(&x, v, n);
	ret->v = xgrow(ret->v, ret->n, &ret->cap, sizeof(*ret->v));
	ret->v[ret->n++] = x;
}

static void finish_place(struct noises *ret, struct gathering *g)
{
	struct gathered **sorted = xcalloc(g->n, sizeof(*sorted));
	size_t n = 0, first = 0, i;

	for (i = 0; i < g->n; i++)
		if (g->v[i].n)
			sorted[n++] = &g->v[i];
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_metric);
	for (i = 1; i <= n; i++) {
		if (i < n && sorted[i]->exact == sorted[first]->exact &&
			!strcmp(sorted[i]->metric, sorted[first]->metric))
			continue;
		finish_metric(ret, g->place, sorted + first, i - first);
		first = i;
	}
	free(sorted);
}

static void forget_place(struct gathering *g)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		struct gathered *s = &g->v[i];
		free(s->medians);
		free(s->spreads);
		free(s->counts);
		s->medians = s->spreads = s->counts = NULL;
		s->n = s->cap = s->n_spreads = s->samples = s->last_stay = 0;
		s->wobble = 0;
	}
	g->medians = 0;
}

static int measure_place(struct noises *ret, struct gathering *g, size_t n, struct err *err)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < n && i < STAYS_MAX && g->medians < MEDIANS_MAX; i++) {
		r = gather_stay(g, n - 1 - i, err);
		progress_update(g->progress, (double)i, (double)(n < STAYS_MAX ? n : STAYS_MAX));
	}
	if (r == 0)
		finish_place(ret, g);
	forget_place(g);
	return r;
}

static int compare(const void *pa, const void *pb)
{
	const struct noise *a = pa, *b = pb;
	int c = strcmp(a->suite, b->suite);

	if (!c)
		c = strcmp(a->metric, b->metric);
	if (!c)
		c = (int)a->judge - (int)b->judge;
	return c ? c : strcmp(a->runner, b->runner);
}

int noise_measure(struct noises *ret, struct store *s, struct policy *p, const struct stays *stays,
	struct err *err)
{
	struct gathering g = {.s = s, .p = p};
	size_t i, n;
	int r;

	*ret = (struct noises){.names = intern_new()};
	r = each_series(s, p, NULL, ret->names, add_series, &g, err);
	g.progress = progress_start("measuring noise");
	for (i = 0; r == 0 && i < stays->n; i += n) {
		g.place = &stays->v[i];
		n = stays_in_place(g.place, stays->n - i);
		r = measure_place(ret, &g, n, err);
	}
	progress_end(g.progress);
	free(g.v);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), compare);
	return r;
}

void noises_release(struct noises *n)
{
	free(n->v);
	intern_free(n->names);
	*n = (struct noises){0};
}
