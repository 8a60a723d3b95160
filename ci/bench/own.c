/*
 * perfgate's own benchmarks, which .ci/run gates: what its readers, its judging and its writing
 * allocate for a fixed amount of work. They are a TAP test as well, so that make check runs them;
 * the results go to PERFGATE_OUT.
 */
#include "buf.h"
#include "num.h"
#include "policy.h"
#include "reader.h"
#include "report.h"
#include "text.h"
#include "verdict.h"

#include "perfgate/kpi.h"

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000, SERIES = 500, SIDE = 10, NUMBERS = 1000 };

static bool worked; /* no operation has failed */

static void require(bool good)
{
	worked &= good;
}

/* ---- reading ---- */

static int sink_run(struct sink *s, const struct run_head *head, struct err *err)
{
	(void)s;
	(void)head;
	(void)err;
	return 0;
}

static int sink_amend(struct sink *s, int run, int64_t at, const char *facts, struct err *err)
{
	(void)s;
	(void)run;
	(void)at;
	(void)facts;
	(void)err;
	return 0;
}

static int64_t sink_series(struct sink *s, const char *benchmark, const struct metric *m,
	const char *variant, struct err *err)
{
	(void)s;
	(void)benchmark;
	(void)m;
	(void)variant;
	(void)err;
	return 1;
}

static int sink_sample(struct sink *s, int run, int64_t series, struct num value, struct err *err)
{
	(void)s;
	(void)run;
	(void)series;
	(void)value;
	(void)err;
	return 0;
}

static int sink_absence(struct sink *s, int run, int64_t series, enum sink_status status,
	const char *reason, struct err *err)
{
	(void)status;
	(void)reason;
	return sink_sample(s, run, series, num_int(0), err);
}

static void sink_note(struct sink *s, const char *fmt, ...)
{
	(void)s;
	(void)fmt;
}

static void read_document(const struct reader *reader, const struct buf *text)
{
	struct sink sink = {.run = sink_run,
		.amend = sink_amend,
		.series = sink_series,
		.sample = sink_sample,
		.absence = sink_absence,
		.note = sink_note};
	struct read_options opts = {0};
	struct err err = ERR_INIT;
	struct input *in = input_memory("document", text->p, text->len);

	require(reader->read(&in, 1, &opts, &sink, &err) == 0);
	input_free(in);
}

static void read_kpi(void *arg)
{
	read_document(reader_find("kpi"), arg);
}

static void read_trace(void *arg)
{
	read_document(reader_find("trace"), arg);
}

static void make_kpi(struct buf *b)
{
	int i;

	for (i = 0; i < ROWS; i++)
		buf_addf(b,
			"%s{\"schema_version\": 1, \"name\": \"bench_%d\", \"sample\": %d, "
			"\"git_sha\": \"\", \"timestamp\": \"2026-05-12T09:14:00Z\", "
			"\"iterations\": 100, \"allocs_per_op\": %d, \"bytes_per_op\": %d, "
			"\"cache_hit_rate\": 0.%d, \"wall_clock_ns\": %d}",
			i ? ",\n" : "[\n", i % 100, i / 100, i, i * 100, i % 100, i * 7919);
	buf_addstr(b, "\n]\n");
}

static void make_trace(struct buf *b)
{
	int i;

	for (i = 0; i < ROWS; i++)
		buf_addf(b,
			"%s{\"name\": \"span_%d\", \"ph\": \"X\", \"ts\": %d.5, \"dur\": 9.25, "
			"\"pid\": 1, \"tid\": %d}",
			i ? ",\n" : "[\n", i % 50, i * 10, i % 4);
	buf_addstr(b, "\n]\n");
}

/* ---- numbers and text ---- */

static void parse_numbers(void *arg)
{
	struct err err = ERR_INIT;
	struct num n;
	int i;

	(void)arg;
	for (i = 0; i < NUMBERS; i++)
		require(num_parse("1234567.875e-3", 14, &n, &err) == 0);
}

static void write_json(void *arg)
{
	struct buf b = BUF_INIT;
	int i;

	(void)arg;
	for (i = 0; i < NUMBERS; i++) {
		text_json_str(&b, "a \"name\" with \\ and \xc3\xa9, \x01 and \xff");
		num_format(&b, num_real(i / 7.0));
	}
	buf_release(&b);
}

/* ---- judging ---- */

static struct pair pairs[SERIES];
static struct judged verdicts[SERIES];
static struct num sides[2][SIDE];
static char names[SERIES][16];

static void make_pairs(const char *metric)
{
	size_t i;

	for (i = 0; i < SIDE; i++) {
		sides[0][i] = num_int(1000 + (int)i);
		sides[1][i] = num_int(1005 + (int)i);
	}
	for (i = 0; i < SERIES; i++) {
		snprintf(names[i], sizeof(names[i]), "bench_%zu", i);
		pairs[i] = (struct pair){.key = {"kpi", names[i], metric, "count", "count",
						 DIRECTION_LOWER, "", "r"},
			.head = {.sha = "1111111111111111", .values = sides[1], .n = SIDE},
			.base = {.sha = "2222222222222222",
				.values = sides[0],
				.n = SIDE,
				.distance = 1},
			.one_session = true};
	}
}

static void judge(void *arg)
{
	struct judge_options options = {.require = true};
	struct err err = ERR_INIT;
	size_t i;

	memset(verdicts, 0, sizeof(verdicts));
	for (i = 0; i < SERIES; i++)
		require(judge_pair(arg, &pairs[i], &options, &verdicts[i], &err) == 0);
	require(verdicts_settle(arg, verdicts, SERIES, &options, &err) == 0);
	verdicts_release(verdicts, SERIES);
}

static void read_policy(void *arg)
{
	const struct buf *text = arg;
	struct err err = ERR_INIT;
	struct policy *p = policy_new("policy", text->p, text->len, &err);

	require(p != NULL);
	policy_free(p);
}

static void make_policy(struct buf *b)
{
	int i;

	for (i = 0; i < 50; i++)
		buf_addf(b,
			"[rule \"%d\"]\n\tbenchmark = ^bench_%d_\n\tmetric = ^allocs\n\t"
			"tolerance = %d%%\n\tfloor = 2\n",
			i, i, i % 9 + 1);
}

/* ---- all of them ---- */

static void bench(const char *name, int64_t iterations, void (*op)(void *), void *arg)
{
	worked = true;
	OK(perfgate_run(name, iterations, op, arg) == 0 && worked, name);
}

static void bench_text(void (*make)(struct buf *), const char *name, void (*op)(void *))
{
	struct buf b = BUF_INIT;

	make(&b);
	bench(name, 10, op, &b);
	buf_release(&b);
}

static void bench_judging(void)
{
	struct err err = ERR_INIT;
	struct policy *p = policy_new("policy", NULL, 0, &err);

	make_pairs("allocs_per_op");
	bench("judge/exact", 10, judge, p);
	make_pairs("wall_ns_per_op");
	bench("judge/noisy", 3, judge, p);
	policy_free(p);
}

int main(void)
{
	uint64_t allocs, bytes;

	if (!perfgate_allocations(&allocs, &bytes)) {
		puts("1..0 # SKIP allocations are not counted in this build");
		return 0;
	}
	bench_text(make_kpi, "read/kpi", read_kpi);
	bench_text(make_trace, "read/trace", read_trace);
	bench_text(make_policy, "read/policy", read_policy);
	bench("num/parse", 100, parse_numbers, NULL);
	bench("write/json", 10, write_json, NULL);
	bench_judging();
	OK(perfgate_flush() <= 0, "the results are written");
	return tap_done();
}
