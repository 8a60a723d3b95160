#include "gab.h"

#include "bench.h"
#include "go.h"
#include "scale.h"

#include <stdio.h>
#include <string.h>

#define BY_UNIT "time", "rate", "value"

static const struct tool tools[] = {
	{"cargo", "criterion", "time", "time", "time", DIRECTION_LOWER, false},
	{"go", "go", BY_UNIT, DIRECTION_LOWER, false},
	{"googlecpp", "google-benchmark", "real_time", "items_per_second", "value", DIRECTION_LOWER,
		false},
	{"pytest", "pytest", "time", "ops", "value", DIRECTION_HIGHER, false},
	{"jmh", "jmh", "time", "throughput", "value", DIRECTION_LOWER, false},
	{"benchmarkjs", "benchmarkjs", BY_UNIT, DIRECTION_HIGHER, false},
	{"benchmarkluau", "benchmarkluau", BY_UNIT, DIRECTION_LOWER, false},
	{"benchmarkdotnet", "benchmarkdotnet", BY_UNIT, DIRECTION_LOWER, false},
	{"catch2", "catch2", BY_UNIT, DIRECTION_LOWER, false},
	{"julia", "julia", BY_UNIT, DIRECTION_LOWER, false},
	{"customBiggerIsBetter", "custom", BY_UNIT, DIRECTION_HIGHER, true},
	{"customSmallerIsBetter", "custom", BY_UNIT, DIRECTION_LOWER, true},
};

void tool_find(const char *name, struct tool *ret)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(tools); i++) {
		if (!strcmp(tools[i].name, name)) {
			*ret = tools[i];
			return;
		}
	}
	*ret = (struct tool){name, name, BY_UNIT, DIRECTION_NONE, false};
}

/* ---- Go ---- */

static bool is_go(const struct tool *t)
{
	return !strcmp(t->suite, "go");
}

bool tool_composite(const struct tool *t, const struct point *p)
{
	return is_go(t) && strpbrk(p->unit, " \t");
}

/* " - UNIT" */
static bool take_unit(struct text *name, const char *unit)
{
	size_t n = strlen(unit);
	struct text before = {name->p, name->end - (n < text_len(*name) ? n : 0)};

	if (!n || !text_ends(*name, unit) || !text_ends(before, " - "))
		return false;
	name->end = before.end - 3;
	return true;
}

/* " (PACKAGE)" */
static struct text take_package(struct text *name)
{
	const char *blank = memrchr(name->p, ' ', text_len(*name)), *end = name->end;

	if (!blank || end - blank < 4 || blank[1] != '(' || end[-1] != ')')
		return (struct text){0};
	name->end = blank;
	return (struct text){blank + 2, end - 1};
}

/* The two may stand in either order. */
static bool split(const struct point *p, struct text *name, struct text *package)
{
	bool part;

	*name = (struct text){p->name, p->name + strlen(p->name)};
	part = take_unit(name, p->unit);
	*package = take_package(name);
	return part | take_unit(name, p->unit);
}

/* Of Google Benchmark: the length of NAME in "NAME_mean" and the like, 0 when it is none. */
static size_t aggregate_of(const char *name, const char **ret)
{
	static const char *const ends[] = {"_median", "_mean", "_stddev", "_cv"};
	const size_t len = strlen(name);
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(ends); i++) {
		n = strlen(ends[i]);
		if (len > n && !strcmp(name + len - n, ends[i])) {
			*ret = ends[i];
			return len - n;
		}
	}
	return 0;
}

static bool is_google(const struct tool *t)
{
	return !strcmp(t->suite, "google-benchmark");
}

bool tool_has_parts(const struct tool *t)
{
	return is_go(t) || is_google(t);
}

/* A median stands for its benchmark beside a mean, and a benchmark beside either. */
static bool google_part(const struct point *p, struct buf *base)
{
	const char *aggregate = "";
	size_t len = aggregate_of(p->name, &aggregate);

	buf_addstr(base, p->name);
	if (len)
		base->len = len + 1; /* "NAME_" */
	return !len || !strcmp(aggregate, "_median");
}

bool tool_part(const struct tool *t, const struct point *p, struct buf *base)
{
	struct text name, package;
	bool part;

	buf_clear(base);
	if (is_google(t))
		return google_part(p, base);
	part = split(p, &name, &package);
	go_benchmark(base, package, name);
	return part;
}

bool tool_sum(
	const struct tool *t, const struct point *p, const struct intern *parts, struct buf *base)
{
	const char *aggregate = "";
	size_t len = is_google(t) ? aggregate_of(p->name, &aggregate) : 0;

	if (!len && !tool_composite(t, p))
		return false;
	tool_part(t, p, base);
	if (!len)
		return intern_find(parts, base->p, base->len) != INTERN_NONE;
	return intern_find(parts, base->p, len) != INTERN_NONE ||
	       (strcmp(aggregate, "_median") != 0 &&
		       intern_find(parts, base->p, len + 1) != INTERN_NONE);
}

