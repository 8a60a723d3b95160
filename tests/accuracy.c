/*
 * accuracy: how often the gate's rule for noisy metrics is wrong, by simulation. With the argument
 * "full" (make bench-accuracy) it prints a table of figures and bounds; without, as a test, it
 * repeats less.
 *
 * A figure is the mean of many repetitions. The table's figures have to meet their bounds as they
 * are. The test's may miss them by three standard errors of their mean: with fewer repetitions a
 * figure that is just as good as its bound comes out on the wrong side of it half the time, and by
 * more than that margin once in 700 times. Seeds are fixed, so that is decided once for all.
 */
#include "evidence.h"
#include "random.h"
#include "signflip.h"
#include "tap.h"

#include "buf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* xoshiro256** by Blackman and Vigna (2018), seeded by splitmix64. */
struct random {
	uint64_t s[4];
};

static uint64_t rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static uint64_t random_bits(struct random *r)
{
	uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

static void random_seed(struct random *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = random_next(&seed);
}

/* In (0, 1]. */
static double uniform(struct random *r)
{
	return ((double)(random_bits(r) >> 11) + 1) * 0x1p-53;
}

static double normal(struct random *r)
{
	double length = sqrt(-2 * log(uniform(r)));

	return length * cos(2 * M_PI * uniform(r));
}

/* Noise of logarithms of n samples that follow each other. */
struct noise {
	const char *name;
	void (*fill)(struct random *r, double *v, size_t n);
};

static void fill_normal(struct random *r, double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = 0.02 * normal(r);
}

static void fill_skewed(struct random *r, double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = 0.012 * exp(0.8 * normal(r));
}

/* Two modes, 6 % apart, three quarters in the lower. */
static void fill_bimodal(struct random *r, double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = 0.006 * normal(r) + (uniform(r) <= 0.25 ? log(1.06) : 0);
}

/* Every tenth sample is late, by half a normal distribution of 25 %. */
static void fill_spikes(struct random *r, double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = 0.02 * normal(r) + (uniform(r) <= 0.1 ? 0.25 * fabs(normal(r)) : 0);
}

/* Student's t with two degrees of freedom: a normal over the root of an exponential variable. */
static void fill_heavy(struct random *r, double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = 0.015 * normal(r) / sqrt(-log(uniform(r)));
}

/* Half of each deviation stays for the next sample; 2 % in all. */
static void fill_autocorrelated(struct random *r, double *v, size_t n)
{
	double last = 0.02 * normal(r);

	for (size_t i = 0; i < n; i++)
		v[i] = last = 0.5 * last + sqrt(0.75) * 0.02 * normal(r);
}

/* 1 % of white noise on a drift that goes back to its middle (AR(1)) and an offset of the session;
 * rho is what stays of the drift from one run to the next, all are of logarithms. */
static void fill_machine(
	struct random *r, double *v, size_t n, double drift, double rho, double session)
{
	double offset = session * normal(r), last = drift * normal(r);

	for (size_t i = 0; i < n; i++) {
		v[i] = 0.01 * normal(r) + last + offset;
		last = rho * last + sqrt(1 - rho * rho) * drift * normal(r);
	}
}

static void fill_white(struct random *r, double *v, size_t n)
{
	fill_machine(r, v, n, 0, 0, 0);
}

static void fill_drift(struct random *r, double *v, size_t n)
{
	fill_machine(r, v, n, 0.02, 0.9, 0);
}

static void fill_offset(struct random *r, double *v, size_t n)
{
	fill_machine(r, v, n, 0.02, 0.9, 0.02);
}

static void fill_rough(struct random *r, double *v, size_t n)
{
	fill_machine(r, v, n, 0.03, 0.95, 0.05);
}

static const struct noise noise_white = {"white 1 %", fill_white};
static const struct noise noise_drift = {"drift 2 %", fill_drift};
static const struct noise noise_offset = {"+ session 2 %", fill_offset};
static const struct noise noise_rough = {"5 %, drift 3 %", fill_rough};
static const struct noise noise_normal = {"normal", fill_normal};
static const struct noise noise_skewed = {"skewed", fill_skewed};
static const struct noise noise_bimodal = {"bimodal", fill_bimodal};
static const struct noise noise_spikes = {"spikes", fill_spikes};
static const struct noise noise_heavy = {"heavy tail", fill_heavy};
static const struct noise noise_autocorrelated = {"autocorrelated", fill_autocorrelated};

/*
 * One figure. To add a scenario, write what it does once and add its rows to the table below; a
 * repetition may draw as much as it likes from r, which is seeded by the row.
 */
struct scenario {
	const char *name;
	const struct noise *noise;
	size_t n;      /* samples a side */
	double change; /* true one */
	double (*once)(const struct scenario *s, struct random *r);
	enum bound { UNBOUND, AT_MOST, AT_LEAST } bound;
	double limit;
	unsigned full, brief; /* repetitions */
};

static const double TOLERANCE = 0.03, LEVEL = 0.01, DISCOVERY = 0.05;
enum { MOST_SAMPLES = 64, BENCHMARKS = 1000, SHIFTED = 20 };

static void compare_once(
	const struct scenario *s, double change, struct random *r, struct evidence *e)
{
	double v[2 * MOST_SAMPLES], *base = v, *head = v + s->n;

	s->noise->fill(r, v, 2 * s->n);
	for (size_t i = 0; i < 2 * s->n; i++)
		v[i] = 100 * exp(v[i]);
	for (size_t i = 0; i < s->n; i++)
		head[i] *= 1 + change;
	evidence_compare(head, s->n, base, s->n, e);
}

static bool is_hit(const struct evidence *e, double level)
{
	return e->p_up <= level && e->change > TOLERANCE;
}

static double hit_once(const struct scenario *s, struct random *r)
{
	struct evidence e;

	compare_once(s, s->change, r, &e);
	return is_hit(&e, LEVEL);
}

/* The change that is said to be seen 95 times of 100, with noise whose spread is known. */
static double detected_once(const struct scenario *s, struct random *r)
{
	struct evidence e = {.n_head = s->n, .n_base = s->n, .logs = true, .relative = true};

	e.spread = expm1(0.02);
	compare_once(s, evidence_detectable(&e, LEVEL, TOLERANCE), r, &e);
	return is_hit(&e, LEVEL);
}

/* Benchmarks in one family, the first so many of them changed: which are hits? */
static void judge_family(const struct scenario *s, size_t changed, struct random *r, bool *hits)
{
	struct evidence e[BENCHMARKS];
	double p[BENCHMARKS], level;
	size_t i;

	for (i = 0; i < BENCHMARKS; i++) {
		compare_once(s, i < changed ? s->change : 0, r, &e[i]);
		p[i] = e[i].p_up;
	}
	level = evidence_hits(p, BENCHMARKS, DISCOVERY);
	for (i = 0; i < BENCHMARKS; i++)
		hits[i] = is_hit(&e[i], level);
}

static double count(const bool *hits, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += hits[i];
	return (double)count;
}

static double flagged_once(const struct scenario *s, struct random *r)
{
	bool hits[BENCHMARKS];

	judge_family(s, 0, r, hits);
	return count(hits, BENCHMARKS);
}

static double found_once(const struct scenario *s, struct random *r)
{
	bool hits[BENCHMARKS];

	judge_family(s, SHIFTED, r, hits);
	return count(hits, SHIFTED);
}

static double false_once(const struct scenario *s, struct random *r)
{
	bool hits[BENCHMARKS];

	judge_family(s, SHIFTED, r, hits);
	return count(hits + SHIFTED, BENCHMARKS - SHIFTED);
}

static const double PAIRED_LEVEL = 0.05;

/* Blocks of two pairs, base head head base and head base base head in turn. */
static size_t head_first(size_t pair)
{
	return (pair ^ pair >> 1) & 1;
}

/* One session, in which the runs of both sides take turns as perfgate measure has them. */
static double paired_once(const struct scenario *s, struct random *r)
{
	double v[2 * MOST_SAMPLES], head[MOST_SAMPLES], base[MOST_SAMPLES];
	struct evidence e;

	s->noise->fill(r, v, 2 * s->n);
	for (size_t i = 0; i < s->n; i++) {
		base[i] = 100 * exp(v[2 * i + head_first(i)]);
		head[i] = 100 * exp(v[2 * i + 1 - head_first(i)]) * (1 + s->change);
	}
	signflip_compare(head, base, s->n, &e);
	return e.p_up <= PAIRED_LEVEL;
}

/* Two sessions, as two CI jobs are. */
static double apart_once(const struct scenario *s, struct random *r)
{
	double head[MOST_SAMPLES], base[MOST_SAMPLES];
	struct evidence e;

	s->noise->fill(r, base, s->n);
	s->noise->fill(r, head, s->n);
	for (size_t i = 0; i < s->n; i++) {
		base[i] = 100 * exp(base[i]);
		head[i] = 100 * exp(head[i]) * (1 + s->change);
	}
	evidence_compare(head, s->n, base, s->n, &e);
	return e.p_up <= PAIRED_LEVEL;
}

#define MACHINE(kind, n, ...)                                                                      \
	{"false alarms, pairs", &noise_##kind, n, 0, paired_once, AT_MOST, 0.06, 100000, 4000},    \
		{"false alarms, sessions apart", &noise_##kind, n, 0, apart_once, UNBOUND, 0,      \
			20000, 0},                                                                 \
		{"+3 % is seen by pairs", &noise_##kind, n, 0.03, paired_once, __VA_ARGS__,        \
			100000, 4000},                                                             \
	{                                                                                          \
		"+3 % is seen, sessions apart", &noise_##kind, n, 0.03, apart_once, UNBOUND, 0,    \
			20000, 0                                                                   \
	}

#define ALARMS(kind, n, ...)                                                                       \
	{                                                                                          \
		"false alarms, one series", &noise_##kind, n, 0, hit_once, __VA_ARGS__, 100000,    \
			4000                                                                       \
	}
#define POWER(kind, ...)                                                                           \
	{                                                                                          \
		"a change of 5 % is seen", &noise_##kind, 10, 0.05, hit_once, __VA_ARGS__, 100000, \
			4000                                                                       \
	}
#define DETECTED(n)                                                                                \
	{                                                                                          \
		"the detectable change is seen", &noise_normal, n, NAN, detected_once, AT_LEAST,   \
			0.93, 100000, 4000                                                         \
	}
#define FLAGGED(kind)                                                                              \
	{                                                                                          \
		"flagged of 1000 unchanged", &noise_##kind, 10, 0, flagged_once, AT_MOST, 1, 200,  \
			4                                                                          \
	}

static const struct scenario scenarios[] = {
	ALARMS(normal, 5, AT_MOST, 0.005),
	ALARMS(skewed, 5, AT_MOST, 0.005),
	ALARMS(bimodal, 5, AT_MOST, 0.005),
	ALARMS(spikes, 5, AT_MOST, 0.005),
	ALARMS(heavy, 5, AT_MOST, 0.005),
	ALARMS(autocorrelated, 5, UNBOUND, 0),
	ALARMS(normal, 10, AT_MOST, 0.005),
	ALARMS(skewed, 10, AT_MOST, 0.005),
	ALARMS(bimodal, 10, AT_MOST, 0.005),
	ALARMS(spikes, 10, AT_MOST, 0.005),
	ALARMS(heavy, 10, AT_MOST, 0.005),
	ALARMS(autocorrelated, 10, UNBOUND, 0),
	POWER(normal, AT_LEAST, 0.95),
	POWER(skewed, AT_LEAST, 0.97),
	POWER(bimodal, AT_LEAST, 0.58),
	POWER(spikes, AT_LEAST, 0.72),
	POWER(heavy, AT_LEAST, 0.85),
	POWER(autocorrelated, UNBOUND, 0),
	DETECTED(5),
	DETECTED(10),
	DETECTED(20),
	FLAGGED(normal),
	FLAGGED(skewed),
	FLAGGED(bimodal),
	FLAGGED(spikes),
	FLAGGED(heavy),
	MACHINE(white, 10, AT_LEAST, 0.9),
	MACHINE(drift, 5, UNBOUND, 0),
	MACHINE(drift, 10, AT_LEAST, 0.9),
	MACHINE(offset, 10, AT_LEAST, 0.9),
	MACHINE(rough, 10, AT_LEAST, 0.9),
	MACHINE(rough, 20, AT_LEAST, 0.9),
	{"found of 20 changes of 10 %", &noise_normal, 10, 0.1, found_once, AT_LEAST, 19, 200, 4},
	{"false among 980 beside them", &noise_normal, 10, 0.1, false_once, AT_MOST, 3, 200, 4},
};

struct figure {
	double mean, error; /* standard, of the mean */
	double least, most;
};

static struct figure measure(const struct scenario *s, unsigned repetitions, uint64_t seed)
{
	struct figure f = {.least = INFINITY, .most = -INFINITY};
	double sum = 0, squares = 0, n = repetitions;
	struct random r;

	random_seed(&r, seed);
	for (unsigned i = 0; i < repetitions; i++) {
		double x = s->once(s, &r);

		sum += x;
		squares += x * x;
		f.least = fmin(f.least, x);
		f.most = fmax(f.most, x);
	}
	f.mean = sum / n;
	f.error = sqrt(fmax(squares / n - f.mean * f.mean, 0) / n);
	return f;
}

static bool meets(const struct scenario *s, double figure, double margin)
{
	return s->bound == UNBOUND ||
	       (s->bound == AT_MOST ? figure <= s->limit + margin : figure >= s->limit - margin);
}

static const char *const words[] = {[AT_MOST] = "at most", [AT_LEAST] = "at least"};

static bool print_row(const struct scenario *s, const struct figure *f)
{
	bool good = meets(s, f->mean, 0);

	printf("%-29s %-14s %3zu %8.4f %7.4f %5g %5g", s->name, s->noise->name, s->n, f->mean,
		f->error, f->least, f->most);
	if (s->bound != UNBOUND)
		printf("  %s %g: %s", words[s->bound], s->limit, good ? "met" : "MISSED");
	putchar('\n');
	return good;
}

static int print_table(void)
{
	bool good = true;

	printf("Tolerance %g %%, p at most %g for one series, Benjamini-Hochberg %g for 1000.\n\n",
		100 * TOLERANCE, LEVEL, DISCOVERY);
	printf("%-29s %-14s %3s %8s %7s %5s %5s\n", "", "noise", "n", "mean", "+-", "least",
		"most");
	for (size_t i = 0; i < ARRAY_LEN(scenarios); i++) {
		struct figure f = measure(&scenarios[i], scenarios[i].full, i);

		good = print_row(&scenarios[i], &f) && good;
	}
	return good ? 0 : 1;
}

static void test_scenario(const struct scenario *s, uint64_t seed)
{
	struct figure f = measure(s, s->brief, seed);
	_cleanup_(freep) char *what =
		xasprintf("%s, %s noise, %zu a side", s->name, s->noise->name, s->n);

	if (!OK(meets(s, f.mean, 3 * f.error), what))
		printf("# %g +- %g, expected %s %g\n", f.mean, f.error, words[s->bound], s->limit);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full"))
		return print_table();
	for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
		if (scenarios[i].bound != UNBOUND)
			test_scenario(&scenarios[i], i);
	return tap_done();
}
