#include "command.h"

#include "ancestry.h"
#include "gates-log.h"
#include "json-out.h"
#include "series-log.h"
#include "term.h"
#include "text.h"

#include <string.h>

struct log {
	const char *store, *suite, *commit;
	int64_t limit;
	bool gates, json;
};

#define O(field) offsetof(struct log, field)

static const struct opt opts[] = {OPT_STORE(struct log),
	{"limit", 'l', OPT_INT, O(limit), "N",
		"at most N runs, points of a series, or gates (default: 20; 0: all)"},
	{"commit", 'c', OPT_STRING, O(commit), "REV", "only runs, or gates, of this commit"},
	{"suite", 0, OPT_STRING, O(suite), "SUITE", "only this suite"},
	{"gates", 0, OPT_FLAG, O(gates), NULL, "the gates that were recorded, not runs"},
	OPT_JSON(struct log), OPT_END};

#undef O

static const struct log defaults = {.limit = 20};

static void print_json(const struct store_run *r, bool first)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, t = BUF_INIT;

	buf_addstr(&b, first ? " {" : ",\n {");
	json_string(&b, "digest", r->digest);
	json_string(&b, "commit", r->sha);
	json_string(&b, "tree_state", r->tree_state);
	json_string(&b, "branch", r->branch);
	json_string(&b, "session", r->session);
	json_string(&b, "runner", r->runner_key);
	json_string(&b, "suite", r->suite);
	json_string(&b, "component", r->component);
	json_string(&b, "format", r->format);
	json_string(&b, "format_version", r->format_version);
	json_string(&b, "tool_version", r->tool_version);
	if (r->started_at != TIME_UNKNOWN)
		time_format(&t, r->started_at);
	json_string(&b, "started_at", r->started_at != TIME_UNKNOWN ? t.p : NULL);
	buf_clear(&t);
	time_format(&t, r->ingested_at);
	json_string(&b, "ingested_at", t.p);
	json_int(&b, "series", r->series);
	json_int(&b, "samples", r->samples);
	json_int(&b, "absences", r->absences);
	json_key(&b, "facts");
	text_json_value(&b, r->facts);
	buf_addch(&b, '}');
	fputs(b.p, stdout);
}

static void add_row(struct table *t, const struct store_run *r)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT;

	time_format(&time, store_run_time(r));
	table_cell(t, "%.10s %.5s", time.p, time.p + 11);
	table_cell(t, "%.10s%s", r->sha, strcmp(r->tree_state, "clean") ? "+" : "");
	table_cell(t, "%s", r->branch);
	table_cell(t, "%s", r->suite);
	table_cell(t, "%lld", (long long)r->series);
	table_cell(t, "%lld", (long long)r->samples);
	table_cell(t, "%.8s", r->digest);
	table_cell(t, "%s", r->runner_key);
}

static void print_runs(const struct log *o, const struct store_runs *runs)
{
	struct table *t = o->json ? NULL
				  : table_new("=WHEN (UTC)", "=COMMIT", "BRANCH", "SUITE",
					    ">SERIES", ">SAMPLES", "=RUN", "RUNNER", NULL);
	int64_t limit = o->limit ? o->limit : INT64_MAX, shown = 0;
	size_t i;

	if (o->json)
		puts("[");
	for (i = 0; i < runs->n && shown < limit; i++) {
		if (o->suite && strcmp(o->suite, runs->v[i].suite))
			continue;
		if (o->json)
			print_json(&runs->v[i], shown == 0);
		else
			add_row(t, &runs->v[i]);
		shown++;
	}
	if (o->json)
		puts(shown ? "\n]" : "]");
	else
		table_write(t, stdout);
}

static int list(struct context *c, const struct log *o, struct err *err)
{
	struct store_runs runs = {0};
	struct git_commit commit;
	int r;

	if (o->commit) {
		if (require_commit(c, o->commit, &commit, err) < 0)
			return -1;
		r = store_runs_of_commit(c->store, commit.sha, &runs, err);
	} else {
		/* a suite may be rare: then all are looked through */
		r = store_runs_newest(c->store, o->suite || !o->limit ? -1 : o->limit, &runs, err);
	}
	if (r == 0)
		print_runs(o, &runs);
	store_runs_release(&runs);
	return r;
}

static int list_gates(struct context *c, const struct log *o, int n, struct err *err)
{
	struct git_commit commit;

	if (n || o->suite)
		return err_set(err, ERR_USAGE, "--gates lists whole gates: %s has no place there",
			n ? "SERIES" : "--suite");
	if (o->commit && require_commit(c, o->commit, &commit, err) < 0)
		return -1;
	return gates_log(c, o->commit ? commit.sha : NULL, o->limit, o->json, err);
}

static int list_series(struct context *c, const struct log *o, const char *series, struct err *err)
{
	struct series_log l = {
		.series = series, .suite = o->suite, .limit = o->limit, .json = o->json};
	struct git_commit commit;

	if (o->commit && require_commit(c, o->commit, &commit, err) < 0)
		return -1;
	l.commit = o->commit ? commit.sha : NULL;
	return series_log(c, &l, err);
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct log *o = values;
	struct context c;
	int r;

	r = context_init(&c, o->store, err);
	if (r == 0 && n)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = o->gates ? list_gates(&c, o, n, err)
		    : n      ? list_series(&c, o, args[0], err)
			     : list(&c, o, err);
	context_release(&c);
	return r;
}

const struct command cmd_log = {.name = "log",
	.args = "[SERIES]",
	.summary = "list the runs in the store, or the points of series, newest first",
	.help = "A + behind a commit says that the work tree had changes when it was measured.\n"
		"SERIES is SUITE:BENCHMARK:METRIC, or a pattern (PCRE2) when none is called exactly that: its\n"
		"median in each session, by time, and where driver, kernel, microcode or firmware changed.",
	.opts = opts,
	.values_size = sizeof(struct log),
	.defaults = &defaults,
	.max_args = 1,
	.run = run};
