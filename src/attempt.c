#include "attempt.h"

#include "num.h"
#include "show-number.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

enum { CONSOLE_LINES = 200 };

/* A driver that compiles takes its time before it measures. */
#define SETUP_NS (20 * INT64_C(1000000000))
#define GRACE_NS (5 * INT64_C(1000000000))
#define SLACK 8 /* times what a reading is to take */

/* ---- what is said ---- */

struct scope attempt_scope(const struct attempt *s)
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

static void take_console(struct attempt *s, bool error, const char *line, size_t len)
{
	if (s->lines++ < CONSOLE_LINES && len)
		record_log(s->p->r, error ? "warning" : "info", "console", attempt_scope(s), "%.*s",
			(int)len, line);
}

static void end_console(struct attempt *s)
{
	child_flush(&s->child);
	if (s->lines > CONSOLE_LINES)
		record_log(s->p->r, "warning", "console", attempt_scope(s), "%zu more lines",
			s->lines - CONSOLE_LINES);
	s->lines = 0;
}

static void take_message(struct attempt *s)
{
	static const char *const levels[] = {"error", "warning", "info", "debug"};
	const struct heard *h = &s->heard;
	size_t i;

	for (i = 0; i < ARRAY_LEN(levels) - 1 && strcmp(levels[i], h->level) != 0; i++)
		;
	if (i < ARRAY_LEN(levels) - 1 || s->p->r->verbose)
		record_log(s->p->r, levels[i],
			h->source && !strcmp(h->source, "opencl") ? "opencl" : NULL,
			attempt_scope(s), "%s", h->message);
}

/* ---- a reading ---- */

/* What a reading may take: it sets up, warms up, and runs its batches. */
int64_t attempt_limit(const struct probing *p)
{
	if (p->timeout_ns)
		return p->timeout_ns;
	return SETUP_NS + SLACK * (p->repeat + 1) * p->target_ns;
}

static const struct reading *present_reading(const struct attempt *s)
{
	return &s->of->plan.readings[s->todo[s->heard.next - 1]];
}

static const struct outcome *present_outcome(const struct attempt *s)
{
	return &s->of->outcomes[s->todo[s->heard.next - 1]];
}

static void say_progress(const struct attempt *s, const struct reading *r, const struct test *t)
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
static void say_place(struct attempt *s)
{
	const struct plan *plan = &s->of->plan;
	const size_t at = s->heard.next - 1;
	const struct scope scope = attempt_scope(s);
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

static void begin_reading(struct attempt *s)
{
	const struct reading *r = present_reading(s);

	end_console(s);
	say_place(s);
	say_progress(s, r, &s->of->plan.tests[r->test]);
	s->started = clock_ns(CLOCK_MONOTONIC);
	s->child.deadline = s->started + attempt_limit(s->p);
}

static void say_reading(struct attempt *s, const struct reading *r, const struct outcome *o)
{
	_cleanup_(buf_release) struct buf number = BUF_INIT;

	if (o->status != OUTCOME_OK)
		record_log(s->p->r, o->status == OUTCOME_ERROR ? "error" : "info", NULL,
			attempt_scope(s), "      %s: %s", r->id, o->reason);
	if (o->status != OUTCOME_OK || !s->p->r->verbose)
		return;
	show_number(
		&number, outcome_median(o), r->unit ? r->unit : s->of->plan.tests[r->test].unit);
	record_log(s->p->r, "info", NULL, attempt_scope(s), "      %s: %s", r->id, number.p);
}

void attempt_end_reading(struct attempt *s)
{
	const struct reading *r = present_reading(s);

	end_console(s);
	s->of->seconds[r->test] += (double)(clock_ns(CLOCK_MONOTONIC) - s->started) * 1e-9;
	s->child.deadline = clock_ns(CLOCK_MONOTONIC) + attempt_limit(s->p);
	s->p->done++;
	say_reading(s, r, present_outcome(s));
}

/* ---- a start of the program ---- */

static int take_line(void *ctx, enum child_channel from, const char *line, size_t len)
{
	struct attempt *s = ctx;
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
		attempt_end_reading(s);
	/* after a fault a driver fails whatever else the same process asks of it */
	s->afresh = event == HEARD_DONE && present_outcome(s)->status == OUTCOME_ERROR;
	return s->afresh || event < 0 || event == HEARD_END || event == HEARD_UNAVAILABLE;
}

void attempt_reason(
	struct buf *b, const struct attempt *s, enum child_end end, int status, int64_t limit_ns)
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

char **attempt_arguments(const struct probing *p, const char *path, const char *verb)
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

void attempt_argument(char **argv, char *text)
{
	while (*argv)
		argv++;
	*argv = text;
}

void attempt_free_arguments(char **argv)
{
	size_t i;

	for (i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
}

enum child_end attempt_listen(
	struct attempt *s, char **argv, int64_t limit, int *ret_status, struct err *err)
{
	enum child_end end = CHILD_ENDED;

	PERFGATE_SCOPE("run a back end");
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

void attempt_release(struct attempt *s)
{
	end_console(s);
	heard_release(&s->heard);
	child_release(&s->child);
}
