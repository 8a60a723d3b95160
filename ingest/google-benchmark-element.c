#include "google-benchmark.h"

#include "bench.h"
#include "json-walk.h"
#include "text.h"

#include <string.h>

static const struct metric real_time = {"real_time", BENCH_TIME},
			   cpu_time = {"cpu_time", BENCH_TIME};

/* What the library itself adds to an element, beside the times and what describes the element. */
static const struct metric own[] = {
	{"items_per_second", "items/s", "rate", DIRECTION_HIGHER},
	{"bytes_per_second", "B/s", "rate", DIRECTION_HIGHER},
	{"allocs_per_iter", "count", "count", DIRECTION_LOWER},
	{"max_bytes_used", "B", "bytes", DIRECTION_LOWER},
	{"total_allocated_bytes", "B", "bytes", DIRECTION_LOWER},
	{"net_heap_growth", "B", "bytes", DIRECTION_LOWER},
};

static const char *const described[] = {"family_index", "per_family_instance_index", "repetitions",
	"repetition_index", "threads", "iterations", "real_time", "cpu_time"};

/* ---- one repetition ---- */

static int64_t series(struct gb *g, const char *name, const struct metric *m, struct err *err)
{
	return g->run.sink->series(g->run.sink, name, m, "", err);
}

/* In seconds; 1, 0 when it is not there, -1. */
static int read_time(
	const struct jv *o, const char *key, int exponent, struct num *ret, struct err *err)
{
	int r = jv_get_num(o, key, ret, err);

	if (r > 0 && num_shift(*ret, exponent, ret, err) < 0)
		return err_prefix(err, "'%s'", key);
	return r;
}

struct times {
	int has_real, has_cpu;
	struct num real, cpu;
};

static int read_times(const struct jv *o, struct times *t, struct err *err)
{
	const char *unit = "ns";
	int exponent;

	if (jv_get_string(o, "time_unit", &unit, err) < 0)
		return -1;
	if (bench_time_exponent(unit, &exponent) < 0)
		return err_set(
			err, ERR_FORMAT, "'time_unit' is '%.40s', expected ns, us, ms or s", unit);
	t->has_real = read_time(o, "real_time", exponent, &t->real, err);
	t->has_cpu = t->has_real < 0 ? -1 : read_time(o, "cpu_time", exponent, &t->cpu, err);
	if (t->has_cpu < 0)
		return -1;
	return t->has_real || t->has_cpu
		       ? 0
		       : err_set(err, ERR_FORMAT, "neither 'real_time' nor 'cpu_time'");
}

static int put(
	struct gb *g, const char *name, const struct metric *m, struct num n, struct err *err)
{
	return one_run_sample(&g->run, series(g, name, m, err), n, err);
}

static int put_times(struct gb *g, const struct jv *o, const char *name, struct err *err)
{
	struct times t;

	if (read_times(o, &t, err) < 0 || (t.has_real && put(g, name, &real_time, t.real, err) < 0))
		return -1;
	return t.has_cpu ? put(g, name, &cpu_time, t.cpu, err) : 0;
}

static struct metric counter(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(own); i++)
		if (!strcmp(key, own[i].name))
			return own[i];
	return (struct metric){key, "", "unknown", DIRECTION_NONE};
}

static bool describes(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(described); i++)
		if (!strcmp(key, described[i]))
			return true;
	return false;
}

/* Every other number is a counter. */
static int put_counters(struct gb *g, const struct jv *o, const char *name, struct err *err)
{
	const void *it;

	for (it = jv_first(o); it; it = jv_next(o, it)) {
		const struct jv *v = jv_member(it);
		const struct metric m = counter(jv_member_key(it));

		if ((jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL) || describes(m.name))
			continue;
		if (put(g, name, &m, jv_num(v), err) < 0)
			return -1;
	}
	return 0;
}

static int put_numbers(struct gb *g, const struct jv *o, const char *name, struct err *err)
{
	return put_times(g, o, name, err) < 0 ? -1 : put_counters(g, o, name, err);
}

/* ---- what went wrong ---- */

struct trouble {
	bool failed, skipped;
	const char *error, *skip;
};

static int read_trouble(const struct jv *o, struct trouble *t, struct err *err)
{
	*t = (struct trouble){.error = "no message", .skip = "no message"};
	if (jv_get_bool(o, "error_occurred", &t->failed, err) < 0 ||
		jv_get_string(o, "error_message", &t->error, err) < 0 ||
		jv_get_bool(o, "skipped", &t->skipped, err) < 0 ||
		jv_get_string(o, "skip_message", &t->skip, err) < 0)
		return -1;
	return t->failed || t->skipped;
}

static int put_absences(struct gb *g, const char *name, const struct trouble *t, struct err *err)
{
	const enum sink_status status = t->failed ? SINK_ERROR : SINK_SKIPPED;
	const char *why = t->failed ? t->error : t->skip;

	if (one_run_absence(&g->run, series(g, name, &real_time, err), status, why, err) < 0)
		return -1;
	return one_run_absence(&g->run, series(g, name, &cpu_time, err), status, why, err);
}

/* ---- what an element is ---- */

static unsigned char *seen_of(struct gb *g, const char *name, size_t len)
{
	uint32_t id = intern_add(g->names, name, len);

	g->seen = xgrow_to(g->seen, &g->n_seen, id, 1);
	return &g->seen[id];
}

