#include "callgrind.h"

#include <string.h>

enum { CACHE = 1, RATE = 2, TIME = 4, HIT = 8 };

struct known_event {
	const char *name;
	unsigned flags;
};

/*
 * Callgrind's own events (its manual, "Callgrind Format Specification" and the options that add
 * events) and those that iai-callgrind and gungraun derive. The runners capitalise sysCount.
 */
static const struct known_event known_events[] = {{"Ir", 0}, {"Dr", 0}, {"Dw", 0}, {"Bc", 0},
	{"Bcm", 0}, {"Bi", 0}, {"Bim", 0}, {"Ge", 0}, {"TotalRW", 0}, {"sysCount", 0},
	{"SysCount", 0}, {"sysTime", TIME}, {"SysTime", TIME}, {"sysCpuTime", TIME},
	{"SysCpuTime", TIME}, {"I1mr", CACHE}, {"ILmr", CACHE}, {"D1mr", CACHE}, {"D1mw", CACHE},
	{"DLmr", CACHE}, {"DLmw", CACHE}, {"ILdmr", CACHE}, {"DLdmr", CACHE}, {"DLdmw", CACHE},
	{"AcCost1", CACHE}, {"AcCost2", CACHE}, {"SpLoss1", CACHE}, {"SpLoss2", CACHE},
	{"L1hits", CACHE | HIT}, {"LLhits", CACHE}, {"RamHits", CACHE}, {"EstimatedCycles", CACHE},
	{"I1MissRate", CACHE | RATE}, {"LLiMissRate", CACHE | RATE}, {"D1MissRate", CACHE | RATE},
	{"LLdMissRate", CACHE | RATE}, {"LLMissRate", CACHE | RATE},
	{"L1HitRate", CACHE | RATE | HIT}, {"LLHitRate", CACHE | RATE},
	{"RamHitRate", CACHE | RATE}};

static const struct known_event *find_event(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(known_events); i++)
		if (!strcmp(known_events[i].name, name))
			return &known_events[i];
	return NULL;
}

bool callgrind_cache_free(const char *event)
{
	const struct known_event *e = find_event(event);

	return e && !(e->flags & CACHE);
}

int64_t callgrind_units_per_s(const char *unit, size_t len)
{
	static const struct {
		const char *unit;
		int64_t per_s;
	} units[] = {{"s", 1}, {"sec", 1}, {"seconds", 1}, {"ms", 1000}, {"msec", 1000},
		{"us", 1000000}, {"usec", 1000000}, {"ns", 1000000000}, {"nsec", 1000000000}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(units); i++)
		if (strlen(units[i].unit) == len && !memcmp(units[i].unit, unit, len))
			return units[i].per_s;
	return 0;
}

static void set(struct metric *m, const char *unit, const char *quantity, enum direction direction)
{
	m->unit = unit;
	m->quantity = quantity;
	m->direction = direction;
}

/* Hits fall when work falls, so that neither direction is an improvement by itself; their share of
 * all accesses is one. */
static void describe_event(struct metric *m, const char *name, const char *unit)
{
	const struct known_event *e = find_event(name);

	if (!e)
		set(m, "unknown", "unknown", DIRECTION_NONE);
	else if (e->flags & RATE)
		set(m, "%", "ratio", e->flags & HIT ? DIRECTION_HIGHER : DIRECTION_LOWER);
	else if (e->flags & TIME)
		set(m, unit ? unit : "ticks", "time", DIRECTION_LOWER);
	else
		set(m, "count", "count", e->flags & HIT ? DIRECTION_NONE : DIRECTION_LOWER);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && !strcmp(s + n - k, end);
}

/* Lifetimes are sums of instructions executed while a block was alive. */
static void describe_dhat(struct metric *m, const char *name)
{
	static const char *const counts[] = {"Blocks", "Lifetimes", "Units", "Events"};
	size_t i;

	if (ends_with(name, "Bytes")) {
		set(m, "B", "bytes", DIRECTION_LOWER);
		return;
	}
	for (i = 0; i < ARRAY_LEN(counts); i++) {
		if (ends_with(name, counts[i])) {
			set(m, "count", "count", DIRECTION_LOWER);
			return;
		}
	}
	set(m, "unknown", "unknown", DIRECTION_NONE);
}

/* perf names neither what is better nor, for plain counts, a unit. */
static void describe_perf(struct metric *m, const char *unit)
{
	if (!unit || !*unit)
		set(m, "count", "count", DIRECTION_LOWER);
	else if (callgrind_units_per_s(unit, strlen(unit)))
		set(m, "s", "time", DIRECTION_LOWER);
	else
		set(m, unit, "unknown", DIRECTION_NONE);
}

void callgrind_metric(struct metric *ret, const char *tool, const char *name, const char *unit)
{
	static const char *const error_tools[] = {"Memcheck", "Helgrind", "DRD"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(error_tools); i++) {
		if (!strcmp(tool, error_tools[i])) {
			set(ret, "count", "count", DIRECTION_LOWER);
			return;
		}
	}
	if (!strcmp(tool, "Callgrind") || !strcmp(tool, "Cachegrind"))
		describe_event(ret, name, unit);
	else if (!strcmp(tool, "DHAT"))
		describe_dhat(ret, name);
	else if (!strcmp(tool, "Perf"))
		describe_perf(ret, unit);
	else
		set(ret, unit && *unit ? unit : "unknown", "unknown", DIRECTION_NONE);
}
