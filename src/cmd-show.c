#include "command.h"

#include "head.h"
#include "json-out.h"
#include "pattern.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct show {
	const char *store;
	const char *metric;
	bool json;
};

static const struct opt opts[] = {OPT_STORE(struct show),
	{"metric", 'm', OPT_STRING, offsetof(struct show, metric), "PATTERN",
		"only metrics whose name matches (PCRE2)"},
	OPT_JSON(struct show), OPT_END};

static void median_text(struct buf *b, const struct measured *x)
{
	decimal_format(b, decimal_median(x->newest.values, x->newest.n));
}

static void values_text(struct buf *b, const struct measured *x, const char *separator)
{
	size_t i;

	for (i = 0; i < x->newest.n; i++) {
		if (i)
			buf_addstr(b, separator);
		num_format(b, x->newest.values[i]);
	}
}

static void print_json(const struct measured *x, bool first)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, first ? " {" : ",\n {");
	json_string(&b, "suite", x->key.suite);
	json_string(&b, "benchmark", x->key.benchmark);
	json_string(&b, "metric", x->key.metric);
	json_string(&b, "unit", x->key.unit);
	json_string(&b, "direction", direction_name(x->key.direction));
	json_string(&b, "variant", x->key.variant);
	json_string(&b, "runner", x->key.runner);
	json_int(&b, "n", (long long)x->newest.n);
	json_key(&b, "median");
	if (x->newest.n)
		median_text(&b, x);
	else
		buf_addstr(&b, "null");
	json_string(&b, "absence", x->newest.n ? NULL : x->absence);
	json_key(&b, "values");
	buf_addch(&b, '[');
	values_text(&b, x, ", ");
	buf_addstr(&b, "]}");
	fputs(b.p, stdout);
}

static void add_row(struct table *t, const struct measured *x)
{
	_cleanup_(buf_release) struct buf median = BUF_INIT, values = BUF_INIT;

	if (x->newest.n)
		median_text(&median, x);
	values_text(&values, x, " ");
	table_cell(t, "%s", x->key.benchmark);
	table_cell(t, "%s%s%s", x->key.metric, *x->key.variant ? " @" : "", x->key.variant);
	table_cell(t, "%zu", x->newest.n);
	table_cell(t, "%s", x->newest.n ? median.p : "-");
	table_cell(t, "%s", x->key.unit);
	table_cell(t, "%s", x->newest.n ? values.p : x->absence ? x->absence : "");
}

static int compare_measured(const void *a, const void *b)
{
	return series_key_compare(
		&((const struct measured *)a)->key, &((const struct measured *)b)->key);
}

/* Only the benchmark of exactly this name when there is one, else those that match the pattern.
 * Returns how many series. */
static int choose(struct measurements *m, const char *name, struct pattern *pattern, bool *use,
	struct err *err)
{
	bool exact = false;
	size_t i, n = 0;

	for (i = 0; i < m->n; i++)
		exact |= !strcmp(m->v[i].key.benchmark, name);
	for (i = 0; i < m->n; i++) {
		const char *b = m->v[i].key.benchmark;
		int match = exact     ? !strcmp(b, name)
			    : pattern ? pattern_match(pattern, b, strlen(b), err)
				      : 0;
		if (match < 0)
			return -1;
		use[i] = match > 0;
		n += use[i];
	}
	return (int)n;
}

/* Of the series chosen, those whose metric matches. Returns how many. */
static int narrow(struct measurements *m, struct pattern *metric, bool *use, struct err *err)
{
	size_t i, n = 0;
	int match;

	for (i = 0; i < m->n; i++) {
		const char *k = m->v[i].key.metric;
		match = use[i] ? pattern_match(metric, k, strlen(k), err) : 0;
		if (match < 0)
			return -1;
		use[i] = match > 0;
		n += use[i];
	}
	return (int)n;
}

static void name_metrics(struct buf *b, const struct measurements *m, const bool *use)
{
	size_t i, k;

	for (i = 0; i < m->n; i++) {
		for (k = 0; use[i] && k < i; k++)
			if (use[k] && !strcmp(m->v[i].key.metric, m->v[k].key.metric))
				break;
		if (use[i] && k == i)
			buf_addf(b, "%s%s", b->len ? ", " : "", m->v[i].key.metric);
		if (b->len > 300) {
			buf_addstr(b, ", ...");
			return;
		}
	}
}

