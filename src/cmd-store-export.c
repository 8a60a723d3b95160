#include "command.h"

#include "context.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* The format is described in docs/perfgate-formats.7 and read back by ingest/export.c. */

struct export_options {
	const char *store;
};

static const struct opt opts[] = {OPT_STORE(struct export_options), OPT_END};

enum { VALUES_A_LINE = 10000 };

/* One line of the export: a series or an absence of the present run. */
struct line {
	const struct store_series *series;
	struct num *values;
	size_t n, cap;
	char *status, *reason; /* an absence */
};

struct exporting {
	struct store *s;
	struct line *v;
	size_t n, cap;
};

static void add_text(struct buf *b, const char *key, const char *value)
{
	buf_addf(b, "%s\"%s\":", b->p[b->len - 1] == '{' ? "" : ",", key);
	text_json_str(b, value);
}

static void add_time(struct buf *b, const char *key, int64_t ns)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	if (ns != TIME_UNKNOWN)
		time_format(&t, ns);
	add_text(b, key, ns != TIME_UNKNOWN ? t.p : NULL);
}

static int print_commit(void *ctx, const struct commit_fact *c, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	int i;

	(void)ctx;
	(void)err;
	buf_addch(&b, '{');
	add_text(&b, "commit", c->sha);
	add_text(&b, "tree", c->tree_sha);
	add_time(&b, "committed_at", c->committed_at);
	buf_addstr(&b, ",\"parents\":");
	if (c->n_parents >= 0)
		buf_addch(&b, '[');
	for (i = 0; i < c->n_parents; i++) {
		buf_addstr(&b, i ? "," : "");
		text_json_str(&b, c->parents[i]);
	}
	buf_addstr(&b, c->n_parents >= 0 ? "]}" : "null}");
	puts(b.p);
	return 0;
}

static int print_tombstone(void *ctx, const struct tombstone *t, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	(void)ctx;
	(void)err;
	buf_addstr(&b, "{\"tombstone\":{");
	add_text(&b, "commit", t->sha);
	add_text(&b, "tree_state", t->tree_state);
	add_text(&b, "runner", t->runner_key);
	add_text(&b, "digest", t->digest);
	add_time(&b, "dropped_at", t->dropped_at);
	buf_addstr(&b, "}}");
	puts(b.p);
	return 0;
}

static void print_run(const struct store_run *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, "{\"run\":{");
	add_text(&b, "commit", r->sha);
	add_text(&b, "tree_state", r->tree_state);
	add_text(&b, "branch", r->branch);
	add_text(&b, "session", r->session);
	buf_addstr(&b, ",\"runner\":{");
	add_text(&b, "key", r->runner_key);
	add_text(&b, "label", r->runner_label);
	buf_addch(&b, '}');
	add_text(&b, "suite", r->suite);
	add_text(&b, "component", r->component);
	add_text(&b, "format", r->format);
	add_text(&b, "format_version", r->format_version);
	add_text(&b, "tool_version", r->tool_version);
	add_time(&b, "started_at", r->started_at);
	add_time(&b, "ingested_at", r->ingested_at);
	add_text(&b, "digest", r->digest);
	buf_addstr(&b, ",\"facts\":");
	text_json_value(&b, r->facts);
	buf_addstr(&b, "}}");
	puts(b.p);
}

static void begin_line(struct buf *b, const struct line *l)
{
	const struct store_series *s = l->series;

	buf_clear(b);
	buf_addch(b, '{');
	add_text(b, "benchmark", s->benchmark);
	add_text(b, "metric", s->metric.name);
	add_text(b, "unit", s->metric.unit);
	add_text(b, "quantity", s->metric.quantity);
	add_text(b, "direction", direction_name(s->metric.direction));
	add_text(b, "variant", s->variant);
}

static void print_line(const struct line *l)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	if (l->status) {
		begin_line(&b, l);
		add_text(&b, "status", l->status);
		add_text(&b, "reason", l->reason);
		buf_addch(&b, '}');
		puts(b.p);
		return;
	}
	for (i = 0; i < l->n; i++) {
		if (i % VALUES_A_LINE == 0) {
			begin_line(&b, l);
			buf_addstr(&b, ",\"values\":[");
		} else {
			buf_addch(&b, ',');
		}
		num_format(&b, l->values[i]);
		if (i + 1 == l->n || (i + 1) % VALUES_A_LINE == 0) {
			buf_addstr(&b, "]}");
			puts(b.p);
		}
	}
}