const char *tool_benchmark(const struct tool *t, const struct point *p, struct buf *scratch)
{
	const char *aggregate = "";
	size_t len = is_google(t) ? aggregate_of(p->name, &aggregate) : 0;

	if (!len || (strcmp(aggregate, "_median") && strcmp(aggregate, "_mean")))
		return p->name;
	buf_clear(scratch);
	buf_add(scratch, p->name, len);
	return buf_str(scratch);
}

/* "545364 times\n2 procs" */
static void take_procs(const struct point *p, char *variant, size_t size)
{
	const char *line = strchr(p->extra, '\n');
	size_t n = line ? strspn(line + 1, "0123456789") : 0;

	if (n && n < 16 && !strncmp(line + 1 + n, " procs", 6))
		snprintf(variant, size, "procs=%.*s", (int)n, line + 1);
}

static void go_names(
	const struct point *p, struct naming *naming, struct buf *scratch, struct point_names *ret)
{
	struct text name, package;
	const char *known;

	split(p, &name, &package);
	go_benchmark(scratch, package, name);
	go_metric(p->unit, &ret->metric, &ret->shift);
	take_procs(p, ret->variant, sizeof(ret->variant));
	ret->to = (struct mapped){"go", buf_str(scratch), ret->metric.name};
	if (text_len(package))
		return;
	known = naming ? naming->qualified(naming, "go", buf_str(scratch)) : NULL;
	ret->unqualified = !known;
	if (known)
		ret->to.benchmark = known;
}

/* ---- the others ---- */

/* 'NAME ( {"b":"2","a":"1"} )' is "NAME(a=1,b=2)", as the reader of JMH has it. */
static const char *jmh_name(const char *name, struct buf *scratch)
{
	const char *open = strstr(name, " ( {"), *close = open ? strstr(open, "} )") : NULL;
	_cleanup_(jv_freep) struct jv *params = NULL;
	struct err ignored = ERR_INIT;

	if (!close || close[3])
		return name;
	params = jv_load_text("parameters", open + 3, (size_t)(close + 1 - open - 3), &ignored);
	if (!params || jv_kind(params) != JV_OBJECT)
		return name;
	buf_clear(scratch);
	buf_add(scratch, name, (size_t)(open - name));
	return bench_parameters(scratch, "params", params, &ignored) < 0 ? name : buf_str(scratch);
}

static void names_by_unit(
	const struct tool *t, const struct point *p, struct buf *scratch, struct point_names *ret)
{
	struct scale scale;
	const bool known = scale_of_unit(p->unit, &scale);
	const bool rate = known && strchr(p->unit, '/') && scale.direction == DIRECTION_HIGHER;

	ret->shift = scale.shift;
	ret->metric = (struct metric){.name = t->other,
		.unit = scale.unit,
		.quantity = scale.quantity,
		.direction = known && !t->custom ? scale.direction : t->better};
	if (rate)
		ret->metric.name = t->rate;
	else if (!strcmp(scale.quantity, "time"))
		ret->metric.name = t->time;
	ret->to = (struct mapped){t->suite, tool_benchmark(t, p, scratch), ret->metric.name};
	if (!strcmp(t->suite, "jmh"))
		ret->to.benchmark = jmh_name(p->name, scratch);
}

/* ---- what the store has ---- */

/* Takes the metric of the store where the values can be brought to its unit. */
static bool adopt(const struct metric *m, const struct point *p, struct point_names *ret)
{
	struct scale from, to;
	const bool known = scale_of_unit(p->unit, &from);

	if (scale_of_unit(m->unit, &to) != known || (known && strcmp(from.unit, to.unit) != 0))
		return false;
	ret->metric = *m;
	ret->shift = from.shift - to.shift;
	return true;
}

int tool_names(const struct tool *t, const struct point *p, struct naming *naming,
	struct buf *scratch, struct point_names *ret, const char **refused, struct err *err)
{
	const struct metric *m;
	int mapped = 0;

	*ret = (struct point_names){0};
	*refused = NULL;
	if (is_go(t))
		go_names(p, naming, scratch, ret);
	else
		names_by_unit(t, p, scratch, ret);
	if (!naming)
		return 0;
	mapped = naming->map(naming, p->name, &ret->to, err);
	if (mapped < 0)
		return -1;
	ret->unqualified &= mapped == 0;
	ret->metric.name = ret->to.metric;
	m = naming->metric(naming, ret->to.suite, ret->to.metric);
	if (m && !adopt(m, p, ret) && mapped)
		*refused = "the unit is not that of the metric in the store which --map names";
	return 0;
}
