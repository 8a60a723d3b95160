/* kpi ScenarioResult arrays, schema_version 1 (Go package perf/kpi, result.go: WriteJSON). */
#include "reader.h"

#include "intern.h"
#include "json-walk.h"

#include <stdlib.h>
#include <string.h>

/* A field of the document, and the metric it becomes. */
struct field {
	const char *key;
	struct metric metric;
	bool real;        /* may have a fraction */
	bool zero_absent; /* 0 says "no reading" */
};

#define COUNT(d) .unit = "count", .quantity = "count", .direction = d
#define BYTES .unit = "B", .quantity = "bytes", .direction = DIRECTION_LOWER
#define NS(d) .unit = "ns", .quantity = "time", .direction = d

static const struct field fields[] = {
	{"allocs_per_op", {"allocs_per_op", COUNT(DIRECTION_LOWER)}, false, false},
	{"bytes_per_op", {"bytes_per_op", BYTES}, false, false},
	{"goroutines_end", {"goroutines_end", COUNT(DIRECTION_LOWER)}, false, false},
	{"tokens_input", {"tokens_input", COUNT(DIRECTION_LOWER)}, false, false},
	{"tokens_output", {"tokens_output", COUNT(DIRECTION_LOWER)}, false, false},
	{"tokens_cache_read", {"tokens_cache_read", COUNT(DIRECTION_HIGHER)}, false, false},
	{"cache_hit_rate", {"cache_hit_rate", "ratio", "ratio", DIRECTION_HIGHER}, true, false},
	{"rss_peak_bytes", {"rss_peak_bytes", BYTES}, false, true},
	{"rss_final_bytes", {"rss_final_bytes", BYTES}, false, true},
	{"wall_clock_ns", {"wall_clock_ns", NS(DIRECTION_LOWER)}, false, false},
	{"iterations", {"iterations", COUNT(DIRECTION_NONE)}, false, false},
	{"sample", {"sample", COUNT(DIRECTION_NONE)}, false, false},
};

/* Derived, or not a number in the document. */
static const struct metric tokens_total = {"tokens_total", COUNT(DIRECTION_LOWER)};
static const struct metric wall_per_op = {"wall_ns_per_op", NS(DIRECTION_LOWER)};
static const struct metric timestamp = {"timestamp", NS(DIRECTION_NONE)};

enum { N_FIELDS = ARRAY_LEN(fields), TOKENS_TOTAL = N_FIELDS, WALL_PER_OP, TIMESTAMP, N_METRICS };

struct kpi {
	struct sink *sink;
	struct intern *names; /* benchmark; ids index series */
	int64_t *series;      /* N_METRICS per name, -1 not asked for yet */
	size_t cap_series;
	struct intern *shas; /* ids are run numbers */
	int64_t *started, *ended;
	size_t cap_started, cap_ended;
};

static int64_t series_of(struct kpi *k, uint32_t name, size_t metric, struct err *err)
{
	int64_t *slot = &k->series[name * N_METRICS + metric];

	if (*slot < 0) {
		const struct metric *m = metric < N_FIELDS        ? &fields[metric].metric
					 : metric == TOKENS_TOTAL ? &tokens_total
					 : metric == WALL_PER_OP  ? &wall_per_op
								  : &timestamp;
		*slot = k->sink->series(k->sink, intern_get(k->names, name, NULL), m, "", err);
	}
	return *slot;
}

static int put(
	struct kpi *k, int run, uint32_t name, size_t metric, struct num value, struct err *err)
{
	int64_t series = series_of(k, name, metric, err);

	return series < 0 ? -1 : k->sink->sample(k->sink, run, series, value, err);
}

static int put_absence(
	struct kpi *k, int run, uint32_t name, size_t metric, const char *reason, struct err *err)
{
	int64_t series = series_of(k, name, metric, err);

	return series < 0 ? -1
			  : k->sink->absence(k->sink, run, series, SINK_UNSUPPORTED, reason, err);
}

static uint32_t name_id(struct kpi *k, const char *name)
{
	uint32_t known = intern_count(k->names), id = intern_add(k->names, name, strlen(name));
	size_t i, need = ((size_t)id + 1) * N_METRICS;

	if (id == known) {
		while (k->cap_series < need) {
			k->cap_series = k->cap_series ? k->cap_series * 2 : 64 * N_METRICS;
			k->series = xrealloc(k->series, k->cap_series * sizeof(*k->series));
		}
		for (i = need - N_METRICS; i < need; i++)
			k->series[i] = -1;
	}
	return id;
}

static int run_of(struct kpi *k, const char *sha, struct err *err)
{
	uint32_t known = intern_count(k->shas), id = intern_add(k->shas, sha, strlen(sha));
	struct run_head head = {.suite = "kpi",
		.format = "kpi",
		.format_version = "1",
		.sha = *sha ? sha : NULL,
		.started_at = TIME_UNKNOWN};

	if (id == known) {
		k->started = xgrow(k->started, id, &k->cap_started, sizeof(*k->started));
		k->ended = xgrow(k->ended, id, &k->cap_ended, sizeof(*k->ended));
		k->started[id] = k->ended[id] = TIME_UNKNOWN;
		return k->sink->run(k->sink, &head, err);
	}
	return (int)id;
}

static int check_version(const struct jv *o, struct err *err)
{
	int64_t version;
	int r = jv_get_int(o, "schema_version", &version, err);

	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(err, ERR_FORMAT, "no 'schema_version', expected 1");
	if (version != 1)
		return err_set(err, ERR_FORMAT,
			"schema_version %lld; perfgate reads ScenarioResult schema_version 1",
			(long long)version);
	return 0;
}

