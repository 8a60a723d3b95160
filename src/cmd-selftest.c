#include "command.h"

#include "conf-edit.h"
#include "json-out.h"
#include "selftest.h"
#include "term.h"
#include "text.h"

#include <string.h>

struct selftest_options {
	const char *store, *alpha;
	int64_t seed, splits;
	struct opt_list suites;
	bool json;
};

enum { SPLITS = 20, SPLITS_MOST = 100000 };

static const struct selftest_options defaults = {.splits = SPLITS, .seed = 1};

static const struct opt opts[] = {
	{"alpha", 0, OPT_STRING, offsetof(struct selftest_options, alpha), "A",
		"the nominal rate of false alarms, such as 0.01 (default: 0.05)"},
	{"splits", 0, OPT_INT, offsetof(struct selftest_options, splits), "N",
		"split each series of each session so many times (default: 20)"},
	{"seed", 0, OPT_INT, offsetof(struct selftest_options, seed), "N",
		"of the random splits; the same seed gives the same figures (default: 1)"},
	{"suite", 0, OPT_LIST, offsetof(struct selftest_options, suites), "SUITE",
		"only this suite; repeats"},
	OPT_STORE(struct selftest_options), OPT_JSON(struct selftest_options), OPT_END};

static int get_settings(struct selftest_settings *s, const struct selftest_options *o,
	const char *only, struct err *err)
{
	struct num alpha = num_real(.05);

	if (o->alpha && num_parse(o->alpha, strlen(o->alpha), &alpha, err) < 0)
		return err_prefix(err, "--alpha");
	*s = (struct selftest_settings){.alpha = num_double(alpha),
		.seed = (uint64_t)o->seed,
		.splits = o->splits,
		.suites = o->suites};
	if (!(s->alpha > 0 && s->alpha <= .5))
		return err_set(err, ERR_USAGE,
			"--alpha %.60s: expected a number above 0, at most 0.5", o->alpha);
	if (o->splits < 1 || o->splits > SPLITS_MOST)
		return err_set(
			err, ERR_USAGE, "--splits: expected a number from 1 to %d", SPLITS_MOST);
	if (only && !(s->only = pattern_new(only, err))) {
		err->code = ERR_USAGE;
		return -1;
	}
	return 0;
}

/* ---- tables ---- */

static void rate_cells(struct table *t, const struct selftest_rate *r)
{
	table_cell(t, "%.2f %%", 100 * r->alarms.share);
	table_cell(t, "%.1f-%.1f", 100 * r->alarms.low, 100 * r->alarms.high);
	table_cell(t, "%.2f %%", 100 * r->beyond.share);
}

/* Random splits, or the halves as they came. */
static void print_splits(const struct selftest *x, bool in_order)
{
	struct table *t = table_new("SUITE", "RUNNER", ">SERIES", in_order ? ">HALVES" : ">SPLITS",
		">ALARMS", ">95 %", ">BEYOND T", NULL);
	size_t i;

	for (i = 0; i < x->n; i++) {
		const struct selftest_place *p = &x->v[i];
		const struct selftest_rate *rate = in_order ? &p->order : &p->split;
		if (!rate->trials)
			continue;
		table_cell(t, "%s", p->suite);
		table_cell(t, "%s", p->runner);
		table_cell(t, "%zu", rate->series);
		table_cell(t, "%zu", rate->trials);
		rate_cells(t, rate);
	}
	table_write(t, stdout);
}

static const char *const answer_words[] = {
	[POOL_YES] = "yes", [POOL_NO] = "no", [POOL_UNKNOWN] = "not known"};

static void print_pools(const struct selftest *x)
{
	struct table *t = table_new(
		"SUITE", "RUNNER", ">PAIRS", ">ALARMS", ">95 %", ">BEYOND T", "=POOL", NULL);
	size_t i;

	for (i = 0; i < x->n; i++) {
		const struct selftest_place *p = &x->v[i];
		if (!p->pool.trials)
			continue;
		table_cell(t, "%s", p->suite);
		table_cell(t, "%s", p->runner);
		table_cell(t, "%zu", p->pool.units);
		rate_cells(t, &p->pool);
		table_cell(t, "%s", answer_words[p->answer]);
	}
	table_write(t, stdout);
}

static void print_answers(const struct selftest *x, double alpha)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		const struct selftest_place *p = &x->v[i];
		_cleanup_(buf_release) struct buf b = BUF_INIT;

		print_line("%s on %s", p->suite, p->runner);
		selftest_answer(&b, p, alpha);
		if (p->pool.units)
			buf_addstr(&b, p->neighbours ? " (neighbouring commits)"
						     : " (sessions of one commit)");
		print_line("    %s", b.p);
	}
}

/* ---- what next ---- */

static int print_rule(const struct selftest_place *p, struct err *err)
{
	_cleanup_(buf_release) struct buf suite = BUF_INIT, runner = BUF_INIT, name = BUF_INIT;
	_cleanup_(freep) char *title = xasprintf("%s sessions pool on %s", p->suite, p->runner);

	if (pattern_exact(&suite, &p->suite, 1, err) < 0 ||
		pattern_exact(&runner, &p->runner, 1, err) < 0)
		return -1;
	conf_edit_name(&name, title);
	printf("\n[rule \"%s\"]\n\tsuite = %s\n\trunner = %s\n\tsessions = pool\n", name.p, suite.p,
		runner.p);
	return 0;
}

