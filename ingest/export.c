/* perfgate's own export: NDJSON, as docs/perfgate-formats.7 describes and src/export.c
 * writes. */
#include "reader.h"

#include "export-judgement.h"
#include "line.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct sink *sink;
	int run;             /* of the lines that follow; -1 before the first */
	bool headed, judged; /* the first line was there; a judgement */
};

static int read_header(struct reading *r, const struct jv *o, struct err *err)
{
	const char *kind;
	int64_t version = 0;

	if (jv_need_string(o, "perfgate", &kind, err) < 0 ||
		jv_get_int(o, "version", &version, err) < 0)
		return -1;
	if (strcmp(kind, "export"))
		return err_set(err, ERR_FORMAT, "'perfgate' is '%.40s', expected 'export'", kind);
	if (version < 1 || version > 2)
		return err_set(err, ERR_FORMAT,
			"export version %lld; this perfgate reads versions 1 and 2",
			(long long)version);
	r->headed = true;
	return 0;
}

enum { PARENTS_MAX = 64 };

static int read_parents(const struct jv *o, const char **parents, int *n, struct err *err)
{
	const struct jv *a;
	size_t i;
	int r = jv_get_array(o, "parents", &a, err);

	*n = -1;
	if (r <= 0)
		return r;
	if (jv_len(a) > PARENTS_MAX)
		return err_set(err, ERR_FORMAT, "'parents' has more than %d elements", PARENTS_MAX);
	for (i = 0; i < jv_len(a); i++) {
		const struct jv *p = jv_at(a, i);
		if (jv_kind(p) != JV_STRING)
			return err_set(err, ERR_FORMAT, "'parents' holds %s, expected strings",
				jv_kind_name(jv_kind(p)));
		parents[i] = jv_string(p, NULL);
		if (line_check_hex("parents", parents[i], 40, 64, err) < 0)
			return -1;
	}
	*n = (int)jv_len(a);
	return 0;
}

static int read_commit(struct reading *r, const struct jv *o, struct err *err)
{
	const char *parents[PARENTS_MAX];
	struct commit_fact c = {.parents = parents};

	if (jv_need_string(o, "commit", &c.sha, err) < 0 ||
		line_check_hex("commit", c.sha, 40, 64, err) < 0 ||
		jv_get_string(o, "tree", &c.tree_sha, err) < 0 ||
		(c.tree_sha && line_check_hex("tree", c.tree_sha, 40, 64, err) < 0) ||
		jv_get_time(o, "committed_at", &c.committed_at, err) < 0 ||
		read_parents(o, parents, &c.n_parents, err) < 0)
		return -1;
	return r->sink->commit ? r->sink->commit(r->sink, &c, err) : 0;
}

static int read_runner(const struct jv *o, struct run_head *h, struct err *err)
{
	const struct jv *runner;
	int r = jv_get_object(o, "runner", &runner, err);

	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'runner'");
	if (jv_need_string(runner, "key", &h->runner_key, err) < 0)
		return -1;
	return jv_get_string(runner, "label", &h->runner_label, err);
}

static int read_run(struct reading *r, const struct jv *o, struct err *err)
{
	_cleanup_(buf_release) struct buf facts = BUF_INIT;
	struct run_head h = {.history = true, .tree_state = "clean"};
	const struct jv *f = NULL;

	if (jv_need_string(o, "commit", &h.sha, err) < 0 ||
		line_check_hex("commit", h.sha, 40, 64, err) < 0 ||
		jv_need_string(o, "suite", &h.suite, err) < 0 ||
		jv_need_string(o, "format", &h.format, err) < 0 ||
		jv_get_string(o, "format_version", &h.format_version, err) < 0 ||
		jv_get_string(o, "tool_version", &h.tool_version, err) < 0 ||
		jv_get_string(o, "tree_state", &h.tree_state, err) < 0 ||
		jv_get_string(o, "branch", &h.branch, err) < 0 ||
		jv_get_string(o, "session", &h.session, err) < 0 ||
		jv_get_string(o, "component", &h.component, err) < 0 ||
		jv_get_string(o, "digest", &h.digest, err) < 0 ||
		jv_get_time(o, "started_at", &h.started_at, err) < 0 ||
		jv_get_time(o, "ingested_at", &h.ingested_at, err) < 0 ||
		read_runner(o, &h, err) < 0 || jv_get_object(o, "facts", &f, err) < 0)
		return -1;
	if (line_check_state(h.tree_state, err) < 0)
		return -1;
	if (f) {
		jv_dump(&facts, f);
		h.facts = facts.p;
	}
	r->run = r->sink->run(r->sink, &h, err);
	return r->run < 0 ? -1 : 0;
}

