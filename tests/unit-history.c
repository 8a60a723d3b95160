/*
 * The last good level of exact series, and the session rule of noisy ones (DESIGN 5.5, 5.7). The
 * series are constructed; tests/nights.c has the rule's rates.
 */
#include "history.h"

#include "exact.h"
#include "random.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define L DIRECTION_LOWER
#define H DIRECTION_HIGHER
#define PERCENT(n) ((struct decimal){n, -2})

enum { MAX = 400 };

static struct past_commit commits[MAX];
static struct observation seen[MAX];
static struct past past = {.commits = commits, .v = seen};

/* The next observation, on a commit of its own. */
static void see(struct num value)
{
	seen[past.n] = (struct observation){
		.median = value, .commit = (unsigned)past.n, .until = (unsigned)past.n};
	commits[past.n++].own = false;
}

static void see_own(struct num value)
{
	see(value);
	commits[past.n - 1].own = true;
}

/* ---- the level ---- */

static struct level level_of(const int64_t *v, size_t n, const struct step_rule *r)
{
	struct level l;
	size_t i;

	past.n = 0;
	for (i = 0; i < n; i++)
		see(num_int(v[i]));
	history_level(&past, r, &l);
	return l;
}

#define LEVEL(r, ...)                                                                              \
	level_of((const int64_t[]){__VA_ARGS__},                                                   \
		sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), r)

static void test_level(void)
{
	struct step_rule r = {.direction = L, .tolerance = PERCENT(2), .floor = {1, 0}};
	struct level l = level_of(NULL, 0, &r);

	OK(!l.known && !l.regressed, "no observation, no level");
	l = LEVEL(&r, 100);
	OK(l.known && l.at == 0 && !l.regressed, "one");
	l = LEVEL(&r, 100, 100, 100);
	OK(l.at == 2 && !l.regressed, "the newest of equals");
	l = LEVEL(&r, 100, 100, 110, 112, 111);
	OK(l.at == 1 && l.regressed && l.culprit == 2, "what is worse does not become the level");
	l = LEVEL(&r, 100, 110, 102, 102, 106);
	OK(l.at == 3 && l.regressed && l.culprit == 4, "mended, and worse again");
	l = LEVEL(&r, 100, 110, 90);
	OK(l.at == 2 && !l.regressed, "an improvement is the level");
	l = LEVEL(&r, 90, 100, 90, 100);
	OK(l.at == 2 && l.regressed && l.culprit == 3, "... that later ones are held to");
	l = LEVEL(&r, 100, 102, 104, 106);
	OK(l.at == 3 && !l.regressed, "small steps are another check's");
	l = LEVEL(&r, 0, 1, 0, 0);
	OK(l.at == 3 && !l.regressed, "from 0 and back");
	l = LEVEL(&r, 0, 0, 1);
	OK(l.at == 1 && l.regressed && l.culprit == 2, "from 0");
	l = LEVEL(&r, -100, -90, -100);
	OK(l.at == 2 && !l.regressed, "negative ones");
	l = LEVEL(&r, -100, -90);
	OK(l.at == 0 && l.regressed, "... that get worse");
	r.direction = H;
	l = LEVEL(&r, 100, 110, 100, 90);
	OK(l.at == 1 && l.regressed && l.culprit == 2, "higher is better");
	r.tolerance = PERCENT(0);
	r.direction = L;
	l = LEVEL(&r, 9007199254740992, 9007199254740993);
	OK(l.at == 0 && l.regressed, "2^53 + 1 is more than 2^53");
	r.tolerance = (struct decimal){1, -3};
	l = LEVEL(&r, 1000000, 1001000, 1002001);
	OK(l.at == 2 && !l.regressed, "exactly the tolerance");
	l = LEVEL(&r, 1000000, 1001000, 1002002);
	OK(l.at == 1 && l.regressed, "... and one more");
}

static void test_level_own(void)
{
	struct step_rule r = {.direction = L, .tolerance = PERCENT(2), .floor = {1, 0}};
	struct level l;

	past.n = 0;
	see(num_int(100));
	see_own(num_int(150));
	see_own(num_int(50));
	history_level(&past, &r, &l);
	OK(l.known && l.at == 0 && !l.regressed, "own commits neither regress nor mend the base");
	past.n = 0;
	see_own(num_int(150));
	history_level(&past, &r, &l);
	OK(!l.known, "... and are no level");
}

