/*
 * pytest-benchmark's JSON (stats.py and plugin.py of versions 2.5 to 5.2.3): what --benchmark-json
 * writes, with the time of every round, and what --benchmark-save does, mostly without.
 */
#include "bench.h"
#include "glance.h"
#include "json-walk.h"
#include "one-run.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

struct pt {
	const char *file;
	struct one_run run;
	struct buf facts;
	char *sha;
	int64_t started_at;
	size_t summaries;
	bool has_benchmarks, dirty;
};

static const struct metric time_ = {"time", BENCH_TIME},
			   ops = {"ops", "ops/s", "rate", DIRECTION_HIGHER};

/* ---- one benchmark ---- */

static int64_t series(struct pt *p, const char *name, const struct metric *m, struct err *err)
{
	return p->run.sink->series(p->run.sink, name, m, "", err);
}

static int read_rounds(struct pt *p, const struct jv *data, const char *name, struct err *err)
{
	int64_t id = series(p, name, &time_, err);
	struct num n;
	size_t i;

	for (i = 0; i < jv_len(data); i++)
		if (bench_number(data, i, "data", &n, err) < 0 ||
			one_run_sample(&p->run, id, n, err) < 0)
			return -1;
	return 0;
}

/* Without rounds: one number that stands for them. */
static int read_summary(struct pt *p, const struct jv *stats, const char *name, struct err *err)
{
	struct num n;
	int r = jv_get_num(stats, "median", &n, err);

	if (r == 0)
		r = jv_get_num(stats, "mean", &n, err);
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(err, ERR_FORMAT, "'stats' has neither 'data', 'median' nor 'mean'");
	p->summaries++;
	return one_run_sample(&p->run, series(p, name, &time_, err), n, err);
}

/* Rounds that took no time at all have a rate of 0. */
static int read_ops(struct pt *p, const struct jv *stats, const char *name, struct err *err)
{
	struct num n;
	int r = jv_get_num(stats, "ops", &n, err);

	if (r <= 0)
		return r;
	if (num_cmp(n, num_int(0)) == 0)
		return one_run_absence(&p->run, series(p, name, &ops, err), SINK_ERROR,
			"0 means that the rounds took no time", err);
	return one_run_sample(&p->run, series(p, name, &ops, err), n, err);
}

static int read_stats(struct pt *p, const struct jv *stats, const char *name, struct err *err)
{
	const struct jv *data = NULL;
	int r = jv_get_array(stats, "data", &data, err);

	if (r < 0)
		return -1;
	r = r && jv_len(data) ? read_rounds(p, data, name, err) : read_summary(p, stats, name, err);
	return r < 0 ? -1 : read_ops(p, stats, name, err);
}

static int read_name(const struct jv *o, const char **ret, struct err *err)
{
	int r = jv_get_string(o, "fullname", ret, err);

	if (r == 0)
		r = jv_get_string(o, "name", ret, err);
	if (r > 0 && **ret)
		return 0;
	return r < 0 ? -1
		     : err_set(err, ERR_FORMAT,
			       r ? "'fullname' is empty" : "neither 'fullname' nor 'name'");
}

static int read_benchmark(void *ctx, const struct jv *o, struct err *err)
{
	struct pt *p = ctx;
	const struct jv *stats;
	const char *name;
	int r;

	if (read_name(o, &name, err) < 0)
		return -1;
	r = jv_get_object(o, "stats", &stats, err);
	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'stats'");
	return read_stats(p, stats, name, err);
}

/* ---- what the document says of itself ---- */

static bool is_sha(const char *s)
{
	size_t len = strspn(s, "0123456789abcdef");

	return !s[len] && (len == 40 || len == 64);
}

/* Of a tree without version control the id is "unversioned". */
static int read_commit(struct pt *p, const struct jv *o, struct err *err)
{
	const char *id = NULL;

	if (jv_get_string(o, "id", &id, err) < 0 || jv_get_bool(o, "dirty", &p->dirty, err) < 0)
		return -1;
	if (id && is_sha(id))
		p->run.head.sha = p->sha = xstrdup(id);
	if (p->dirty)
		p->run.head.tree_state = RUN_DIRTY;
	bench_fact(&p->facts, "commit_info", o);
	return 0;
}

