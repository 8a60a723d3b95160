#include "changepoint.h"

#include "buf.h"
#include "order.h"
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct changepoint_settings changepoint_defaults(size_t n)
{
	return (struct changepoint_settings){.k = 2.5,
		.penalty = 2,
		.p = n < 60 ? 1e-2 : 1e-3,
		.min_effect = 0.01,
		.exact = true};
}

/* ---- the scale ---- */

/* sd of the noise: MAD_SD x the median absolute deviation of the steps / sqrt 2. */
static double noise(const double *z, size_t n, double *steps)
{
	double drift, mean = 0, mad;
	size_t i;

	for (i = 0; i + 1 < n; i++) {
		steps[i] = (z[i + 1] - z[i]) / M_SQRT2;
		mean += fabs(steps[i]) / (double)(n - 1);
	}
	drift = order_and_median(steps, n - 1);
	for (i = 0; i + 1 < n; i++)
		steps[i] = fabs(steps[i] - drift);
	mad = order_and_median(steps, n - 1);
	return mad > 0 ? MAD_SD * mad : mean;
}

static bool mostly_constant(const double *x, size_t n)
{
	size_t i, same = 0;

	for (i = 1; i < n; i++)
		same += x[i] == x[i - 1];
	return 2 * same > n - 1;
}

static size_t value_changes(const double *x, size_t n, size_t *ret)
{
	size_t i, count = 0;

	for (i = 1; i < n; i++)
		if (x[i] != x[i - 1])
			ret[count++] = i;
	return count;
}

/* ---- R-FPOP ---- */

/* The least cost up to now as a function of the present level u, from the hi of the piece before up
 * to hi: a (u - mu)^2 + c. As mean and sum of squares it stays exact where sums of powers do not.
 */
struct piece {
	double hi, a, mu, c;
	size_t start; /* where the present segment began */
};

struct cost {
	struct piece *v;
	size_t n, cap;
};

static double piece_at(const struct piece *p, double u)
{
	double d = u - p->mu;

	return p->a * d * d + p->c;
}

/* p up to hi, unless that is nothing; one level after another of a new segment is one piece. */
static void emit(struct cost *f, double lo, double hi, const struct piece *p)
{
	struct piece *last = f->n ? &f->v[f->n - 1] : NULL;

	if (!(hi > lo))
		return;
	if (last && last->start == p->start && last->a == 0 && p->a == 0 && last->c == p->c) {
		last->hi = hi;
		return;
	}
	f->v = xgrow(f->v, f->n, &f->cap, sizeof(*f->v));
	f->v[f->n] = *p;
	f->v[f->n++].hi = hi;
}

static struct piece with_square(struct piece p, double x)
{
	double d = x - p.mu;

	if (p.a == 0) {
		p.mu = x;
		p.a = 1;
		return p;
	}
	p.c += d * d * p.a / (p.a + 1);
	p.mu += d / (p.a + 1);
	p.a++;
	return p;
}

static double clamp(double u, double lo, double hi)
{
	return u < lo ? lo : u > hi ? hi : u;
}

/* to = from + min((x - u)^2, k^2) */
static void add_loss(const struct cost *from, double lo, double x, double k, struct cost *to)
{
	struct piece far, near;
	double left, right;
	size_t i;

	to->n = 0;
	for (i = 0; i < from->n; lo = from->v[i++].hi) {
		far = from->v[i];
		left = clamp(x - k, lo, far.hi);
		right = clamp(x + k, lo, far.hi);
		near = right > left ? with_square(far, x) : far;
		far.c += k * k;
		emit(to, lo, left, &far);
		emit(to, left, right, &near);
		emit(to, right, from->v[i].hi, &far);
	}
}

static double least(const struct cost *f, double lo, size_t *ret_start)
{
	double best = INFINITY, c;
	size_t i;

	for (i = 0; i < f->n; lo = f->v[i++].hi) {
		c = piece_at(&f->v[i], clamp(f->v[i].mu, lo, f->v[i].hi));
		if (c < best) {
			best = c;
			*ret_start = f->v[i].start;
		}
	}
	return best;
}

/* to = min(from, what a new segment costs) */
static void cap_cost(const struct cost *from, double lo, const struct piece *fresh, struct cost *to)
{
	size_t i;

	to->n = 0;
	for (i = 0; i < from->n; lo = from->v[i++].hi) {
		const struct piece *p = &from->v[i];
		double room = fresh->c - p->c, r;
		if (p->a == 0 || room < 0) {
			emit(to, lo, p->hi, room < 0 ? fresh : p);
			continue;
		}
		r = sqrt(room / p->a);
		emit(to, lo, clamp(p->mu - r, lo, p->hi), fresh);
		emit(to, clamp(p->mu - r, lo, p->hi), clamp(p->mu + r, lo, p->hi), p);
		emit(to, clamp(p->mu + r, lo, p->hi), p->hi, fresh);
	}
}

static void range(const double *z, size_t n, double *ret_lo, double *ret_hi)
{
	size_t i;

	*ret_lo = *ret_hi = z[0];
	for (i = 1; i < n; i++) {
		*ret_lo = z[i] < *ret_lo ? z[i] : *ret_lo;
		*ret_hi = z[i] > *ret_hi ? z[i] : *ret_hi;
	}
}

/* The segment that ends in i begins at start[i]. z is in standard deviations. */
static void segment(const double *z, size_t n, double k, double beta, size_t *start)
{
	struct cost f = {0}, g = {0};
	struct piece fresh = {0};
	double lo, hi;
	size_t i;

	range(z, n, &lo, &hi);
	emit(&f, lo, hi, &fresh);
	for (i = 0; i < n; i++) {
		add_loss(&f, lo, z[i], k, &g);
		fresh.c = least(&g, lo, &start[i]) + beta;
		fresh.start = i + 1;
		cap_cost(&g, lo, &fresh, &f);
	}
	free(f.v);
	free(g.v);
}

