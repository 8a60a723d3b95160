#include "probing.h"

#include "child.h"
#include "heard.h"
#include "num.h"
#include "show-number.h"

#include <stdlib.h>
#include <string.h>

/* LIST_NS: a driver that is loaded for the first time takes its time. SETUP_NS: so does one that
 * compiles. A device that ends its program three times in a row is not going to do better. */
enum { TRIES = 3, CONSOLE_LINES = 200 };

#define SECOND_NS INT64_C(1000000000)
#define LIST_NS (30 * SECOND_NS)
#define SETUP_NS (20 * SECOND_NS)
#define GRACE_NS (5 * SECOND_NS)
#define SLACK 8 /* times what a reading is to take */

/* One start of a program. */
struct session {
	struct probing *p;
	struct probed *of;
	struct heard heard;
	struct child child;
	const size_t *todo;
	int64_t started; /* of the present reading, ns */
	size_t lines;    /* that drivers wrote since it started */
	enum heard_event last;
	struct err garbage;
};

/* ---- what is said ---- */

static struct scope scope_of(const struct session *s)
{
	const struct plan *plan = &s->of->plan;
	struct scope scope = {.back_end = s->of};

	/* a list grows: what would be pointed to moves */
	if (s->todo && s->heard.next > 0) {
		scope.test = &plan->tests[plan->readings[s->todo[s->heard.next - 1]].test];
		scope.device = &plan->devices[scope.test->device];
	}
	return scope;
}

static void take_console(struct session *s, bool error, const char *line, size_t len)
{
	if (s->lines++ < CONSOLE_LINES && len)
		record_log(s->p->r, error ? "warning" : "info", "console", scope_of(s), "%.*s",
			(int)len, line);
}

static void end_console(struct session *s)
{
	child_flush(&s->child);
	if (s->lines > CONSOLE_LINES)
		record_log(s->p->r, "warning", "console", scope_of(s), "%zu more lines",
			s->lines - CONSOLE_LINES);
	s->lines = 0;
}

static void take_message(struct session *s)
{
	static const char *const levels[] = {"error", "warning", "info", "debug"};
	const struct heard *h = &s->heard;
	size_t i;

	for (i = 0; i < ARRAY_LEN(levels) - 1 && strcmp(levels[i], h->level) != 0; i++)
		;
	if (i < ARRAY_LEN(levels) - 1 || s->p->r->verbose)
		record_log(s->p->r, levels[i],
			h->source && !strcmp(h->source, "opencl") ? "opencl" : NULL, scope_of(s),
			"%s", h->message);
}

/* ---- a reading ---- */

/* What a reading may take: it sets up, warms up, and runs its batches. */
static int64_t reading_limit(const struct probing *p)
{
	if (p->timeout_ns)
		return p->timeout_ns;
	return SETUP_NS + SLACK * (p->repeat + 1) * p->target_ns;
}

static const struct reading *present_reading(const struct session *s)
{
	return &s->of->plan.readings[s->todo[s->heard.next - 1]];
}

static void say_progress(const struct session *s, const struct reading *r, const struct test *t)
{
	const struct probing *p = s->p;
	const double elapsed = (double)(clock_ns(CLOCK_MONOTONIC) - p->began) * 1e-9,
		     left = p->done ? elapsed / (double)p->done * (double)(p->total - p->done)
				    : (double)(p->r->target_ns * (p->repeat + 2)) * 1e-9 *
					      (double)p->total;
	_cleanup_(freep) char *text = xasprintf("%zu of %zu, %.0f s left: %s %s%s%s %s",
		p->done + 1, p->total, left, s->of->name, t->id, t->variant ? "@" : "",
		t->variant ? t->variant : "", r->id);

	progress_say(p->progress, "%.*s", term_width(stderr) - 10, text);
}

/* Where the run is, as clpeak says it: a line for each device and test that begins. */
static void say_place(struct session *s)
{
	const struct plan *plan = &s->of->plan;
	const size_t at = s->heard.next - 1;
	const struct scope scope = scope_of(s);
	const struct test *before =
		at > 0 ? &plan->tests[plan->readings[s->todo[at - 1]].test] : NULL;

	if (!before || before->device != scope.test->device)
		record_log(s->p->r, "info", NULL,
			(struct scope){.back_end = scope.back_end, .device = scope.device},
			"  Device %d: %s",
			scope.device->device_index >= 0 ? scope.device->device_index : 0,
			scope.device->name);
	if (before != scope.test)
		record_log(s->p->r, "info", NULL, scope, "    %s", scope.test->title);
}

static void begin_reading(struct session *s)
{
	const struct reading *r = present_reading(s);

	end_console(s);
	say_place(s);
	say_progress(s, r, &s->of->plan.tests[r->test]);
	s->started = clock_ns(CLOCK_MONOTONIC);
	s->child.deadline = s->started + reading_limit(s->p);
}

