#include "command.h"

#include "context.h"
#include "each-series.h"
#include "figure.h"
#include "json-out.h"
#include "layout.h"
#include "policy-series.h"
#include "reader.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_WIDTH = 150 /* columns that the table wants */, READERS_MOST = 64 };

struct policy_options {
	const char *store, *target;
	bool series, check, json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_STORE(struct policy_options),
	{"series", 0, OPT_FLAG, offsetof(struct policy_options, series), NULL,
		"every series by itself, and which rule decides what of it"},
	{"target", 0, OPT_STRING, offsetof(struct policy_options, target), "BRANCH",
		"as for a change to BRANCH (default: the one that the CI system names)"},
	{"check", 0, OPT_FLAG, offsetof(struct policy_options, check), NULL,
		"only say whether FILE (default: perfgate.conf) is a policy; needs no store"},
	OPT_JSON(struct policy_options),
	OPT_END
};
/* clang-format on */

/* Series that the policy treats alike are one row. */
struct group {
	const char *suite, *metric, *example;
	struct decision d;
	size_t n;
};

struct listing {
	struct context *c;
	struct intern *known; /* what makes a group, as bytes; ids index v */
	struct group *v;
	size_t n, cap;
};

/* Whatever is the same for two series of one group. */
static void group_bytes(struct buf *b, const struct series_key *key, const struct decision *d)
{
	buf_add(b, key->suite, strlen(key->suite) + 1);
	buf_add(b, key->metric, strlen(key->metric) + 1);
	buf_add(b, d->by, sizeof(d->by));
	buf_addf(b, "%d ", (int)d->direction);
	decimal_format(b, d->floor);
}

/* Asks for the sections, too, so that those that match nothing are known in the end. */
static int decide(
	struct policy *p, const struct series_key *key, struct decision *ret, struct err *err)
{
	struct turn turn;

	if (policy_decide(p, key, ret, err) < 0 || policy_accept(p, key, &turn, err) < 0 ||
		policy_waive(p, key, &turn, err) < 0 || policy_retire(p, key, &turn, err) < 0)
		return -1;
	return 0;
}

