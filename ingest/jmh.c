/*
 * JMH's JSON (-rf json; JSONResultFormat.java of versions 1.18 to 1.37): an array of results, each
 * a benchmark in one mode with the score of every iteration of every fork.
 */
#include "bench.h"
#include "glance.h"
#include "jmh-unit.h"
#include "json-walk.h"
#include "one-run.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

struct jmh {
	struct one_run run;
	struct buf facts;
	char *version;
	const char *name, *variant; /* of the result that is read */
	size_t medians, scores, not_numbers;
};

/* A metric, and how its scores become its values. */
struct scale {
	struct metric metric;
	const struct jmh_unit *unit; /* NULL: as written */
};

/* ---- scores ---- */

static int64_t series(struct jmh *j, const struct metric *m, struct err *err)
{
	return j->run.sink->series(j->run.sink, j->name, m, j->variant, err);
}

static int put(struct jmh *j, const struct scale *s, struct num n, struct err *err)
{
	if (s->unit && jmh_unit_convert(s->unit, n, &n, err) < 0)
		return -1;
	return one_run_sample(&j->run, series(j, &s->metric, err), n, err);
}

/* What JMH writes for a double that JSON has no number for. */
static bool is_no_number(const struct jv *v)
{
	const char *s = jv_kind(v) == JV_STRING ? jv_string(v, NULL) : "";

	return !strcmp(s, "NaN") || !strcmp(s, "+INF") || !strcmp(s, "-INF");
}

/* A score: 1, 0 when it is no number, -1. */
static int read_score(
	struct jmh *j, const struct scale *s, const struct jv *v, const char *key, struct err *err)
{
	if (is_no_number(v)) {
		j->not_numbers++;
		return 0;
	}
	if (jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL)
		return err_set(err, ERR_FORMAT, "%s is %s, expected a number", key,
			jv_kind_name(jv_kind(v)));
	return put(j, s, jv_num(v), err) < 0 ? -1 : 1;
}

/* The scores of a fork's iterations. How many there were, or -1. */
static int read_fork(struct jmh *j, const struct scale *s, const struct jv *fork, struct err *err)
{
	int r, n = 0;
	size_t i;

	if (jv_kind(fork) != JV_ARRAY)
		return err_set(err, ERR_FORMAT, "a fork of 'rawData' is %s, expected an array",
			jv_kind_name(jv_kind(fork)));
	for (i = 0; i < jv_len(fork); i++) {
		r = read_score(j, s, jv_at(fork, i), "a score of 'rawData'", err);
		if (r < 0)
			return -1;
		n |= r;
	}
	return n;
}

static int read_raw(struct jmh *j, const struct scale *s, const struct jv *o, struct err *err)
{
	const struct jv *forks;
	int r = jv_get_array(o, "rawData", &forks, err), n = 0;
	size_t i;

	if (r <= 0)
		return r;
	for (i = 0; i < jv_len(forks); i++) {
		r = read_fork(j, s, jv_at(forks, i), err);
		if (r < 0)
			return -1;
		n |= r;
	}
	return n;
}

/* SampleTime has a histogram in place of scores. */
static int read_median(struct jmh *j, const struct scale *s, const struct jv *o, struct err *err)
{
	const struct jv *percentiles, *v;
	int r;

	if (!jv_get(o, "rawDataHistogram"))
		return 0;
	r = jv_get_object(o, "scorePercentiles", &percentiles, err);
	if (r <= 0)
		return r;
	v = jv_get(percentiles, "50.0");
	r = v ? read_score(j, s, v, "'scorePercentiles.50.0'", err) : 0;
	j->medians += r > 0;
	return r;
}