static bool was_repeated(const struct gb *g, const char *name, size_t len)
{
	uint32_t id = intern_find(g->names, name, len);

	return id != INTERN_NONE && g->seen[id] & GB_REPEATED;
}

/* Versions before 1.5 have no run_type; their aggregates are told by the name. */
static bool old_aggregate(const struct gb *g, const char *name)
{
	static const char *const suffixes[] = {"_mean", "_median", "_stddev"};
	size_t i, len = strlen(name), n;

	for (i = 0; i < ARRAY_LEN(suffixes); i++) {
		n = strlen(suffixes[i]);
		if (len > n && !strcmp(name + len - n, suffixes[i]) &&
			was_repeated(g, name, len - n))
			return true;
	}
	return false;
}

static int keep_pending(struct gb *g, const struct jv *o, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	jv_dump(&text, o);
	if (buf_room(&g->pending, text.len + 1) < 0)
		return err_set(err, ERR_FORMAT,
			"more than 16 MiB of aggregates and failures of benchmarks without a "
			"repetition that has numbers");
	if (g->pending.len)
		buf_addch(&g->pending, ',');
	buf_add(&g->pending, text.p, text.len);
	return 0;
}

/* A mean or a median waits for the end, where it is known whether there are repetitions. */
static int read_aggregate(struct gb *g, const struct jv *o, const char *name, struct err *err)
{
	const char *kind = "";
	struct times t;
	unsigned char *seen;

	if (jv_get_string(o, "aggregate_name", &kind, err) < 0)
		return -1;
	if (!strcmp(kind, "BigO") || !strcmp(kind, "RMS")) {
		g->complexities++;
		return 0;
	}
	g->aggregates++;
	if (strcmp(kind, "mean") != 0 && strcmp(kind, "median") != 0)
		return 0;
	seen = seen_of(g, name, strlen(name));
	*seen |= strcmp(kind, "mean") ? GB_HAS_MEDIAN : GB_HAS_MEAN;
	if (read_times(o, &t, err) < 0)
		return -1;
	return *seen & GB_REPEATED ? 0 : keep_pending(g, o, err);
}

static int read_repetition(struct gb *g, const struct jv *o, const char *name, struct err *err)
{
	struct trouble t;
	int r = read_trouble(o, &t, err);

	if (r != 0)
		return r < 0 ? -1 : keep_pending(g, o, err);
	*seen_of(g, name, strlen(name)) |= GB_REPEATED;
	return put_numbers(g, o, name, err);
}

/* The name without what an aggregate adds to it. Versions before 1.5 have no run_name. */
static int read_name(const struct jv *o, const char **ret, struct err *err)
{
	int r = jv_get_string(o, "run_name", ret, err);

	if (r == 0)
		r = jv_get_string(o, "name", ret, err);
	if (r > 0 && **ret)
		return 0;
	return r < 0 ? -1 : err_set(err, ERR_FORMAT, r ? "'name' is empty" : "no 'name'");
}

int gb_element(void *ctx, const struct jv *o, struct err *err)
{
	struct gb *g = ctx;
	const char *name, *type = NULL, *label;

	if (read_name(o, &name, err) < 0 || jv_get_string(o, "run_type", &type, err) < 0 ||
		jv_get_string(o, "label", &label, err) < 0)
		return -1;
	if (type && !strcmp(type, "aggregate"))
		return read_aggregate(g, o, name, err);
	if (type && strcmp(type, "iteration") != 0)
		return err_set(err, ERR_FORMAT,
			"'run_type' is '%.40s', expected iteration or aggregate", type);
	if (!type && (jv_get(o, "big_o") || jv_get(o, "rms"))) {
		g->complexities++;
		return 0;
	}
	if (!type && old_aggregate(g, name)) {
		g->aggregates++;
		return 0;
	}
	return read_repetition(g, o, name, err);
}

/* ---- elements whose name has no repetition, or so it seemed ---- */

static int read_alone(
	struct gb *g, const struct jv *o, const char *name, unsigned seen, struct err *err)
{
	const char *kind = "";

	if (jv_get_string(o, "aggregate_name", &kind, err) < 0)
		return -1;
	if ((seen & GB_REPEATED) || (!strcmp(kind, "mean") && (seen & GB_HAS_MEDIAN)))
		return 0;
	g->aggregates--;
	g->alone++;
	return put_numbers(g, o, name, err);
}

static int read_pending(void *ctx, const struct jv *o, struct err *err)
{
	struct gb *g = ctx;
	struct trouble t;
	const char *name;
	unsigned seen;
	int r;

	if (read_name(o, &name, err) < 0)
		return -1;
	seen = *seen_of(g, name, strlen(name));
	r = read_trouble(o, &t, err);
	if (r == 0)
		return read_alone(g, o, name, seen, err);
	if (r < 0 || !seen)
		return r < 0 ? -1 : put_absences(g, name, &t, err);
	g->failed++;
	return 0;
}

int gb_finish_elements(struct gb *g, struct err *err)
{
	_cleanup_(buf_release) struct buf array = BUF_INIT;
	struct input *in;
	struct js *js;
	int r;

	if (!g->pending.len)
		return 0;
	buf_addf(&array, "[%s]", g->pending.p);
	buf_release(&g->pending);
	in = input_memory(g->file, array.p, array.len);
	js = js_open(in, 0);
	r = js_objects(js, "name", read_pending, g, err);
	js_close(js);
	input_free(in);
	return r;
}