static void test_level_accept(void)
{
	struct step_rule r = {.direction = L,
		.tolerance = PERCENT(2),
		.floor = {1, 0},
		.accepts = true,
		.accept = {120, 0}};
	struct level l = LEVEL(&r, 100, 118, 122);

	OK(l.at == 2 && !l.regressed && l.used_accept, "an accepted level is one");
	l = LEVEL(&r, 100, 123);
	OK(l.at == 0 && l.regressed && !l.used_accept, "worse than what is accepted");
	l = LEVEL(&r, 100, 101);
	OK(l.at == 1 && !l.used_accept, "nothing to accept");
	OK(step_accepted(&r, (struct decimal){1224, -1}) &&
			!step_accepted(&r, (struct decimal){12241, -2}),
		"up to the tolerance beyond");
	r.direction = H;
	OK(step_accepted(&r, (struct decimal){1176, -1}) &&
			!step_accepted(&r, (struct decimal){11759, -2}),
		"... below, where higher is better");
	r.accept = (struct decimal){0, 0};
	OK(step_accepted(&r, r.accept) && !step_accepted(&r, (struct decimal){-1, -9}),
		"nothing is accepted beyond 0");
	r.accepts = false;
	OK(!step_accepted(&r, r.accept), "no accept");
}

/* By the header's words alone, in decimals. */
static struct level plain_level(const struct past *p, const struct step_rule *r)
{
	struct level l = {0};
	size_t i;

	for (i = 0; i < p->n; i++) {
		struct decimal x = decimal_from(p->v[i].median);
		bool worse = false;
		if (l.known)
			worse = exact_verdict(x, decimal_from(p->v[l.at].median), r->direction,
					r->tolerance, r->floor) == VERDICT_REGRESSED;
		if (worse && !l.regressed)
			l.culprit = i;
		if (!worse)
			l.at = i;
		l.regressed = worse;
		l.known = true;
	}
	return l;
}

/* ---- noise ---- */

static uint64_t state;

static uint64_t next(void)
{
	return random_next(&state);
}

static void test_level_random(void)
{
	struct step_rule r = {.direction = L, .tolerance = PERCENT(1), .floor = {1, 0}};
	bool good = true;
	size_t i, k;

	state = 3;
	for (k = 0; k < 400; k++) {
		struct level a, b;
		past.n = 0;
		for (i = 0; i < 40; i++) {
			int64_t x = (int64_t)(100 + next() % 4);
			see(k % 2 ? num_int(x) : num_real((double)x / 10));
		}
		r.direction = k % 4 < 2 ? L : H;
		r.floor = (struct decimal){(__int128)(next() % 3), k % 2 ? 0 : -1};
		history_level(&past, &r, &a);
		b = plain_level(&past, &r);
		good &= a.at == b.at && a.regressed == b.regressed &&
			(!a.regressed || a.culprit == b.culprit);
	}
	OK(good, "400 random series: as decimals alone have it");
}

/* ---- sessions ---- */

/* n sessions around a level, within 1 %; the 20 values between its ends come in turns. */
static void see_around(double level, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		see(num_real(level * (1 + ((double)(i * 7 % 20) - 9.5) / 1000)));
}

static struct step_rule rule = {.direction = L, .tolerance = {3, -2}};

static struct sessions judged(double head)
{
	struct sessions s;

	history_sessions(&past, &rule, head, &s);
	return s;
}

static void start(size_t n)
{
	past.n = 0;
	see_around(100, n);
}

static void test_few(void)
{
	struct sessions s;

	past.n = 0;
	s = judged(100);
	OK(s.say == SESSIONS_FEW && s.n == 0 && s.p == 1 && isnan(s.change) && isinf(s.low) &&
			isinf(s.high) && isinf(s.detectable) && s.culprit == 0,
		"no history at all");
	start(19);
	s = judged(200);
	OK(s.say == SESSIONS_FEW && s.n == 19 && !s.worse && s.p == 0.05, "19 are too few");
	OK(fabs(s.change - 1) < 0.01 && isinf(s.detectable), "... but tell the change");
	start(20);
	s = judged(200);
	OK(s.say == SESSIONS_SUSPECT && s.n == 20 && s.worse && s.culprit == 20, "20 are enough");
}

