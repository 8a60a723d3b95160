#include "command.h"

#include "ancestry.h"
#include "term.h"
#include "trend-view.h"

#include <string.h>
#include <time.h>

struct trend_options {
	const char *store, *rev, *since, *fail_on;
	struct opt_list suites;
	int64_t last;
	bool all, json, csv;
};

#define O(field) offsetof(struct trend_options, field)

static const struct opt opts[] = {OPT_STORE(struct trend_options),
	{"rev", 0, OPT_STRING, O(rev), "REV",
		"along the first parents of this revision (default: the base branch)"},
	{"suite", 0, OPT_LIST, O(suites), "SUITE", "only this suite; repeats"},
	{"since", 0, OPT_STRING, O(since), "WHEN",
		"only what happened since: 2026-09-30, 30d, 2w, 12h, or after a revision"},
	{"last", 'n', OPT_COUNT, O(last), "N",
		"only what happened in the newest N points of a series"},
	{"all", 'a', OPT_FLAG, O(all), NULL, "list steady series, too"},
	{"fail-on", 0, OPT_STRING, O(fail_on), "WHAT",
		"exit 1 when a judged series got worse: step, or suspect for doubtful ones, too"},
	OPT_JSON(struct trend_options),
	{"csv", 0, OPT_FLAG, O(csv), NULL, "print CSV, a line for each step"}, OPT_END};

#undef O

/* ---- since when ---- */

/* "30d", "2w": 1, 0 it is none, or longer than there have been clocks. */
static int parse_days(const char *s, int64_t *ret)
{
	static const struct {
		char letter;
		int64_t s;
	} units[] = {{'w', 7 * 86400}, {'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
	const size_t digits = strspn(s, "0123456789");
	struct err ignored = ERR_INIT;
	int64_t n;
	size_t i;

	if (!digits || !s[digits] || s[digits + 1] ||
		num_parse_int(s, digits, 0, 1000000, &n, &ignored) < 0)
		return 0;
	for (i = 0; i < ARRAY_LEN(units); i++)
		if (units[i].letter == s[digits])
			return !__builtin_mul_overflow(n, units[i].s * 1000000000, ret);
	return 0;
}

static int set_since(struct trend_view *v, const char *when, char sha[65], struct err *err)
{
	struct err ignored = ERR_INIT;
	struct git_commit commit;
	int64_t span;
	int r;

	if (time_or_day_parse(when, &v->since, &ignored) == 0)
		return 0;
	if (parse_days(when, &span)) {
		v->since = clock_ns(CLOCK_REALTIME) - span;
		return 0;
	}
	r = resolve_commit(v->c, when, &commit, err);
	if (r <= 0)
		return r < 0 ? -1
			     : err_set(err, ERR_USAGE,
				       "--since: expected a day such as 2026-09-30, a span such as 30d, 2w or 12h, or a revision, not '%.100s'",
				       when);
	memcpy(sha, commit.sha, sizeof(commit.sha));
	v->since = commit.committed_at + 1;
	v->since_sha = sha;
	return 0;
}

/* ---- what makes it fail ---- */

enum fail_on { FAIL_NEVER, FAIL_STEP, FAIL_SUSPECT };

static int parse_fail_on(const char *s, enum fail_on *ret, struct err *err)
{
	*ret = FAIL_NEVER;
	if (!s)
		return 0;
	if (!strcmp(s, "step"))
		*ret = FAIL_STEP;
	else if (!strcmp(s, "suspect"))
		*ret = FAIL_SUSPECT;
	else
		return err_set(
			err, ERR_USAGE, "--fail-on: expected step or suspect, not '%.100s'", s);
	return 0;
}

static int status_of(const struct trend_view *v, enum fail_on f)
{
	return (f != FAIL_NEVER && v->sure) || (f == FAIL_SUSPECT && v->suspected);
}

/* ---- the command ---- */

static int show(struct trend_view *v, const struct trend_options *o, struct err *err)
{
	int r;

	v->progress = progress_start("following the series");
	r = o->json ? trend_json(v, err) : o->csv ? trend_csv(v, err) : trend_table(v, err);
	progress_end(v->progress);
	return r;
}

static int follow(struct context *c, const struct trend_options *o, char **args, int n,
	enum fail_on fail_on, struct err *err)
{
	const struct trending_options wanted = {.patterns = (const char *const *)args,
		.n_patterns = (size_t)n,
		.suites = o->suites.v,
		.n_suites = o->suites.n,
		.rev = o->rev,
		.since = TIME_UNKNOWN};
	struct trend_view v = {.c = c, .all = o->all || n, .last = o->last, .since = TIME_UNKNOWN};
	char sha[65];
	int r;

	if (o->since && set_since(&v, o->since, sha, err) < 0)
		return -1;
	if (trending_init(&v.t, c, &wanted, err) < 0)
		return -1;
	r = show(&v, o, err);
	trending_release(&v.t);
	return r < 0 ? -1 : status_of(&v, fail_on);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct trend_options *o = values;
	enum fail_on fail_on;
	struct context c;
	int r;

	if (o->json && o->csv)
		return err_set(err, ERR_USAGE, "--json and --csv: one of them");
	if (parse_fail_on(o->fail_on, &fail_on, err) < 0)
		return -1;
	r = context_init(&c, o->store, err);
	if (r == 0)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = follow(&c, o, args, n, fail_on, err);
	context_release(&c);
	return r;
}

const struct command cmd_trend = {.name = "trend",
	.args = "[PATTERN...]",
	.summary = "show where each series stands along the base branch, and its last step",
	.help = "Listed are series that moved, are suspect or missing; with a PATTERN all that it names.\n"
		"PATTERN is SUITE:BENCHMARK:METRIC, or a pattern (PCRE2) when none is called exactly that.",
	.opts = opts,
	.values_size = sizeof(struct trend_options),
	.max_args = -1,
	.run = run};
