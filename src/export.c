#include "export.h"

#include "json-out.h"
#include "term.h"
#include "text.h"

#include <string.h>

enum { VALUES_A_LINE = 10000 };

struct exporting {
	FILE *f;
	const struct store_series *series; /* whose values come */
	struct buf line;                   /* being filled with them */
	size_t values;                     /* on it */
};

static void put_line(FILE *f, const struct buf *b)
{
	fwrite(b->p, 1, b->len, f);
	fputc('\n', f);
}

void export_add_time(struct buf *b, const char *key, int64_t ns)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	if (ns != TIME_UNKNOWN)
		time_format(&t, ns);
	json_tight_string(b, key, ns != TIME_UNKNOWN ? t.p : NULL);
}

int export_commit(void *f, const struct commit_fact *c, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	int i;

	(void)err;
	buf_addch(&b, '{');
	json_tight_string(&b, "commit", c->sha);
	json_tight_string(&b, "tree", c->tree_sha);
	export_add_time(&b, "committed_at", c->committed_at);
	json_tight_key(&b, "parents");
	if (c->n_parents >= 0)
		buf_addch(&b, '[');
	for (i = 0; i < c->n_parents; i++) {
		buf_addstr(&b, i ? "," : "");
		text_json_str(&b, c->parents[i]);
	}
	buf_addstr(&b, c->n_parents >= 0 ? "]}" : "null}");
	put_line(f, &b);
	return 0;
}

int export_tombstone(void *f, const struct tombstone *t, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	(void)err;
	buf_addch(&b, '{');
	json_tight_key(&b, "tombstone");
	buf_addch(&b, '{');
	json_tight_string(&b, "commit", t->sha);
	json_tight_string(&b, "tree_state", t->tree_state);
	json_tight_string(&b, "runner", t->runner_key);
	json_tight_string(&b, "digest", t->digest);
	export_add_time(&b, "dropped_at", t->dropped_at);
	buf_addstr(&b, "}}");
	put_line(f, &b);
	return 0;
}

void export_run_line(FILE *f, const struct store_run *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	json_tight_key(&b, "run");
	buf_addch(&b, '{');
	json_tight_string(&b, "commit", r->sha);
	json_tight_string(&b, "tree_state", r->tree_state);
	json_tight_string(&b, "branch", r->branch);
	json_tight_string(&b, "session", r->session);
	json_tight_key(&b, "runner");
	buf_addch(&b, '{');
	json_tight_string(&b, "key", r->runner_key);
	json_tight_string(&b, "label", r->runner_label);
	buf_addch(&b, '}');
	json_tight_string(&b, "suite", r->suite);
	json_tight_string(&b, "component", r->component);
	json_tight_string(&b, "format", r->format);
	json_tight_string(&b, "format_version", r->format_version);
	json_tight_string(&b, "tool_version", r->tool_version);
	export_add_time(&b, "started_at", r->started_at);
	export_add_time(&b, "ingested_at", r->ingested_at);
	json_tight_string(&b, "digest", r->digest);
	json_tight_key(&b, "facts");
	text_json_value(&b, r->facts);
	buf_addstr(&b, "}}");
	put_line(f, &b);
}

static void begin_line(struct buf *b, const struct store_series *s)
{
	buf_clear(b);
	buf_addch(b, '{');
	json_tight_string(b, "benchmark", s->benchmark);
	json_tight_string(b, "metric", s->metric.name);
	json_tight_string(b, "unit", s->metric.unit);
	json_tight_string(b, "quantity", s->metric.quantity);
	json_tight_string(b, "direction", direction_name(s->metric.direction));
	json_tight_string(b, "variant", s->variant);
}

static void end_values(struct exporting *e)
{
	if (e->values) {
		buf_addstr(&e->line, "]}");
		put_line(e->f, &e->line);
	}
	e->values = 0;
}

static int export_series(void *ctx, const struct store_series *x, struct err *err)
{
	struct exporting *e = ctx;

	(void)err;
	end_values(e);
	e->series = x;
	return 0;
}

static int export_value(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct exporting *e = ctx;

	(void)series;
	(void)err;
	if (e->values == VALUES_A_LINE)
		end_values(e);
	if (e->values == 0) {
		begin_line(&e->line, e->series);
		json_tight_key(&e->line, "values");
		buf_addch(&e->line, '[');
	} else {
		buf_addch(&e->line, ',');
	}
	num_format(&e->line, value);
	e->values++;
	return 0;
}

static int export_absence(void *ctx, const struct store_series *x, const char *status,
	const char *reason, struct err *err)
{
	struct exporting *e = ctx;

	(void)err;
	end_values(e);
	begin_line(&e->line, x);
	json_tight_string(&e->line, "status", status);
	json_tight_string(&e->line, "reason", reason);
	buf_addch(&e->line, '}');
	put_line(e->f, &e->line);
	return 0;
}

int export_run(FILE *f, struct store *s, const struct store_run *r, struct err *err)
{
	static const struct run_visitor visitor = {export_series, export_value, export_absence};
	struct exporting e = {.f = f};
	int rc;

	export_run_line(f, r);
	rc = store_walk_run(s, r->id, &visitor, &e, err);
	if (rc == 0)
		end_values(&e);
	buf_release(&e.line);
	return rc;
}

void export_head(FILE *f)
{
	fputs(EXPORT_HEAD, f);
}

int export_all(FILE *f, struct store *s, struct err *err)
{
	struct store_runs runs = {0};
	struct progress *p = progress_start("exporting runs");
	size_t i;
	int r;

	export_head(f);
	r = store_series_load(s, err);
	if (r == 0)
		r = store_commits(s, export_commit, f, err);
	if (r == 0)
		r = store_tombstones(s, export_tombstone, f, err);
	if (r == 0)
		r = store_runs_exported(s, &runs, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		r = export_run(f, s, &runs.v[i], err);
		progress_update(p, (double)i, (double)runs.n);
	}
	progress_end(p);
	store_runs_release(&runs);
	return r;
}
