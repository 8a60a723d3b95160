#include "trace.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

/*
 * The Chrome Trace Event format, as Chrome, clang -ftime-trace, Bazel, PyTorch, ninja tools and
 * many small instrumenters write it ("Trace Event Format", the document of the Chromium project).
 * One document is one run; the benchmarks are the names of the spans.
 */

static const struct {
	const char *key, *text;
} anomalies[TRACE_ANOMALIES] = {
	[TRACE_BAD_OBJECT] = {"bad_object", "objects that could not be read, skipped"},
	[TRACE_NOT_OBJECT] = {"not_object", "elements that are no objects, skipped"},
	[TRACE_EMPTY] = {"empty", "empty objects, skipped"},
	[TRACE_NO_PHASE] = {"no_phase", "objects without a phase 'ph', skipped"},
	[TRACE_UNKNOWN_PHASE] = {"unknown_phase", "events of an unknown phase 'ph', skipped"},
	[TRACE_BAD_NAME] = {"bad_name", "events whose 'name' is not a string, dropped"},
	[TRACE_LONG_NAME] = {"long_name",
		"events with a name of more than 4 KiB, cut to its beginning and a digest"},
	[TRACE_BAD_TS] = {"bad_ts", "B, E and X events without a usable 'ts', dropped"},
	[TRACE_NO_DUR] = {"no_dur", "X events without 'dur', dropped"},
	[TRACE_BAD_DUR] = {"bad_dur", "X events with an unusable 'dur', dropped"},
	[TRACE_NEGATIVE_DUR] = {"negative_dur", "X events with a negative 'dur', dropped"},
	[TRACE_UNNAMED] = {"unnamed", "spans without a name, called '(unnamed)'"},
	[TRACE_ROUNDED] = {"rounded", "times finer than a nanosecond, rounded"},
	[TRACE_OUT_OF_ORDER] = {"out_of_order",
		"B and E events earlier than the one before, sorted by time"},
	[TRACE_STRAY_END] = {"stray_end", "E events that end no open span, ignored"},
	[TRACE_CUT_SHORT] = {"cut_short",
		"spans without an E, ended by the E of the span around them"},
	[TRACE_UNENDED] = {"unended", "spans that never end, left out of count, total and self"},
	[TRACE_OVERLAP] = {"overlap", "spans that end after the span they begin in"},
	[TRACE_ZERO] = {"zero_duration", "spans without duration, perhaps from a clock too coarse"},
};

static const struct {
	const char *key, *text;
} excluded[TRACE_EXCLUDED] = {
	[TRACE_CLANG_TOTAL] = {"clang_total", "clang's 'Total ...' rows"},
	[TRACE_KINETO_PROFILER] = {"kineto_profiler", "PyTorch profiler spans"},
	[TRACE_KINETO_ITERATION] = {"kineto_iteration", "PyTorch iteration spans"},
	[TRACE_KINETO_PYTHON] = {"kineto_python", "PyTorch Python function spans"},
	[TRACE_CRITICAL_PATH] = {"critical_path", "spans of the thread 'Critical Path'"},
};

/* The phases that are read over, in the groups of the format's documentation. */
static const struct {
	const char *text, *phases;
} groups[] = {
	{"instant events, not aggregated", "iIR"},
	{"async events, not aggregated", "bneSTpF"},
	{"other events, not aggregated", "MCstfPNODcvV()a="},
};

/* ---- detection ---- */

static bool has_key(const char *head, size_t len, const char *quoted_key)
{
	size_t n = strlen(quoted_key);
	const char *p = head, *end = head + len;

	while ((p = memmem(p, (size_t)(end - p), quoted_key, n))) {
		p += n;
		while (p < end && strchr(" \t\r\n", *p) && *p)
			p++;
		if (p < end && *p == ':')
			return true;
	}
	return false;
}

/* The string at p (behind its quote) and what follows it; NULL when head ends first. */
static const char *string_end(const char *p, const char *end)
{
	while (p < end && *p != '"')
		p += *p == '\\' ? 2 : 1;
	return p < end ? p : NULL;
}