/* Without any of them the score, which is a mean, is the one sample. */
static int read_mean(struct jmh *j, const struct scale *s, const struct jv *o, struct err *err)
{
	const struct jv *v = jv_get(o, "score");
	int r;

	if (!v || jv_kind(v) == JV_NULL)
		return err_set(err, ERR_FORMAT, "no 'score'");
	r = read_score(j, s, v, "'score'", err);
	if (r != 0) {
		j->scores += r > 0;
		return r;
	}
	return one_run_absence(
		&j->run, series(j, &s->metric, err), SINK_ERROR, "the score is no number", err);
}

static int read_scores(struct jmh *j, const struct scale *s, const struct jv *o, struct err *err)
{
	int r = read_raw(j, s, o, err);

	if (r == 0)
		r = read_median(j, s, o, err);
	if (r == 0)
		r = read_mean(j, s, o, err);
	return r < 0 ? -1 : 0;
}

/* ---- metrics ---- */

static int read_scale(const struct jv *o, const char *name, enum direction otherwise,
	struct scale *s, struct err *err)
{
	const char *unit = "";

	if (jv_get_string(o, "scoreUnit", &unit, err) < 0)
		return -1;
	s->unit = jmh_unit_find(unit);
	s->metric = s->unit ? (struct metric){name, s->unit->unit, s->unit->quantity,
				      s->unit->direction}
			    : (struct metric){name, unit, "unknown", otherwise};
	return 0;
}

static int read_primary(struct jmh *j, const struct jv *o, bool throughput, struct err *err)
{
	const struct jv *metric;
	struct scale s;
	int r = jv_get_object(o, "primaryMetric", &metric, err);

	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'primaryMetric'");
	if (read_scale(metric, throughput ? "throughput" : "time",
		    throughput ? DIRECTION_HIGHER : DIRECTION_LOWER, &s, err) < 0)
		return -1;
	return read_scores(j, &s, metric, err);
}

/* Versions before 1.37 put a middle dot before the names of profilers' metrics. */
static const char *secondary_name(const char *key)
{
	return strncmp(key, "\xC2\xB7", 2) ? key : key + 2;
}

static int read_secondary(struct jmh *j, const char *key, const struct jv *o, struct err *err)
{
	const char *name = secondary_name(key);
	_cleanup_(freep) char *apart = NULL;
	struct scale s;

	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "%s, expected an object", jv_kind_name(jv_kind(o)));
	if (!strcmp(name, "time") || !strcmp(name, "throughput"))
		name = apart = xasprintf("secondary.%s", name);
	if (read_scale(o, name, DIRECTION_NONE, &s, err) < 0)
		return -1;
	if (!strcmp(name, "gc.count"))
		s.metric.direction = DIRECTION_LOWER;
	return read_scores(j, &s, o, err);
}

static int read_secondaries(struct jmh *j, const struct jv *o, struct err *err)
{
	const struct jv *all;
	const void *it;
	int r = jv_get_object(o, "secondaryMetrics", &all, err);

	if (r <= 0)
		return r;
	for (it = jv_first(all); it; it = jv_next(all, it))
		if (read_secondary(j, jv_member_key(it), jv_member(it), err) < 0)
			return err_prefix(err, "'secondaryMetrics': '%.100s'", jv_member_key(it));
	return 0;
}

/* ---- a result ---- */

static int read_name(const struct jv *o, struct buf *name, struct err *err)
{
	const struct jv *params;
	const char *benchmark;
	int r = jv_get_string(o, "benchmark", &benchmark, err);

	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'benchmark'");
	if (!*benchmark)
		return err_set(err, ERR_FORMAT, "'benchmark' is empty");
	buf_addstr(name, benchmark);
	r = jv_get_object(o, "params", &params, err);
	return r <= 0 ? r : bench_parameters(name, "params", params, err);
}

