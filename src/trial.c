#include "trial.h"

#include "json.h"
#include "verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Its work trees have to go before it ends. */
enum { GRACE_S = 60 };

void trial_release(struct trial *t)
{
	free(t->unit);
	free(t->why);
	*t = (struct trial){0};
}

/* ---- perfgate measure ---- */

struct words {
	char **v;
	size_t n, cap;
};

static void add(struct words *w, const char *word)
{
	w->v = xgrow(w->v, w->n + 1, &w->cap, sizeof(*w->v));
	w->v[w->n++] = xstrdup(word);
	w->v[w->n] = NULL;
}

static void add_option(struct words *w, const char *name, const char *value)
{
	if (!value)
		return;
	add(w, name);
	add(w, value);
}

static void words_release(struct words *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
}

/* The program that runs now, even where it was replaced since. */
static const char *this_program(void)
{
	static const char self[] = "/proc/self/exe";

	return access(self, X_OK) == 0 ? self : program_invocation_name;
}

/* A name that no pattern can match: all benchmarks are judged then, and one is looked at. */
static void add_series(struct words *w, const struct picked *meant)
{
	_cleanup_(buf_release) struct buf only = BUF_INIT;
	const char *name = meant->benchmark;
	struct err ignored = ERR_INIT;

	add_option(w, "--suite", meant->suite);
	if (pattern_exact(&only, &name, 1, &ignored) == 0)
		add_option(w, "--only", only.p);
}

static void compose(struct words *w, const struct trials *t, const char *sha, const char *report)
{
	_cleanup_(freep) char *to = xasprintf("json:%s", report);
	char pairs[24];
	int i;

	snprintf(pairs, sizeof(pairs), "%lld", t->pairs ? (long long)t->pairs : 1);
	add(w, this_program());
	add(w, "measure");
	add_option(w, "--report", to);
	add_option(w, "--store", t->store);
	add_option(w, "--setup", t->setup);
	add_option(w, "--timeout", t->timeout);
	add_option(w, "--cpus", t->cpus);
	add_option(w, "--jobs", t->jobs);
	add_option(w, "--name", t->name);
	add_option(w, "--pairs", t->pairs || t->exact ? pairs : NULL);
	if (t->meant)
		add_series(w, t->meant);
	add(w, t->good);
	add(w, sha);
	if (t->n_command)
		add(w, "--");
	for (i = 0; i < t->n_command; i++)
		add(w, t->command[i]);
}

/* ---- what it says ---- */

struct naming {
	const char *suite, *benchmark, *metric;
};

static int read_naming(struct naming *n, const struct jv *v, struct err *err)
{
	*n = (struct naming){"", "", ""};
	return jv_get_string(v, "suite", &n->suite, err) < 0 ||
			       jv_get_string(v, "benchmark", &n->benchmark, err) < 0 ||
			       jv_get_string(v, "metric", &n->metric, err) < 0
		       ? -1
		       : 0;
}

static bool is_meant(const struct picked *meant, const struct naming *n)
{
	return !strcmp(n->suite, meant->suite) && !strcmp(n->benchmark, meant->benchmark) &&
	       !strcmp(n->metric, meant->metric);
}

/* Numbers with a point come as their text, so that no digit is lost. */
static bool read_median(const struct jv *v, const char *side, struct decimal *ret)
{
	const struct jv *s = jv_get(v, side), *m;
	struct err ignored = ERR_INIT;
	const char *text;
	size_t len;

	m = s && jv_kind(s) == JV_OBJECT ? jv_get(s, "median") : NULL;
	if (m && jv_kind(m) == JV_INT) {
		*ret = decimal_from(jv_num(m));
		return true;
	}
	if (!m || jv_kind(m) != JV_STRING)
		return false;
	text = jv_string(m, &len);
	return decimal_parse(text, len, ret, &ignored) == 0;
}

static bool says(const char *verdict, enum verdict v)
{
	return !strcmp(verdict, verdict_name(v));
}

/* What the policy excuses is worse all the same. */
static int read_verdict(struct trial *ret, const struct jv *v, struct err *err)
{
	const char *verdict = "", *without = NULL, *reason = "", *unit = "";

	if (jv_get_string(v, "verdict", &verdict, err) < 0 ||
		jv_get_string(v, "without", &without, err) < 0 ||
		jv_get_string(v, "reason", &reason, err) < 0 ||
		jv_get_string(v, "unit", &unit, err) < 0)
		return -1;
	verdict = without ? without : verdict;
	ret->say = says(verdict, VERDICT_REGRESSED)                                 ? BISECT_BAD
		   : says(verdict, VERDICT_PASS) || says(verdict, VERDICT_IMPROVED) ? BISECT_GOOD
										    : BISECT_SKIP;
	free(ret->unit);
	free(ret->why);
	ret->unit = xstrdup(unit);
	ret->why = ret->say != BISECT_SKIP
			   ? NULL
			   : xasprintf("%.40s%s%.300s", verdict, *reason ? ": " : "", reason);
	ret->numbers = read_median(v, "base", &ret->good) && read_median(v, "head", &ret->here);
	return 0;
}

