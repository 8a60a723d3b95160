/* Go benchmark text, as `go test -bench` prints it, plain or through `go test -json`. */
#include "go.h"

#include "intern.h"
#include "scale.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct go_reading {
	struct sink *sink;
	struct go_facts *facts;
	struct intern *packages; /* ids are stream numbers of test2json */
	struct go_stream **streams;
	size_t n_streams;
	struct buf benchmark, unit;
	int run; /* -1 before the first result */
	unsigned broken, joined, failed;
	bool failure;
};

/* ---- results ---- */

static int open_run(struct go_reading *g, struct err *err)
{
	struct run_head head = {.suite = "go", .format = "go", .started_at = TIME_UNKNOWN};

	if (g->run < 0)
		g->run = g->sink->run(g->sink, &head, err);
	return g->run < 0 ? -1 : 0;
}

/* The series of a benchmark, whose name may have the suffix -N, and unit. */
static int64_t series_of(struct go_reading *g, const struct go_stream *s, struct text name,
	struct text unit, int *shift, struct err *err)
{
	const char *procs = go_procs(name);
	char variant[48];
	struct metric m;

	buf_clear(&g->unit);
	buf_add(&g->unit, unit.p, text_len(unit));
	go_metric(buf_str(&g->unit), &m, shift);
	go_facts_apply(g->facts, m.name, &m.direction);
	*variant = '\0';
	if (procs < name.end && name.end - procs < 32)
		snprintf(variant, sizeof(variant), "procs=%.*s", (int)(name.end - procs) - 1,
			procs + 1);
	go_benchmark(&g->benchmark, s->package, (struct text){name.p, *variant ? procs : name.end});
	return g->sink->series(g->sink, buf_str(&g->benchmark), &m, variant, err);
}

static int check_text(struct text t, const char *what, struct err *err)
{
	if (text_len(t) > SINK_NAME_MAX / 2)
		return err_set(
			err, ERR_FORMAT, "a %s of more than %d bytes", what, SINK_NAME_MAX / 2);
	if (!utf8_valid(t.p, text_len(t)))
		return err_set(err, ERR_FORMAT, "a %s that is not UTF-8", what);
	return 0;
}

static int put_absence(struct go_reading *g, const struct go_stream *s, struct text name,
	struct text unit, enum sink_status status, const char *reason, struct err *err)
{
	int64_t series;
	int shift;

	if (open_run(g, err) < 0)
		return -1;
	series = series_of(g, s, name, unit, &shift, err);
	return series < 0 ? -1 : g->sink->absence(g->sink, g->run, series, status, reason, err);
}

static bool is_finite(struct text t)
{
	return !text_ends(t, "Inf") && !text_ends(t, "NaN");
}

static int put_pair(struct go_reading *g, const struct go_stream *s, struct text name,
	const struct go_pair *p, struct err *err)
{
	struct num value;
	int64_t series;
	int shift;

	if (!is_finite(p->value)) {
		char reason[32];
		snprintf(reason, sizeof(reason), "no finite number: %.*s", text_shown(p->value),
			p->value.p);
		return put_absence(g, s, name, p->unit, SINK_ERROR, reason, err);
	}
	series = series_of(g, s, name, p->unit, &shift, err);
	if (series < 0 || scale_parse(p->value.p, text_len(p->value), shift, &value, err) < 0)
		return -1;
	return g->sink->sample(g->sink, g->run, series, value, err);
}

static int put_result(struct go_reading *g, const struct go_stream *s, struct text name,
	const struct go_pair *pairs, size_t n, struct err *err)
{
	size_t i;

	if (check_text(s->package, "package", err) < 0 ||
		check_text(name, "benchmark name", err) < 0 || open_run(g, err) < 0)
		return -1;
	for (i = 0; i < n; i++)
		if (check_text(pairs[i].unit, "unit", err) < 0)
			return -1;
	for (i = 0; i < n; i++)
		if (put_pair(g, s, name, &pairs[i], err) < 0)
			return err_prefix(err, "%.*s, '%.*s'", text_shown(name), name.p,
				text_shown(pairs[i].unit), pairs[i].unit.p);
	return 0;
}

/* "--- FAIL: NAME" and "--- SKIP: NAME" take the place of a result. */
static int put_outcome(
	struct go_reading *g, const struct go_stream *s, struct text rest, struct err *err)
{
	static const char unit[] = "ns/op";
	const bool failed = text_begins(rest, "--- FAIL: ");
	struct text name;

