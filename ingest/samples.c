/* Numbers of any origin: NDJSON with one sample a line. docs/perfgate-formats.7 describes it. */
#include "reader.h"

#include "intern.h"
#include "line.h"
#include "scale.h"

#include <string.h>

struct lines {
	struct sink *sink;
	struct intern *runs; /* what tells runs apart, joined; ids are run numbers */
};

/* ---- the run of a line ---- */

static int check_place(const struct run_head *h, struct err *err)
{
	if (h->sha && line_check_hex("commit", h->sha, 40, 64, err) < 0)
		return -1;
	if (h->history && !h->sha)
		return err_set(err, ERR_FORMAT,
			"a 'runner' without a 'commit': what was measured elsewhere has to name both");
	return line_check_state(h->tree_state, err);
}

/* A line that names its runner says where it belongs; another belongs to this machine. */
static int read_head(const struct jv *o, struct run_head *h, struct err *err)
{
	*h = (struct run_head){.suite = "samples",
		.format = "samples",
		.format_version = "1",
		.tree_state = "clean",
		.ingested_at = TIME_UNKNOWN};
	if (jv_get_string(o, "suite", &h->suite, err) < 0 ||
		jv_get_string(o, "format", &h->format, err) < 0 ||
		jv_get_string(o, "format_version", &h->format_version, err) < 0 ||
		jv_get_string(o, "tool_version", &h->tool_version, err) < 0 ||
		jv_get_string(o, "commit", &h->sha, err) < 0 ||
		jv_get_string(o, "tree_state", &h->tree_state, err) < 0 ||
		jv_get_string(o, "branch", &h->branch, err) < 0 ||
		jv_get_string(o, "session", &h->session, err) < 0 ||
		jv_get_string(o, "component", &h->component, err) < 0 ||
		jv_get_string(o, "runner", &h->runner_key, err) < 0 ||
		jv_get_string(o, "runner_label", &h->runner_label, err) < 0 ||
		jv_get_time(o, "started_at", &h->started_at, err) < 0)
		return -1;
	h->history = h->runner_key != NULL;
	return check_place(h, err);
}

static void run_key(struct buf *b, const struct run_head *h)
{
	const char *const fields[] = {h->suite, h->format, h->format_version, h->tool_version,
		h->sha, h->tree_state, h->branch, h->session, h->component, h->runner_key};
	size_t i;

	for (i = 0; i < ARRAY_LEN(fields); i++) {
		buf_addstr(b, fields[i] ? fields[i] : "");
		buf_addch(b, '\0');
	}
	buf_addf(b, "%lld", (long long)h->started_at);
}

static int add_commit(struct lines *l, const struct jv *o, const char *sha, struct err *err)
{
	struct commit_fact c = {.sha = sha, .n_parents = -1};

	if (jv_get_time(o, "committed_at", &c.committed_at, err) < 0)
		return -1;
	if (c.committed_at == TIME_UNKNOWN || !l->sink->commit)
		return 0;
	return l->sink->commit(l->sink, &c, err);
}

static int run_of(struct lines *l, const struct jv *o, struct err *err)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	const uint32_t known = intern_count(l->runs);
	struct run_head h;
	uint32_t id;

	if (read_head(o, &h, err) < 0)
		return -1;
	run_key(&key, &h);
	id = intern_add(l->runs, key.p, key.len);
	if (id < known)
		return (int)id;
	if (h.history && add_commit(l, o, h.sha, err) < 0)
		return -1;
	return l->sink->run(l->sink, &h, err);
}

/* ---- the sample of a line ---- */

/* Beside a series in seconds one in milliseconds would be another; what a store wrote stays. */
static int check_unit(const struct jv *o, struct err *err)
{
	const char *unit = NULL;
	struct scale scale;

	if (jv_get_string(o, "unit", &unit, err) < 0)
		return -1;
	if (!unit || jv_get(o, "runner") || !scale_of_unit(unit, &scale) || !scale.shift)
		return 0;
	return err_set(err, ERR_FORMAT, "'unit' is '%.20s', expected %s and the value in it", unit,
		scale.unit);
}

/* What nobody says the better direction of is never judged, which is not to happen by oversight. */
static int check_line(const struct jv *o, struct err *err)
{
	if (!jv_get(o, "direction"))
		return err_set(err, ERR_FORMAT,
			"no 'direction': lower or higher is better, or none where it is not to be judged");
	if (!jv_get(o, "value") && !jv_get(o, "status"))
		return err_set(err, ERR_FORMAT, "neither 'value' nor 'status'");
	return 0;
}

static int read_line(void *ctx, const struct jv *o, struct err *err)
{
	struct lines *l = ctx;
	const int run = check_line(o, err) < 0 || check_unit(o, err) < 0 ? -1 : run_of(l, o, err);
	const int64_t series = run < 0 ? -1 : line_series(l->sink, o, err);
	struct num value;
	int r;

	if (series < 0)
		return -1;
	r = jv_get_num(o, "value", &value, err);
	if (r > 0)
		return l->sink->sample(l->sink, run, series, value, err);
	return r < 0 ? -1 : line_absence(l->sink, run, series, o, err);
}

static int samples_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	struct lines l = {.sink = sink, .runs = intern_new()};
	int r;

	(void)n;
	(void)opts;
	r = line_each(in[0], read_line, &l, err);
	if (r == 0 && intern_count(l.runs) == 0)
		r = err_set(err, ERR_FORMAT, "%s:1: empty: it has no sample", input_name(in[0]));
	intern_free(l.runs);
	return r;
}

/* Its first object names a benchmark and a metric, and has a number or says why not. */
static int samples_sniff(const char *head, size_t len)
{
	const char *end = memchr(head, '\n', len);
	const size_t n = end ? (size_t)(end - head) : len;
	const bool value = memmem(head, n, "\"value\"", 7) || memmem(head, n, "\"status\"", 8);

	return n && head[0] == '{' && value && memmem(head, n, "\"benchmark\"", 11) &&
			       memmem(head, n, "\"metric\"", 8)
		       ? 90
		       : 0;
}

const struct reader reader_samples = {.name = "samples",
	.suite = "any",
	.summary =
		"one sample a line, as JSON: numbers of any origin, and store export --format samples",
	.sniff = samples_sniff,
	.read = samples_read};
