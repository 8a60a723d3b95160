/* Histories of github-action-benchmark: data.js, or the JSON that it holds. */
#include "gab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "window.BENCHMARK_DATA";

struct history {
	const char *file;
	const struct read_options *opts;
	struct sink *sink;
	struct points *points;
	struct intern *shas; /* whose commits were told */
	bool *found;         /* of opts->suites */
	struct buf names, session;
	bool entries;
};

/* ---- rows ---- */

static bool is_sha(const char *s)
{
	size_t len = strlen(s);

	return (len == 40 || len == 64) && strspn(s, "0123456789abcdef") == len;
}

static int put_commit(struct history *h, const struct jv *commit, const char *sha, struct err *err)
{
	struct commit_fact c = {.sha = sha, .committed_at = TIME_UNKNOWN, .n_parents = -1};
	uint32_t count = intern_count(h->shas);
	const char *timestamp = NULL, *tree = NULL;
	struct err ignored = ERR_INIT;

	if (intern_add(h->shas, sha, strlen(sha)) != count || !h->sink->commit)
		return 0;
	if (jv_get_string(commit, "timestamp", &timestamp, err) < 0 ||
		jv_get_string(commit, "tree_id", &tree, err) < 0)
		return -1;
	if (timestamp && time_parse(timestamp, &c.committed_at, &ignored) < 0)
		c.committed_at = TIME_UNKNOWN;
	if (tree && is_sha(tree))
		c.tree_sha = tree;
	return h->sink->commit(h->sink, &c, err);
}

/* Milliseconds since 1970. */
static int read_date(const struct jv *o, int64_t *ret, struct err *err)
{
	int64_t ms;
	int r = jv_get_int(o, "date", &ms, err);

	*ret = TIME_UNKNOWN;
	if (r <= 0)
		return r;
	if (ms < 0 || ms > INT64_MAX / 1000000)
		return err_set(err, ERR_FORMAT, "'date' is out of range: %lld", (long long)ms);
	*ret = ms * 1000000;
	return 0;
}

static int need(int found, const char *key, struct err *err)
{
	return found == 0 ? err_set(err, ERR_FORMAT, "no '%s'", key) : found < 0 ? -1 : 0;
}

/* Each row was measured at a time of its own. */
static void name_session(struct history *h, const char *suite, const char *sha, int64_t at)
{
	buf_clear(&h->session);
	buf_addf(&h->session, "%s/", suite);
	if (at != TIME_UNKNOWN) {
		time_format(&h->session, at);
		buf_addch(&h->session, '/');
	}
	buf_addf(&h->session, "%.12s", sha);
}

static int read_points(
	struct points *ps, const struct row *row, const struct jv *benches, struct err *err)
{
	_cleanup_(points_donep) struct rowing *r = points_begin(ps, row);

	return points_add_all(r, benches, err) < 0 ? -1 : points_end(r, err);
}

static int read_row(
	struct history *h, const char *suite, struct row *row, const struct jv *o, struct err *err)
{
	const struct jv *commit = NULL, *benches = NULL;
	const char *tool = "", *sha = "";

	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "%s, expected an object", jv_kind_name(jv_kind(o)));
	if (need(jv_get_object(o, "commit", &commit, err), "commit", err) < 0 ||
		need(jv_get_string(commit, "id", &sha, err), "commit.id", err) < 0 ||
		need(jv_get_string(o, "tool", &tool, err), "tool", err) < 0 ||
		need(jv_get_array(o, "benches", &benches, err), "benches", err) < 0 ||
		read_date(o, &row->head.started_at, err) < 0)
		return -1;
	if (!*tool || strlen(tool) > SINK_NAME_MAX)
		return err_set(err, ERR_FORMAT, "'tool' has %zu bytes, expected 1 to %d",
			strlen(tool), SINK_NAME_MAX);
	tool_find(tool, &row->tool);
	row->refused = is_sha(sha) ? NULL : "the commit's id is no full SHA";
	row->head.sha = sha;
	name_session(h, suite, sha, row->head.started_at);
	row->head.session = h->session.p;
	if (!row->refused && !row->unwanted && put_commit(h, commit, sha, err) < 0)
		return -1;
	return read_points(h->points, row, benches, err);
}

/* ---- suites ---- */

static bool wanted(struct history *h, const char *suite)
{
	size_t i;

	buf_addf(&h->names, "%s'%s'", h->names.len ? ", " : "", suite);
	for (i = 0; i < h->opts->n_suites; i++) {
		if (!strcmp(h->opts->suites[i], suite)) {
			h->found[i] = true;
			return true;
		}
	}
	return h->opts->n_suites == 0;
}

