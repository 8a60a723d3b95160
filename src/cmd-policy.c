#include "command.h"

#include "context.h"
#include "measured.h"
#include "pattern.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_WIDTH = 150 }; /* columns that the table wants */

struct policy_options {
	const char *store;
	bool json;
};

static const struct opt opts[] = {
	OPT_STORE(struct policy_options), OPT_JSON(struct policy_options), OPT_END};

/* Series that the policy treats alike are one row. */
struct group {
	const char *suite, *metric, *example;
	struct decision d;
	size_t n;
};

struct listing {
	struct context *c;
	struct pattern *only;
	struct group *v;
	size_t n, cap;
};

static bool alike(const struct group *g, const struct store_series *s, const struct decision *d)
{
	return !strcmp(g->suite, s->suite) && !strcmp(g->metric, s->metric.name) &&
	       !memcmp(g->d.by, d->by, sizeof(d->by)) && g->d.direction == d->direction;
}

static int add_series(void *ctx, const struct store_series *s, struct err *err)
{
	struct listing *l = ctx;
	struct series_key key = stored_key(s, NULL);
	struct decision d = {0};
	size_t i;

	if (l->only) {
		int match = pattern_match(l->only, s->benchmark, strlen(s->benchmark), err);
		if (match <= 0)
			return match;
	}
	key.runner = store_runner_key(l->c->store, s->runner_id, err);
	if (!key.runner || policy_decide(l->c->policy, &key, &d, err) < 0)
		return -1;
	for (i = 0; i < l->n && !alike(&l->v[i], s, &d); i++)
		;
	if (i == l->n) {
		l->v = xgrow(l->v, l->n, &l->cap, sizeof(*l->v));
		l->v[l->n++] = (struct group){s->suite, s->metric.name, s->benchmark, d, 0};
	}
	l->v[i].n++;
	return 0;
}

static int compare_groups(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;
	int c = strcmp(a->suite, b->suite);

	if (!c)
		c = strcmp(a->metric, b->metric);
	return c ? c : memcmp(a->d.by, b->d.by, sizeof(a->d.by));
}

static void decimal_text(struct buf *b, struct decimal d, bool percent)
{
	struct decimal hundred = {.m = 100};

	decimal_format(b, percent ? decimal_mul(d, hundred) : d);
	if (percent)
		buf_addstr(b, " %");
}

/* The rules that set anything, each once, the last deciding one first. */
static void rules_text(struct buf *b, const struct policy *p, const struct decision *d)
{
	size_t start = b->len;
	int i, k;

	for (i = 0; i < ATTR_COUNT; i++) {
		for (k = 0; k < i && d->by[k] != d->by[i]; k++)
			;
		if (k == i && d->by[i] > 0)
			buf_addf(b, "%s%s", b->len > start ? "; " : "",
				policy_rule_name(p, d->by[i]));
	}
	/* rule 0 is for what no other knows: it fills gaps, and is named where it decides alone */
	if (b->len == start)
		buf_addstr(b, policy_rule_name(p, 0));
}

static void print_json(const struct listing *l)
{
	size_t i;

	puts("[");
	for (i = 0; i < l->n; i++) {
		const struct group *g = &l->v[i];
		_cleanup_(buf_release) struct buf b = BUF_INIT, rules = BUF_INIT;

		buf_addstr(&b, i ? ",\n {\"suite\": " : " {\"suite\": ");
		text_json_str(&b, g->suite);
		buf_addstr(&b, ", \"metric\": ");
		text_json_str(&b, g->metric);
		buf_addf(&b, ", \"series\": %zu, \"example\": ", g->n);
		text_json_str(&b, g->example);
		buf_addf(&b,
			", \"class\": \"%s\", \"judge\": \"%s\", \"direction\": \"%s\", \"tolerance\": ",
			gate_class_name(g->d.class_), judge_name(g->d.judge),
			direction_name(g->d.direction));
		decimal_text(&b, g->d.tolerance, false);
		buf_addstr(&b, ", \"floor\": ");
		decimal_text(&b, g->d.floor, false);
		buf_addstr(&b, ", \"cross_tolerance\": ");
		decimal_text(&b, g->d.cross_tolerance, false);
		buf_addf(&b, ", \"missing\": \"%s\", \"across_runners\": \"%s\", \"rules\": ",
			missing_rule_name(g->d.missing), across_name(g->d.across));
		rules_text(&rules, l->c->policy, &g->d);
		text_json_str(&b, buf_str(&rules));
		printf("%s}", b.p);
	}
	puts(l->n ? "\n]" : "]");
}

