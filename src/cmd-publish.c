#include "command.h"

#include "ancestry.h"
#include "json-out.h"
#include "publish.h"
#include "term.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

struct publish_values {
	const char *store, *since, *suite, *rev;
	int64_t last;
	bool json;
	struct publish_options o;
};

#define O(field) offsetof(struct publish_values, field)

static const struct opt opts[] = {OPT_STORE(struct publish_values),
	{"suite", 0, OPT_STRING, O(suite), "SUITE", "only this suite"},
	{"rev", 0, OPT_STRING, O(rev), "REV",
		"the line of commits (default: the base branch's, else HEAD's)"},
	{"since", 0, OPT_STRING, O(since), "TIME|REV", "nothing older: 2026-01-31, or a commit"},
	{"last", 0, OPT_COUNT, O(last), "N", "at most the newest N points of a series"},
	{"title", 0, OPT_STRING, O(o.title), "TEXT",
		"what the site is called (default: after the repository's folder)"},
	{"base-url", 0, OPT_STRING, O(o.base_url), "URL",
		"where the site will be, for the links of its feed"},
	{"commit-url", 0, OPT_STRING, O(o.commit_url), "TEMPLATE",
		"address of a commit, with {sha} (default: as the remote 'origin' tells)"},
	{"data-dir", 0, OPT_STRING, O(o.data_dir), "FOLDER",
		"where uplot/ is (default: $PERFGATE_DATA, else where it was installed)"},
	{"force", 0, OPT_FLAG, O(o.force), NULL, "even if DIR holds something else"},
	OPT_JSON(struct publish_values), OPT_END};

#undef O

static void print_json(const struct published *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	json_int(&b, "written", (long long)r->counts.written);
	json_int(&b, "unchanged", (long long)r->counts.unchanged);
	json_int(&b, "removed", (long long)r->counts.removed);
	json_int(&b, "bytes", r->counts.bytes);
	json_int(&b, "benchmarks", (long long)r->benchmarks);
	json_int(&b, "series", (long long)r->series);
	json_int(&b, "commits", (long long)r->commits);
	json_bool(&b, "uplot", r->uplot);
	buf_addch(&b, '}');
	puts(b.p);
}

static void print_summary(const char *dir, const struct published *r)
{
	print_line(
		"%s: %zu file%s written, %zu unchanged, %zu removed, %.1f MiB: %zu benchmark%s, %zu series, %zu commit%s%s",
		dir, r->counts.written, plural(r->counts.written), r->counts.unchanged,
		r->counts.removed, (double)r->counts.bytes / (1 << 20), r->benchmarks,
		plural(r->benchmarks), r->series, r->commits, plural(r->commits),
		r->uplot ? "" : "; charts are still, for no uPlot was found (--data-dir)");
}

/* A day, a time, or a commit, whose time counts. NULL: TIME_UNKNOWN. */
static int find_since(struct context *c, const char *s, int64_t *ret, struct err *err)
{
	struct err ignored = ERR_INIT;
	struct git_commit commit;

	*ret = TIME_UNKNOWN;
	if (!s || time_or_day_parse(s, ret, &ignored) == 0)
		return 0;
	if (!c->git)
		return err_set(err, ERR_USAGE,
			"--since '%.100s': it is no day (2026-01-31) or time, and there is no repository for it to be a commit of",
			s);
	if (require_commit(c, s, &commit, err) < 0)
		return -1;
	*ret = commit.committed_at ? commit.committed_at : TIME_UNKNOWN;
	return 0;
}

static int carry_out(struct context *c, struct publish_values *o, struct err *err)
{
	struct progress *progress;
	struct published result;
	int r;

	o->o.trending.last = o->last;
	o->o.trending.rev = o->rev;
	o->o.trending.suites = &o->suite;
	o->o.trending.n_suites = o->suite ? 1 : 0;
	if (find_since(c, o->since, &o->o.trending.since, err) < 0)
		return -1;
	progress = progress_start("publishing");
	r = publish(c, &o->o, &result, progress_callback, progress, err);
	progress_end(progress);
	if (r < 0)
		return -1;
	if (o->json)
		print_json(&result);
	else
		print_summary(o->o.dir, &result);
	return 0;
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct publish_values *o = values;
	struct context c;
	int r;

	(void)n;
	o->o.dir = args[0];
	r = context_init(&c, o->store, err);
	if (r == 0)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = carry_out(&c, o, err);
	context_release(&c);
	return r;
}

const struct command cmd_publish = {.name = "publish",
	.args = "DIR",
	.summary = "write the trends as a site of static files into DIR",
	.help = "An overview, a page for each suite and each benchmark with charts, a comparison of commits, a\n"
		"feed, badges, and the same tables as Markdown, CSV, JSON and OpenMetrics. It needs no server\n"
		"and works at any address. Only files that change are written; those of benchmarks that are\n"
		"gone are removed, nothing else is.",
	.opts = opts,
	.values_size = sizeof(struct publish_values),
	.min_args = 1,
	.max_args = 1,
	.run = run};
