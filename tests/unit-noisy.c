/*
 * Noisy verdicts, what holds across series, and what sections of the policy turn: DESIGN 5.4, 5.5
 * and 5.7. Samples are spread evenly so that expected verdicts follow by hand.
 */
#include "noisy.h"
#include "renamed.h"
#include "signs.h"
#include "use-policy.h"

#include "buf.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 10, MANY = 1000 };

static struct judge_options options = {.require = true};

static const char noisy[] = "[rule \"all\"]\n\tjudge = noisy\n\ttolerance = 3%\n\tclass = hard\n";

/* n values from level on, spread by 1 % in all, exact in doubles or not. */
static void fill(struct num *v, size_t n, double level)
{
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = num_real(level * (1 + 0.01 * (double)i / (double)n));
}

static struct pair pair_of(const char *metric, enum direction d, const struct num *base,
	size_t n_base, const struct num *head, size_t n_head)
{
	return (struct pair){.key = {"s", "b", metric, "count", "count", d, "", "r"},
		.head = {.sha = "1111111111111111", .values = head, .n = n_head},
		.base = {.sha = "2222222222222222", .values = base, .n = n_base, .distance = 1},
		.one_session = true};
}

static bool judge(struct pair *p, struct judged *j, size_t n)
{
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		if (judge_pair(policy, &p[i], &options, &j[i], &err) < 0)
			break;
	if (i == n && verdicts_settle(policy, j, n, &options, &err) == 0)
		return true;
	printf("# %s\n", err.msg);
	return false;
}

/* ---- samples against samples ---- */

static void check_levels(
	double base, double head, size_t n, enum direction d, enum verdict v, const char *what)
{
	struct num b[SIDE], h[SIDE];
	struct pair p;
	struct judged j = {0};

	fill(b, n, base);
	fill(h, n, head);
	p = pair_of("m", d, b, n, h, n);
	OK(judge(&p, &j, 1) && j.verdict == v && j.proof && j.proof->method == METHOD_RANKS, what);
	verdicts_release(&j, 1);
}

static void check_ranks(void)
{
	use_policy(noisy);
	check_levels(100, 105, 10, DIRECTION_LOWER, VERDICT_REGRESSED, "5 % more of 10 a side");
	check_levels(
		100, 105, 10, DIRECTION_HIGHER, VERDICT_IMPROVED, "... where higher is better");
	check_levels(100, 95, 10, DIRECTION_HIGHER, VERDICT_REGRESSED, "5 % less, the same");
	check_levels(100, 95, 10, DIRECTION_LOWER, VERDICT_IMPROVED, "... where lower is better");
	check_levels(100, 102, 10, DIRECTION_LOWER, VERDICT_PASS, "2 % is allowed, for sure");
	check_levels(100, 100, 10, DIRECTION_LOWER, VERDICT_PASS, "the same");
	check_levels(100, 105, 2, DIRECTION_LOWER, VERDICT_INCONCLUSIVE, "2 a side cannot tell");
	check_levels(100, 100, 3, DIRECTION_LOWER, VERDICT_INCONCLUSIVE, "3 a side cannot pass");
	check_levels(-100, -95, 10, DIRECTION_LOWER, VERDICT_REGRESSED, "more, below zero");
	check_levels(-100, -105, 10, DIRECTION_LOWER, VERDICT_IMPROVED, "less, below zero");
	check_levels(0, 0, 10, DIRECTION_LOWER, VERDICT_PASS, "nothing on both sides");
	check_levels(0, 5, 10, DIRECTION_LOWER, VERDICT_REGRESSED, "from nothing");
	use_policy("[rule \"all\"]\n\tjudge = noisy\n\ttolerance = 3%\n\tfloor = 6\n");
	check_levels(100, 105, 10, DIRECTION_LOWER, VERDICT_PASS, "below the floor");
	check_levels(100, 107, 10, DIRECTION_LOWER, VERDICT_REGRESSED, "beyond the floor");
}

/* One shifted series among many: with 5 a side p cannot be small enough for one hit in 1,000
 * (1 / 252 against .05 / 1000), with 10 a side it can (1 / 184756). */