static void test_numbers(void)
{
	struct sessions s;

	start(40);
	s = judged(102);
	OK(s.say == SESSIONS_PASS && !s.worse && s.n == 40, "worse than all, within the tolerance");
	OK(s.median == 100 && fabs(s.change - 0.02) < 1e-12 && fabs(s.p - 1. / 41) < 1e-12,
		"median, change, p");
	OK(s.low < 0.02 && s.low > 0.01 && s.high > 0.02 && s.high < 0.03, "interval");
	OK(fabs(s.detectable - 0.0390) < 1e-3, "detectable: the tolerance and the noise");
	s = judged(100.94);
	OK(fabs(s.p - 3. / 41) < 1e-12, "p counts those not better");
	s = judged(103.1);
	OK(s.say == SESSIONS_SUSPECT && s.worse, "beyond the tolerance");
	rule.floor = (struct decimal){4, 0};
	s = judged(103.1);
	OK(s.say == SESSIONS_PASS && !s.worse, "... not beyond the floor");
	rule.floor = (struct decimal){0, 0};
}

static void test_row(void)
{
	struct sessions s;

	start(30);
	see(num_real(110));
	s = judged(110);
	OK(s.say == SESSIONS_SUSPECT && s.culprit == 30 && s.n == 30, "two in a row");
	see(num_real(109));
	s = judged(110);
	OK(s.say == SESSIONS_REGRESSED && s.culprit == 30 && !s.base_regressed && s.n == 30,
		"three in a row");
	s = judged(100);
	OK(s.say == SESSIONS_PASS && !s.base_regressed && s.n == 30 && s.culprit == 32,
		"a row that head does not end");
	see(num_real(111));
	s = judged(110);
	OK(s.say == SESSIONS_REGRESSED && s.base_regressed && s.culprit == 30, "four in a row");
	s = judged(100);
	OK(s.say == SESSIONS_PASS && s.base_regressed && s.culprit == 30, "head mends it");
	start(30);
	see(num_real(110));
	see(num_real(100));
	see(num_real(110));
	s = judged(110);
	OK(s.say == SESSIONS_PASS && s.n == 33, "a broken row is history, and so not worse");
	s = judged(111);
	OK(s.say == SESSIONS_SUSPECT && s.culprit == 33, "... worse than which is a new row");
}

static void test_stretch(void)
{
	struct sessions s;

	start(30);
	see_around(110, 150);
	s = judged(110);
	OK(s.say == SESSIONS_REGRESSED && s.base_regressed && s.n == 30 && s.culprit == 30,
		"its length makes a regression no level");
	see(num_real(100.5));
	s = judged(110);
	OK(s.say == SESSIONS_REGRESSED && !s.base_regressed && s.culprit == 30 && s.n == 30,
		"a lucky night mends nothing");
	see_around(110, 3);
	see_around(100, 3);
	s = judged(100);
	OK(s.say == SESSIONS_PASS && !s.base_regressed && s.n == 33, "three good ones do");
	s = judged(110);
	OK(s.say == SESSIONS_SUSPECT && s.culprit == past.n, "... and a new row begins");
	start(30);
	see_around(102, 60);
	s = judged(110);
	OK(s.say == SESSIONS_SUSPECT && s.n == 60, "a level within the tolerance is one");
}

static void test_improved(void)
{
	struct sessions s;

	start(30);
	see(num_real(90));
	s = judged(90);
	OK(s.say == SESSIONS_PASS, "better twice");
	see(num_real(91));
	s = judged(90);
	OK(s.say == SESSIONS_IMPROVED && s.n == 30 && fabs(s.change + 0.1) < 1e-3, "three times");
	see_around(90, 15);
	s = judged(90);
	OK(s.say == SESSIONS_FEW && s.n == 17, "a new level has its own history");
	see_around(90, 5);
	s = judged(100);
	OK(s.say == SESSIONS_SUSPECT && s.n == 22 && fabs(s.change - 1. / 9) < 0.01,
		"... to which head is held");
}

static void test_commits(void)
{
	struct sessions s;
	size_t i;

	start(30);
	for (i = 0; i < 2; i++) {
		see(num_real(110 + (double)i));
		seen[30 + i].commit = 30;
	}
	s = judged(110);
	OK(s.say == SESSIONS_SUSPECT && s.culprit == 31, "sessions of one commit are one of a row");
	see(num_real(100.1));
	seen[32].commit = 30;
	s = judged(110);
	OK(s.say == SESSIONS_PASS && s.n == 33, "the newest of them decides");
	start(30);
	see(num_real(110));
	see(num_real(110));
	seen[31].commit = 30;
	see(num_real(100));
	OK(judged(100).n == 33, "all of them are history when the row is broken");
	start(30);
	for (i = 0; i < 4; i++) {
		see(num_real(i % 2 ? 110 : 100.2));
		seen[30 + i].commit = (unsigned)(30 + i / 2);
	}
	s = judged(110);
	OK(s.say == SESSIONS_REGRESSED && s.culprit == 31 && s.n == 32,
		"older ones that are not worse count as history");
}

