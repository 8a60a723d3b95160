#include "rules.h"

#include <fnmatch.h>
#include <string.h>

#define BIT(a) (1u << (a))
#define JUDGED (BIT(ATTR_CLASS) | BIT(ATTR_JUDGE) | BIT(ATTR_TOLERANCE) | BIT(ATTR_FLOOR))
#define CROSSING (BIT(ATTR_ACROSS) | BIT(ATTR_CROSS_TOLERANCE))

#define EXACT .judge = JUDGE_EXACT
#define NOISY .judge = JUDGE_NOISY
#define HARD .class_ = CLASS_HARD
#define ADVISORY .class_ = CLASS_ADVISORY
#define INFO .class_ = CLASS_INFO
#define PERCENT(m)                                                                                 \
	{                                                                                          \
		m, -2                                                                              \
	}
#define PERMILLE(m)                                                                                \
	{                                                                                          \
		m, -3                                                                              \
	}

const char builtin_version[] = "perfgate built-in rules 5";

/* Later ones win. The first matches everything and sets whatever a series can have. */
const struct builtin builtin_rules[] = {
	{.name = "what no other rule knows",
		.set = JUDGED | BIT(ATTR_ACROSS) | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10), .across = ACROSS_NO,
			.bound = BOUND_COMPUTE}},

	{.name = "kpi counts",
		.suite = "kpi",
		.metrics = {"allocs_per_op", "bytes_per_op", "tokens_total"},
		.set = JUDGED | BIT(ATTR_ACROSS),
		.decision = {HARD, EXACT, .tolerance = PERCENT(2), .floor = {1, 0},
			.across = ACROSS_YES}},
	{.name = "kpi goroutines",
		.suite = "kpi",
		.metrics = {"goroutines_end"},
		.set = JUDGED | BIT(ATTR_ACROSS),
		.decision = {HARD, EXACT, .floor = {1, 0}, .across = ACROSS_YES}},
	{.name = "kpi cache hit rate",
		.suite = "kpi",
		.metrics = {"cache_hit_rate"},
		.set = JUDGED | BIT(ATTR_ACROSS) | BIT(ATTR_DIRECTION),
		.decision = {HARD, EXACT, .tolerance = PERCENT(5), .floor = PERMILLE(1),
			.across = ACROSS_YES, .direction = DIRECTION_HIGHER}},
	{.name = "kpi time per operation",
		.suite = "kpi",
		.metrics = {"wall_ns_per_op"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5)}},
	{.name = "kpi memory",
		.suite = "kpi",
		.metrics = {"rss_*"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10), .bound = BOUND_NONE}},
	{.name = "kpi parts of tokens_total",
		.suite = "kpi",
		.metrics = {"tokens_input", "tokens_output", "tokens_cache_read"},
		.set = BIT(ATTR_CLASS) | BIT(ATTR_JUDGE) | BIT(ATTR_ACROSS),
		.decision = {INFO, EXACT, .across = ACROSS_YES}},
	{.name = "kpi circumstances",
		.suite = "kpi",
		.metrics = {"wall_clock_ns", "iterations", "sample", "timestamp"},
		.set = BIT(ATTR_CLASS),
		.decision = {INFO}},

	{.name = "callgrind counts of a program",
		.suite = "callgrind",
		.metrics = {"Ir", "Dr", "Dw"},
		.set = JUDGED | CROSSING,
		.decision = {HARD, EXACT, .tolerance = PERCENT(1), .floor = {100, 0},
			.across = ACROSS_FALLBACK, .cross_tolerance = PERCENT(3)}},
	{.name = "callgrind counts of a function",
		.suite = "callgrind",
		.variant = "iai/",
		.metrics = {"Ir", "Dr", "Dw"},
		.set = JUDGED | CROSSING,
		.decision = {HARD, EXACT, .tolerance = PERMILLE(5), .floor = {5, 0},
			.across = ACROSS_FALLBACK, .cross_tolerance = PERCENT(2)}},
	{.name = "callgrind cache misses and cycles",
		.suite = "callgrind",
		.metrics = {"I1mr", "ILmr", "D1mr", "D1mw", "DLmr", "DLmw", "ILdmr", "DLdmr",
			"DLdmw", "EstimatedCycles"},
		.set = JUDGED,
		.decision = {HARD, EXACT, .tolerance = PERCENT(2), .floor = {20, 0}}},
	{.name = "callgrind hits and rates",
		.suite = "callgrind",
		.metrics = {"*[Hh]its", "*Rate"},
		.set = BIT(ATTR_CLASS) | BIT(ATTR_JUDGE),
		.decision = {INFO, EXACT}},
	{.name = "callgrind times",
		.suite = "callgrind",
		.metrics = {"[Ss]ysTime", "[Ss]ysCpuTime"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "errors of memory and threads",
		.suite = "callgrind",
		.metrics = {"Memcheck/[Ee]rrors", "Helgrind/[Ee]rrors", "DRD/[Ee]rrors",
			"Memcheck/[Cc]ontexts", "Helgrind/[Cc]ontexts", "DRD/[Cc]ontexts"},
		.set = JUDGED,
		.decision = {HARD, EXACT, .floor = {1, 0}}},
	{.name = "DHAT bytes and blocks",
		.suite = "callgrind",
		.metrics = {"DHAT/*[Bb]ytes", "DHAT/*[Bb]locks"},
		.set = JUDGED,
		.decision = {HARD, EXACT, .tolerance = PERCENT(1), .floor = {1, 0}}},

	{.name = "clpeak readings",
		.suite = "clpeak",
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5), .bound = BOUND_NONE}},

	{.name = "command times",
		.suite = "command",
		.metrics = {"wall_ns", "cpu_ns", "user_cycles"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5)}},
	{.name = "command instructions",
		.suite = "command",
		.metrics = {"user_instructions"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(1), .bound = BOUND_NONE}},
	{.name = "command memory",
		.suite = "command",
		.metrics = {"peak_memory_bytes"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10), .bound = BOUND_NONE}},
	{.name = "command circumstances",
		.suite = "command",
		.metrics = {"user_ns", "system_ns", "minor_faults", "major_faults",
			"voluntary_switches", "involuntary_switches"},
		.set = BIT(ATTR_CLASS),
		.decision = {INFO}},

	{.name = "Criterion times",
		.suite = "criterion",
		.metrics = {"time"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "Go allocations",
		.suite = "go",
		.metrics = {"allocs/op"},
		.set = JUDGED,
		.decision = {HARD, EXACT, .tolerance = PERCENT(2), .floor = {1, 0}}},
	{.name = "Go memory",
		.suite = "go",
		.metrics = {"B/op"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5), .bound = BOUND_NONE}},
	{.name = "Go times",
		.suite = "go",
		.metrics = {"sec/op", "B/s"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},

	{.name = "Google Benchmark times",
		.suite = "google-benchmark",
		.metrics = {"real_time", "cpu_time", "items_per_second", "bytes_per_second"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "Google Benchmark allocations",
		.suite = "google-benchmark",
		.metrics = {"allocs_per_iter"},
		.set = JUDGED,
		.decision = {HARD, EXACT, .tolerance = PERCENT(2), .floor = {1, 0}}},
	{.name = "Google Benchmark memory",
		.suite = "google-benchmark",
		.metrics = {"max_bytes_used", "total_allocated_bytes", "net_heap_growth"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5), .bound = BOUND_NONE}},

	{.name = "hyperfine times",
		.suite = "hyperfine",
		.metrics = {"time"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "hyperfine memory",
		.suite = "hyperfine",
		.metrics = {"memory"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5), .bound = BOUND_NONE}},
	{.name = "hyperfine failures",
		.suite = "hyperfine",
		.metrics = {"failures"},
		.set = JUDGED,
		.decision = {HARD, EXACT, .floor = {1, 0}}},
	{.name = "hyperfine circumstances",
		.suite = "hyperfine",
		.metrics = {"user", "system"},
		.set = BIT(ATTR_CLASS),
		.decision = {INFO}},

	{.name = "JMH scores",
		.suite = "jmh",
		.metrics = {"time", "throughput"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "JMH allocation",
		.suite = "jmh",
		.metrics = {"gc.alloc.rate.norm"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5), .bound = BOUND_NONE}},
	{.name = "JMH collections",
		.suite = "jmh",
		.metrics = {"gc.count", "gc.time", "gc.cpuTime", "gc.churn.*"},
		.set = BIT(ATTR_CLASS),
		.decision = {INFO}},

	{.name = "pytest times",
		.suite = "pytest",
		.metrics = {"time"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "pytest rates",
		.suite = "pytest",
		.metrics = {"ops"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},

	{.name = "Bencher times",
		.suite = "bmf",
		.metrics = {"latency", "throughput", "build-time"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "Bencher counts and sizes",
		.suite = "bmf",
		.metrics = {"file-size", "instructions", "estimated-cycles", "l2-accesses",
			"ram-accesses"},
		.set = JUDGED,
		.decision = {ADVISORY, EXACT, .tolerance = PERCENT(2), .floor = {1, 0}}},
	{.name = "Bencher memory",
		.suite = "bmf",
		.metrics = {"allocated"},
		.set = JUDGED | BIT(ATTR_BOUND),
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(5), .bound = BOUND_NONE}},

	{.name = "trace times",
		.suite = "trace",
		.metrics = {"total", "self"},
		.set = JUDGED,
		.decision = {ADVISORY, NOISY, .tolerance = PERCENT(10)}},
	{.name = "trace counts",
		.suite = "trace",
		.metrics = {"count"},
		.set = JUDGED,
		.decision = {ADVISORY, EXACT, .floor = {1, 0}}},
};

const size_t builtin_count = ARRAY_LEN(builtin_rules);

bool builtin_match(const struct builtin *b, const struct series_key *key)
{
	size_t i;

	if (b->suite && strcmp(b->suite, key->suite) != 0)
		return false;
	if (b->variant && strncmp(b->variant, key->variant, strlen(b->variant)) != 0)
		return false;
	if (!b->metrics[0])
		return true;
	for (i = 0; b->metrics[i]; i++)
		if (!fnmatch(b->metrics[i], key->metric, 0))
			return true;
	return false;
}