static void say_reading(struct session *s, const struct reading *r, const struct outcome *o)
{
	_cleanup_(buf_release) struct buf number = BUF_INIT;

	if (o->status != OUTCOME_OK)
		record_log(s->p->r, o->status == OUTCOME_ERROR ? "error" : "info", NULL,
			scope_of(s), "      %s: %s", r->id, o->reason);
	if (o->status != OUTCOME_OK || !s->p->r->verbose)
		return;
	show_number(
		&number, outcome_median(o), r->unit ? r->unit : s->of->plan.tests[r->test].unit);
	record_log(s->p->r, "info", NULL, scope_of(s), "      %s: %s", r->id, number.p);
}

/* The reading that was begun last is over, by itself or not. */
static void end_reading(struct session *s)
{
	const size_t number = s->todo[s->heard.next - 1];
	const struct reading *r = present_reading(s);

	end_console(s);
	s->of->seconds[r->test] += (double)(clock_ns(CLOCK_MONOTONIC) - s->started) * 1e-9;
	s->child.deadline = clock_ns(CLOCK_MONOTONIC) + reading_limit(s->p);
	s->p->done++;
	say_reading(s, r, &s->of->outcomes[number]);
}

/* ---- a start of the program ---- */

static int take_line(void *ctx, enum child_channel from, const char *line, size_t len)
{
	struct session *s = ctx;
	int event;

	if (from != CHILD_SPEAKS) {
		take_console(s, from == CHILD_ERRORS, line, len);
		return 0;
	}
	event = heard_line(&s->heard, line, len, &s->garbage);
	if (event == HEARD_LOG)
		take_message(s);
	else if (event == HEARD_START)
		begin_reading(s);
	else if (event == HEARD_DONE)
		end_reading(s);
	if (event >= 0)
		s->last = event;
	return event < 0 || event == HEARD_END || event == HEARD_UNAVAILABLE;
}

/* How it ended where that was not as it should, as the reason of the reading that it was at. */
static void add_reason(
	struct buf *b, const struct session *s, enum child_end end, int status, int64_t limit_ns)
{
	if (end == CHILD_LATE && s->child.fd[CHILD_SPEAKS] < 0)
		buf_addstr(b, "closed its channel and stayed");
	else if (end == CHILD_LATE)
		buf_addf(b, "timed out after %.3g s", (double)limit_ns * 1e-9);
	else if (end == CHILD_ENDED)
		child_status_text(b, status);
	else
		buf_addstr(b, "wrote what is not the protocol");
	if (s->garbage.code)
		buf_addf(b, " (%.120s)", s->garbage.msg);
}

static char **arguments(const struct probing *p, const char *path, const char *verb)
{
	char **argv = xcalloc(24, sizeof(*argv));
	size_t n = 0;

	argv[n++] = xstrdup(path);
	argv[n++] = xstrdup(verb);
	argv[n++] = xstrdup("--fd");
	argv[n++] = xasprintf("%d", CHILD_WIRE);
	argv[n++] = xstrdup("--memory");
	argv[n++] = xasprintf("%lld", (long long)p->memory_max);
	argv[n++] = xstrdup("--repeat");
	argv[n++] = xasprintf("%d", p->repeat);
	argv[n++] = xstrdup("--target-ns");
	argv[n++] = xasprintf("%lld", (long long)p->target_ns);
	if (p->quick)
		argv[n++] = xstrdup("--quick");
	return argv;
}

static void add_argument(char **argv, char *text)
{
	while (*argv)
		argv++;
	*argv = text;
}