static void test_own(void)
{
	struct sessions s;

	start(30);
	see_own(num_real(100));
	s = judged(110);
	OK(s.n == 30, "own commits are no history");
	see_own(num_real(110));
	see_own(num_real(110));
	s = judged(110);
	OK(s.say == SESSIONS_REGRESSED && !s.base_regressed && s.culprit == 31,
		"... but stand in a row");
	start(30);
	see_around(110, 5);
	see_own(num_real(100));
	s = judged(110);
	OK(s.base_regressed && s.say == SESSIONS_REGRESSED && s.culprit == 30,
		"the base is regressed whatever own commits are");
	see_own(num_real(100));
	see_own(num_real(100));
	s = judged(100);
	OK(s.base_regressed && s.say == SESSIONS_PASS && s.n == 30, "... though they mended it");
}

static void test_accept(void)
{
	struct sessions s;

	start(30);
	see(num_int(110));
	see(num_int(111));
	rule.accepts = true;
	rule.accept = (struct decimal){110, 0};
	s = judged(112);
	OK(s.say == SESSIONS_PASS && !s.worse && s.used_accept, "accepted is never worse");
	s = judged(114);
	OK(s.worse && s.say == SESSIONS_SUSPECT, "... up to there");
	start(30);
	s = judged(100);
	OK(!s.used_accept, "nothing to accept");
	see_around(109, 40);
	s = judged(109);
	OK(s.say == SESSIONS_PASS && !s.base_regressed && s.used_accept && s.n == 40,
		"an accepted level becomes the history");
	rule.accepts = false;
	s = judged(109);
	OK(s.say == SESSIONS_REGRESSED && s.base_regressed && s.n == 30, "... and no other does");
}

/* ---- symmetry, signs and extremes ---- */

static bool same_mirrored(const struct sessions *a, const struct sessions *b)
{
	return a->say == b->say && a->n == b->n && a->median == -b->median &&
	       a->change == -b->change && a->low == -b->high && a->high == -b->low &&
	       a->p == b->p && a->detectable == b->detectable && a->worse == b->worse &&
	       a->base_regressed == b->base_regressed && a->culprit == b->culprit;
}

/* What a row of each kind and a change of level make of random walks. */
static void random_past(size_t n)
{
	double level = 100;
	size_t i;

	past.n = 0;
	for (i = 0; i < n; i++) {
		if (next() % 16 == 0)
			level *= next() % 2 ? 1.08 : 0.93;
		see(num_real(level + (double)(next() % 1000) / 500));
		if (i && next() % 4 == 0)
			seen[i].commit = seen[i - 1].commit;
		commits[seen[i].commit].own = i + 3 > n;
	}
}

static void test_mirror(void)
{
	bool good = true;
	size_t seen_as[SESSIONS_IMPROVED + 1] = {0}, i, k;

	state = 4;
	for (k = 0; k < 2000; k++) {
		struct sessions a, b;
		double head;
		random_past(20 + next() % 100);
		head = num_double(seen[past.n - 1].median);
		a = judged(head);
		rule.direction = H;
		for (i = 0; i < past.n; i++)
			seen[i].median.d *= -1;
		b = judged(-head);
		rule.direction = L;
		good &= same_mirrored(&a, &b);
		seen_as[a.say]++;
	}
	OK(good, "2000 random series: the mirror image where higher is better");
	for (i = 0; i <= SESSIONS_IMPROVED; i++)
		OK(seen_as[i] > 0, "... of every kind");
}

static void test_signs(void)
{
	struct sessions s;
	size_t i;

	start(30);
	for (i = 0; i < past.n; i++)
		seen[i].median.d -= 200;
	s = judged(-90);
	OK(s.say == SESSIONS_SUSPECT && fabs(s.change - 0.1) < 1e-3 && fabs(s.median + 100) < 0.1,
		"negative values: relative to the magnitude");
	past.n = 0;
	for (i = 0; i < 30; i++)
		see(num_int((int64_t)(i % 3) - 1));
	s = judged(2);
	OK(s.say == SESSIONS_SUSPECT && s.median == 0 && isnan(s.change) && isinf(s.low) &&
			isinf(s.detectable),
		"a median of 0: any more is worse, and has no change");
	rule.floor = (struct decimal){3, 0};
	OK(judged(2).say == SESSIONS_PASS, "... but for the floor");
	rule.floor = (struct decimal){0, 0};
	past.n = 0;
	for (i = 0; i < 30; i++)
		see(num_int(0));
	OK(judged(0).say == SESSIONS_PASS && judged(1).say == SESSIONS_SUSPECT &&
			judged(-1).say == SESSIONS_PASS,
		"nothing but zeros");
}

