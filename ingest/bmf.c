/*
 * Bencher Metric Format (bencher.dev; built_in.rs of 0.6.12 has the measures): an object of
 * benchmarks, each an object of measures, each a value with its bounds.
 */
#include "bench.h"
#include "glance.h"
#include "one-run.h"
#include "reader.h"

#include <string.h>

#define COUNT "count", "count", DIRECTION_LOWER
#define BYTES "B", "bytes", DIRECTION_LOWER

/* Measures that Bencher itself defines, by their slugs and names. */
static const struct measure {
	struct metric metric;
	const char *name;
	int exponent; /* one of its unit is 10^exponent of the metric's */
} measures[] = {
	{{"latency", BENCH_TIME}, "Latency", -9},
	{{"throughput", "ops/s", "rate", DIRECTION_HIGHER}, "Throughput", 0},
	{{"build-time", BENCH_TIME}, "Build Time", 0},
	{{"file-size", BYTES}, "File Size", 0},
	{{"allocated", BYTES}, "Allocated", 0},
	{{"instructions", COUNT}, "Instructions", 0},
	{{"estimated-cycles", COUNT}, "Estimated Cycles", 0},
	{{"l1-accesses", "count", "count", DIRECTION_NONE}, "L1 Accesses", 0},
	{{"l2-accesses", COUNT}, "L2 Accesses", 0},
	{{"ram-accesses", COUNT}, "RAM Accesses", 0},
};

struct bmf {
	struct js *js;
	const char *file;
	struct one_run run;
};

static struct measure find(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(measures); i++)
		if (!strcmp(key, measures[i].metric.name) || !strcmp(key, measures[i].name))
			return measures[i];
	return (struct measure){{key, "", "unknown", DIRECTION_NONE}, key, 0};
}

static int read_value(
	struct bmf *b, const char *benchmark, const char *key, const struct jv *o, struct err *err)
{
	const struct measure m = find(key);
	struct sink *s = b->run.sink;
	struct num n, bound;
	int r;

	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "%s, expected an object", jv_kind_name(jv_kind(o)));
	if (jv_get_num(o, "lower_value", &bound, err) < 0 ||
		jv_get_num(o, "upper_value", &bound, err) < 0)
		return -1;
	r = jv_get_num(o, "value", &n, err);
	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'value'");
	if (num_shift(n, m.exponent, &n, err) < 0)
		return -1;
	return one_run_sample(&b->run, s->series(s, benchmark, &m.metric, "", err), n, err);
}

static int read_measures(struct bmf *b, const char *benchmark, const struct jv *o, struct err *err)
{
	const void *it;

	if (!*benchmark)
		return err_set(err, ERR_FORMAT, "a benchmark without a name");
	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "'%.100s' is %s, expected an object", benchmark,
			jv_kind_name(jv_kind(o)));
	for (it = jv_first(o); it; it = jv_next(o, it))
		if (read_value(b, benchmark, jv_member_key(it), jv_member(it), err) < 0)
			return err_prefix(err, "'%.100s', '%.100s'", benchmark, jv_member_key(it));
	return 0;
}

static int read_benchmark(struct bmf *b, struct err *err)
{
	_cleanup_(freep) char *benchmark = NULL;
	_cleanup_(jv_freep) struct jv *v = NULL;
	unsigned line = js_line(b->js);
	const char *key;

	if (js_key(b->js, &key, err) < 0)
		return -1;
	benchmark = xstrdup(key);
	v = js_load(b->js, err);
	if (!v)
		return -1;
	return read_measures(b, benchmark, v, err) < 0 ? err_prefix(err, "%s:%u", b->file, line)
						       : 0;
}

static int read_document(struct bmf *b, struct err *err)
{
	int r;

	if (js_enter(b->js, '{', err) < 0)
		return -1;
	while ((r = js_more(b->js, err)) > 0)
		if (read_benchmark(b, err) < 0)
			return -1;
	return r < 0 ? -1 : js_end(b->js, err);
}

static int bmf_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct bmf b = {.js = js_open(in[0], 0),
		.file = input_name(in[0]),
		.run = {.sink = sink,
			.head = {.suite = "bmf", .format = "bmf", .started_at = TIME_UNKNOWN}}};
	int r = read_document(&b, err);

	(void)n;
	(void)opts;
	js_close(b.js);
	one_run_release(&b.run);
	return r;
}

/* Any JSON could have a value in an object in an object: other readers go first. */
static int bmf_sniff(const char *head, size_t len)
{
	const struct glance benchmark = glance_first_member(glance(head, len)),
			    measure = glance_first_member(benchmark),
			    value = glance_member(measure, "value");

	return value.p && strchr("-0123456789", *value.p) ? 20 : 0;
}

const struct reader reader_bmf = {.name = "bmf",
	.suite = "bmf",
	.summary = "Bencher Metric Format",
	.sniff = bmf_sniff,
	.read = bmf_read};
