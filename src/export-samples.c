/* The store as one sample a line (docs/perfgate-formats.7, samples). */
#include "export.h"

#include "json-out.h"
#include "term.h"

struct sampling {
	FILE *f;
	struct buf head; /* of the run: the members that begin each of its lines */
	struct buf line; /* that, and the members of a series */
};

static void add_known(struct buf *b, const char *key, const char *value)
{
	if (value && *value)
		json_tight_string(b, key, value);
}

static void run_members(struct buf *b, const struct store_run *r)
{
	buf_clear(b);
	buf_addch(b, '{');
	json_tight_string(b, "commit", r->sha);
	export_add_time(b, "committed_at", r->committed_at);
	json_tight_string(b, "tree_state", r->tree_state);
	add_known(b, "branch", r->branch);
	add_known(b, "session", r->session);
	json_tight_string(b, "runner", r->runner_key);
	add_known(b, "runner_label", r->runner_label);
	export_add_time(b, "started_at", r->started_at);
	add_known(b, "component", r->component);
	json_tight_string(b, "format", r->format);
	json_tight_string(b, "format_version", r->format_version);
	add_known(b, "tool_version", r->tool_version);
	json_tight_string(b, "suite", r->suite);
}

static int begin_series(void *ctx, const struct store_series *x, struct err *err)
{
	struct sampling *s = ctx;

	(void)err;
	buf_clear(&s->line);
	buf_add(&s->line, s->head.p, s->head.len);
	json_tight_string(&s->line, "benchmark", x->benchmark);
	json_tight_string(&s->line, "metric", x->metric.name);
	add_known(&s->line, "unit", x->metric.unit);
	json_tight_string(&s->line, "quantity", x->metric.quantity);
	json_tight_string(&s->line, "direction", direction_name(x->metric.direction));
	add_known(&s->line, "variant", x->variant);
	return 0;
}

/* The line with what was appended to it, which is taken off again. */
static void put(struct sampling *s, size_t len)
{
	buf_addstr(&s->line, "}\n");
	fwrite(s->line.p, 1, s->line.len, s->f);
	s->line.len = len;
	s->line.p[len] = 0;
}

static int put_value(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct sampling *s = ctx;
	const size_t len = s->line.len;

	(void)series;
	(void)err;
	json_tight_key(&s->line, "value");
	num_format(&s->line, value);
	put(s, len);
	return 0;
}

static int put_absence(void *ctx, const struct store_series *x, const char *status,
	const char *reason, struct err *err)
{
	struct sampling *s = ctx;
	size_t len;

	begin_series(s, x, err);
	len = s->line.len;
	json_tight_string(&s->line, "status", status);
	json_tight_string(&s->line, "reason", reason);
	put(s, len);
	return 0;
}

int export_samples(FILE *f, struct store *s, struct err *err)
{
	static const struct run_visitor visitor = {begin_series, put_value, put_absence};
	struct progress *p = progress_start("exporting samples");
	struct sampling sampling = {.f = f};
	struct store_runs runs = {0};
	size_t i;
	int r = store_series_load(s, err);

	if (r == 0)
		r = store_runs_exported(s, &runs, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		run_members(&sampling.head, &runs.v[i]);
		r = store_walk_run(s, runs.v[i].id, &visitor, &sampling, err);
		progress_update(p, (double)i, (double)runs.n);
	}
	progress_end(p);
	store_runs_release(&runs);
	buf_release(&sampling.head);
	buf_release(&sampling.line);
	return r;
}