static int take_commit(void *ctx, struct js *js, struct err *err)
{
	struct pt *p = ctx;
	unsigned line = js_line(js);
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (!v)
		return -1;
	if (read_commit(p, v, err) < 0)
		return err_prefix(err, "%s:%u: 'commit_info'", p->file, line);
	return one_run_go(&p->run, err);
}

static int take_fact(struct pt *p, struct js *js, const char *key, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (v)
		bench_fact(&p->facts, key, v);
	return v ? 0 : -1;
}

static int take_machine(void *ctx, struct js *js, struct err *err)
{
	return take_fact(ctx, js, "machine_info", err);
}

/* It stands at the end of the document, where the run is open. */
static int take_version(void *ctx, struct js *js, struct err *err)
{
	return take_fact(ctx, js, "version", err);
}

static int take_datetime(void *ctx, struct js *js, struct err *err)
{
	struct pt *p = ctx;
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (v)
		p->started_at = bench_time_utc(jv_string(v, NULL));
	return v ? 0 : -1;
}

static int take_benchmarks(void *ctx, struct js *js, struct err *err)
{
	struct pt *p = ctx;

	p->has_benchmarks = true;
	return js_objects(js, "fullname", read_benchmark, p, err);
}

/* ---- the document ---- */

static void note(struct pt *p)
{
	struct sink *s = p->run.sink;

	if (p->summaries)
		s->note(s,
			"%zu benchmark%s no times of the rounds (--benchmark-save-data keeps "
			"them): the median, else the mean, is the one sample",
			p->summaries, p->summaries == 1 ? " has" : "s have");
	if (p->dirty)
		s->note(s, "tracked files were changed (commit_info.dirty), so these are not the "
			   "numbers of the commit, unless --clean says so");
}

static int read_document(struct pt *p, struct js *js, struct err *err)
{
	static const struct js_member members[] = {{"machine_info", '{', take_machine},
		{"commit_info", '{', take_commit}, {"benchmarks", '[', take_benchmarks},
		{"datetime", '"', take_datetime}, {"version", '"', take_version}};
	_cleanup_(freep) char *facts = NULL;

	if (js_members(js, members, ARRAY_LEN(members), p, err) < 0 || js_end(js, err) < 0)
		return -1;
	if (!p->has_benchmarks)
		return err_set(err, ERR_FORMAT, "%s: no 'benchmarks'", p->file);
	facts = bench_facts(&p->facts);
	if (one_run_finish(&p->run, p->started_at, facts, err) < 0)
		return -1;
	note(p);
	return 0;
}

static int pt_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct pt p = {.file = input_name(in[0]),
		.run = {.sink = sink,
			.waiting = true,
			.head = {.suite = "pytest",
				.format = "pytest",
				.started_at = TIME_UNKNOWN}},
		.started_at = TIME_UNKNOWN};
	struct js *js = js_open(in[0], 0);
	int r = read_document(&p, js, err);

	(void)n;
	(void)opts;
	js_close(js);
	one_run_release(&p.run);
	buf_release(&p.facts);
	free(p.sha);
	return r;
}

static int pt_sniff(const char *head, size_t len)
{
	const struct glance doc = glance(head, len), all = glance_member(doc, "benchmarks"),
			    one = glance_element(all);

	if (!all.p && !glance_member(doc, "machine_info").p)
		return 0;
	if (glance_member(doc, "machine_info").p && glance_member(doc, "commit_info").p)
		return 90;
	return glance_member(one, "stats").p &&
			       (glance_member(one, "fullname").p || glance_member(one, "name").p)
		       ? 90
		       : 0;
}

const struct reader reader_pytest = {.name = "pytest",
	.suite = "pytest",
	.summary = "pytest-benchmark's JSON",
	.sniff = pt_sniff,
	.read = pt_read};