/* Whether one of the first objects of an array has the keys of an event. */
static bool has_event(const char *p, const char *end)
{
	bool ph = false, when = false;
	int depth = 0, objects = 0;
	const char *s;

	for (; p < end && objects < 4; p++) {
		if (*p == '{' || *p == '[') {
			depth++;
		} else if (*p == '}' || *p == ']') {
			if (--depth <= 0)
				objects++;
			ph = when = false;
		} else if (*p == '"') {
			s = p + 1;
			p = string_end(s, end);
			if (!p)
				return false;
			if (depth != 1)
				continue;
			ph |= p - s == 2 && !memcmp(s, "ph", 2);
			when |= (p - s == 2 && !memcmp(s, "ts", 2)) ||
				(p - s == 3 && !memcmp(s, "pid", 3));
			if (ph && when)
				return true;
		}
	}
	return false;
}

static int trace_sniff(const char *head, size_t len)
{
	const char *p = head, *end = head + len;

	if (len >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3))
		p += 3;
	while (p < end && *p && strchr(" \t\r\n", *p))
		p++;
	if (p == end)
		return 0;
	if (*p == '{')
		return has_key(p, (size_t)(end - p), "\"traceEvents\"") ? 100 : 0;
	return *p == '[' && has_event(p + 1, end) ? 80 : 0;
}

/* ---- what is told beside the numbers ---- */

static bool list_phases(const struct trace *t, const char *phases, struct buf *b)
{
	buf_clear(b);
	for (; *phases; phases++) {
		uint64_t n = t->phases[(unsigned char)*phases];
		if (n)
			buf_addf(
				b, "%s%c %llu", b->len ? ", " : "", *phases, (unsigned long long)n);
	}
	return b->len > 0;
}

static void note_anomaly(struct trace *t, int i, struct sink *sink)
{
	unsigned long long n = t->anomalies[i];

	if (n && i == TRACE_BAD_OBJECT)
		sink->note(
			sink, "%s: %llu, the first on line %u", anomalies[i].text, n, t->bad_line);
	else if (n)
		sink->note(sink, "%s: %llu", anomalies[i].text, n);
}

static void note_form(struct trace *t, struct sink *sink)
{
	if (t->open_end)
		sink->note(sink, "the array lacks its closing ']', which the format permits");
	else if (t->early)
		sink->note(sink,
			"truncated: the document ends %s on line %u; what came before it is taken",
			t->early, t->early_line);
	if (t->faults)
		sink->note(sink,
			"not strict JSON, read leniently; faults: %llu, the first on line %u: %s",
			(unsigned long long)t->faults, t->fault_line, t->fault);
}

static void note_excluded(struct trace *t, struct sink *sink)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	int i;

	for (i = 0; i < TRACE_EXCLUDED; i++)
		if (t->excluded[i])
			buf_addf(&b, "%s%s %llu", b.len ? ", " : "", excluded[i].text,
				(unsigned long long)t->excluded[i]);
	if (b.len)
		sink->note(sink, "left out, since they count time a second time: %s", b.p);
}

static void tell(struct trace *t, struct sink *sink)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	note_form(t, sink);
	for (i = 0; i < TRACE_ANOMALIES; i++)
		note_anomaly(t, (int)i, sink);
	note_excluded(t, sink);
	for (i = 0; i < ARRAY_LEN(groups); i++)
		if (list_phases(t, groups[i].phases, &b))
			sink->note(sink, "%s: %s", groups[i].text, b.p);
}

static void add_count(struct buf *b, const char *key, uint64_t n)
{
	if (!n)
		return;
	if (b->p[b->len - 1] != '{')
		buf_addch(b, ',');
	buf_addf(b, "\"%s\":%llu", key, (unsigned long long)n);
}

static char *facts_of(const struct trace *t)
{
	struct buf b = BUF_INIT;
	char phase[2] = "";
	int i;

	buf_addf(&b, "{\"events\":%llu,\"spans\":%llu,\"tracks\":%u",
		(unsigned long long)t->elements, (unsigned long long)t->n, intern_count(t->tracks));
	if (t->n && (__int128)t->last - t->first <= INT64_MAX)
		buf_addf(&b, ",\"duration_ns\":%lld", (long long)(t->last - t->first));
	if (t->early && !t->open_end)
		buf_addstr(&b, ",\"truncated\":true");
	buf_addstr(&b, ",\"phases\":{");
	for (i = 0; i < (int)ARRAY_LEN(t->phases); i++) {
		phase[0] = (char)i;
		add_count(&b, phase, t->phases[i]);
	}
	buf_addstr(&b, "},\"anomalies\":{");
	add_count(&b, "json_faults", t->faults);
	for (i = 0; i < TRACE_ANOMALIES; i++)
		add_count(&b, anomalies[i].key, t->anomalies[i]);
	buf_addstr(&b, "},\"excluded\":{");
	for (i = 0; i < TRACE_EXCLUDED; i++)
		add_count(&b, excluded[i].key, t->excluded[i]);
	buf_addstr(&b, "}}");
	return buf_take(&b);
}

