/*
 * fuzz-reader: any bytes at all through one reader (-DREADER=reader_kpi). The sink counts and holds
 * the reader to its contract: no more than the limits, no NaN, nothing for a run never opened.
 */
#include "reader.h"
#include "text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern const struct reader READER;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct counter {
	struct sink sink;
	int runs;
	int64_t series;
};

static void require(bool good)
{
	if (!good)
		abort();
}

static int on_run(struct sink *s, const struct run_head *head, struct err *err)
{
	(void)err;
	require(head->suite && head->format);
	return ((struct counter *)s)->runs++;
}

static int on_amend(struct sink *s, int run, int64_t started_at, const char *facts, struct err *err)
{
	(void)started_at;
	(void)facts;
	(void)err;
	require(run >= 0 && run < ((struct counter *)s)->runs);
	return 0;
}

/* A sink may refuse a name; a reader has to cope with that too. */
static int64_t on_series(struct sink *s, const char *benchmark, const struct metric *m,
	const char *variant, struct err *err)
{
	size_t len = strlen(benchmark);

	require(m->name && m->unit && m->quantity && variant);
	if (len == 0 || !*m->name || len > SINK_NAME_MAX || !utf8_valid(benchmark, len))
		return err_set(err, ERR_FORMAT, "an unusable name");
	return ((struct counter *)s)->series++;
}

static int on_sample(struct sink *s, int run, int64_t series, struct num value, struct err *err)
{
	struct counter *c = (struct counter *)s;

	(void)err;
	require(run >= 0 && run < c->runs && series >= 0 && series < c->series);
	require(value.is_int || isfinite(value.d));
	return 0;
}

static int on_absence(struct sink *s, int run, int64_t series, enum sink_status status,
	const char *reason, struct err *err)
{
	struct counter *c = (struct counter *)s;

	(void)err;
	require(run >= 0 && run < c->runs && series >= 0 && series < c->series);
	require(sink_status_name(status) && reason);
	return 0;
}

static void on_note(struct sink *s, const char *fmt, ...)
{
	(void)s;
	require(fmt != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct counter c = {.sink = {.run = on_run,
				    .amend = on_amend,
				    .series = on_series,
				    .sample = on_sample,
				    .absence = on_absence,
				    .note = on_note}};
	struct read_options opts = {.allow_truncated = size % 2 == 1, .runner = "runner"};
	struct err err = ERR_INIT;
	struct input *in = input_memory("input", data, size);
	int sure = READER.sniff((const char *)data, size < INPUT_HEAD ? size : INPUT_HEAD);
	int r = READER.read(&in, 1, &opts, &c.sink, &err);

	require(sure >= 0 && sure <= 100);
	require((r == 0) == (err.code == ERR_NONE));
	require(r == 0 || *err.msg);
	input_free(in);
	return 0;
}