static int read_values(struct reading *r, int64_t series, const struct jv *values, struct err *err)
{
	size_t i;

	if (jv_len(values) == 0)
		return err_set(err, ERR_FORMAT, "'values' is empty");
	for (i = 0; i < jv_len(values); i++) {
		const struct jv *v = jv_at(values, i);
		if (jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL)
			return err_set(err, ERR_FORMAT, "'values' holds %s, expected numbers",
				jv_kind_name(jv_kind(v)));
		if (r->sink->sample(r->sink, r->run, series, jv_num(v), err) < 0)
			return -1;
	}
	return 0;
}

static int read_series(struct reading *r, const struct jv *o, struct err *err)
{
	const struct jv *values = NULL;
	int64_t series;

	if (r->run < 0)
		return err_set(err, ERR_FORMAT, "a series before the first run");
	if (jv_get_array(o, "values", &values, err) < 0)
		return -1;
	series = line_series(r->sink, o, err);
	if (series < 0)
		return -1;
	return values ? read_values(r, series, values, err)
		      : line_absence(r->sink, r->run, series, o, err);
}

static int read_tombstone(struct reading *r, const struct jv *o, struct err *err)
{
	static const size_t undone = sizeof(TOMBSTONE_UNDONE) - 1;
	struct tombstone t = {0};
	const char *state;

	if (jv_need_string(o, "commit", &t.sha, err) < 0 ||
		jv_need_string(o, "tree_state", &t.tree_state, err) < 0 ||
		jv_need_string(o, "runner", &t.runner_key, err) < 0 ||
		jv_need_string(o, "digest", &t.digest, err) < 0 ||
		line_check_hex("commit", t.sha, 40, 64, err) < 0 ||
		line_check_hex("digest", t.digest, 64, 64, err) < 0 ||
		jv_get_time(o, "dropped_at", &t.dropped_at, err) < 0)
		return -1;
	state = t.tree_state + (strncmp(t.tree_state, TOMBSTONE_UNDONE, undone) ? 0 : undone);
	if (line_check_state(state, err) < 0)
		return -1;
	return r->sink->tombstone ? r->sink->tombstone(r->sink, &t, err) : 0;
}

static int read_judgement(struct reading *r, const struct jv *o, struct err *err)
{
	r->judged = true;
	return export_read_judgement(r->sink, o, err);
}

static int read_verdict(struct reading *r, const struct jv *o, struct err *err)
{
	if (!r->judged)
		return err_set(err, ERR_FORMAT, "a verdict before the first judgement");
	return export_read_verdict(r->sink, o, err);
}

static int read_line(void *ctx, const struct jv *o, struct err *err)
{
	struct reading *r = ctx;
	const struct jv *inner = NULL;

	if (!r->headed)
		return read_header(r, o, err);
	if (jv_get(o, "benchmark"))
		return read_series(r, o, err);
	if (jv_get(o, "commit"))
		return read_commit(r, o, err);
	if (jv_get_object(o, "run", &inner, err) != 0)
		return inner ? read_run(r, inner, err) : -1;
	if (jv_get_object(o, "tombstone", &inner, err) != 0)
		return inner ? read_tombstone(r, inner, err) : -1;
	if (jv_get_object(o, "judgement", &inner, err) != 0)
		return inner ? read_judgement(r, inner, err) : -1;
	if (jv_get_object(o, "verdict", &inner, err) != 0)
		return inner ? read_verdict(r, inner, err) : -1;
	return err_set(err, ERR_FORMAT,
		"none of 'commit', 'run', 'benchmark', 'tombstone', 'judgement', 'verdict'");
}

static int export_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	struct reading r = {.sink = sink, .run = -1};

	(void)n;
	(void)opts;
	if (line_each(in[0], read_line, &r, err) < 0)
		return -1;
	return r.headed ? 0 : err_set(err, ERR_FORMAT, "%s:1: empty", input_name(in[0]));
}

static int export_sniff(const char *head, size_t len)
{
	return len > 12 && head[0] == '{' &&
			       memmem(head, len < 64 ? len : 64, "\"perfgate\"", 10) &&
			       memmem(head, len < 64 ? len : 64, "\"export\"", 8)
		       ? 100
		       : 0;
}

const struct reader reader_export = {.name = "perfgate",
	.suite = "any",
	.history = true,
	.summary = "perfgate's own export (perfgate store export)",
	.sniff = export_sniff,
	.read = export_read};