/* ---- delivery ---- */

enum { TOTAL, SELF, COUNT, METRICS };

static const struct metric metrics[METRICS] = {
	[TOTAL] = {"total", "s", "time", DIRECTION_LOWER},
	[SELF] = {"self", "s", "time", DIRECTION_LOWER},
	[COUNT] = {"count", "count", "count", DIRECTION_LOWER},
};

static struct num seconds(__int128 ns)
{
	return num_real((double)ns / 1e9);
}

static int deliver_name(struct trace *t, uint32_t id, int run, struct sink *sink, struct err *err)
{
	const struct name_sum *sum = &t->sums[id];
	struct num value[METRICS] = {[TOTAL] = seconds(sum->total),
		[SELF] = seconds(sum->self),
		[COUNT] = num_int((int64_t)sum->count)};
	int i, r;

	if (sum->count == 0 && sum->unended == 0)
		return 0;
	for (i = 0; i < METRICS; i++) {
		int64_t series =
			sink->series(sink, intern_get(t->names, id, NULL), &metrics[i], "", err);
		if (series < 0)
			return -1;
		r = sum->count ? sink->sample(sink, run, series, value[i], err)
			       : sink->absence(sink, run, series, SINK_ERROR,
					 "no span of this name ends", err);
		if (r < 0)
			return -1;
	}
	return 0;
}

static int deliver(struct trace *t, struct sink *sink, struct err *err)
{
	_cleanup_(freep) char *facts = facts_of(t);
	struct run_head head = {
		.suite = "trace", .format = "trace", .started_at = TIME_UNKNOWN, .facts = facts};
	uint32_t id, names = intern_count(t->names);
	int run = sink->run(sink, &head, err);

	if (run < 0)
		return -1;
	for (id = 0; id < names; id++)
		if (deliver_name(t, id, run, sink, err) < 0)
			return -1;
	tell(t, sink);
	return 0;
}

/* Notes are not seen when the document is refused, so what was counted is said here. */
static int refuse(const struct trace *t, const char *why, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	int i;

	for (i = 0; i < TRACE_ANOMALIES; i++)
		if (t->anomalies[i])
			buf_addf(&b, "; %s: %llu", anomalies[i].text,
				(unsigned long long)t->anomalies[i]);
	for (i = 0; i < TRACE_EXCLUDED; i++)
		if (t->excluded[i])
			buf_addf(&b, "; left out, %s: %llu", excluded[i].text,
				(unsigned long long)t->excluded[i]);
	if (t->bad_line)
		return err_set(err, ERR_FORMAT, "%s:%u: %s%s", input_name(t->in), t->bad_line, why,
			buf_str(&b));
	return err_set(err, ERR_FORMAT, "%s: %s%s", input_name(t->in), why, buf_str(&b));
}

static int check_spans(const struct trace *t, struct err *err)
{
	if (t->phases['B'] + t->phases['E'] + t->phases['X'] == 0)
		return refuse(t, "no B, E or X event to measure", err);
	if (t->n == 0 && t->anomalies[TRACE_UNENDED] == 0)
		return refuse(t, "no B, E or X event makes a span that counts", err);
	return 0;
}

static void trace_release(struct trace *t)
{
	js_close(t->js);
	intern_free(t->names);
	intern_free(t->tracks);
	free(t->track);
	free(t->spans);
	free(t->sums);
}

static int trace_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	struct trace t = {.in = in[0], .opts = opts};
	int r;

	(void)n;
	t.js = js_open(in[0], JS_REALS_AS_TEXT);
	t.names = intern_new();
	t.tracks = intern_new();
	r = trace_container(&t, err);
	if (r == 0) {
		trace_sweep(&t);
		r = check_spans(&t, err);
	}
	if (r == 0)
		r = deliver(&t, sink, err);
	trace_release(&t);
	return r;
}

const struct reader reader_trace = {
	.name = "trace",
	.suite = "trace",
	.summary = "Chrome traces: count, total, self time by span",
	.sniff = trace_sniff,
	.read = trace_read,
};