static int check_field(const struct field *f, struct num v, struct err *err)
{
	if (!f->real && !v.is_int)
		return err_set(err, ERR_FORMAT, "'%s' has a fraction, expected an integer", f->key);
	if (num_cmp(v, num_int(0)) < 0)
		return err_set(err, ERR_FORMAT, "'%s' is negative", f->key);
	return 0;
}

/* The numbers of the table; *values holds what was there, present[i] says which. */
static int read_fields(struct kpi *k, const struct jv *o, int run, uint32_t name,
	struct num *values, bool *present, struct err *err)
{
	size_t i;

	for (i = 0; i < N_FIELDS; i++) {
		const struct field *f = &fields[i];
		int r = jv_get_num(o, f->key, &values[i], err);

		if (r < 0 || (r > 0 && check_field(f, values[i], err) < 0))
			return -1;
		present[i] = r > 0;
		if (r == 0)
			continue;
		if (f->zero_absent && num_cmp(values[i], num_int(0)) == 0)
			r = put_absence(k, run, name, i, "0 means no reading", err);
		else
			r = put(k, run, name, i, values[i], err);
		if (r < 0)
			return -1;
	}
	return 0;
}

static size_t field_index(const char *key)
{
	size_t i = 0;

	while (strcmp(fields[i].key, key))
		i++;
	return i;
}

static int derive(struct kpi *k, int run, uint32_t name, const struct num *v, const bool *present,
	struct err *err)
{
	static size_t in, out, wall, iterations;
	int64_t total;

	if (!iterations) {
		in = field_index("tokens_input");
		out = field_index("tokens_output");
		wall = field_index("wall_clock_ns");
		iterations = field_index("iterations");
	}
	if (present[in] && present[out]) {
		if (__builtin_add_overflow(v[in].i, v[out].i, &total))
			return err_set(
				err, ERR_FORMAT, "tokens_input + tokens_output is beyond 2^63-1");
		if (put(k, run, name, TOKENS_TOTAL, num_int(total), err) < 0)
			return -1;
	}
	if (present[wall] && present[iterations]) {
		if (v[iterations].i == 0)
			return put_absence(k, run, name, WALL_PER_OP, "iterations is 0", err);
		return put(k, run, name, WALL_PER_OP,
			num_real((double)v[wall].i / (double)v[iterations].i), err);
	}
	return 0;
}

static int read_timestamp(
	struct kpi *k, const struct jv *o, int run, uint32_t name, struct err *err)
{
	const char *text;
	int64_t t;
	int r = jv_get_string(o, "timestamp", &text, err);

	if (r <= 0)
		return r;
	if (time_parse(text, &t, err) < 0)
		return err_prefix(err, "'timestamp'");
	if (k->started[run] == TIME_UNKNOWN || t < k->started[run])
		k->started[run] = t;
	if (k->ended[run] == TIME_UNKNOWN || t > k->ended[run])
		k->ended[run] = t;
	return put(k, run, name, TIMESTAMP, num_int(t), err);
}

static int read_element(void *ctx, const struct jv *o, struct err *err)
{
	struct kpi *k = ctx;
	struct num values[N_FIELDS];
	bool present[N_FIELDS];
	const char *name, *sha = "";
	uint32_t id;
	int run;

	if (check_version(o, err) < 0)
		return -1;
	switch (jv_get_string(o, "name", &name, err)) {
	case 0:
		return err_set(err, ERR_FORMAT, "no 'name'");
	case -1:
		return -1;
	}
	if (!*name)
		return err_set(err, ERR_FORMAT, "'name' is empty");
	if (jv_get_string(o, "git_sha", &sha, err) < 0)
		return -1;
	run = run_of(k, sha, err);
	if (run < 0)
		return -1;
	id = name_id(k, name);
	if (read_fields(k, o, run, id, values, present, err) < 0 ||
		derive(k, run, id, values, present, err) < 0)
		return -1;
	return read_timestamp(k, o, run, id, err);
}

static int finish_runs(struct kpi *k, struct err *err)
{
	uint32_t i;

	for (i = 0; i < intern_count(k->shas); i++) {
		_cleanup_(buf_release) struct buf facts = BUF_INIT;

		if (k->started[i] == TIME_UNKNOWN)
			continue;
		buf_addstr(&facts, "{\"finished_at\":\"");
		time_format(&facts, k->ended[i]);
		buf_addstr(&facts, "\"}");
		if (k->sink->amend(k->sink, (int)i, k->started[i], facts.p, err) < 0)
			return -1;
	}
	return 0;
}

static int kpi_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct kpi k = {.sink = sink, .names = intern_new(), .shas = intern_new()};
	struct js *js = js_open(in[0], 0);
	int r;

	(void)n;
	(void)opts;
	r = js_objects(js, "name", read_element, &k, err);
	if (r == 0)
		r = js_end(js, err);
	if (r == 0)
		r = finish_runs(&k, err);
	js_close(js);
	intern_free(k.names);
	intern_free(k.shas);
	free(k.series);
	free(k.started);
	free(k.ended);
	return r;
}

/* An array that is empty, or whose first element names schema_version. */
static int kpi_sniff(const char *head, size_t len)
{
	size_t i = 0;

	while (i < len && head[i] && strchr(" \t\r\n", head[i]))
		i++;
	if (i == len || head[i] != '[')
		return 0;
	for (i++; i < len && head[i] && strchr(" \t\r\n", head[i]); i++)
		;
	if (i < len && head[i] == ']')
		return 50;
	return memmem(head, len, "\"schema_version\"", 16)  ? 90
	       : memmem(head, len, "\"allocs_per_op\"", 15) ? 80
							    : 0;
}

const struct reader reader_kpi = {.name = "kpi",
	.suite = "kpi",
	.summary = "kpi ScenarioResult array, schema_version 1",
	.sniff = kpi_sniff,
	.read = kpi_read};
