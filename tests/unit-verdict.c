/*
 * Verdicts: DESIGN 5.3, 5.6 and its table of exit statuses. The medians of the kpi table are those
 * of a loop benchmark suite and of a change that made it worse; the percentages are Python's.
 */
#include "nums.h"
#include "use-policy.h"
#include "verdict.h"

#include "buf.h"
#include "exact.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const struct judge_options required = {.require = true};

static struct pair pair_of(const char *suite, const char *metric, enum direction direction)
{
	return (struct pair){.key = {suite, "b", metric, "count", "count", direction, "", "r"},
		.head = {.sha = "1111111"},
		.base = {.sha = "2222222", .distance = 1}};
}

/* The reason of the last verdict asked for. */
static const char *reason_of(const struct judged *j)
{
	static char text[1024];
	struct buf b = BUF_INIT;

	judged_reason(j, &b);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static struct judged judged(const struct pair *p)
{
	struct judged j = {0};
	struct err err = ERR_INIT;

	if (judge_pair(policy, p, &required, &j, &err) < 0)
		printf("# %s\n", err.msg);
	return j;
}

/* ---- the exact rule ---- */

struct known {
	const char *metric;
	enum direction direction;
	struct num base[2], head[2]; /* both samples; their mean is the median */
	enum verdict verdict;
	const char *reason;
};

#define L DIRECTION_LOWER
#define H DIRECTION_HIGHER
static const struct known table[] = {
	{"allocs_per_op", L, {I(32178), I(32179)}, {I(32854), I(32855)}, VERDICT_REGRESSED,
		"676 more than 32178.5 (+2.10 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(33131), I(33131)}, {I(33823), I(33823)}, VERDICT_REGRESSED,
		"692 more than 33131 (+2.09 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(33131), I(33131)}, {I(33793), I(33793)}, VERDICT_PASS,
		"662 more than 33131 (+1.998 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(33131), I(33131)}, {I(33794), I(33794)}, VERDICT_REGRESSED,
		"663 more than 33131 (+2.001 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(33823), I(33823)}, {I(33131), I(33131)}, VERDICT_IMPROVED,
		"692 less than 33823 (-2.05 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(86), I(86)}, {I(120), I(120)}, VERDICT_REGRESSED,
		"34 more than 86 (+39.53 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(55), I(55)}, {I(56), I(56)}, VERDICT_PASS,
		"1 more than 55 (+1.82 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(19), I(19)}, {I(20), I(20)}, VERDICT_REGRESSED,
		"1 more than 19 (+5.26 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(19), I(19)}, {I(19), I(20)}, VERDICT_PASS,
		"0.5 more than 19 (+2.63 %); allowed 2 % and 1; samples spread 5.1 % (head), more than the "
		"tolerance: `judge = noisy` in a [rule] would allow for it"},
	{"allocs_per_op", L, {I(50), I(50)}, {I(51), I(51)}, VERDICT_PASS,
		"1 more than 50 (+2.00 %); allowed 2 % and 1"},
	{"allocs_per_op", L, {I(100), I(100)}, {I(100), I(100)}, VERDICT_PASS,
		"100 on both sides; allowed 2 % and 1"},
	{"cache_hit_rate", H, {R(0.75), R(0.75)}, {I(0), I(0)}, VERDICT_REGRESSED,
		"0.75 less than 0.75 (-100.00 %); allowed 5 % and 0.001"},
	{"cache_hit_rate", H, {R(0.9), R(0.9)}, {R(0.855), R(0.855)}, VERDICT_PASS,
		"0.045 less than 0.9 (-5.00 %); allowed 5 % and 0.001"},
	{"cache_hit_rate", H, {R(0.9), R(0.9)}, {R(0.8549), R(0.8549)}, VERDICT_REGRESSED,
		"0.0451 less than 0.9 (-5.01 %); allowed 5 % and 0.001"},
	{"cache_hit_rate", H, {R(0.9), R(0.9)}, {R(0.945), R(0.945)}, VERDICT_PASS,
		"0.045 more than 0.9 (+5.00 %); allowed 5 % and 0.001"},
	{"cache_hit_rate", H, {R(0.5), R(0.5)}, {R(0.9), R(0.9)}, VERDICT_IMPROVED,
		"0.4 more than 0.5 (+80.00 %); allowed 5 % and 0.001"},
	{"goroutines_end", L, {I(0), I(0)}, {I(3), I(3)}, VERDICT_REGRESSED,
		"3 more than 0; allowed 0 % and 1"},
	{"goroutines_end", L, {I(0), I(0)}, {I(0), I(0)}, VERDICT_PASS,
		"0 on both sides; allowed 0 % and 1"},
	{"goroutines_end", L, {I(3), I(3)}, {I(0), I(0)}, VERDICT_IMPROVED,
		"3 less than 3 (-100.00 %); allowed 0 % and 1"},
};

static void test_exact(void)
{
	size_t i;

	use_policy(NULL);
	for (i = 0; i < ARRAY_LEN(table); i++) {
		const struct known *k = &table[i];
		struct pair p = pair_of("kpi", k->metric, k->direction);
		struct judged j;
		p.base.values = k->base;
		p.head.values = k->head;
		p.base.n = p.head.n = 2;
		j = judged(&p);
		IS_STR(verdict_name(j.verdict), verdict_name(k->verdict), k->reason);
		IS_STR(reason_of(&j), k->reason, "... and why");
	}
}

static struct judged judged_values(
	const char *metric, enum direction d, struct num base, struct num head)
{
	static struct pair pairs[32];
	static struct num values[64];
	static size_t n;
	struct pair *p = &pairs[n % 32];

	*p = pair_of("kpi", metric, d);
	values[2 * (n % 32)] = base;
	values[2 * (n % 32) + 1] = head;
	p->base.values = &values[2 * (n % 32)];
	p->head.values = &values[2 * (n % 32) + 1];
	p->base.n = p->head.n = 1;
	n++;
	return judged(p);
}

static void test_numbers(void)
{
	struct judged j = judged_values("allocs_per_op", L, num_int(33131), num_int(33823));

	OK(j.has_change && fabs(j.change - 0.0208868) < 1e-6, "the change is relative to the base");
	OK(j.base_median == 33131 && j.head_median == 33823, "medians");
	j = judged_values("goroutines_end", L, num_int(0), num_int(3));
	OK(!j.has_change && j.change == 0, "from 0 there is no change to tell");
	j = judged_values("allocs_per_op", L, num_int(-10), num_int(-5));
	OK(j.verdict == VERDICT_REGRESSED && j.change == 0.5, "a negative base: its size counts");
	j = judged_values("allocs_per_op", L, num_int(INT64_MIN), num_int(INT64_MAX));
	OK(j.verdict == VERDICT_REGRESSED && j.has_change && j.change == 2.0,
		"from -2^63 to 2^63-1");
	j = judged_values("allocs_per_op", L, num_real(5e-324), num_real(DBL_MAX));
	OK(j.verdict == VERDICT_REGRESSED && !j.has_change,
		"from the smallest to the largest double");
	j = judged_values("allocs_per_op", L, num_real(-DBL_MAX), num_real(DBL_MAX));
	OK(j.verdict == VERDICT_REGRESSED, "from the least to the largest double");
	j = judged_values("allocs_per_op", L, num_int(9007199254740992), num_int(9007199254740993));
	OK(j.verdict == VERDICT_PASS && !strncmp(reason_of(&j), "1 more than 9007199254740992", 28),
		"2^53 + 1 is another number");
}

static void test_unstable(void)
{
	const struct num wide[] = {I(100), I(100), I(90), I(112)}, still[] = {I(100), I(102)};
	const struct num zero[] = {I(0), I(0), I(4)};
	struct pair p = pair_of("kpi", "allocs_per_op", L);
	struct judged j;

	p.base = (struct side){.sha = "2", .values = wide, .n = 4};
	p.head = (struct side){.sha = "1", .values = still, .n = 2};
	j = judged(&p);
	OK(j.unstable && j.verdict == VERDICT_PASS, "samples of the base spread");
	OK(strstr(reason_of(&j), "samples spread 22.0 % (base)") != NULL,
		"... and it says which and how much");
	p.base.n = 2;
	j = judged(&p);
	OK(!j.unstable, "a spread of 102 - 100 is within 2 % of 101");
	p.base = (struct side){.sha = "2", .values = zero, .n = 3};
	j = judged(&p);
	OK(j.unstable && strstr(reason_of(&j), "samples spread around 0 (base)"),
		"samples around 0");
}

static void test_runner(void)
{
	const struct num base[] = {I(1000)}, head[] = {I(1015)};
	struct pair p = pair_of("callgrind", "Ir", L);
	struct judged j;

	p.key.variant = "iai/v6/callgrind";
	p.base = (struct side){.sha = "2", .values = base, .n = 1};
	p.head = (struct side){.sha = "1", .values = head, .n = 1};
	j = judged(&p);
	OK(j.verdict == VERDICT_REGRESSED, "the same runner: 0.5 %");
	p.base.runner = "x86_64 other";
	j = judged(&p);
	OK(j.verdict == VERDICT_PASS, "another runner: 2 %");
	IS_STR(reason_of(&j),
		"15 more than 1000 (+1.50 %); allowed 2 % and 5; base measured on x86_64 other",
		"... and it is named");
}

/* ---- what has no two sides ---- */

static const struct num one[] = {I(7)};

static struct judged gap_of(enum gap gap, const char *reason, const char *absence)
{
	static struct pair p;

	p = pair_of("kpi", "allocs_per_op", L);
	p.head.values = one;
	p.head.n = 1;
	p.gap = gap;
	p.gap_reason = reason;
	p.base.absence = absence;
	return judged(&p);
}

static struct judged gone(const char *metric, const char *absence)
{
	static struct pair p;

	p = pair_of("kpi", metric, L);
	p.base.values = one;
	p.base.n = 1;
	p.head.absence = absence;
	return judged(&p);
}

static void is(struct judged j, enum verdict v, int status, const char *reason, const char *what)
{
	OK(j.verdict == v && verdict_status(&j, &required) == status, what);
	IS_STR(reason_of(&j), reason, "... and why");
}

static void test_gaps(void)
{
	struct pair p;

	use_policy(NULL);
	is(gap_of(GAP_NEW, "first measured here", NULL), VERDICT_NEW, 0, "first measured here",
		"new");
	is(gap_of(GAP_NEW, NULL, NULL), VERDICT_NEW, 0, "the base does not have it",
		"new without a reason");
	is(gap_of(GAP_NONE, NULL, "skipped: slow"), VERDICT_NEW, 0,
		"the base has no number: skipped: slow", "an absence at the base");
	is(gap_of(GAP_NO_BASE, "no run behind it", NULL), VERDICT_NO_BASE, 3, "no run behind it",
		"no base");
	is(gap_of(GAP_INCOMPARABLE, "another unit", NULL), VERDICT_INCOMPARABLE, 3, "another unit",
		"incomparable");
	is(gone("allocs_per_op", NULL), VERDICT_MISSING, 3, "the base has 1 sample, head none",
		"missing");
	is(gone("allocs_per_op", "error: crashed"), VERDICT_LOST, 3, "error: crashed", "lost");
	is(gone("wall_ns_per_op", NULL), VERDICT_MISSING, 0, "the base has 1 sample, head none",
		"missing, advisory");
	is(gone("iterations", NULL), VERDICT_INFO, 0, "for information; gone at head",
		"missing, info");
	p = pair_of("kpi", "allocs_per_op", L);
	p.head.absence = p.base.absence = "unsupported: no counter";
	is(judged(&p), VERDICT_INFO, 0, "no number on either side: unsupported: no counter",
		"absent on both sides");
	p = pair_of("kpi", "", L);
	p.not_measured = true;
	is(judged(&p), VERDICT_NOT_MEASURED, 0, "head has no run of this suite", "not measured");
	p.expected = true;
	is(judged(&p), VERDICT_NOT_MEASURED, 3,
		"head has no run of this suite, which gate.expect lists",
		"not measured though expected");
}

static void test_missing_rules(void)
{
	use_policy("[rule \"x\"]\nmissing = warn\n");
	is(gone("allocs_per_op", NULL), VERDICT_MISSING, 0,
		"the base has 1 sample, head none (missing = warn)", "missing = warn");
	is(gone("allocs_per_op", "error: x"), VERDICT_LOST, 0, "error: x (missing = warn)",
		"... for lost");
	use_policy("[rule \"x\"]\nmissing = ignore\n");
	is(gone("allocs_per_op", NULL), VERDICT_INFO, 0,
		"the base has 1 sample, head none (missing = ignore)", "missing = ignore");
	is(gone("allocs_per_op", "error: x"), VERDICT_INFO, 0, "error: x (missing = ignore)",
		"... for lost");
	use_policy("[rule \"x\"]\nclass = advisory\nmissing = error\n");
	is(gone("allocs_per_op", NULL), VERDICT_MISSING, 0, "the base has 1 sample, head none",
		"advisory never gates as missing");
}

static void test_unjudged(void)
{
	use_policy(NULL);
	is(judged_values("tokens_input", L, num_int(100), num_int(200)), VERDICT_INFO, 0,
		"for information", "info");
	is(judged_values("allocs_per_op", DIRECTION_NONE, num_int(100), num_int(200)), VERDICT_INFO,
		0, "no direction: neither higher nor lower is better", "no direction");
	use_policy("[rule \"x\"]\ndirection = higher\n");
	OK(judged_values("allocs_per_op", DIRECTION_NONE, num_int(100), num_int(200)).verdict ==
			VERDICT_IMPROVED,
		"a direction by policy");
}

/* ---- statuses ---- */

struct status {
	enum verdict verdict;
	enum gate_class class_;
	bool strict, first_run, require, expected;
	int status;
};

static const struct status statuses[] = {
	{VERDICT_PASS, CLASS_HARD, true, false, true, false, 0},
	{VERDICT_IMPROVED, CLASS_HARD, true, false, true, false, 0},
	{VERDICT_NEW, CLASS_HARD, true, false, true, false, 0},
	{VERDICT_INFO, CLASS_HARD, true, false, true, false, 0},
	{VERDICT_REGRESSED, CLASS_HARD, false, false, false, false, 1},
	{VERDICT_REGRESSED, CLASS_ADVISORY, false, false, true, false, 0},
	{VERDICT_REGRESSED, CLASS_ADVISORY, true, false, true, false, 1},
	{VERDICT_MISSING, CLASS_HARD, false, false, false, false, 3},
	{VERDICT_LOST, CLASS_HARD, false, true, false, false, 3},
	{VERDICT_MISSING, CLASS_ADVISORY, true, false, true, false, 0},
	{VERDICT_LOST, CLASS_ADVISORY, true, false, true, false, 0},
	{VERDICT_INCOMPARABLE, CLASS_HARD, false, false, true, false, 3},
	{VERDICT_INCOMPARABLE, CLASS_HARD, false, false, false, false, 0},
	{VERDICT_INCOMPARABLE, CLASS_HARD, false, true, true, false, 3},
	{VERDICT_INCOMPARABLE, CLASS_ADVISORY, true, false, true, false, 0},
	{VERDICT_NO_BASE, CLASS_HARD, false, false, true, false, 3},
	{VERDICT_NO_BASE, CLASS_HARD, false, true, true, false, 0},
	{VERDICT_NO_BASE, CLASS_HARD, false, false, false, false, 0},
	{VERDICT_NO_BASE, CLASS_ADVISORY, true, false, true, false, 0},
	{VERDICT_NOT_MEASURED, CLASS_HARD, false, false, true, true, 3},
	{VERDICT_NOT_MEASURED, CLASS_HARD, false, false, true, false, 0},
	{VERDICT_NOT_MEASURED, CLASS_HARD, false, false, false, true, 0},
	{VERDICT_NOT_MEASURED, CLASS_HARD, false, true, true, true, 3},
};

static void test_statuses(void)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(statuses); i++) {
		const struct status *s = &statuses[i];
		const struct pair p = {.not_measured = s->verdict == VERDICT_NOT_MEASURED,
			.expected = s->expected};
		const struct judged j = {
			.pair = &p, .verdict = s->verdict, .decision = {.class_ = s->class_}};
		const struct judge_options o = {
			.strict = s->strict, .first_run = s->first_run, .require = s->require};
		_cleanup_(freep) char *what = xasprintf("%s %s%s%s%s%s: %d",
			gate_class_name(s->class_), verdict_name(s->verdict),
			s->strict ? " strict" : "", s->first_run ? " first-run" : "",
			s->require ? " require" : "", s->expected ? " expected" : "", s->status);
		OK(verdict_status(&j, &o) == s->status, what);
	}
}