	text_word(&rest);
	text_word(&rest);
	name = text_word(&rest);
	if (!text_begins(name, "Benchmark"))
		return 0;
	if (check_text(s->package, "package", err) < 0 ||
		check_text(name, "benchmark name", err) < 0)
		return -1;
	return put_absence(g, s, name, (struct text){unit, unit + strlen(unit)},
		failed ? SINK_ERROR : SINK_SKIPPED,
		failed ? "the benchmark failed" : "the benchmark was skipped", err);
}

static bool is_outcome(struct text t)
{
	return text_begins(t, "--- FAIL: ") || text_begins(t, "--- SKIP: ");
}

/* ---- lines ---- */

void go_flush(struct go_reading *g, struct go_stream *s)
{
	if (s->name.len && s->awaited)
		g->broken++;
	buf_clear(&s->name);
	s->awaited = s->between = false;
}

static bool is_benchmark(struct text line)
{
	const char *behind = line.p + 9;

	return text_begins(line, "Benchmark") && behind < line.end && *behind != ' ' &&
	       *behind != '\t' && (*behind < 'a' || *behind > 'z');
}

/* A name with its result, or one whose result is to come: alone (-v announces it so, and the
 * outcome follows after a tab), or with what the benchmark printed behind it. */
static int benchmark_line(
	struct go_reading *g, struct go_stream *s, struct text line, struct err *err)
{
	struct text name = text_word(&line);
	const bool blank = line.p < line.end;
	struct go_pair pairs[GO_PAIRS_MAX];
	size_t n = go_pairs(line, pairs);

	go_flush(g, s);
	if (n)
		return put_result(g, s, name, pairs, n, err);
	text_skip_blanks(&line);
	if (is_outcome(line))
		return put_outcome(g, s, line, err);
	buf_add(&s->name, name.p, text_len(name));
	s->awaited = blank;
	s->between = line.p < line.end;
	return 0;
}

/* The end of a result whose name stands before it. */
static int end_line(struct go_reading *g, struct go_stream *s, const struct go_pair *pairs,
	size_t n, struct err *err)
{
	struct text name = {s->name.p, s->name.p + s->name.len};

	g->joined += s->between;
	if (put_result(g, s, name, pairs, n, err) < 0)
		return -1;
	buf_clear(&s->name);
	s->awaited = s->between = false;
	return 0;
}

/* Output between the lines that matter; an end that cannot be told from it is lost. */
static void other_line(struct go_reading *g, struct go_stream *s, struct text line)
{
	s->between = true;
	if (!go_holds_result(line))
		return;
	s->awaited = true;
	if (s->name.len)
		go_flush(g, s);
	else
		g->broken++;
}

static void config_line(
	struct go_reading *g, struct go_stream *s, struct text key, struct text value)
{
	uint32_t id;

	if (!text_is(key, "pkg")) {
		go_facts_config(g->facts, key, value);
		return;
	}
	go_flush(g, s);
	id = intern_add(g->packages, value.p, text_len(value));
	s->package.p = intern_get(g->packages, id, NULL);
	s->package.end = s->package.p + text_len(value);
}

/* Of a package, go says so twice. */
static void note_failure(struct go_reading *g, struct text line)
{
	g->failure = true;
	g->failed += text_begins(line, "FAIL\t");
}

int go_line(struct go_reading *g, struct go_stream *s, struct text line, struct err *err)
{
	struct go_pair pairs[GO_PAIRS_MAX];
	struct text key, value, rest = line;
	size_t n;

	if (is_benchmark(line))
		return benchmark_line(g, s, line, err);
	if (is_outcome(line))
		return put_outcome(g, s, line, err);
	n = go_pairs(line, pairs);
	if (n && s->name.len && ((s->awaited && !s->between) || go_holds_result(line)))
		return end_line(g, s, pairs, n, err);
	if (text_is(text_word(&rest), "Unit"))
		return go_facts_unit(g->facts, rest, err);
	if (go_config(line, &key, &value))
		config_line(g, s, key, value);
	else if (text_is(line, "FAIL") || text_begins(line, "FAIL\t"))
		note_failure(g, line);
	else
		other_line(g, s, line);
	return 0;
}

/* ---- documents ---- */

struct go_stream *go_stream_of(struct go_reading *g, const char *package)
{
	uint32_t id = intern_add(g->packages, package, strlen(package));