static size_t trace_back(const size_t *start, size_t n, size_t *ret)
{
	size_t i, count = 0;

	for (i = start[n - 1]; i; i = start[i - 1])
		ret[count++] = i;
	for (i = 0; i < count / 2; i++) {
		size_t other = ret[count - 1 - i];
		ret[count - 1 - i] = ret[i];
		ret[i] = other;
	}
	return count;
}

/* ---- pruning ---- */

enum { NEAREST = 60 };

/* The segments before and after a change. */
struct change {
	size_t at;
	double p, effect;
};

struct pruning {
	const double *x;
	size_t n;
	const struct changepoint_settings *s;
	struct change *v;
	size_t count;
	double *scratch; /* n */
};

/* x[from .. to) ascending, in room for as many. */
static const double *ascending(const struct pruning *r, size_t from, size_t to, double *room)
{
	memcpy(room, r->x + from, (to - from) * sizeof(*room));
	order_doubles(room, to - from);
	return room;
}

/* Where the test of a change has to be exact, the side that is long counts with its nearest. */
static size_t tested(size_t n, size_t other)
{
	return other < EXACT_SIDE && n > NEAREST ? NEAREST : n;
}

static double rank_p(const struct pruning *r, size_t n_before, size_t at, size_t n_after)
{
	size_t n = tested(n_before, n_after), m = tested(n_after, n_before);
	const double *before = ascending(r, at - n, at, r->scratch);
	const double *after = ascending(r, at, at + m, r->scratch + n);
	struct tails t = ranks_test(after, m, before, n);

	return fmin(1, 2 * fmin(t.up, t.down));
}

static void weigh(struct pruning *r, size_t i)
{
	size_t from = i ? r->v[i - 1].at : 0, at = r->v[i].at;
	size_t to = i + 1 < r->count ? r->v[i + 1].at : r->n;
	double before = order_median(ascending(r, from, at, r->scratch), at - from);

	r->v[i].effect = fabs(order_median(ascending(r, at, to, r->scratch), to - at) - before);
	r->v[i].p = r->s->p < 1 ? rank_p(r, at - from, at, to - at) : 0;
}

/* Whether a is the one to go before b. */
static bool weaker(const struct change *a, const struct change *b)
{
	return a->p > b->p || (a->p == b->p && a->effect < b->effect);
}

/* The weakest that the test does not bear out; if there is none, the smallest of those too small;
 * count when all may stay. */
static size_t weakest(const struct pruning *r)
{
	size_t i, by_p = r->count, small = r->count;

	for (i = 0; i < r->count; i++) {
		const struct change *c = &r->v[i];
		if (c->p > r->s->p && (by_p == r->count || weaker(c, &r->v[by_p])))
			by_p = i;
		if (c->effect < r->s->min_effect &&
			(small == r->count || c->effect < r->v[small].effect))
			small = i;
	}
	return by_p < r->count ? by_p : small;
}

static void drop(struct pruning *r, size_t i)
{
	r->count--;
	memmove(&r->v[i], &r->v[i + 1], (r->count - i) * sizeof(*r->v));
	if (i)
		weigh(r, i - 1);
	if (i < r->count)
		weigh(r, i);
}

static size_t prune(struct pruning *r, size_t *ret)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		r->v[i].at = ret[i];
	for (i = 0; i < r->count; i++)
		weigh(r, i);
	while ((i = weakest(r)) < r->count)
		drop(r, i);
	for (i = 0; i < r->count; i++)
		ret[i] = r->v[i].at;
	return r->count;
}

/* ---- all of it ---- */

/* z = x / 2^e with magnitudes below 1, so that nothing overflows; returns e. */
static int scale_down(const double *x, size_t n, double *z)
{
	double lo, hi;
	size_t i;
	int e;

	range(x, n, &lo, &hi);
	frexp(fmax(fabs(lo), fabs(hi)), &e);
	for (i = 0; i < n; i++)
		z[i] = ldexp(x[i], -e);
	return e;
}

/* z in standard deviations. Steps that are nothing beside the largest value count as none. */
static void standardise(const double *x, size_t n, double min_effect, double *z, double *scratch)
{
	int e = scale_down(x, n, z);
	double sd = fmax(noise(z, n, scratch), ldexp(min_effect, -e) / 10);
	size_t i;

	sd = fmax(sd, 1e-100);
	for (i = 0; i < n; i++)
		z[i] /= sd;
}

static size_t robust_changes(
	const double *x, size_t n, const struct changepoint_settings *s, size_t *ret)
{
	_cleanup_(freep) double *z = xmalloc(2 * n * sizeof(*z));
	_cleanup_(freep) size_t *start = xmalloc(n * sizeof(*start));
	_cleanup_(freep) struct change *changes = NULL;
	struct pruning r = {.x = x, .n = n, .s = s, .scratch = z + n};

	standardise(x, n, s->min_effect, z, z + n);
	segment(z, n, s->k, s->penalty * log((double)n), start);
	r.count = trace_back(start, n, ret);
	if (!r.count)
		return 0;
	r.v = changes = xmalloc(r.count * sizeof(*changes));
	return prune(&r, ret);
}

size_t changepoints(const double *x, size_t n, const struct changepoint_settings *s, size_t *ret)
{
	double lo, hi;

	if (n < 2)
		return 0;
	range(x, n, &lo, &hi);
	if (lo == hi)
		return 0;
	if (s->exact && mostly_constant(x, n))
		return value_changes(x, n, ret);
	return robust_changes(x, n, s, ret);
}