static void check_family(size_t n, enum verdict v, const char *what)
{
	struct num *b = xcalloc(SIDE, sizeof(*b)), *h = xcalloc(SIDE, sizeof(*h));
	struct pair *p = xcalloc(MANY, sizeof(*p));
	struct judged *j = xcalloc(MANY, sizeof(*j));
	size_t i;

	fill(b, n, 100);
	fill(h, n, 110);
	for (i = 0; i < MANY; i++)
		p[i] = pair_of("m", DIRECTION_LOWER, b, n, i ? b : h, n);
	OK(judge(p, j, MANY) && j[0].verdict == v && j[0].proof->family == MANY, what);
	OK(j[0].proof->needed == 0 || j[0].proof->needed >= 9, "... and how many it takes");
	verdicts_release(j, MANY);
	free(b);
	free(h);
	free(p);
	free(j);
}

/* ---- sessions ---- */

enum { NIGHTS = 30 };

/* Nights at 100 to 101, the last of them at the levels of tail; head then. */
struct nights {
	struct past_commit commits[NIGHTS];
	struct observation v[NIGHTS];
	struct past past;
	struct num head, base;
	struct pair pair;
};

static void make_nights(struct nights *s, size_t n, const double *tail, size_t n_tail, double head)
{
	static const char sha[] = "abcdef0123456789";
	size_t i;

	for (i = 0; i < n; i++) {
		double level =
			i >= n - n_tail ? tail[i - (n - n_tail)] : 100 + (double)(i * 7 % 10) / 10;
		s->commits[i] = (struct past_commit){sha + i % 4, (int)(n - i), false};
		s->v[i] = (struct observation){
			.median = num_real(level), .commit = (unsigned)i, .until = (unsigned)i};
	}
	s->past = (struct past){.commits = s->commits, .v = s->v, .n = n};
	s->head = num_real(head);
	s->base = n ? s->v[n - 1].median : num_real(100);
	s->pair = pair_of("m", DIRECTION_LOWER, &s->base, 1, &s->head, 1);
	s->pair.one_session = false;
	s->pair.past = &s->past;
}

static void check_nights(size_t n, const double *tail, size_t n_tail, double head, bool on_line,
	enum verdict v, const char *what)
{
	struct nights s;
	struct judged j = {0};

	options.on_line = on_line;
	make_nights(&s, n, tail, n_tail, head);
	OK(judge(&s.pair, &j, 1) && j.verdict == v && j.proof && j.proof->method == METHOD_SESSIONS,
		what);
	if (j.verdict != v)
		printf("# %s\n", verdict_name(j.verdict));
	verdicts_release(&j, 1);
	options.on_line = false;
}

static void check_sessions(void)
{
	static const double up[] = {110, 111, 112, 110};

	use_policy(noisy);
	check_nights(0, NULL, 0, 100, false, VERDICT_INCONCLUSIVE, "no history");
	check_nights(19, NULL, 0, 110, false, VERDICT_INCONCLUSIVE, "19 sessions are too few");
	check_nights(20, NULL, 0, 110, false, VERDICT_SUSPECT, "worse than all of 20");
	check_nights(20, NULL, 0, 100.5, false, VERDICT_PASS, "not worse than all of 20");
	check_nights(20, NULL, 0, 102, false, VERDICT_PASS, "worse than all, and within 3 %");
	check_nights(22, up, 1, 110, true, VERDICT_SUSPECT, "the second in a row");
	check_nights(23, up, 2, 110, true, VERDICT_REGRESSED, "the third in a row");
	check_nights(24, up, 4, 110, true, VERDICT_REGRESSED, "and so it stays");
	check_nights(24, up, 4, 100, true, VERDICT_PASS, "until it is mended");
	check_nights(24, up, 4, 110, false, VERDICT_INHERITED, "a change request inherits it");
	use_policy("[rule \"all\"]\n\tjudge = noisy\n\ttolerance = 3%\n"
		   "[accept \"a\"]\n\tmetric = m\n\tto = 112\n\treason = r\n");
	check_nights(23, up, 2, 110, true, VERDICT_PASS, "an accepted level is none");
}

static void check_pool(void)
{
	struct num b[SIDE], h[SIDE];
	struct pair p;
	struct judged j = {0};

	use_policy("[rule \"all\"]\n\tjudge = noisy\n\ttolerance = 3%\n\tsessions = pool\n");
	fill(b, SIDE, 100);
	fill(h, SIDE, 105);
	p = pair_of("m", DIRECTION_LOWER, b, SIDE, h, SIDE);
	p.one_session = false;
	OK(judge(&p, &j, 1) && j.verdict == VERDICT_REGRESSED && j.proof->method == METHOD_RANKS,
		"sessions = pool compares samples of different sessions");
	verdicts_release(&j, 1);
}