static int add_series(
	void *ctx, const struct series_key *key, const struct store_series *stored, struct err *err)
{
	struct listing *l = ctx;
	_cleanup_(buf_release) struct buf bytes = BUF_INIT;
	struct decision d = {0};
	uint32_t i;

	(void)stored;
	if (decide(l->c->policy, key, &d, err) < 0)
		return -1;
	group_bytes(&bytes, key, &d);
	i = intern_add(l->known, bytes.p, bytes.len);
	if (i == l->n) {
		l->v = xgrow(l->v, l->n, &l->cap, sizeof(*l->v));
		l->v[l->n++] = (struct group){key->suite, key->metric, key->benchmark, d, 0};
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
	if (!c)
		c = memcmp(a->d.by, b->d.by, sizeof(a->d.by));
	if (!c)
		c = (int)a->d.direction - (int)b->d.direction;
	return c ? c : decimal_cmp(a->d.floor, b->d.floor);
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

static void json_decimal(struct buf *b, const char *key, struct decimal d)
{
	json_key(b, key);
	decimal_format(b, d);
}

static void print_json(const struct listing *l)
{
	size_t i;

	puts("[");
	for (i = 0; i < l->n; i++) {
		const struct group *g = &l->v[i];
		_cleanup_(buf_release) struct buf b = BUF_INIT, rules = BUF_INIT;

		buf_addstr(&b, i ? ",\n {" : " {");
		json_string(&b, "suite", g->suite);
		json_string(&b, "metric", g->metric);
		json_int(&b, "series", (long long)g->n);
		json_string(&b, "example", g->example);
		json_string(&b, "class", gate_class_name(g->d.class_));
		json_string(&b, "judge", judge_name(g->d.judge));
		json_string(&b, "direction", direction_name(g->d.direction));
		json_decimal(&b, "tolerance", g->d.tolerance);
		json_decimal(&b, "floor", g->d.floor);
		json_decimal(&b, "cross_tolerance", g->d.cross_tolerance);
		json_string(&b, "missing", missing_rule_name(g->d.missing));
		json_string(&b, "across_runners", across_name(g->d.across));
		json_string(&b, "sessions", sessions_rule_name(g->d.sessions));
		if (g->d.by[ATTR_CREEP] < 0)
			json_null(&b, "creep");
		else
			json_decimal(&b, "creep", g->d.creep);
		json_string(&b, "bound", bound_name(g->d.bound));
		rules_text(&rules, l->c->policy, &g->d);
		json_string(&b, "rules", buf_str(&rules));
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

		figure_share(&tolerance, g->d.tolerance);
		decimal_format(&floor, g->d.floor);
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
			figure_share(&cross, g->d.cross_tolerance);
		table_cell(t, "%s%s%s", g->d.class_ == CLASS_INFO ? "" : across_name(g->d.across),
			cross.len ? " " : "", buf_str(&cross));
		table_cell(
			t, "%s", g->d.class_ == CLASS_INFO ? "" : missing_rule_name(g->d.missing));
		table_cell(t, "%s", buf_str(&rules));
	}
	table_write(t, stdout);
}

static void add_settings(struct buf *b, const struct decision *d)
{
	buf_addf(b, "missing = %s, across-runners = %s", missing_rule_name(d->missing),
		across_name(d->across));
	if (d->sessions != SESSIONS_SEPARATE)
		buf_addf(b, ", sessions = %s", sessions_rule_name(d->sessions));
	if (d->by[ATTR_CREEP] >= 0) {
		buf_addstr(b, ", creep = ");
		figure_share(b, d->creep);
	}
	if (d->judge == JUDGE_NOISY && d->bound != BOUND_COMPUTE)
		buf_addf(b, ", bound = %s", bound_name(d->bound));
	buf_addstr(b, "; ");
}

static void print_wrapped(const struct buf *raw, size_t indent)
{
	const struct report_style style = {.width = term_width(stdout)};
	_cleanup_(buf_release) struct buf safe = BUF_INIT, b = BUF_INIT;

	text_escape(&safe, buf_str(raw), raw->len);
	layout_pad(&b, indent);
	layout_wrap(&b, &style, NULL, buf_str(&safe), indent, 4);
	fputs(buf_str(&b), stdout);
}

static void print_group(const struct policy *p, const struct group *g)
{
	_cleanup_(buf_release) struct buf what = BUF_INIT, more = BUF_INIT;
	const bool info = g->d.class_ == CLASS_INFO;

	buf_addf(&what, "%s %s (%zu series): %s", g->suite, g->metric, g->n,
		gate_class_name(g->d.class_));
	if (!info) {
		buf_addf(&what, ", %s, %s is better, ", judge_name(g->d.judge),
			direction_name(g->d.direction));
		figure_share(&what, g->d.tolerance);
		buf_addstr(&what, " and ");
		decimal_format(&what, g->d.floor);
		add_settings(&more, &g->d);
	}
	rules_text(&more, p, &g->d);
	print_wrapped(&what, 0);
	print_wrapped(&more, 4);
}

/* A few lines a group, where the table does not fit. */
static void print_list(const struct listing *l)
{
	size_t i;

	printf("policy: %s\n", l->c->policy_name);
	for (i = 0; i < l->n; i++) {
		puts("");
		print_group(l->c->policy, &l->v[i]);
	}
}

static int list(
	struct context *c, const struct policy_options *o, struct pattern *only, struct err *err)
{
	struct intern *names = intern_new();
	struct listing l = {.c = c, .known = intern_new()};
	int r = each_series(c->store, c->policy, only, names, add_series, &l, err);

	if (r == 0) {
		if (l.n)
			qsort(l.v, l.n, sizeof(*l.v), compare_groups);
		if (o->json)
			print_json(&l);
		else if (term_fits(stdout) && term_width(stdout) < TABLE_WIDTH)
			print_list(&l);
		else
			print_table(&l);
	}
	intern_free(names);
	intern_free(l.known);
	free(l.v);
	return r;
}

static void warn_unused(struct context *c)
{
	const char **unused;
	size_t n = policy_unused(c->policy, &unused), i;

	for (i = 0; i < n; i++)
		complain("note: %s matches no series in the store", unused[i]);
	free(unused);
}

static int show(
	struct context *c, const struct policy_options *o, const char *wanted, struct err *err)
{
	struct pattern *only = NULL;
	int r = context_load_policy(c, NULL, err);

	if (r == 0)
		policy_set_target(c->policy, o->target ? o->target : c->ci.target);
	if (r == 0)
		r = context_open_store(c, STORE_READ, err);
	if (r == 0 && wanted && !(only = pattern_new(wanted, err)))
		r = -1;
	if (r == 0)
		r = o->series ? policy_print_series(c, only, o->json, err) : list(c, o, only, err);
	if (r == 0 && !only)
		warn_unused(c);
	pattern_free(only);
	return r;
}

/* ---- --check ---- */

static const struct counted {
	const char *kind, *one, *many;
} counted[] = {
	{"gate", "[gate] section", "[gate] sections"},
	{"rule", "rule", "rules"},
	{"accept", "accept", "accepts"},
	{"waive", "waiver", "waivers"},
	{"rename", "rename", "renames"},
	{"retire", "retirement", "retirements"},
};

static void say_checked(const struct context *c)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i, n;

	buf_addf(&b, "%s: ok", c->policy_name);
	for (i = 0; i < ARRAY_LEN(counted); i++) {
		n = policy_count(c->policy, counted[i].kind);
		if (n)
			buf_addf(&b, ", %zu %s", n, n == 1 ? counted[i].one : counted[i].many);
	}
	print_line("%s", b.p);
}

static void say_checked_json(const struct context *c, const char *file, const struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	buf_addch(&b, '{');
	json_string(&b, "policy", c->policy_name ? c->policy_name : file);
	json_bool(&b, "ok", !err->code);
	json_string(&b, "error", err->code ? err->msg : NULL);
	for (i = 0; !err->code && i < ARRAY_LEN(counted); i++)
		json_int(&b, counted[i].kind, (long long)policy_count(c->policy, counted[i].kind));
	printf("%s}\n", b.p);
}

/* The suite of a reader that is spelled much like it; NULL: it is one, or nothing is like it. */
static const char *suite_meant(const char *suite)
{
	const char *names[READERS_MOST];
	size_t n;

	for (n = 0; readers[n] && n < READERS_MOST; n++) {
		if (!strcmp(readers[n]->suite, suite))
			return NULL;
		names[n] = readers[n]->suite;
	}
	return text_nearest(suite, names, n);
}

/* What is no error, and can hardly be meant. */
static void warn_doubtful(const struct context *c)
{
	const char *const *suites;
	size_t n = policy_expected(c->policy, &suites), i;

	for (i = 0; i < n; i++)
		if (suite_meant(suites[i]))
			complain("note: expect = %s: no format gives that suite; did you mean %s?",
				suites[i], suite_meant(suites[i]));
	if (policy_sets_creep(c->policy) && !policy_reference(c->policy))
		complain(
			"note: a creep is set and no reference to count it from: reference = REVISION in [gate]");
}

static int check(
	struct context *c, const struct policy_options *o, const char *file, struct err *err)
{
	int r = file ? context_load_policy_file(c, file, err) : context_load_policy(c, NULL, err);

	if (o->json)
		say_checked_json(c, file, err);
	else if (r == 0)
		say_checked(c);
	if (r == 0)
		warn_doubtful(c);
	return r;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct policy_options *o = values;
	struct context c;
	int r;

	if (o->check && o->series)
		return err_set(err, ERR_USAGE, "--check looks at no series: leave out --series");
	if (o->check && (o->store || o->target))
		return err_set(err, ERR_USAGE,
			"--check needs no store and holds for every branch: leave out --%s",
			o->store ? "store" : "target");
	r = context_init(&c, o->store, err);
	if (r == 0)
		r = o->check ? check(&c, o, n > 0 ? args[0] : NULL, err)
			     : show(&c, o, n > 0 ? args[0] : NULL, err);
	context_release(&c);
	return r;
}

const struct command cmd_policy = {.name = "policy",
	.args = "[PATTERN | --check [FILE]]",
	.summary = "show how the series in the store are judged, and which rule says so",
	.help = "PATTERN (PCRE2) narrows it to benchmarks whose name matches. Rules come from perfgate.conf\n"
		"at the top of the repository, and from the built-in ones below them. With --check, the\n"
		"exit status is 0 for a policy that can be used and 2 for one that cannot.",
	.opts = opts,
	.values_size = sizeof(struct policy_options),
	.max_args = 1,
	.run = run};
