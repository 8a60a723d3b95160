#include "gates-log.h"

#include "json-out.h"
#include "term.h"
#include "text.h"

#include <string.h>

struct gates_log {
	struct table *table; /* NULL: as JSON */
	int64_t shown, limit;
};

/* ---- JSON ---- */

static void add_sha(struct buf *b, const char *key, const char *sha)
{
	json_string(b, key, *sha ? sha : NULL);
}

static void add_verdict(struct buf *b, const struct verdict_fact *v)
{
	buf_addch(b, '{');
	json_string(b, "suite", v->suite);
	json_string(b, "benchmark", v->benchmark);
	json_string(b, "metric", v->metric);
	json_string(b, "unit", v->unit);
	json_string(b, "variant", v->variant);
	json_string(b, "runner", v->runner);
	json_string(b, "class", v->class_);
	json_string(b, "verdict", v->verdict);
	json_bool(b, "gates", v->gates);
	add_sha(b, "base", v->base);
	json_real(b, "base_median", v->base_median);
	json_real(b, "head_median", v->head_median);
	json_real(b, "change", v->change);
	json_string(b, "reason", v->reason);
	buf_addch(b, '}');
}

static void add_counts(struct buf *b, const struct judgement_fact *j)
{
	size_t i;

	json_key(b, "counts");
	buf_addch(b, '{');
	for (i = 0; i < j->n_counts; i++) {
		buf_addstr(b, i ? ", " : "");
		text_json_str(b, j->counts[i].verdict);
		buf_addf(b, ": %lld", (long long)j->counts[i].series);
	}
	buf_addch(b, '}');
}

static void print_json(const struct judgement_fact *j, bool first)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, t = BUF_INIT;
	size_t i;

	time_format(&t, j->made_at);
	buf_addstr(&b, first ? " {" : ",\n {");
	json_string(&b, "digest", j->digest);
	json_string(&b, "head", j->head);
	json_string(&b, "tree_state", j->tree_state);
	add_sha(&b, "base", j->base);
	json_string(&b, "policy", j->policy);
	json_string(&b, "made_at", t.p);
	json_int(&b, "exit", j->exit_status);
	add_counts(&b, j);
	json_key(&b, "verdicts");
	buf_addch(&b, '[');
	for (i = 0; i < j->n_verdicts; i++) {
		buf_addstr(&b, i ? ",\n  " : "\n  ");
		add_verdict(&b, &j->verdicts[i]);
	}
	buf_addstr(&b, "]}");
	fputs(b.p, stdout);
}

/* ---- a table ---- */

/* Counts are whatever a document has. */
static int64_t series_of(const struct judgement_fact *j)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < j->n_counts; i++)
		if (__builtin_add_overflow(sum, j->counts[i].series, &sum))
			return INT64_MAX;
	return sum;
}

/* The worst verdict that gated, and how many more did; else the counts. */
static void say(struct buf *b, const struct judgement_fact *j)
{
	const struct verdict_fact *v = j->verdicts;
	size_t i, gating = 0;

	for (i = 0; i < j->n_verdicts; i++)
		gating += v[i].gates;
	for (i = 0; i < j->n_verdicts && !v[i].gates; i++)
		;
	if (gating) {
		buf_addf(b, "%s: %s%s%s%s%s", v[i].verdict, v[i].suite, *v[i].benchmark ? " " : "",
			v[i].benchmark, *v[i].metric ? " " : "", v[i].metric);
		if (gating > 1)
			buf_addf(b, ", and %zu more", gating - 1);
		return;
	}
	for (i = 0; i < j->n_counts; i++)
		buf_addf(b, "%s%lld %s", i ? ", " : "", (long long)j->counts[i].series,
			j->counts[i].verdict);
}

static void add_row(struct table *t, const struct judgement_fact *j)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT, said = BUF_INIT;

	time_format(&time, j->made_at);
	say(&said, j);
	table_cell(t, "%.10s %.5s", time.p, time.p + 11);
	table_cell(t, "%.10s%s", j->head, strcmp(j->tree_state, "clean") ? "+" : "");
	table_cell(t, "%.10s", j->base);
	table_cell(t, "%d", j->exit_status);
	table_cell(t, "%lld", (long long)series_of(j));
	table_cell(t, "%s", buf_str(&said));
}

static int add_gate(void *ctx, const struct judgement_fact *j, struct err *err)
{
	struct gates_log *l = ctx;

	(void)err;
	if (l->limit && l->shown == l->limit)
		return 0;
	if (l->table)
		add_row(l->table, j);
	else
		print_json(j, l->shown == 0);
	l->shown++;
	return 0;
}

int gates_log(struct context *c, const char *sha, int64_t limit, bool json, struct err *err)
{
	struct gates_log l = {.limit = limit};
	int r;

	if (json)
		puts("[");
	else
		l.table = table_new(
			"=WHEN (UTC)", "=COMMIT", "=BASE", ">EXIT", ">SERIES", "VERDICT", NULL);
	r = sha ? store_judgements_of(c->store, sha, add_gate, &l, err)
		: store_judgements(c->store, limit ? limit : -1, add_gate, &l, err);
	if (r < 0)
		table_free(l.table);
	else if (l.table)
		table_write(l.table, stdout);
	else
		puts(l.shown ? "\n]" : "]");
	return r;
}
