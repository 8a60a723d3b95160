/*
 * hyperfine's JSON (--export-json of versions 1.0 to 1.20; benchmark_result.rs): an array of
 * results, each a command with the time of every run, and means of what the processor spent.
 */
#include "bench.h"
#include "glance.h"
#include "json-walk.h"
#include "one-run.h"
#include "reader.h"

#include <string.h>

struct hf {
	struct one_run run;
	const char *name; /* of the result that is read */
	size_t summaries, zeroes, unknown;
	bool has_results;
};

static const struct metric time_ = {"time", BENCH_TIME}, user = {"user", BENCH_TIME},
			   system_ = {"system", BENCH_TIME},
			   memory = {"memory", "B", "bytes", DIRECTION_LOWER},
			   failures = {"failures", "count", "count", DIRECTION_LOWER};

static int64_t series(struct hf *h, const struct metric *m, struct err *err)
{
	return h->run.sink->series(h->run.sink, h->name, m, "", err);
}

static int put(struct hf *h, const struct metric *m, struct num n, struct err *err)
{
	return one_run_sample(&h->run, series(h, m, err), n, err);
}

/* ---- times ---- */

static int put_all(struct hf *h, const struct metric *m, const struct jv *list, const char *key,
	struct err *err)
{
	int64_t id = series(h, m, err);
	struct num n;
	size_t i;

	for (i = 0; i < jv_len(list); i++) {
		if (bench_number(list, i, key, &n, err) < 0 ||
			one_run_sample(&h->run, id, n, err) < 0)
			return -1;
		h->zeroes += m == &time_ && num_cmp(n, num_int(0)) == 0;
	}
	return 0;
}

static int read_times(struct hf *h, const struct jv *o, struct err *err)
{
	const struct jv *list = NULL;
	struct num n;
	int r = jv_get_array(o, "times", &list, err);

	if (r < 0)
		return -1;
	if (r && jv_len(list))
		return put_all(h, &time_, list, "times", err);
	r = jv_get_num(o, "median", &n, err);
	if (r == 0)
		r = jv_get_num(o, "mean", &n, err);
	if (r <= 0)
		return r < 0 ? -1
			     : err_set(err, ERR_FORMAT, "neither 'times', 'median' nor 'mean'");
	h->summaries++;
	return put(h, &time_, n, err);
}

/* A mean, or a number for each run. */
static int read_either(
	struct hf *h, const struct jv *o, const struct metric *m, const char *key, struct err *err)
{
	const struct jv *v = jv_get(o, key);
	struct num n;
	int r;

	if (v && jv_kind(v) == JV_ARRAY)
		return put_all(h, m, v, key, err);
	r = jv_get_num(o, key, &n, err);
	return r <= 0 ? r : put(h, m, n, err);
}

/* ---- the rest ---- */

static bool all_zero(const struct jv *list)
{
	size_t i;

	for (i = 0; i < jv_len(list); i++) {
		const struct jv *v = jv_at(list, i);

		if ((jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL) ||
			num_cmp(jv_num(v), num_int(0)) != 0)
			return false;
	}
	return jv_len(list) > 0;
}

/* Where hyperfine cannot tell, it writes 0. */
static int read_memory(struct hf *h, const struct jv *o, struct err *err)
{
	const struct jv *list = NULL;
	int r = jv_get_array(o, "memory_usage_byte", &list, err);

	if (r <= 0)
		return r;
	if (all_zero(list))
		return one_run_absence(&h->run, series(h, &memory, err), SINK_UNSUPPORTED,
			"0 means no reading", err);
	return put_all(h, &memory, list, "memory_usage_byte", err);
}