static void print_table(const struct listing *l)
{
	struct table *t = table_new("SUITE", "METRIC", ">SERIES", "CLASS", "JUDGE", "BETTER",
		">TOLERANCE", ">FLOOR", "OTHER RUNNERS", "MISSING", "DECIDED BY", NULL);
	size_t i;

	printf("policy: %s\n\n", l->c->policy_name);
	for (i = 0; i < l->n; i++) {
		const struct group *g = &l->v[i];
		_cleanup_(buf_release) struct buf tolerance = BUF_INIT, floor = BUF_INIT,
						  cross = BUF_INIT, rules = BUF_INIT;

		decimal_text(&tolerance, g->d.tolerance, true);
		decimal_text(&floor, g->d.floor, false);
		rules_text(&rules, l->c->policy, &g->d);
		table_cell(t, "%s", g->suite);
		table_cell(t, "%s", g->metric);
		table_cell(t, "%zu", g->n);
		table_cell(t, "%s", gate_class_name(g->d.class_));
		table_cell(t, "%s", g->d.class_ == CLASS_INFO ? "" : judge_name(g->d.judge));
		table_cell(t, "%s", direction_name(g->d.direction));
		table_cell(t, "%s", g->d.class_ == CLASS_INFO ? "" : tolerance.p);
		table_cell(t, "%s", g->d.class_ == CLASS_INFO ? "" : floor.p);
		if (g->d.across == ACROSS_FALLBACK)
			decimal_text(&cross, g->d.cross_tolerance, true);
		table_cell(t, "%s%s%s", g->d.class_ == CLASS_INFO ? "" : across_name(g->d.across),
			cross.len ? " " : "", buf_str(&cross));
		table_cell(
			t, "%s", g->d.class_ == CLASS_INFO ? "" : missing_rule_name(g->d.missing));
		table_cell(t, "%s", buf_str(&rules));
	}
	table_write(t, stdout);
}

/* Two lines a group, where the table does not fit. */
static void print_list(const struct listing *l)
{
	size_t i;

	printf("policy: %s\n", l->c->policy_name);
	for (i = 0; i < l->n; i++) {
		const struct group *g = &l->v[i];
		_cleanup_(buf_release) struct buf raw = BUF_INIT, b = BUF_INIT;
		bool info = g->d.class_ == CLASS_INFO;

		buf_addf(&raw, "%s %s (%zu series): %s", g->suite, g->metric, g->n,
			gate_class_name(g->d.class_));
		if (!info) {
			buf_addf(&raw, ", %s, %s is better, ", judge_name(g->d.judge),
				direction_name(g->d.direction));
			decimal_text(&raw, g->d.tolerance, true);
			buf_addstr(&raw, " and ");
			decimal_text(&raw, g->d.floor, false);
		}
		text_escape(&b, raw.p, raw.len);
		printf("\n%s\n    ", b.p);
		buf_clear(&raw);
		buf_clear(&b);
		if (!info)
			buf_addf(&raw, "missing = %s, across-runners = %s; ",
				missing_rule_name(g->d.missing), across_name(g->d.across));
		rules_text(&raw, l->c->policy, &g->d);
		text_escape(&b, raw.p, raw.len);
		printf("%s\n", b.p);
	}
}

static int list(
	struct context *c, const struct policy_options *o, const char *only, struct err *err)
{
	struct listing l = {.c = c};
	int r = 0;

	if (only && !(l.only = pattern_new(only, err)))
		return -1;
	r = store_each_series(c->store, add_series, &l, err);
	if (r == 0) {
		if (l.n)
			qsort(l.v, l.n, sizeof(*l.v), compare_groups);
		if (o->json)
			print_json(&l);
		else if (isatty(STDOUT_FILENO) && term_width(stdout) < TABLE_WIDTH)
			print_list(&l);
		else
			print_table(&l);
	}
	pattern_free(l.only);
	free(l.v);
	return r;
}

static void warn_unused(struct context *c)
{
	int *unused;
	size_t n = policy_unused(c->policy, &unused), i;

	for (i = 0; i < n; i++)
		complain("note: %s matches no series in the store",
			policy_rule_name(c->policy, unused[i]));
	free(unused);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct policy_options *o = values;
	struct context c;
	int r = context_init(&c, o->store, err);

	if (r == 0)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = list(&c, o, n > 0 ? args[0] : NULL, err);
	if (r == 0 && n == 0)
		warn_unused(&c);
	context_release(&c);
	return r;
}

const struct command cmd_policy = {.name = "policy",
	.args = "[PATTERN]",
	.summary = "show how the series in the store are judged, and which rule says so",
	.help = "PATTERN (PCRE2) narrows it to benchmarks whose name matches. Rules come from perfgate.conf\n"
		"at the top of the repository, and from the built-in ones below them.",
	.opts = opts,
	.values_size = sizeof(struct policy_options),
	.max_args = 1,
	.run = run};
