#include "ranks.h"

#include "buf.h"
#include "distribution.h"
#include "ranks-exact.h"

#include <math.h>
#include <stdlib.h>

/* Both sides in one order. */
struct merged {
	size_t n, m;
	size_t u2; /* 2 U */
	size_t *groups, n_groups;
};

static void merge(const double *x, const double *y, struct merged *ret)
{
	size_t i = 0, j = 0, i0, j0;

	ret->groups = xmalloc((ret->n + ret->m) * sizeof(*ret->groups));
	while (i < ret->n || j < ret->m) {
		double v = j == ret->m || (i < ret->n && x[i] < y[j]) ? x[i] : y[j];

		for (i0 = i; i < ret->n && x[i] == v;)
			i++;
		for (j0 = j; j < ret->m && y[j] == v;)
			j++;
		ret->u2 += (i - i0) * (j0 + j);
		ret->groups[ret->n_groups++] = i - i0 + j - j0;
	}
}

static struct tails swap(struct tails t)
{
	return (struct tails){.up = t.down, .down = t.up};
}

/* From the probabilities of 0 ... observed, which is the lesser half. */
static struct tails sum_tails(double *p, size_t observed)
{
	double below = 0;

	for (size_t u = 0; u < observed; u++)
		below += p[u];
	return (struct tails){.up = 1 - below, .down = below + p[observed]};
}

static struct tails exact_distinct(const struct merged *s)
{
	size_t all = s->n * s->m, u = s->u2 / 2;
	_cleanup_(freep) double *p = ranks_distinct(s->n, s->m, u < all - u ? u : all - u);

	return u <= all - u ? sum_tails(p, u) : swap(sum_tails(p, all - u));
}

static void reverse(size_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		size_t other = v[n - 1 - i];

		v[n - 1 - i] = v[i];
		v[i] = other;
	}
}

/* To keep the table small the lesser side takes the part of x, and U is counted from the end that
 * is nearer. */
static struct tails exact_tied(struct merged *s)
{
	size_t all = 2 * s->n * s->m;
	bool far = s->u2 > all - s->u2, switched = s->n > s->m;
	size_t n = switched ? s->m : s->n, m = s->n + s->m - n;
	size_t observed = far ? all - s->u2 : s->u2;
	double *p;
	struct tails t;

	/* Mirrored values and exchanged sides each turn U into n m - U. */
	if (far != switched)
		reverse(s->groups, s->n_groups);
	p = ranks_tied(s->groups, s->n_groups, n, m, observed);
	t = sum_tails(p, observed);
	free(p);
	return far ? swap(t) : t;
}

static double deviation(const struct merged *s)
{
	double n = (double)s->n, m = (double)s->m, ties = 0;

	for (size_t i = 0; i < s->n_groups; i++) {
		double t = (double)s->groups[i];

		ties += t * t * t - t;
	}
	return sqrt(n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1))));
}

/* Hollander and Wolfe, Nonparametric Statistical Methods, section 4.1: large samples and ties. */
static struct tails normal_tails(const struct merged *s)
{
	double off = (double)s->u2 / 2 - (double)s->n * (double)s->m / 2, sd = deviation(s);

	if (!(sd > 0))
		return (struct tails){1, 1};
	return (struct tails){.up = erfc((off - 0.5) / sd * M_SQRT1_2) / 2,
		.down = erfc((-off - 0.5) / sd * M_SQRT1_2) / 2};
}

size_t ranks_tested(size_t n, size_t other, size_t most)
{
	return other < EXACT_SIDE && n > most ? most : n;
}

static bool is_exact(size_t n, size_t m)
{
	return n < EXACT_SIDE || m < EXACT_SIDE || n * m <= EXACT_PAIRS;
}

struct tails ranks_test(const double *x, size_t n, const double *y, size_t m)
{
	struct merged s = {.n = n, .m = m};
	struct tails t;

	merge(x, y, &s);
	if (!is_exact(n, m))
		t = normal_tails(&s);
	else if (s.n_groups == n + m)
		t = exact_distinct(&s);
	else
		t = exact_tied(&s);
	free(s.groups);
	return t;
}

/* What the normal approximation with its correction for continuity has for the critical value;
 * less than 0: none. */
static double normal_critical(size_t n, size_t m, double level)
{
	double pairs = (double)n * (double)m;

	return pairs / 2 - 0.5 + normal_quantile(level) * sqrt(pairs * (double)(n + m + 1) / 12);
}

/* The number of values u from 0 with P(U <= u) <= level, or one more than last. A sum that equals
 * the level is meant to reach it, whatever its last digit. */
static size_t count_refused(size_t n, size_t m, double level, size_t last)
{
	_cleanup_(freep) double *p = ranks_distinct(n, m, last);
	double sum = 0;
	size_t u = 0;

	while (u <= last && sum + p[u] <= level * (1 + 1e-12))
		sum += p[u++];
	return u;
}

bool ranks_critical(size_t n, size_t m, double level, size_t *ret)
{
	double guess = fmax(normal_critical(n, m, level), -1);
	size_t refused = (size_t)(guess + 1), last, middle = n * m / 2;

	/* The distribution is computed as far as it takes, which is seldom to the middle. */
	for (last = refused + refused / 8 + 2; is_exact(n, m); last *= 2) {
		last = last < middle ? last : middle;
		refused = count_refused(n, m, level, last);
		if (refused <= last || last == middle)
			break;
	}
	*ret = refused - 1;
	return refused > 0;
}

double ranks_share(size_t n, size_t m)
{
	size_t few = n < m ? n : m, many = n + m - few;
	double share = 1;

	for (size_t i = 1; i <= few && share > 0; i++)
		share *= (double)i / (double)(many + i);
	return share;
}