static struct judged made(const struct pair *p, enum verdict v, enum gate_class c, double change)
{
	return (struct judged){.pair = p,
		.verdict = v,
		.decision = {.class_ = c},
		.has_change = true,
		.change = change};
}

static void test_sort(void)
{
	struct pair a = pair_of("kpi", "a", L), b = pair_of("kpi", "b", L);
	struct judged j[9];
	const struct judge_options o = {0};
	static const struct {
		enum verdict v;
		enum gate_class c;
		double change;
	} order[] = {{VERDICT_REGRESSED, CLASS_HARD, -0.5}, {VERDICT_REGRESSED, CLASS_HARD, 0.1},
		{VERDICT_MISSING, CLASS_HARD, 0}, {VERDICT_REGRESSED, CLASS_ADVISORY, 0.9},
		{VERDICT_MISSING, CLASS_ADVISORY, 0}, {VERDICT_IMPROVED, CLASS_HARD, -0.3},
		{VERDICT_PASS, CLASS_HARD, 0.01}, {VERDICT_PASS, CLASS_HARD, 0},
		{VERDICT_INFO, CLASS_INFO, 3}};
	bool good = true;
	size_t i;

	a.head.values = a.base.values = b.head.values = b.base.values = one;
	a.head.n = a.base.n = b.head.n = b.base.n = 1;
	for (i = 0; i < 9; i++)
		j[(i * 7 + 3) % 9] = made(&a, order[i].v, order[i].c, order[i].change);
	OK(verdicts_status(j, 9, &o) == 1, "1 before 3 before 0");
	verdicts_sort(j, 9, &o);
	for (i = 0; i < 9; i++)
		good &= j[i].verdict == order[i].v && j[i].decision.class_ == order[i].c &&
			j[i].change == order[i].change;
	OK(good, "worst first");
	OK(verdicts_status(j + 2, 7, &o) == 3 && verdicts_status(j + 3, 6, &o) == 0, "3 and 0");
	j[0] = made(&b, VERDICT_PASS, CLASS_HARD, 0);
	j[1] = made(&a, VERDICT_PASS, CLASS_HARD, 0);
	verdicts_sort(j, 2, &o);
	OK(j[0].pair == &a, "names decide in the end");
	OK(verdicts_status(NULL, 0, &o) == 0, "nothing at all");
}

int main(void)
{
	test_exact();
	test_numbers();
	test_unstable();
	test_runner();
	test_gaps();
	test_missing_rules();
	test_unjudged();
	test_statuses();
	test_sort();
	use_policy(NULL);
	policy_free(policy);
	return tap_done();
}
