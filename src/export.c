#include "export.h"

#include "json-out.h"
#include "term.h"
#include "text.h"

#include <math.h>
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

/* ---- recorded gates ---- */

static void add_sha(struct buf *b, const char *key, const char *sha)
{
	json_tight_string(b, key, *sha ? sha : NULL);
}

static void add_number(struct buf *b, const char *key, double value)
{
	json_tight_key(b, key);
	if (isnan(value))
		buf_addstr(b, "null");
	else
		num_format(b, num_real(value));
}

static void put_verdict(FILE *f, const struct verdict_fact *v)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, "{\"verdict\":{");
	json_tight_string(&b, "suite", v->suite);
	json_tight_string(&b, "benchmark", v->benchmark);
	json_tight_string(&b, "metric", v->metric);
	json_tight_string(&b, "unit", v->unit);
	json_tight_string(&b, "variant", v->variant);
	json_tight_string(&b, "runner", v->runner);
	json_tight_string(&b, "class", v->class_);
	json_tight_string(&b, "verdict", v->verdict);
	json_tight_key(&b, "gates");
	buf_addstr(&b, v->gates ? "true" : "false");
	add_sha(&b, "base", v->base);
	add_number(&b, "base_median", v->base_median);
	add_number(&b, "head_median", v->head_median);
	add_number(&b, "change", v->change);
	json_tight_string(&b, "reason", v->reason);
	buf_addstr(&b, "}}");
	put_line(f, &b);
}

static void add_counts(struct buf *b, const struct judgement_fact *j)
{
	size_t i;

	json_tight_key(b, "counts");
	buf_addch(b, '{');
	for (i = 0; i < j->n_counts; i++) {
		buf_addstr(b, i ? "," : "");
		text_json_str(b, j->counts[i].verdict);
		buf_addf(b, ":%lld", (long long)j->counts[i].series);
	}
	buf_addch(b, '}');
}

int export_judgement(void *f, const struct judgement_fact *j, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	(void)err;
	buf_addstr(&b, "{\"judgement\":{");
	json_tight_string(&b, "head", j->head);
	json_tight_string(&b, "tree_state", j->tree_state);
	add_sha(&b, "base", j->base);
	json_tight_string(&b, "policy", j->policy);
	export_add_time(&b, "made_at", j->made_at);
	json_tight_key(&b, "exit");
	buf_addf(&b, "%d", j->exit_status);
	add_counts(&b, j);
	json_tight_string(&b, "digest", j->digest);
	buf_addstr(&b, "}}");
	put_line(f, &b);
	for (i = 0; i < j->n_verdicts; i++)
		put_verdict(f, &j->verdicts[i]);
	return 0;
}

/* ---- runs ---- */

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

void export_head(FILE *f, int version)
{
	fputs(version == 2 ? EXPORT_HEAD_2 : EXPORT_HEAD, f);
}

int export_all(FILE *f, struct store *s, struct err *err)
{
	struct store_runs runs = {0};
	struct store_info info;
	struct progress *p = progress_start("exporting runs");
	size_t i;
	int r;

	r = store_info(s, &info, err);
	if (r == 0)
		export_head(f, info.judgements ? 2 : 1);
	if (r == 0)
		r = store_series_load(s, err);
	if (r == 0)
		r = store_commits(s, export_commit, f, err);
	if (r == 0)
		r = store_tombstones(s, export_tombstone, f, err);
	if (r == 0)
		r = store_judgements_exported(s, export_judgement, f, err);
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