static void suggest(const struct measurements *m, const char *name, struct err *err)
{
	const char **names = xcalloc(m->n, sizeof(*names)), *near;
	size_t i;

	for (i = 0; i < m->n; i++)
		names[i] = m->v[i].key.benchmark;
	near = text_nearest(name, names, m->n);
	if (near)
		err_set(err, ERR_USAGE,
			"no benchmark '%.100s' at this commit; did you mean '%.200s'?", name, near);
	else
		err_set(err, ERR_USAGE, "no benchmark '%.100s' at this commit", name);
	free(names);
}

/* choose(), then narrow(); -1 with err set when nothing is left. */
static int choose_series(struct measurements *m, const char *name, struct pattern *pattern,
	const char *metric, struct pattern *metrics, bool *use, struct err *err)
{
	_cleanup_(buf_release) struct buf names = BUF_INIT;
	int r = choose(m, name, pattern, use, err);

	if (r == 0)
		suggest(m, name, err);
	if (r <= 0)
		return -1;
	if (!metrics)
		return r;
	name_metrics(&names, m, use);
	r = narrow(m, metrics, use, err);
	if (r == 0)
		err_set(err, ERR_USAGE, "no metric of '%.100s' matches '%.60s'; there are: %s",
			name, metric, buf_str(&names));
	return r > 0 ? r : -1;
}

static void print_chosen(const struct measurements *m, const bool *use, const struct show *o)
{
	struct table *t = o->json ? NULL
				  : table_new("BENCHMARK", "METRIC", ">N", ">MEDIAN", "UNIT",
					    "SAMPLES", NULL);
	bool first = true;
	size_t i;

	if (o->json)
		puts("[");
	for (i = 0; i < m->n; i++) {
		if (!use[i])
			continue;
		if (o->json)
			print_json(&m->v[i], first);
		else
			add_row(t, &m->v[i]);
		first = false;
	}
	if (o->json)
		puts("\n]");
	else
		table_write(t, stdout);
}

static int show(struct comparison *x, const struct show *o, const char *name, const char *rev,
	struct err *err)
{
	struct err bad = ERR_INIT;
	struct pattern *pattern = pattern_new(name, &bad), *metric = NULL;
	struct head_side side;
	bool *use = NULL;
	int r = 0;
	size_t i;

	if (o->metric && !(metric = pattern_new(o->metric, err)))
		r = -1;
	if (r == 0)
		r = head_find(x, rev, rev ? HEAD_COMMIT_FIRST : HEAD_WORK_TREE, &side, err);
	if (r == 0 && !side.any)
		r = err_set(err, ERR_USAGE,
			"%.12s%s has no run in the store; perfgate log lists those that have",
			side.commit.sha,
			strcmp(side.tree_state, "clean") ? ", as the work tree is now," : "");
	if (r == 0) {
		use = xcalloc(x->head.n, sizeof(*use));
		qsort(x->head.v, x->head.n, sizeof(*x->head.v), compare_measured);
		r = choose_series(&x->head, name, pattern, o->metric, metric, use, err);
		if (r > 0) {
			for (i = 0; i < x->n_notes && !o->json; i++)
				complain("note: %s", x->notes[i]);
			print_chosen(&x->head, use, o);
		}
		r = r > 0 ? 0 : -1;
	}
	free(use);
	pattern_free(pattern);
	pattern_free(metric);
	return r;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct show *o = values;
	struct context c;
	struct comparison x;
	int r = context_init(&c, o->store, err);

	if (r == 0)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	comparison_init(&x, &c, NULL);
	if (r == 0)
		r = show(&x, o, args[0], n > 1 ? args[1] : NULL, err);
	comparison_release(&x);
	context_release(&c);
	return r;
}

const struct command cmd_show = {.name = "show",
	.args = "BENCHMARK [COMMIT]",
	.summary = "show a benchmark's samples at a commit",
	.help = "BENCHMARK is a name, or a pattern (PCRE2) when no benchmark is called exactly that.\n"
		"COMMIT defaults to the work tree as it is now.",
	.opts = opts,
	.values_size = sizeof(struct show),
	.min_args = 1,
	.max_args = 2,
	.run = run};