/* Runs that follow each other on a machine that gets ever slower; each gives so many samples. */
static void fill_pairs(struct num *base, struct num *head, size_t n, size_t each)
{
	for (size_t i = 0; i < n * each; i++) {
		double machine = 100 + 80 * (double)(i / each);
		base[i] = num_real(machine + .001 * (double)(i % each));
		head[i] = num_real(1.1 * machine * (1 + .0001 * (double)(i * i % 7)));
	}
}

static void check_pair(struct pair *p, enum verdict v, enum method m, const char *what)
{
	struct judged j = {0};

	OK(judge(p, &j, 1) && j.verdict == v && j.proof->method == m, what);
	verdicts_release(&j, 1);
}

/* Which pair each sample is of, where each run gave so many. */
static void number_pairs(unsigned char *ret, size_t n, size_t each)
{
	for (size_t i = 0; i < n * each; i++)
		ret[i] = (unsigned char)(1 + i / each);
}

static void check_unlike(struct pair *p, unsigned char *of, size_t n)
{
	struct judged j = {0};

	p->head.n = 2 * n - 1;
	OK(judge(p, &j, 1) && j.proof->method == METHOD_PAIRS && j.proof->n_head == n - 1 &&
			j.proof->left_out == 1,
		"a pair of runs with unlike numbers of samples is left out");
	verdicts_release(&j, 1);
	p->head.n = 2 * n;
	for (size_t i = 0; i < 2 * n; i += 2)
		of[i] = 0;
	OK(judge(p, &j, 1) && j.verdict == VERDICT_INCONCLUSIVE && !j.proof && j.why,
		"where that holds for all, nothing can be said");
	verdicts_release(&j, 1);
}

static void check_pairs(void)
{
	unsigned char of_base[SIDE], of_head[SIDE];
	struct num b[SIDE], h[SIDE];
	const size_t n = SIDE / 2;
	struct pair p;

	use_policy("[rule \"all\"]\n\tjudge = noisy\n\ttolerance = 3%\n");
	fill_pairs(b, h, n, 1);
	p = pair_of("m", DIRECTION_LOWER, b, n, h, n);
	check_pair(
		&p, VERDICT_INCONCLUSIVE, METHOD_RANKS, "10 % that the weather hides from ranks");
	number_pairs(of_base, n, 1);
	p.base.pairs = of_base;
	check_pair(&p, VERDICT_INCONCLUSIVE, METHOD_RANKS, "... also where one side is in pairs");
	p.head.pairs = of_base;
	check_pair(&p, VERDICT_REGRESSED, METHOD_PAIRS, "... show in pairs");
	p.key.direction = DIRECTION_HIGHER;
	check_pair(&p, VERDICT_IMPROVED, METHOD_PAIRS, "... also where more is better");
	p.key.direction = DIRECTION_LOWER;
	fill_pairs(b, h, SIDE, 1);
	number_pairs(of_base, SIDE, 1);
	p.base.n = SIDE;
	p.head = p.base;
	p.head.values = h + 1;
	p.head.pairs = of_base + 1;
	p.head.n = SIDE - 1;
	check_pair(&p, VERDICT_REGRESSED, METHOD_PAIRS,
		"a run that lacks does not move those behind it");
	fill_pairs(b, h, n, 2);
	number_pairs(of_base, n, 2);
	number_pairs(of_head, n, 2);
	p = pair_of("m", DIRECTION_LOWER, b, 2 * n, h, 2 * n);
	p.base.pairs = of_base;
	p.head.pairs = of_head;
	check_pair(
		&p, VERDICT_REGRESSED, METHOD_PAIRS, "of runs with two samples the medians pair");
	check_unlike(&p, of_head, n);
	fill_pairs(b, h, SIDE, 1);
	number_pairs(of_base, SIDE, 1);
	p = pair_of("m", DIRECTION_LOWER, b, SIDE, b, SIDE);
	p.head.pairs = p.base.pairs = of_base;
	check_pair(&p, VERDICT_PASS, METHOD_PAIRS, "the same is no change");
}

/* ---- exact levels ---- */

struct levels {
	struct num base, head, pinned;
	struct past_commit commits[4];
	struct observation v[4];
	struct past past;
	struct side reference;
	struct pair pair;
};

