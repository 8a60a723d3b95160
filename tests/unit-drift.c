/* Known answers, by hand: ranges that touch or do not, and logs of ratios of medians. */
#include "buf.h"
#include "drift.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static struct series_key key_of(const char *benchmark, const char *metric, const char *quantity)
{
	return (struct series_key){
		"clpeak", benchmark, metric, "", quantity, DIRECTION_HIGHER, "", "box"};
}

static void test_probes(void)
{
	static const struct {
		const char *benchmark, *quantity;
		int bound; /* -1: no probe */
	} cases[] = {
		{"CPU/CPU/X/single_precision_compute", "flops", BOUND_COMPUTE},
		{"CPU/native/A/B#0/global_memory_bandwidth", "bytes_per_second", BOUND_BANDWIDTH},
		{"CPU/CPU/X/memory_latency", "seconds", BOUND_LATENCY},
		{"CPU/CPU/X/memory_latency", "flops", -1},
		{"CPU/CPU/X/memory_latency", "unknown", -1},
		{"CPU/CPU/X/branch_mispredict", "seconds", -1},
		{"CUDA/CUDA/X/single_precision_compute", "flops", -1},
		{"OpenCL/CPU/X/memory_latency", "seconds", -1},
		{"CPU/", "flops", -1},
		{"CPU", "flops", -1},
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		const struct series_key k = key_of(cases[i].benchmark, "m", cases[i].quantity);
		enum bound bound = BOUND_NONE;
		const bool is = drift_is_probe(&k, &bound);
		OK(is == (cases[i].bound >= 0) && (!is || (int)bound == cases[i].bound),
			cases[i].benchmark);
	}
}

static struct drift compared(
	enum bound bound, double *base, size_t n_base, double *head, size_t n_head)
{
	struct drift d = {.bound = bound, .key = key_of("CPU/CPU/X/t", "m", "flops")};

	drift_side_of(base, n_base, &d.base);
	drift_side_of(head, n_head, &d.head);
	drift_compare(&d);
	return d;
}

static void test_sides(void)
{
	double base[] = {102, 98, 100}, slower[] = {80, 82, 97.9}, touching[] = {98, 80, 80};
	double zero[] = {0, 0, 0}, huge[] = {1e308, 1e308, 1e308},
	       tiny[] = {1e-308, 1e-308, 1e-308};
	struct drift d = compared(BOUND_COMPUTE, base, 3, slower, 3);

	OK(d.say == DRIFT_SLOWER && fabs(d.slower - log(100. / 82)) < 1e-15, "a rate that fell");
	OK(d.base.low == 98 && d.base.median == 100 && d.base.high == 102, "a side's range");
	d = compared(BOUND_LATENCY, base, 3, slower, 3);
	OK(d.say == DRIFT_FASTER && fabs(d.slower - log(82. / 100)) < 1e-15, "a time that fell");
	d = compared(BOUND_COMPUTE, base, 3, touching, 3);
	OK(d.say == DRIFT_NONE && d.slower > 0, "ranges that touch are none apart");
	d = compared(BOUND_COMPUTE, base, 3, slower, 2);
	OK(d.say == DRIFT_FEW, "two readings have no spread to speak of");
	d = compared(BOUND_COMPUTE, base, 3, slower, 0);
	OK(d.say == DRIFT_ALONE && d.slower == 0, "a side without a probe");
	d = compared(BOUND_COMPUTE, base, 3, zero, 3);
	OK(d.say == DRIFT_NONE && d.slower == 0, "nothing is no ratio");
	d = compared(BOUND_COMPUTE, huge, 3, tiny, 3);
	OK(d.say == DRIFT_NONE && d.slower == 0, "nor is one that overflows");
}

/* A verdict on a change of the median, beside a drift. */
static bool explained(double change, enum direction direction, enum verdict v, enum judge judge,
	enum bound bound, double head)
{
	double base[] = {100, 101, 102}, after[] = {head, head, head};
	const struct drifts all = {.v = {compared(BOUND_COMPUTE, base, 3, after, 3)}, .n = 1};
	struct judged j = {.verdict = v, .has_change = isfinite(change), .change = change};

	j.decision.direction = direction;
	j.decision.judge = judge;
	j.decision.bound = bound;
	return drift_explains(&j, &all) != NULL;
}

static void test_explains(void)
{
	const enum direction low = DIRECTION_LOWER, high = DIRECTION_HIGHER;
	const enum verdict bad = VERDICT_REGRESSED;

	/* 101 -> 80.8 takes 1.25 times as long */
	OK(explained(.24, low, bad, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "less than the machine");
	OK(!explained(.26, low, bad, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "more than the machine");
	OK(explained(-.19, high, bad, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "a rate, less");
	OK(!explained(-.21, high, bad, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "a rate, more");
	OK(explained(.1, low, VERDICT_SUSPECT, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "suspect");
	OK(!explained(.1, low, VERDICT_PASS, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "passed");
	OK(!explained(.1, low, VERDICT_INHERITED, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "inherited");
	OK(!explained(.1, low, bad, JUDGE_EXACT, BOUND_COMPUTE, 80.8), "exact");
	OK(!explained(.1, low, bad, JUDGE_NOISY, BOUND_LATENCY, 80.8), "of another bound");
	OK(!explained(.1, low, bad, JUDGE_NOISY, BOUND_NONE, 80.8), "of none");
	OK(!explained(.1, low, bad, JUDGE_NOISY, BOUND_COMPUTE, 125), "a machine that was faster");
	OK(!explained(-.1, low, bad, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "no worsening");
	OK(!explained(NAN, low, bad, JUDGE_NOISY, BOUND_COMPUTE, 80.8), "no change to compare");
}

int main(void)
{
	test_probes();
	test_sides();
	test_explains();
	return tap_done();
}