	if (id >= g->n_streams)
		g->streams = xgrow_to(g->streams, &g->n_streams, id, sizeof(struct go_stream *));
	if (!g->streams[id]) {
		struct go_stream *s = xcalloc(1, sizeof(*s));
		s->package.p = intern_get(g->packages, id, NULL);
		s->package.end = s->package.p + strlen(package);
		g->streams[id] = s;
	}
	return g->streams[id];
}

static int read_text(struct go_reading *g, struct input *in, struct err *err)
{
	struct go_stream *s = go_stream_of(g, "");
	struct line_reader l;
	struct text line;
	int r;

	line_reader_init(&l, in);
	while ((r = line_next(&l, &line, err)) > 0)
		if (go_line(g, s, line, err) < 0) {
			r = err_prefix(err, "%s:%u", input_name(in), l.line);
			break;
		}
	line_reader_release(&l);
	return r;
}

static void note_all(struct go_reading *g)
{
	struct sink *sink = g->sink;

	if (g->broken)
		sink->note(sink, "%u benchmark line%s broken by other output", g->broken,
			g->broken == 1 ? " was" : "s were");
	if (g->joined)
		sink->note(sink, "%u result%s taken from behind other output", g->joined,
			g->joined == 1 ? " was" : "s were");
	if (g->failed || g->failure)
		sink->note(sink, "%u package%s failed; what was not measured there is missing",
			g->failed ? g->failed : 1, g->failed > 1 ? "s" : "");
	go_facts_note(g->facts, sink);
}

static int finish(struct go_reading *g, const char *file, struct err *err)
{
	_cleanup_(buf_release) struct buf facts = BUF_INIT;
	size_t i;

	for (i = 0; i < g->n_streams; i++)
		if (g->streams[i])
			go_flush(g, g->streams[i]);
	if (g->run < 0)
		return err_set(err, ERR_FORMAT,
			"%s: no result of a benchmark in it%s%s (expected lines such as 'BenchmarkName-4  100  12.3 ns/op')",
			file, g->failed || g->failure ? ": the package failed" : "",
			g->broken ? ": other output broke them" : "");
	note_all(g);
	go_facts_write(g->facts, &facts);
	return g->sink->amend(g->sink, g->run, TIME_UNKNOWN, facts.p, err);
}

static void release(struct go_reading *g)
{
	size_t i;

	for (i = 0; i < g->n_streams; i++) {
		if (!g->streams[i])
			continue;
		buf_release(&g->streams[i]->name);
		buf_release(&g->streams[i]->partial);
		free(g->streams[i]);
	}
	free(g->streams);
	go_facts_free(g->facts);
	intern_free(g->packages);
	buf_release(&g->benchmark);
	buf_release(&g->unit);
}

static int go_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct go_reading g = {
		.sink = sink, .facts = go_facts_new(), .packages = intern_new(), .run = -1};
	const char *head;
	size_t len;
	int r = input_head(in[0], &head, &len, err);

	(void)n;
	(void)opts;
	if (r == 0)
		r = len && *head == '{' ? go_json(&g, in[0], err) : read_text(&g, in[0], err);
	if (r == 0)
		r = finish(&g, input_name(in[0]), err);
	release(&g);
	return r;
}

/* ---- detection ---- */

static int sniff_line(struct text line)
{
	struct go_pair pairs[GO_PAIRS_MAX];

	if (is_benchmark(line)) {
		text_word(&line);
		return go_pairs(line, pairs) ? 95 : 0;
	}
	return text_begins(line, "goos: ") ? 40 : 0;
}

static int sniff_text(const char *head, size_t len)
{
	const char *end = head + len, *p = head, *nl;
	int sure = 0;

	for (; p < end && sure < 95; p = nl + 1) {
		int s;
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			break;
		s = sniff_line((struct text){p, nl > p && nl[-1] == '\r' ? nl - 1 : nl});
		sure = s > sure ? s : sure;
	}
	return sure;
}

static int go_sniff(const char *head, size_t len)
{
	size_t first = len < 4096 ? len : 4096;

	if (len == 0 || *head != '{')
		return sniff_text(head, len);
	return memmem(head, first, "\"Action\":\"", 10) && memmem(head, first, "\"Package\":\"", 11)
		       ? 90
		       : 0;
}

const struct reader reader_go = {.name = "go",
	.suite = "go",
	.summary = "Go benchmark text (go test -bench), plain or by go test -json",
	.sniff = go_sniff,
	.read = go_read};