/* Reports are sorted, worst first: of several variants the first says most. */
static int read_one(
	struct trials *t, struct trial *ret, struct js *js, bool *found, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);
	struct naming n;

	if (!v)
		return -1;
	if (jv_kind(v) != JV_OBJECT || *found)
		return 0;
	if (read_naming(&n, v, err) < 0)
		return -1;
	if (!t->meant)
		return *n.metric ? series_pick_add(t->pick, n.suite, n.benchmark, n.metric, err)
				 : 0;
	*found = is_meant(t->meant, &n);
	return *found ? read_verdict(ret, v, err) : 0;
}

static int read_list(
	struct trials *t, struct trial *ret, struct js *js, bool *found, struct err *err)
{
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0)
		if (read_one(t, ret, js, found, err) < 0)
			return -1;
	return more;
}

static int read_verdicts(
	struct trials *t, struct trial *ret, struct js *js, bool *found, struct err *err)
{
	const char *key;
	int more;

	if (js_enter(js, '{', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		bool list;
		if (js_key(js, &key, err) < 0)
			return -1;
		list = !strcmp(key, "verdicts");
		if ((list ? read_list(t, ret, js, found, err) : js_skip(js, err)) < 0)
			return -1;
	}
	return more;
}

static int read_report(
	struct trials *t, struct trial *ret, const char *path, bool *found, struct err *err)
{
	struct input *in = input_file(path);
	struct js *js = js_open(in, JS_REALS_AS_TEXT);
	int r = read_verdicts(t, ret, js, found, err);

	js_close(js);
	input_free(in);
	return r;
}

/* The first report says which series is meant where the store did not. */
static int hear(struct trials *t, struct trial *ret, const char *path, struct err *err)
{
	const bool open = !t->meant;
	bool found = false;

	if (read_report(t, ret, path, &found, err) < 0)
		return -1;
	if (open && !found) {
		t->meant = series_pick_one(t->pick, err);
		if (err->code || (t->meant && read_report(t, ret, path, &found, err) < 0))
			return -1;
	}
	if (!found) {
		ret->failed = true;
		ret->why = xstrdup("its measurement has no such series");
	}
	return 0;
}

/* The line in which it says what went wrong. */
static char *last_line(const char *output)
{
	static const char lead[] = "perfgate: ";
	_cleanup_(buf_release) struct buf tail = BUF_INIT;
	const char *line;

	launch_last_lines(output, &tail);
	line = strrchr(buf_str(&tail), '\n');
	line = line ? line + 1 : buf_str(&tail);
	if (!strncmp(line, lead, strlen(lead)))
		line += strlen(lead);
	return *line ? xasprintf("%.300s", line) : xstrdup("measuring it failed");
}

static int measured(struct trials *t, const char *output, const char *report,
	const struct launched *l, struct trial *ret, struct err *err)
{
	if (l->end == LAUNCH_STOPPED)
		return err_set(
			err, ERR_CANCELLED, "stopped by a signal (%s)", strsignal(t->stop->got));
	if (l->end == LAUNCH_EXITED && l->status == 0)
		return hear(t, ret, report, err);
	ret->failed = true;
	ret->why = last_line(output);
	return 0;
}

int trial_run(struct trials *t, const char *sha, struct trial *ret, struct err *err)
{
	_cleanup_(freep) char *output = xasprintf("%s/output", t->folder),
			      *report = xasprintf("%s/report.json", t->folder);
	struct launch l = {.dir = ".", .output = output, .grace = GRACE_S * INT64_C(1000000000)};
	struct words w = {0};
	struct launched launched;
	int r;

	*ret = (struct trial){.say = BISECT_SKIP};
	snprintf(ret->sha, sizeof(ret->sha), "%s", sha);
	compose(&w, t, sha, report);
	l.argv = w.v;
	unlink(report);
	r = launch(&l, t->stop, &launched, err);
	if (r == 0)
		r = measured(t, output, report, &launched, ret, err);
	words_release(&w);
	return r;
}