/* An exit code that is not known (null) is no failure, and no success. */
static int read_exit_codes(struct hf *h, const struct jv *o, struct err *err)
{
	const struct jv *list = NULL;
	size_t i, known = 0;
	struct num n;
	int64_t failed = 0;
	int r = jv_get_array(o, "exit_codes", &list, err);

	if (r <= 0 || !jv_len(list))
		return r < 0 ? -1 : 0;
	for (i = 0; i < jv_len(list); i++) {
		if (jv_kind(jv_at(list, i)) == JV_NULL)
			continue;
		if (bench_number(list, i, "exit_codes", &n, err) < 0)
			return -1;
		known++;
		failed += num_cmp(n, num_int(0)) != 0;
	}
	h->unknown += jv_len(list) - known;
	if (!known)
		return one_run_absence(&h->run, series(h, &failures, err), SINK_UNSUPPORTED,
			"no exit code is known", err);
	return put(h, &failures, num_int(failed), err);
}

/* ---- a result ---- */

/* Results of one --command-name are told apart by their parameters, and so are all that have any.
 */
static int read_name(const struct jv *o, struct buf *name, struct err *err)
{
	const struct jv *parameters;
	const char *command;
	int r = jv_get_string(o, "command", &command, err);

	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'command'");
	if (!*command)
		return err_set(err, ERR_FORMAT, "'command' is empty");
	buf_addstr(name, command);
	r = jv_get_object(o, "parameters", &parameters, err);
	if (r <= 0 || !jv_len(parameters))
		return r < 0 ? -1 : 0;
	buf_addch(name, ' ');
	return bench_parameters(name, "parameters", parameters, err);
}

static int read_result(void *ctx, const struct jv *o, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	struct hf *h = ctx;

	if (read_name(o, &name, err) < 0)
		return -1;
	h->name = name.p;
	if (read_times(h, o, err) < 0 || read_either(h, o, &user, "user", err) < 0 ||
		read_either(h, o, &system_, "system", err) < 0 || read_memory(h, o, err) < 0)
		return -1;
	return read_exit_codes(h, o, err);
}

static int take_results(void *ctx, struct js *js, struct err *err)
{
	struct hf *h = ctx;

	h->has_results = true;
	return js_objects(js, "command", read_result, h, err);
}

/* ---- the document ---- */

static void note(struct hf *h)
{
	struct sink *s = h->run.sink;

	if (h->summaries)
		s->note(s,
			"%zu result%s no times of the runs: the median, else the mean, is the one "
			"sample",
			h->summaries, h->summaries == 1 ? " has" : "s have");
	if (h->zeroes)
		s->note(s,
			"%zu time%s 0, since the command took no longer than the shell that starts "
			"it (hyperfine -N starts it without one)",
			h->zeroes, h->zeroes == 1 ? " is" : "s are");
	if (h->unknown)
		s->note(s, "%zu exit code%s not known", h->unknown,
			h->unknown == 1 ? " is" : "s are");
}

static int read_document(struct hf *h, struct js *js, const char *file, struct err *err)
{
	static const struct js_member members[] = {{"results", '[', take_results}};

	if (js_members(js, members, ARRAY_LEN(members), h, err) < 0 || js_end(js, err) < 0)
		return -1;
	if (!h->has_results)
		return err_set(err, ERR_FORMAT, "%s: no 'results'", file);
	note(h);
	return 0;
}

static int hf_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct hf h = {.run = {.sink = sink,
			       .head = {.suite = "hyperfine",
				       .format = "hyperfine",
				       .started_at = TIME_UNKNOWN}}};
	struct js *js = js_open(in[0], 0);
	int r = read_document(&h, js, input_name(in[0]), err);

	(void)n;
	(void)opts;
	js_close(js);
	one_run_release(&h.run);
	return r;
}

static int hf_sniff(const char *head, size_t len)
{
	const struct glance all = glance_member(glance(head, len), "results"),
			    one = glance_element(all);

	if (!all.p)
		return 0;
	if (glance_member(one, "command").p)
		return glance_member(one, "mean").p || glance_member(one, "times").p ||
				       glance_member(one, "median").p
			       ? 90
			       : 0;
	return glance_begins(one, "]") ? 20 : 0;
}

const struct reader reader_hyperfine = {.name = "hyperfine",
	.suite = "hyperfine",
	.summary = "hyperfine's JSON",
	.sniff = hf_sniff,
	.read = hf_read};
