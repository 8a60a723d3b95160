/*
 * Google Benchmark's JSON (json_reporter.cc of versions 1.0 to 1.9.5): a context and an array of
 * benchmarks, each element one repetition, one aggregate of the repetitions, or a complexity.
 */
#include "google-benchmark.h"

#include "bench.h"
#include "glance.h"
#include "json-walk.h"
#include "reader.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the context ---- */

static int read_context(struct gb *g, const struct jv *o, struct err *err)
{
	const char *date = NULL, *version = NULL, *build = NULL;
	bool scaling = false;

	if (jv_get_string(o, "date", &date, err) < 0 ||
		jv_get_string(o, "library_version", &version, err) < 0 ||
		jv_get_string(o, "library_build_type", &build, err) < 0 ||
		jv_get_bool(o, "cpu_scaling_enabled", &scaling, err) < 0)
		return -1;
	g->started_at = bench_time(date);
	if (version)
		g->run.head.tool_version = g->version = xstrdup(version);
	if (build && !strcmp(build, "debug"))
		g->run.sink->note(g->run.sink,
			"Google Benchmark's own library was built for debugging (library_build_type), "
			"which takes a part of the times");
	if (scaling)
		g->run.sink->note(g->run.sink,
			"the frequency of the processor was being scaled (cpu_scaling_enabled)");
	bench_fact(&g->facts, "context", o);
	return 0;
}

static int take_context(void *ctx, struct js *js, struct err *err)
{
	struct gb *g = ctx;
	unsigned line = js_line(js);
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (!v)
		return -1;
	if (read_context(g, v, err) < 0)
		return err_prefix(err, "%s:%u: 'context'", g->file, line);
	return one_run_go(&g->run, err);
}

static int take_benchmarks(void *ctx, struct js *js, struct err *err)
{
	struct gb *g = ctx;

	g->has_benchmarks = true;
	return js_objects(js, "name", gb_element, g, err);
}

/* ---- the document ---- */

static void note_left_out(struct gb *g)
{
	struct sink *s = g->run.sink;

	if (g->aggregates)
		s->note(s, "%zu aggregate%s left out", g->aggregates,
			g->aggregates == 1 ? " is" : "s are");
	if (g->alone)
		s->note(s,
			"%zu benchmark%s aggregates only: the median, else the mean, is the one "
			"sample",
			g->alone, g->alone == 1 ? " has" : "s have");
	if (g->failed)
		s->note(s, "%zu repetition%s failed of benchmarks of which others did not",
			g->failed, plural(g->failed));
	if (g->complexities)
		s->note(s, "%zu element%s of a complexity (BigO, RMS) %s left out", g->complexities,
			plural(g->complexities), g->complexities == 1 ? "is" : "are");
}

static int read_document(struct gb *g, struct js *js, struct err *err)
{
	_cleanup_(freep) char *facts = NULL;
	static const struct js_member members[] = {
		{"context", '{', take_context}, {"benchmarks", '[', take_benchmarks}};

	if (js_members(js, members, ARRAY_LEN(members), g, err) < 0 || js_end(js, err) < 0)
		return -1;
	if (!g->has_benchmarks)
		return err_set(err, ERR_FORMAT, "%s: no 'benchmarks'", g->file);
	facts = bench_facts(&g->facts);
	if (gb_finish_elements(g, err) < 0 ||
		one_run_finish(&g->run, g->started_at, facts, err) < 0)
		return -1;
	note_left_out(g);
	return 0;
}

/* The output of a program that printed more than the document, or the table for people. */
static int refuse_text(struct input *in, struct err *err)
{
	const char *head;
	size_t len;

	if (input_head(in, &head, &len, err) < 0)
		return -1;
	if (!len || glance_begins(glance(head, len), "{"))
		return 0;
	return err_set(err, ERR_FORMAT,
		"%s:1: expected '{'; what Google Benchmark prints is mixed with other lines or is "
		"its table, so have it write a file: --benchmark_out=FILE "
		"--benchmark_out_format=json",
		input_name(in));
}

static int gb_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct gb g = {.run = {.sink = sink,
			       .waiting = true,
			       .head = {.suite = "google-benchmark",
				       .format = "google-benchmark",
				       .started_at = TIME_UNKNOWN}},
		.file = input_name(in[0]),
		.started_at = TIME_UNKNOWN,
		.pending = {.max = GB_PENDING_MAX}};
	struct js *js;
	int r;

	(void)n;
	(void)opts;
	if (refuse_text(in[0], err) < 0)
		return -1;
	js = js_open(in[0], 0);
	g.names = intern_new();
	r = read_document(&g, js, err);
	js_close(js);
	intern_free(g.names);
	one_run_release(&g.run);
	buf_release(&g.facts);
	buf_release(&g.pending);
	free(g.version);
	free(g.seen);
	return r;
}

/* ---- detection ---- */

static bool holds(const char *head, size_t len, const char *what)
{
	return memmem(head, len, what, strlen(what));
}

static int gb_sniff(const char *head, size_t len)
{
	const struct glance doc = glance(head, len), all = glance_member(doc, "benchmarks"),
			    context = glance_member(doc, "context"), one = glance_element(all);

	if (glance_begins(doc, "{")) {
		if (glance_member(context, "num_cpus").p && glance_member(context, "date").p)
			return 90;
		return glance_member(one, "cpu_time").p && glance_member(one, "real_time").p &&
				       glance_member(one, "name").p
			       ? 90
			       : 0;
	}
	if (holds(head, len, "\"context\"") && holds(head, len, "\"num_cpus\"") &&
		holds(head, len, "\"mhz_per_cpu\""))
		return 40;
	return holds(head, len, "\nBenchmark ") && holds(head, len, " CPU ") &&
			       holds(head, len, " Iterations")
		       ? 40
		       : 0;
}

const struct reader reader_google_benchmark = {.name = "google-benchmark",
	.suite = "google-benchmark",
	.summary = "Google Benchmark's JSON",
	.sniff = gb_sniff,
	.read = gb_read};