static int print_next(const struct selftest *x, struct err *err)
{
	size_t i, yes = 0, unknown = 0;

	for (i = 0; i < x->n; i++) {
		yes += x->v[i].answer == POOL_YES;
		unknown += x->v[i].answer == POOL_UNKNOWN;
	}
	if (unknown)
		printf("\nWhere it is not known: measure one commit in %d pairs of sessions, on\n"
		       "other days, with at least %d samples each.\n",
			SELFTEST_PAIRS, SELFTEST_SIDE);
	if (yes)
		puts("\nWhere pooling holds its level, perfgate.conf may say so:");
	for (i = 0; i < x->n; i++)
		if (x->v[i].answer == POOL_YES && print_rule(&x->v[i], err) < 0)
			return -1;
	return 0;
}

static int print_text(const struct selftest *x, const struct selftest_settings *s, struct err *err)
{
	size_t i, splits = 0, pairs = 0;

	for (i = 0; i < x->n; i++) {
		splits += x->v[i].split.trials;
		pairs += x->v[i].pool.trials;
	}
	if (!splits && !pairs) {
		printf("nothing to test: it takes series that the policy calls noisy, with %d samples in\n"
		       "one session, or %d in each of two (perfgate policy shows how series are judged)\n",
			2 * SELFTEST_SIDE, SELFTEST_SIDE);
		return 0;
	}
	if (splits) {
		printf("Samples of one session, split at random (nominal: %g %%):\n\n",
			100 * s->alpha);
		print_splits(x, false);
		puts("\nThe same samples, the first half against the second (drift within a session):\n");
		print_splits(x, true);
		putchar('\n');
	}
	puts("Whole sessions against each other, as `sessions = pool` would compare them:\n");
	if (pairs) {
		print_pools(x);
		putchar('\n');
	}
	print_answers(x, s->alpha);
	puts("\nALARMS: p at most the nominal rate; BEYOND T: and the change above the tolerance");
	return print_next(x, err);
}

/* ---- JSON ---- */

static void json_interval(struct buf *b, const char *key, const struct interval *x)
{
	json_key(b, key);
	buf_addch(b, '{');
	json_real(b, "rate", x->share);
	json_real(b, "low", x->low);
	json_real(b, "high", x->high);
	buf_addch(b, '}');
}

static void json_rate(struct buf *b, const char *key, const char *units, const char *trials,
	const struct selftest_rate *r)
{
	json_key(b, key);
	buf_addch(b, '{');
	json_int(b, "series", (long long)r->series);
	json_int(b, units, (long long)r->units);
	json_int(b, trials, (long long)r->trials);
	if (r->trials) {
		json_interval(b, "alarms", &r->alarms);
		json_interval(b, "beyond_tolerance", &r->beyond);
	}
}

/* What the pairs were of. */
static const char *pairs_of(const struct selftest_place *p)
{
	return !p->pool.units ? NULL : p->neighbours ? "neighbours" : "commit";
}

static void print_json(const struct selftest *x, const struct selftest_settings *s)
{
	size_t i;

	puts("[");
	for (i = 0; i < x->n; i++) {
		const struct selftest_place *p = &x->v[i];
		_cleanup_(buf_release) struct buf b = BUF_INIT, answer = BUF_INIT;

		buf_addstr(&b, i ? ",\n {" : " {");
		json_string(&b, "suite", p->suite);
		json_string(&b, "runner", p->runner);
		json_real(&b, "alpha", s->alpha);
		buf_addstr(&b, ",\n  ");
		json_rate(&b, "splits", "sessions", "splits", &p->split);
		buf_addstr(&b, "},\n  ");
		json_rate(&b, "in_order", "sessions", "halves", &p->order);
		buf_addstr(&b, "},\n  ");
		json_rate(&b, "pool", "pairs", "comparisons", &p->pool);
		json_string(&b, "of", pairs_of(p));
		if (p->answer == POOL_UNKNOWN)
			json_null(&b, "holds");
		else
			json_bool(&b, "holds", p->answer == POOL_YES);
		selftest_answer(&answer, p, s->alpha);
		json_string(&b, "answer", buf_str(&answer));
		printf("%s}}", b.p);
	}
	puts(x->n ? "\n]" : "]");
}

static int test(struct context *c, const struct selftest_options *o,
	const struct selftest_settings *s, struct err *err)
{
	struct selftest x = {0};
	int r = selftest_run(&x, c, s, err);

	if (r == 0 && o->json)
		print_json(&x, s);
	else if (r == 0)
		r = print_text(&x, s, err);
	selftest_release(&x);
	return r;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct selftest_options *o = values;
	struct selftest_settings s = {0};
	struct context c = {0};
	int r = get_settings(&s, o, n > 0 ? args[0] : NULL, err);

	if (r == 0)
		r = context_init(&c, o->store, err);
	if (r == 0)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = test(&c, o, &s, err);
	context_release(&c);
	pattern_free(s.only);
	return r;
}

const struct command cmd_selftest = {.name = "selftest",
	.args = "[PATTERN]",
	.summary = "measure how often unchanged code would be called regressed",
	.help = "Splits stored samples of one commit and session at random, and compares whole sessions\n"
		"of one commit (else of neighbouring commits): each alarm is a false one. Says per suite\n"
		"and runner whether `sessions = pool` would hold its level. PATTERN (PCRE2) narrows it\n"
		"to benchmarks whose name matches.",
	.opts = opts,
	.values_size = sizeof(struct selftest_options),
	.defaults = &defaults,
	.max_args = 1,
	.run = run};