/* Sampled and single times are no averages, and threads compete: neither compares with others. */
static int read_variant(
	const struct jv *o, struct buf *variant, bool *ret_throughput, struct err *err)
{
	static const char *const modes[] = {"thrpt", "avgt", "sample", "ss"};
	const char *mode = "";
	int64_t threads = 1;
	size_t i = 0;

	if (jv_get_string(o, "mode", &mode, err) < 0 || jv_get_int(o, "threads", &threads, err) < 0)
		return -1;
	if (!*mode)
		return err_set(err, ERR_FORMAT, "no \'mode\'");
	while (i < ARRAY_LEN(modes) && strcmp(mode, modes[i]) != 0)
		i++;
	if (i == ARRAY_LEN(modes))
		return err_set(err, ERR_FORMAT,
			"'mode' is '%.40s', expected thrpt, avgt, sample or ss", mode);
	if (i > 1)
		buf_addf(variant, "mode=%s", mode);
	if (threads != 1)
		buf_addf(variant, "%sthreads=%lld", variant->len ? "," : "", (long long)threads);
	*ret_throughput = i == 0;
	return 0;
}

/* Of the whole run, from its first result. */
static int read_facts(struct jmh *j, const struct jv *o, struct err *err)
{
	static const char *const keys[] = {"jdkVersion", "vmName", "vmVersion", "jvmArgs"};
	const char *version = NULL;
	size_t i;

	if (jv_get_string(o, "jmhVersion", &version, err) < 0)
		return -1;
	if (j->run.open)
		return 0;
	free(j->version);
	j->run.head.tool_version = j->version = version ? xstrdup(version) : NULL;
	buf_clear(&j->facts);
	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (jv_get(o, keys[i]))
			bench_fact(&j->facts, keys[i], jv_get(o, keys[i]));
	return 0;
}

static int read_result(void *ctx, const struct jv *o, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT, variant = BUF_INIT;
	struct jmh *j = ctx;
	bool throughput = false;

	if (read_name(o, &name, err) < 0 || read_variant(o, &variant, &throughput, err) < 0 ||
		read_facts(j, o, err) < 0)
		return -1;
	j->name = name.p;
	j->variant = buf_str(&variant);
	return read_primary(j, o, throughput, err) < 0 ? -1 : read_secondaries(j, o, err);
}

/* ---- the document ---- */

static void note(struct jmh *j)
{
	struct sink *s = j->run.sink;

	if (j->medians)
		s->note(s, "%zu metric%s a histogram (SampleTime): its median is the one sample",
			j->medians, j->medians == 1 ? " has" : "s have");
	if (j->scores)
		s->note(s,
			"%zu metric%s no scores of the iterations: the score, a mean, is the one "
			"sample",
			j->scores, j->scores == 1 ? " has" : "s have");
	if (j->not_numbers)
		s->note(s, "%zu score%s NaN or infinite and left out", j->not_numbers,
			j->not_numbers == 1 ? " is" : "s are");
}

static int read_document(struct jmh *j, struct js *js, struct err *err)
{
	_cleanup_(freep) char *facts = NULL;

	if (js_objects(js, "benchmark", read_result, j, err) < 0 || js_end(js, err) < 0)
		return -1;
	facts = bench_facts(&j->facts);
	if (one_run_finish(&j->run, TIME_UNKNOWN, facts, err) < 0)
		return -1;
	note(j);
	return 0;
}

static int jmh_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct jmh j = {
		.run = {.sink = sink,
			.head = {.suite = "jmh", .format = "jmh", .started_at = TIME_UNKNOWN}}};
	struct js *js = js_open(in[0], 0);
	int r = read_document(&j, js, err);

	(void)n;
	(void)opts;
	js_close(js);
	one_run_release(&j.run);
	buf_release(&j.facts);
	free(j.version);
	return r;
}

static int jmh_sniff(const char *head, size_t len)
{
	const struct glance one = glance_element(glance(head, len));

	if (!glance_member(one, "benchmark").p)
		return 0;
	return glance_member(one, "primaryMetric").p || glance_member(one, "jmhVersion").p ? 95 : 0;
}

const struct reader reader_jmh = {.name = "jmh",
	.suite = "jmh",
	.summary = "JMH's JSON",
	.sniff = jmh_sniff,
	.read = jmh_read};