static void test_coarse(void)
{
	struct sessions s;
	size_t i;

	past.n = 0;
	for (i = 0; i < 40; i++)
		see(num_int(i % 6 == 5 ? 11 : 10));
	s = judged(10);
	OK(s.say == SESSIONS_PASS && s.n == 40, "a tick of a coarse clock is no new level");
}

/* A level with noise of 1.5 %: the mean of twelve uniform numbers is about normal. */
static void see_noisy(double level, size_t n)
{
	double sum;
	size_t i, k;

	for (i = 0; i < n; i++) {
		for (sum = 0, k = 0; k < 12; k++)
			sum += (double)(next() % 1000) / 1000 - 0.5;
		see(num_real(level * (1 + 0.015 * sum)));
	}
}

/* What is not worse than all, night after night, and worse for good. */
static void test_crept(void)
{
	struct sessions s;

	state = 3;
	past.n = 0;
	see_noisy(100, 40);
	see_noisy(104, 30);
	s = judged(104);
	OK(s.say == SESSIONS_REGRESSED && s.base_regressed && s.culprit == 40 && s.n == 40,
		"a change for the worse is no new level");
	s = judged(100);
	OK(s.say == SESSIONS_PASS && s.base_regressed, "... head mends it");
	see_noisy(100, 6);
	s = judged(100);
	OK(s.say == SESSIONS_PASS && !s.base_regressed, "... mended for good");
	rule.accepts = true;
	rule.accept = (struct decimal){104, 0};
	past.n = 40;
	see_noisy(104, 30);
	s = judged(104);
	OK(s.say == SESSIONS_PASS && s.n == 30 && s.used_accept, "... unless it was accepted");
	rule.accepts = false;
	past.n = 0;
	see_noisy(104, 40);
	see_noisy(100, 30);
	s = judged(100);
	OK(s.say == SESSIONS_PASS && s.n == 30, "one for the better is");
	s = judged(104);
	OK(s.say == SESSIONS_SUSPECT, "... and what was before it is worse");
}

static void test_beyond_base(void)
{
	struct sessions s;

	start(30);
	see_around(120, 5);
	s = judged(120);
	OK(s.base_regressed && s.worse && s.beyond_base == 0, "no worse than a regressed base");
	s = judged(150);
	OK(s.base_regressed && s.worse && s.beyond_base == 1, "worse than it");
	see_own(num_real(151));
	see_own(num_real(150));
	s = judged(150);
	OK(s.beyond_base == 3, "... for three own commits");
	see_own(num_real(120));
	s = judged(150);
	OK(s.beyond_base == 1, "... in a row");
}

static void test_blind(void)
{
	struct sessions s;
	size_t i;

	past.n = 0;
	for (i = 0; i < 40; i++)
		see(num_real(100 + 10 * (double)(i * 7 % 5)));
	s = judged(120);
	OK(s.say == SESSIONS_BLIND && s.n == 40, "noise that hides what is not allowed");
	s = judged(200);
	OK(s.say == SESSIONS_SUSPECT, "... but not everything");
}

static void test_extremes(void)
{
	static const double odd[] = {
		1.7e308, -1.7e308, 5e-324, -5e-324, 0, 1, 1e300, -1e-300, 2.2e-308};
	bool good = true;
	size_t i, k;

	state = 5;
	for (k = 0; k < 300; k++) {
		struct sessions s;
		past.n = 0;
		for (i = 0; i < 60; i++)
			see(num_real(odd[next() % (k % 2 ? ARRAY_LEN(odd) : 3)]));
		s = judged(odd[next() % ARRAY_LEN(odd)]);
		good &= !isnan(s.low) && !isnan(s.high) && !isnan(s.detectable) &&
			(isnan(s.change) || isfinite(s.change)) && s.n <= 60 && s.p > 0 &&
			s.p <= 1 && s.culprit <= 60 && isfinite(s.median);
	}
	OK(good, "300 series of the largest and the smallest doubles");
}

int main(void)
{
	test_level();
	test_level_own();
	test_level_accept();
	test_level_random();
	test_few();
	test_numbers();
	test_row();
	test_stretch();
	test_improved();
	test_commits();
	test_own();
	test_accept();
	test_mirror();
	test_signs();
	test_coarse();
	test_crept();
	test_beyond_base();
	test_blind();
	test_extremes();
	return tap_done();
}