/* Commits at these values, the last of which is the base. */
static void make_levels(struct levels *s, const int64_t *values, size_t n, int64_t head)
{
	static const char *const shas[] = {
		"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc", "dddddddddddddddd"};
	size_t i;

	*s = (struct levels){.base = num_int(values[n - 1]), .head = num_int(head)};
	for (i = 0; i < n; i++) {
		s->commits[i] = (struct past_commit){shas[i], (int)(n - i), false};
		s->v[i] = (struct observation){
			.median = num_int(values[i]), .commit = (unsigned)i, .until = (unsigned)i};
	}
	s->past = (struct past){.commits = s->commits, .v = s->v, .n = n};
	s->pair = pair_of("m", DIRECTION_LOWER, &s->base, 1, &s->head, 1);
	s->pair.past = &s->past;
}

static void check_level(const int64_t *values, size_t n, int64_t head, bool on_line, enum verdict v,
	const char *culprit, const char *what)
{
	struct levels s;
	struct judged j = {0};
	struct err err = ERR_INIT;

	make_levels(&s, values, n, head);
	options.on_line = on_line;
	OK(pair_take_level(policy, &s.pair, on_line, &err) == 0 && judge(&s.pair, &j, 1) &&
			j.verdict == v,
		what);
	IS_STR(j.culprit ? j.culprit : "-", culprit, "... and who did it");
	options.on_line = false;
}

static void check_exact_levels(void)
{
	static const int64_t up[] = {100, 100, 110, 110}, mended[] = {100, 110, 100, 100};

	use_policy("[rule \"all\"]\n\tjudge = exact\n\ttolerance = 2%\n\tclass = hard\n");
	check_level(
		up, 4, 110, true, VERDICT_REGRESSED, "cccccccccccccccc", "on main it stays red");
	check_level(up, 4, 100, true, VERDICT_PASS, "-", "until it is mended");
	check_level(up, 4, 110, false, VERDICT_INHERITED, "cccccccccccccccc",
		"a change request inherits");
	check_level(up, 4, 120, false, VERDICT_REGRESSED, "-", "and is red for its own part");
	check_level(up, 4, 101, false, VERDICT_IMPROVED, "-", "and may mend it");
	check_level(mended, 4, 101, true, VERDICT_PASS, "-", "what was mended is forgotten");
	check_level(mended, 4, 110, true, VERDICT_REGRESSED, "-", "and is red anew");
	use_policy("[rule \"all\"]\n\tjudge = exact\n\ttolerance = 2%\n"
		   "[accept \"a\"]\n\tmetric = ^m$\n\tto = 110\n\treason = r\n");
	check_level(up, 4, 110, true, VERDICT_PASS, "-", "an accepted level is the level");
	check_level(up, 4, 115, true, VERDICT_REGRESSED, "-", "beyond it is red");
}

static void check_creep(
	int64_t base, int64_t head, bool on_line, enum verdict v, bool crept, const char *what)
{
	struct levels s;
	struct judged j = {0};

	make_levels(&s, &base, 1, head);
	s.pinned = num_int(1000);
	s.reference = (struct side){.sha = "eeeeeeeeeeeeeeee", .values = &s.pinned, .n = 1};
	s.pair.reference = &s.reference;
	options.on_line = on_line;
	OK(judge(&s.pair, &j, 1) && j.verdict == v && j.crept == crept, what);
	options.on_line = false;
}

static void check_creeps(void)
{
	use_policy("[rule \"all\"]\n\tjudge = exact\n\ttolerance = 2%\n\tcreep = 5%\n");
	check_creep(1040, 1049, true, VERDICT_PASS, false, "4.9 % since the reference");
	check_creep(1045, 1055, true, VERDICT_REGRESSED, true, "5.5 % since the reference");
	check_creep(1045, 1055, false, VERDICT_REGRESSED, true, "... by this change");
	check_creep(1055, 1056, false, VERDICT_INHERITED, true, "... by those before it");
	check_creep(1055, 1056, true, VERDICT_REGRESSED, true, "... on main it stays red");
}

/* ---- sections ---- */

static void check_turn(const char *section, int64_t time, struct pair p, enum verdict v,
	bool expired, const char *what)
{
	_cleanup_(freep) char *text = xasprintf(
		"[rule \"all\"]\n\tjudge = exact\n\ttolerance = 2%%\n\tclass = hard\n%s", section);
	struct judged j = {0};

	use_policy(text);
	options.head_time = time;
	OK(judge(&p, &j, 1) && j.verdict == v && j.expired == expired, what);
	OK((j.section != NULL) == (expired || v == VERDICT_ACCEPTED || v == VERDICT_WAIVED ||
					  v == VERDICT_INFO),
		"... and what turned it");
	options.head_time = 0;
}

