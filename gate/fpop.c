#include "fpop.h"

#include "buf.h"
#include "order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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
	double least; /* of all levels, and the start of that segment */
	size_t start;
};

/* One step: z is the new point, fresh the cost of a segment that begins with it. */
struct step {
	double z, k;
	struct piece fresh;
	struct piece held; /* from lo on; still to get its loss, when it is known where it ends */
	double lo;
};

static double piece_at(const struct piece *p, double u)
{
	double d = u - p->mu;

	return p->a * d * d + p->c;
}

static double clamp(double u, double lo, double hi)
{
	return u < lo ? lo : u > hi ? hi : u;
}

static bool same(const struct piece *p, const struct piece *q)
{
	return p->start == q->start && p->a == q->a && p->c == q->c &&
	       (p->a == 0 || p->mu == q->mu);
}

/* p from lo up to hi, unless that is nothing. */
static void emit(struct cost *f, double lo, double hi, const struct piece *p)
{
	double least;

	if (!(hi > lo))
		return;
	least = piece_at(p, clamp(p->mu, lo, hi));
	if (least < f->least) {
		f->least = least;
		f->start = p->start;
	}
	if (f->n && same(&f->v[f->n - 1], p)) {
		f->v[f->n - 1].hi = hi;
		return;
	}
	f->v = xgrow(f->v, f->n, &f->cap, sizeof(*f->v));
	f->v[f->n] = *p;
	f->v[f->n++].hi = hi;
}

static struct piece with_square(struct piece p, double z)
{
	double d = z - p.mu;

	if (p.a == 0) {
		p.mu = z;
		p.a = 1;
		return p;
	}
	p.c += d * d * p.a / (p.a + 1);
	p.mu += d / (p.a + 1);
	p.a++;
	return p;
}

/* held + min((z - u)^2, k^2) */
static void add_loss(struct cost *to, const struct step *s)
{
	double lo = s->lo, hi = s->held.hi;
	double left = clamp(s->z - s->k, lo, hi), right = clamp(s->z + s->k, lo, hi);
	struct piece far = s->held, near;

	far.c += s->k * s->k;
	emit(to, lo, left, &far);
	if (right > left) {
		near = with_square(s->held, s->z);
		emit(to, left, right, &near);
	}
	emit(to, right, hi, &far);
}

static void hold(struct cost *to, struct step *s, double lo, double hi, const struct piece *p)
{
	if (!(hi > lo))
		return;
	if (s->held.hi > s->lo && !same(&s->held, p)) {
		add_loss(to, s);
		s->lo = lo;
	}
	s->held = *p;
	s->held.hi = hi;
}

/* Where p costs more than a new segment, that one takes its place. */
static void take_piece(struct cost *to, struct step *s, double lo, const struct piece *p)
{
	double room = s->fresh.c - p->c, r, left, right;

	if (room < 0) {
		hold(to, s, lo, p->hi, &s->fresh);
	} else if (piece_at(p, lo) <= s->fresh.c && piece_at(p, p->hi) <= s->fresh.c) {
		hold(to, s, lo, p->hi, p);
	} else {
		r = sqrt(room / p->a);
		left = clamp(p->mu - r, lo, p->hi);
		right = clamp(p->mu + r, lo, p->hi);
		hold(to, s, lo, left, &s->fresh);
		hold(to, s, left, right, p);
		hold(to, s, right, p->hi, &s->fresh);
	}
}

/* to = min(from, fresh) + min((z - u)^2, k^2), with levels from lo on */
static void take_step(struct cost *to, struct step *s, double lo, const struct cost *from)
{
	size_t i;

	to->n = 0;
	to->least = INFINITY;
	s->lo = s->held.hi = lo;
	for (i = 0; i < from->n; lo = from->v[i++].hi)
		take_piece(to, s, lo, &from->v[i]);
	add_loss(to, s);
}

static double least_of(const struct piece *p, double lo)
{
	return piece_at(p, clamp(p->mu, lo, p->hi));
}

static double middle_cost(const struct cost *f, double lo)
{
	_cleanup_(freep) double *v = xmalloc(f->n * sizeof(*v));
	size_t i;

	for (i = 0; i < f->n; lo = f->v[i++].hi)
		v[i] = least_of(&f->v[i], lo);
	return order_any_median(v, f->n);
}

/* Gives up the half of the pieces that costs more, but for one where all cost the same. */
static void thin(struct cost *f, double lo, const struct piece *fresh)
{
	double middle = middle_cost(f, lo);
	bool found = middle > f->least;
	struct cost to = {.least = INFINITY};
	size_t i;

	for (i = 0; i < f->n; lo = f->v[i++].hi) {
		const struct piece *p = &f->v[i];
		bool keep = least_of(p, lo) < middle || (!found && least_of(p, lo) <= f->least);
		emit(&to, lo, p->hi, keep ? p : fresh);
		found |= keep;
	}
	free(f->v);
	*f = to;
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

void fpop_segment(const double *z, size_t n, double k, double penalty, size_t *start)
{
	struct cost f = {.least = INFINITY}, g = {0}, other;
	struct step s = {.k = k};
	double lo, hi;
	size_t i;

	range(z, n, &lo, &hi);
	emit(&f, lo, hi, &s.fresh);
	for (i = 0; i < n; i++) {
		s.z = z[i];
		take_step(&g, &s, lo, &f);
		start[i] = g.start;
		s.fresh.c = g.least + penalty;
		s.fresh.start = i + 1;
		if (g.n > MOST_PIECES)
			thin(&g, lo, &s.fresh);
		other = f;
		f = g;
		g = other;
	}
	free(f.v);
	free(g.v);
}

size_t fpop_changes(const size_t *start, size_t n, size_t *ret)
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