static int read_suite(struct history *h, struct js *js, const char *suite, struct err *err)
{
	struct row row = {.group = points_group(h->points, suite),
		.unwanted = !wanted(h, suite),
		.head = {.format = "github-action-benchmark",
			.history = true,
			.tree_state = "clean",
			.runner_key = h->opts->runner,
			.branch = h->opts->branch,
			.component = h->opts->component,
			.ingested_at = TIME_UNKNOWN}};
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		unsigned line = js_line(js);
		_cleanup_(jv_freep) struct jv *v = js_load(js, err);

		row.number++;
		if (!v)
			return -1;
		if (read_row(h, suite, &row, v, err) < 0)
			return err_prefix(err, "%s:%u: suite '%.100s', row %zu", h->file, line,
				suite, row.number);
	}
	return more;
}

static int read_suites(struct history *h, struct js *js, struct err *err)
{
	_cleanup_(freep) char *suite = NULL;
	const char *key;
	int more;

	h->entries = true;
	if (js_enter(js, '{', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		if (js_key(js, &key, err) < 0)
			return -1;
		free(suite);
		suite = xstrdup(key);
		if (!*suite || strlen(suite) > SINK_NAME_MAX)
			return js_error(js, err, "a suite's name of %zu bytes, expected 1 to %d",
				strlen(suite), SINK_NAME_MAX);
		if (read_suite(h, js, suite, err) < 0)
			return -1;
	}
	return more;
}

/* ---- the document ---- */

/* Bytes before the object: "window.BENCHMARK_DATA =" and blanks; 0 where JSON begins at once. */
static size_t prefix_length(const char *head, size_t len)
{
	size_t i = 0, n = sizeof(prefix) - 1;

	while (i < len && head[i] && strchr(" \t\r\n", head[i]))
		i++;
	if (len - i < n || memcmp(head + i, prefix, n) != 0)
		return 0;
	for (i += n; i < len && head[i] && strchr(" \t\r\n", head[i]); i++)
		;
	return i < len && head[i] == '=' ? i + 1 : 0;
}

static int read_object(struct history *h, struct js *js, struct err *err)
{
	const char *key;
	int more;

	if (js_enter(js, '{', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		if (js_key(js, &key, err) < 0)
			return -1;
		if ((!strcmp(key, "entries") ? read_suites(h, js, err) : js_skip(js, err)) < 0)
			return -1;
	}
	if (more == 0 && !h->entries)
		return js_error(js, err, "no 'entries' in it");
	return more;
}

static int read_all(struct history *h, struct js *js, struct input *in, struct err *err)
{
	const char *head;
	size_t len;
	int c;

	if (input_head(in, &head, &len, err) < 0 ||
		js_drop(js, prefix_length(head, len), err) < 0 || read_object(h, js, err) < 0)
		return -1;
	c = js_peek(js, err);
	if (c == ';' && js_drop(js, 1, err) < 0)
		return -1;
	return c < 0 ? -1 : js_end(js, err);
}

static int check_suites(const struct history *h, struct err *err)
{
	size_t i;

	for (i = 0; i < h->opts->n_suites; i++)
		if (!h->found[i])
			return err_set(err, ERR_FORMAT,
				"%s: no suite '%.100s' in it; it has %.200s", h->file,
				h->opts->suites[i], h->names.len ? h->names.p : "none");
	return 0;
}

static int gab_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct history h = {.file = input_name(in[0]), .opts = opts, .sink = sink};
	struct js *js;
	int r;

	(void)n;
	if (!opts->runner)
		return err_set(err, ERR_USAGE,
			"%s: a history does not say which machine it was measured on: --runner NAME, the one that 'perfgate env' prints where it is measured now, lets the series go on",
			h.file);
	h.points = points_new(sink, opts);
	h.shas = intern_new();
	h.found = xcalloc(opts->n_suites, sizeof(*h.found));
	js = js_open(in[0], JS_REALS_AS_TEXT);
	r = read_all(&h, js, in[0], err);
	if (r == 0)
		r = check_suites(&h, err);
	if (r == 0)
		points_note(h.points);
	js_close(js);
	points_free(h.points);
	intern_free(h.shas);
	free(h.found);
	buf_release(&h.names);
	buf_release(&h.session);
	return r;
}

static bool holds(const char *head, size_t len, const char *text)
{
	return memmem(head, len, text, strlen(text)) != NULL;
}

static int gab_sniff(const char *head, size_t len)
{
	size_t i = 0;

	if (prefix_length(head, len))
		return 100;
	while (i < len && head[i] && strchr(" \t\r\n", head[i]))
		i++;
	if (i == len || head[i] != '{' || !holds(head, len, "\"entries\""))
		return 0;
	return holds(head, len, "\"benches\"")                                         ? 90
	       : holds(head, len, "\"repoUrl\"") || holds(head, len, "\"lastUpdate\"") ? 80
										       : 0;
}

const struct reader reader_gab = {.name = "github-action-benchmark",
	.suite = "any",
	.history = true,
	.foreign = true,
	.summary = "histories of github-action-benchmark (data.js); need --runner",
	.sniff = gab_sniff,
	.read = gab_read};