static void check_turns(void)
{
	static const int64_t day = INT64_C(86400000000000), may1 = 20574 * day; /* 2026-05-01 */
	static const char accept[] = "[accept \"a\"]\n\tmetric = m\n\tto = 110\n\treason = r\n";
	static const char waive[] =
		"[waive \"w\"]\n\tbenchmark = b\n\tuntil = 2026-05-01\n\treason = r\n";
	static const char retire[] = "[retire \"o\"]\n\tbenchmark = b\n";
	struct num hundred = num_int(100), more = num_int(112), most = num_int(113);
	struct pair p = pair_of("m", DIRECTION_LOWER, &hundred, 1, &more, 1),
		    q = pair_of("m", DIRECTION_LOWER, &hundred, 1, &most, 1),
		    gone = pair_of("m", DIRECTION_LOWER, &hundred, 1, NULL, 0);

	check_turn(accept, 0, p, VERDICT_ACCEPTED, false, "2 % beyond what is accepted");
	check_turn(accept, 0, q, VERDICT_REGRESSED, false, "more than that");
	check_turn(waive, may1 + day - 1, q, VERDICT_WAIVED, false, "waived to the end of the day");
	check_turn(waive, may1 + day, q, VERDICT_REGRESSED, true, "and no longer");
	check_turn(waive, 0, gone, VERDICT_WAIVED, false, "what is missing is waived too");
	check_turn(retire, 0, gone, VERDICT_INFO, false, "or retired");
	check_turn("", 0, gone, VERDICT_MISSING, false, "or missing");
}

/* ---- all together ---- */

static void check_signs(void)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct num low[SIDE], high[SIDE];
	struct pair p[20];
	struct judged j[20] = {0};
	size_t i;

	use_policy(noisy);
	fill(low, SIDE, 100);
	fill(high, SIDE, 105);
	for (i = 0; i < 20; i++)
		p[i] = pair_of("m", DIRECTION_LOWER, low, SIDE, high, SIDE);
	judge(p, j, 20);
	signs_remarks(j, 20, &b);
	OK(strstr(buf_str(&b), "20 of 20 noisy series moved together") != NULL, "common shift");
	OK(strstr(buf_str(&b), "20 got worse and 0 better") != NULL, "lopsided flags");
	verdicts_release(j, 20);
	for (i = 0; i < 20; i++)
		p[i] = i % 2 ? pair_of("m", DIRECTION_LOWER, low, SIDE, high, SIDE)
			     : pair_of("m", DIRECTION_LOWER, high, SIDE, low, SIDE);
	judge(p, j, 20);
	buf_clear(&b);
	signs_remarks(j, 20, &b);
	IS_STR(buf_str(&b), "", "half worse and half better is no sign");
	verdicts_release(j, 20);
}

static void check_renamed(void)
{
	static const struct num v[] = {{.is_int = true, .i = 7}, {.is_int = true, .i = 9}};
	struct pair p[4];
	struct judged j[4] = {0};
	struct renamed *found;
	size_t n;

	use_policy("[rule \"all\"]\n\tjudge = exact\n");
	p[0] = pair_of("m", DIRECTION_LOWER, &v[0], 1, NULL, 0);
	p[1] = pair_of("k", DIRECTION_LOWER, &v[1], 1, NULL, 0);
	p[2] = pair_of("k", DIRECTION_LOWER, NULL, 0, &v[1], 1);
	p[3] = pair_of("m", DIRECTION_LOWER, NULL, 0, &v[0], 1);
	p[0].key.benchmark = p[1].key.benchmark = "old";
	p[2].key.benchmark = p[3].key.benchmark = "new";
	judge(p, j, 4);
	n = renamed_find(j, 4, &found);
	OK(n == 1 && !strcmp(found->from, "old") && !strcmp(found->to, "new") && found->values == 2,
		"one gone and one new with the same values");
	free(found);
	p[3].head.values = &v[1];
	judge(p, j, 4);
	n = renamed_find(j, 4, &found);
	OK(n == 0, "one value differs");
	free(found);
}

int main(void)
{
	check_ranks();
	check_family(5, VERDICT_INCONCLUSIVE, "one of 1,000 with 5 a side");
	check_family(10, VERDICT_REGRESSED, "one of 1,000 with 10 a side");
	check_sessions();
	check_pool();
	check_pairs();
	check_exact_levels();
	check_creeps();
	check_turns();
	check_signs();
	check_renamed();
	policy_free(policy);
	return tap_done();
}