static struct line *new_line(struct exporting *e, int64_t series, struct err *err)
{
	e->v = xgrow(e->v, e->n, &e->cap, sizeof(*e->v));
	e->v[e->n] = (struct line){.series = store_series(e->s, series, err)};
	return e->v[e->n].series ? &e->v[e->n++] : NULL;
}

static int add_sample(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct exporting *e = ctx;
	struct line *l = e->n ? &e->v[e->n - 1] : NULL;

	if (!l || l->series->id != series)
		l = new_line(e, series, err);
	if (!l)
		return -1;
	l->values = xgrow(l->values, l->n, &l->cap, sizeof(*l->values));
	l->values[l->n++] = value;
	return 0;
}

static int add_absence(void *ctx, int64_t series, const char *status, const char *reason, struct err *err)
{
	struct line *l = new_line(ctx, series, err);

	if (!l)
		return -1;
	l->status = xstrdup(status);
	l->reason = xstrdup(reason);
	return 0;
}

/* By names, since numbers differ from store to store. */
static int compare_lines(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;
	const char *x[] = {a->series->benchmark, a->series->metric.name, a->series->metric.unit, a->series->metric.quantity,
		direction_name(a->series->metric.direction), a->series->variant, a->status ? a->status : "",
		a->reason ? a->reason : ""};
	const char *y[] = {b->series->benchmark, b->series->metric.name, b->series->metric.unit, b->series->metric.quantity,
		direction_name(b->series->metric.direction), b->series->variant, b->status ? b->status : "",
		b->reason ? b->reason : ""};
	size_t i;

	for (i = 0; i < ARRAY_LEN(x); i++) {
		int c = strcmp(x[i], y[i]);
		if (c)
			return c;
	}
	return 0;
}

static int export_run(struct exporting *e, const struct store_run *r, struct err *err)
{
	size_t i;

	e->n = 0;
	if (store_samples(e->s, r->id, add_sample, e, err) < 0 || store_absences(e->s, r->id, add_absence, e, err) < 0)
		return -1;
	if (e->n)
		qsort(e->v, e->n, sizeof(*e->v), compare_lines);
	print_run(r);
	for (i = 0; i < e->n; i++) {
		print_line(&e->v[i]);
		free(e->v[i].values);
		free(e->v[i].status);
		free(e->v[i].reason);
	}
	return 0;
}

static int export_all(struct store *s, struct err *err)
{
	struct exporting e = {.s = s};
	struct store_runs runs = {0};
	struct progress *p = progress_start("exporting runs");
	size_t i;
	int r;

	puts("{\"perfgate\":\"export\",\"version\":1}");
	r = store_series_load(s, err);
	if (r == 0)
		r = store_commits(s, print_commit, NULL, err);
	if (r == 0)
		r = store_tombstones(s, print_tombstone, NULL, err);
	if (r == 0)
		r = store_runs_exported(s, &runs, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		r = export_run(&e, &runs.v[i], err);
		progress_update(p, (double)i, (double)runs.n);
	}
	progress_end(p);
	store_runs_release(&runs);
	free(e.v);
	return r;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct export_options *o = values;
	struct context c;
	int r = context_init(&c, o->store, err);

	(void)args;
	(void)n;
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = store_begin_read(c.store, err);
	if (r == 0)
		r = export_all(c.store, err);
	context_release(&c);
	return r;
}

const struct command cmd_store_export = {.name = "export",
	.args = "",
	.summary = "write everything as text (NDJSON) that ingest reads back",
	.help = "The output is in a fixed order, so that equal stores give equal bytes; ingesting it into\n"
		"a store that has the runs adds nothing. man perfgate-formats describes it.",
	.opts = opts,
	.values_size = sizeof(struct export_options),
	.max_args = 0,
	.run = run};
