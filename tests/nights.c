/*
 * The session rule night after night: one session of one sample each, twenty nights of history,
 * then a hundred on which it judges. Fixed seeds, own generator.
 *
 * Prints, per family of noise and tolerance, the share of unchanged series that are regressed on
 * any night, and the shares of nights that are suspect, and that have too few sessions. Then how a
 * series is judged that gets worse: the share that is regressed within so many nights, on how many
 * of the nights after that it is still called regressed, and how often the night is named on which
 * it happened. PAST_SESSIONS is more than all these nights.
 *
 *     nights [SERIES]    without it, a few series of two families
 */
#include "history.h"

#include "random.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { HISTORY = 20, NIGHTS = 100, ALL = HISTORY + NIGHTS, SHIFT_AT = 60, FEW_SERIES = 40 };

/* ---- noise ---- */

static double uniform(uint64_t *state) /* 0 < . < 1 */
{
	return ((double)(random_next(state) >> 12) + 0.5) / 4503599627370496.0;
}

static double gauss(uint64_t *state) /* Box and Muller */
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(2 * M_PI * uniform(state));
}

static double normal(uint64_t *s)
{
	return 0.02 * gauss(s);
}

static double skewed(uint64_t *s)
{
	return 0.012 * exp(0.8 * gauss(s));
}

static double bimodal(uint64_t *s)
{
	return (uniform(s) < 0.25 ? 0.06 : 0) + 0.005 * gauss(s);
}

static double spikes(uint64_t *s)
{
	double x = 0.015 * gauss(s);

	return uniform(s) < 0.1 ? x + fabs(0.25 * gauss(s)) : x;
}

static double heavy(uint64_t *s) /* Student's t of 2 degrees of freedom */
{
	return 0.015 * gauss(s) / sqrt(-log(uniform(s)));
}

static const struct family {
	const char *name;
	double (*draw)(uint64_t *state);
} families[] = {{"lognormal 2 %", normal}, {"skewed", skewed}, {"bimodal", bimodal},
	{"spikes", spikes}, {"heavy tail", heavy}};

/* ---- a series ---- */

static struct past_commit commits[ALL];
static struct observation seen[ALL];

static void draw(const struct family *f, uint64_t *seed, double shift)
{
	size_t i;

	for (i = 0; i < ALL; i++) {
		double change = i >= SHIFT_AT ? log1p(shift) : 0;
		seen[i] =
			(struct observation){.median = num_real(1e6 * exp(f->draw(seed) + change)),
				.commit = (unsigned)i,
				.until = (unsigned)i};
	}
}

static struct sessions judge(size_t night, struct decimal tolerance)
{
	struct step_rule rule = {.direction = DIRECTION_LOWER, .tolerance = tolerance};
	struct past p = {.commits = commits, .v = seen, .n = night};
	struct sessions s;

	history_sessions(&p, &rule, num_double(seen[night].median), &s);
	return s;
}

/* ---- unchanged ---- */

struct quiet {
	size_t series, regressed, suspect_nights, few_nights;
};

static struct quiet unchanged(const struct family *f, size_t series, struct decimal tolerance)
{
	struct quiet q = {.series = series};
	uint64_t seed = 1;
	size_t i, night;

	for (i = 0; i < series; i++) {
		bool regressed = false;
		draw(f, &seed, 0);
		for (night = HISTORY; night < ALL; night++) {
			enum sessions_say say = judge(night, tolerance).say;
			regressed |= say == SESSIONS_REGRESSED;
			q.suspect_nights += say == SESSIONS_SUSPECT;
			q.few_nights += say == SESSIONS_FEW;
		}
		q.regressed += regressed;
	}
	return q;
}

static double share(size_t n, size_t of)
{
	return of ? (double)n / (double)of : 0;
}

static void print_quiet(const char *name, const char *tolerance, struct quiet q)
{
	printf("# %-14s T %s  series regressed %.4f  nights suspect %.4f  too few %.4f\n", name,
		tolerance, share(q.regressed, q.series), share(q.suspect_nights, q.series * NIGHTS),
		share(q.few_nights, q.series * NIGHTS));
}

/* A share of 1 %, and what chance adds to it in so few series (3 standard deviations). */
static bool within(size_t hits, size_t n)
{
	return (double)hits <= 0.01 * (double)n + 3 * sqrt(0.01 * (double)n);
}

static void test_unchanged(size_t n_families, size_t series, bool untolerant)
{
	size_t i;

	for (i = 0; i < n_families; i++) {
		const struct family *f = &families[i];
		struct quiet q = unchanged(f, series, (struct decimal){3, -2});
		print_quiet(f->name, "3 %", q);
		OK(within(q.regressed, series), "at most 1 % of unchanged series regress");
		if (untolerant)
			print_quiet(f->name, "0 %", unchanged(f, series, (struct decimal){0}));
	}
}

/* ---- worse from one night on ---- */

struct loud {
	size_t found3, found10, found, after, still, named;
};

static void follow(struct loud *l)
{
	size_t night, since = 0;

	for (night = SHIFT_AT; night < ALL; night++) {
		struct sessions s = judge(night, (struct decimal){3, -2});
		bool hit = s.say == SESSIONS_REGRESSED;
		if (!since && hit) {
			since = night;
			l->found3 += night < SHIFT_AT + 3;
			l->found10 += night < SHIFT_AT + 10;
			l->found++;
		}
		l->after += since != 0;
		l->still += since && hit;
		l->named += since && hit && s.culprit == SHIFT_AT;
	}
}

static struct loud changed(const struct family *f, size_t series, double shift)
{
	struct loud l = {0};
	uint64_t seed = 2;
	size_t i;

	for (i = 0; i < series; i++) {
		draw(f, &seed, shift);
		follow(&l);
	}
	printf("# %-14s +%2.0f %%  regressed in 3 nights %.3f, 10 %.3f, 60 %.3f; still "
	       "%.3f, of the right night %.3f\n",
		f->name, 100 * shift, share(l.found3, series), share(l.found10, series),
		share(l.found, series), share(l.still, l.after), share(l.named, l.still));
	return l;
}

static void test_changed(size_t n_families, size_t series)
{
	size_t i;

	for (i = 0; i < n_families; i++) {
		const struct family *f = &families[i];
		struct loud l;
		changed(f, series, 0.05);
		l = changed(f, series, 0.10);
		if (f->draw == normal)
			OK(share(l.found3, series) > 0.9 && share(l.still, l.after) > 0.95,
				"10 % more is found in three nights and stays found");
	}
}

int main(int argc, char **argv)
{
	size_t series = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : FEW_SERIES, i;
	size_t n_families = argc > 1 ? ARRAY_LEN(families) : 2;

	for (i = 0; i < ALL; i++)
		commits[i].distance = (int)(ALL - i);
	test_unchanged(n_families, series, argc > 1);
	test_changed(argc > 1 ? n_families : 1, series);
	return tap_done();
}