static void free_arguments(char **argv)
{
	size_t i;

	for (i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
}

/* Runs it to its end, whichever that is. Returns it, with the status of waitpid(2). */
static enum child_end listen(
	struct session *s, char **argv, int64_t limit, int *ret_status, struct err *err)
{
	enum child_end end = CHILD_ENDED;

	s->child.line = take_line;
	s->child.ctx = s;
	s->child.line_max = HEARD_LINE_MAX;
	s->child.deadline = clock_ns(CLOCK_MONOTONIC) + limit;
	if (child_start(&s->child, argv, err) == 0)
		end = child_listen(&s->child, s->p->stop);
	/* what a driver does when it is unloaded is its own trouble */
	if (end == CHILD_ENOUGH && s->heard.ended) {
		s->child.deadline = clock_ns(CLOCK_MONOTONIC) + GRACE_NS;
		if (child_listen(&s->child, s->p->stop) == CHILD_STOPPED)
			end = CHILD_STOPPED;
	}
	*ret_status = child_finish(&s->child);
	return end;
}

static void session_release(struct session *s)
{
	end_console(s);
	heard_release(&s->heard);
	child_release(&s->child);
}

/* ---- listing ---- */

static void set_unavailable(struct probed *of, char *why)
{
	free(of->unavailable);
	of->unavailable = why;
}

/* What was listed before it went wrong is no list. */
static void forget_list(struct probed *of)
{
	plan_release(&of->plan);
	of->plan = (struct plan)PLAN_INIT;
}

static int list_one(struct probing *p, struct probed *of, const char *path, struct err *err)
{
	struct session s = {.p = p, .of = of};
	_cleanup_(buf_release) struct buf why = BUF_INIT;
	struct err failed = ERR_INIT;
	char **argv = arguments(p, path, "list");
	enum child_end end;
	int status;

	heard_begin(&s.heard, of, NULL, 0);
	end = listen(&s, argv, LIST_NS, &status, &failed);
	free_arguments(argv);
	if (failed.code)
		set_unavailable(of, xstrdup(failed.msg));
	else if (!s.heard.ended) {
		add_reason(&why, &s, end, status, LIST_NS);
		set_unavailable(of, xasprintf("its program %s when it was to list", why.p));
	} else if (!of->unavailable && !of->plan.n_devices)
		set_unavailable(of, xstrdup("no device was found"));
	session_release(&s);
	return end == CHILD_STOPPED ? err_set(err, ERR_CANCELLED, "stopped by a signal") : 0;
}

static int list_kind(struct probing *p, const struct back_end_kind *k, struct err *err)
{
	const size_t i = p->r->n_back_ends++;
	struct probed *of = &p->r->back_ends[i];

	of->name = k->name;
	of->flag = k->flag;
	p->kind[i] = k;
	p->path[i] = back_end_path(k);
	if (!p->path[i])
		set_unavailable(of, xasprintf("%s is not installed", k->program));
	else if (list_one(p, of, p->path[i], err) < 0)
		return -1;
	if (of->unavailable) {
		forget_list(of);
		record_log(p->r, "info", NULL, (struct scope){.back_end = of}, "%s: %s", k->name,
			of->unavailable);
	}
	probed_ready(of);
	return 0;
}

int probing_list(struct probing *p, const bool *wanted, struct err *err)
{
	size_t i;

	p->r->back_ends = xcalloc(BACK_END_COUNT, sizeof(*p->r->back_ends));
	for (i = 0; i < BACK_END_COUNT; i++)
		if (wanted[i] && list_kind(p, &back_ends[i], err) < 0)
			return -1;
	return 0;
}

/* ---- measuring ---- */

/* The readings of one back end that are still to be measured. */
struct work {
	struct probing *p;
	struct probed *of;
	const char *path;
	size_t *todo;
	size_t n;
	int *failures; /* in a row, by device */
};

static char *list_text(const size_t *todo, size_t n)
{
	struct buf b = BUF_INIT;
	size_t i, last;

	for (i = 0; i < n; i = last + 1) {
		for (last = i; last + 1 < n && todo[last + 1] == todo[last] + 1; last++)
			;
		buf_addf(&b, i ? ",%zu" : "%zu", todo[i]);
		if (last > i)
			buf_addf(&b, "-%zu", todo[last]);
	}
	return buf_take(&b);
}

static void refuse(struct work *w, size_t number, enum outcome_status status, const char *reason)
{
	outcome_refuse(&w->of->outcomes[number], status, "%s", reason);
}

static size_t device_of(const struct work *w, size_t number)
{
	const struct plan *plan = &w->of->plan;

	return plan->tests[plan->readings[number].test].device;
}

static void drop_first(struct work *w, size_t n)
{
	w->todo += n;
	w->n -= n;
}

/* The rest of a device, which ended its program too often. */
static void give_up(struct work *w, size_t device)
{
	_cleanup_(freep) char *why =
		xasprintf("%d readings before it in a row ended the program", TRIES);
	size_t i, kept = 0;

	for (i = 0; i < w->n; i++) {
		if (device_of(w, w->todo[i]) != device) {
			w->todo[kept++] = w->todo[i];
			continue;
		}
		refuse(w, w->todo[i], OUTCOME_SKIPPED, why);
		w->p->done++;
	}
	w->n = kept;
}

/* The reading that it was at, or that would have been next, is lost. */
static void lose_reading(struct work *w, struct session *s, const char *reason)
{
	const size_t at = s->heard.started ? s->heard.next - 1 : s->heard.next,
		     number = w->todo[at], device = device_of(w, number);

	if (s->heard.next > 0 && (s->heard.next > 1 || !s->heard.started))
		w->failures[device] = 0;
	refuse(w, number, OUTCOME_ERROR, reason);
	if (s->heard.started)
		end_reading(s);
	else {
		w->p->done++;
		record_log(w->p->r, "error", NULL, scope_of(s), "      %s: %s",
			w->of->plan.readings[number].id, reason);
	}
	drop_first(w, at + 1);
	if (++w->failures[device] >= TRIES)
		give_up(w, device);
}

/* The reading that it was at when it was stopped; those behind it are as if nobody had asked. */
static void stop_reading(struct work *w, struct session *s)
{
	if (!s->heard.started)
		return;
	refuse(w, w->todo[s->heard.next - 1], OUTCOME_SKIPPED, "stopped by a signal");
	end_reading(s);
}

static void lose_all(struct work *w, const char *reason)
{
	for (; w->n; drop_first(w, 1)) {
		refuse(w, w->todo[0], OUTCOME_ERROR, reason);
		w->p->done++;
	}
}

static void after_end(struct work *w, struct session *s, enum child_end end, int status)
{
	_cleanup_(buf_release) struct buf why = BUF_INIT;

	if (end == CHILD_STOPPED) {
		stop_reading(w, s);
		w->p->r->cancelled = true;
		w->n = 0;
	} else if (s->heard.ended && w->of->unavailable) {
		buf_addf(&why, "its back end is gone: %.200s", w->of->unavailable);
		set_unavailable(w->of, NULL);
		drop_first(w, s->heard.next);
		lose_all(w, why.p);
	} else if (s->heard.ended || (!s->heard.started && s->heard.next == w->n)) {
		w->n = 0;
	} else {
		add_reason(&why, s, end, status, reading_limit(w->p));
		lose_reading(w, s, why.p);
	}
}

/* Of what is left of the budget, the share of the readings that are left. */
static int64_t budget_of(const struct work *w)
{
	const struct probing *p = w->p;
	const int64_t left = p->began + p->budget_ns - clock_ns(CLOCK_MONOTONIC);
	const size_t others = p->total - p->done;

	if (left <= 0 || !others)
		return 1;
	return (int64_t)((double)left * (double)w->n / (double)others) + 1;
}

static void run_once(struct work *w)
{
	struct session s = {.p = w->p, .of = w->of, .todo = w->todo};
	char **argv = arguments(w->p, w->path, "run");
	struct err failed = ERR_INIT;
	enum child_end end;
	int status;

	add_argument(argv, xstrdup("--budget-ns"));
	add_argument(argv, xasprintf("%lld", (long long)budget_of(w)));
	add_argument(argv, xstrdup("--readings"));
	add_argument(argv, list_text(w->todo, w->n));
	heard_begin(&s.heard, w->of, w->todo, w->n);
	end = listen(&s, argv, reading_limit(w->p), &status, &failed);
	free_arguments(argv);
	if (failed.code)
		lose_all(w, failed.msg);
	else
		after_end(w, &s, end, status);
	session_release(&s);
}

static void run_back_end(struct probing *p, size_t i)
{
	struct probed *of = &p->r->back_ends[i];
	_cleanup_(freep) size_t *todo = xcalloc(of->plan.n_readings + 1, sizeof(*todo));
	_cleanup_(freep) int *failures = xcalloc(of->plan.n_devices + 1, sizeof(*failures));
	struct work w = {.p = p, .of = of, .path = p->path[i], .todo = todo, .failures = failures};
	size_t k;

	for (k = 0; k < of->plan.n_readings; k++)
		if (of->chosen[k])
			todo[w.n++] = k;
	if (w.n)
		record_log(p->r, "info", NULL, (struct scope){.back_end = of}, "Backend: %s",
			of->name);
	while (w.n)
		run_once(&w);
}

void probing_plan(struct probing *p)
{
	int64_t target;
	size_t i, k;

	p->total = 0;
	for (i = 0; i < p->r->n_back_ends; i++)
		for (k = 0; k < p->r->back_ends[i].plan.n_readings; k++)
			p->total += p->r->back_ends[i].chosen[k];
	target = p->budget_ns / (int64_t)(p->total ? p->total : 1) / (p->repeat + 2);
	if (target > p->target_ns)
		target = p->target_ns;
	p->r->target_ns = p->r->target_cpu_ns = target;
}

void probing_run(struct probing *p)
{
	size_t i;

	p->began = clock_ns(CLOCK_MONOTONIC);
	if (p->r->verbose)
		record_log(p->r, "debug", NULL, (struct scope){0},
			"%zu readings, each given up after %.3g s", p->total,
			(double)reading_limit(p) * 1e-9);
	p->progress = p->r->verbose ? NULL : progress_start("");
	for (i = 0; i < p->r->n_back_ends && !p->r->cancelled; i++)
		run_back_end(p, i);
	progress_end(p->progress);
	p->progress = NULL;
	p->r->duration_s = record_elapsed(p->r);
	record_log_end(p->r);
}

void probing_release(struct probing *p)
{
	size_t i;

	for (i = 0; i < BACK_END_COUNT; i++)
		free(p->path[i]);
}
