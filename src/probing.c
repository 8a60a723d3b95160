#include "probing.h"

#include "attempt.h"
#include "num.h"

#include <stdlib.h>
#include <string.h>

/* A device that ends its program three times in a row is not going to do better. */
enum { TRIES = 3 };

/* A driver that is loaded for the first time takes its time. */
#define LIST_NS (30 * INT64_C(1000000000))

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
	struct attempt s = {.p = p, .of = of};
	_cleanup_(buf_release) struct buf why = BUF_INIT;
	struct err failed = ERR_INIT;
	char **argv = attempt_arguments(p, path, "list");
	enum child_end end;
	int status;

	heard_begin(&s.heard, of, NULL, 0);
	end = attempt_listen(&s, argv, LIST_NS, &status, &failed);
	attempt_free_arguments(argv);
	if (failed.code)
		set_unavailable(of, xstrdup(failed.msg));
	else if (!s.heard.ended) {
		attempt_reason(&why, &s, end, status, LIST_NS);
		set_unavailable(of, xasprintf("its program %s when it was to list", why.p));
	} else if (!of->unavailable && !of->plan.n_devices)
		set_unavailable(of, xstrdup("no device was found"));
	attempt_release(&s);
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
static void lose_reading(struct work *w, struct attempt *s, const char *reason)
{
	const size_t at = s->heard.started ? s->heard.next - 1 : s->heard.next,
		     number = w->todo[at], device = device_of(w, number);

	if (s->heard.next > 0 && (s->heard.next > 1 || !s->heard.started))
		w->failures[device] = 0;
	refuse(w, number, OUTCOME_ERROR, reason);
	if (s->heard.started)
		attempt_end_reading(s);
	else {
		w->p->done++;
		record_log(w->p->r, "error", NULL, attempt_scope(s), "      %s: %s",
			w->of->plan.readings[number].id, reason);
	}
	drop_first(w, at + 1);
	if (++w->failures[device] >= TRIES)
		give_up(w, device);
}

/* The reading that it was at when it was stopped; those behind it are as if nobody had asked. */
static void stop_reading(struct work *w, struct attempt *s)
{
	if (!s->heard.started)
		return;
	refuse(w, w->todo[s->heard.next - 1], OUTCOME_SKIPPED, "stopped by a signal");
	attempt_end_reading(s);
}

static void lose_all(struct work *w, const char *reason)
{
	for (; w->n; drop_first(w, 1)) {
		refuse(w, w->todo[0], OUTCOME_ERROR, reason);
		w->p->done++;
	}
}

static void after_end(struct work *w, struct attempt *s, enum child_end end, int status)
{
	_cleanup_(buf_release) struct buf why = BUF_INIT;

	if (end == CHILD_STOPPED) {
		stop_reading(w, s);
		w->p->r->cancelled = true;
		w->n = 0;
	} else if (s->heard.ended && w->of->unavailable) {
		buf_addf(&why, "its back end is gone: %.200s", w->of->unavailable);
		set_unavailable(w->of, NULL);
		drop_first(w, s->heard.next - s->heard.started);
		lose_all(w, why.p);
	} else if (s->heard.ended || (!s->heard.started && s->heard.next == w->n)) {
		w->n = 0;
	} else if (s->afresh) {
		drop_first(w, s->heard.next);
	} else {
		attempt_reason(&why, s, end, status, attempt_limit(w->p));
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
	struct attempt s = {.p = w->p, .of = w->of, .todo = w->todo};
	char **argv = attempt_arguments(w->p, w->path, "run");
	struct err failed = ERR_INIT;
	enum child_end end;
	int status;

	attempt_argument(argv, xstrdup("--budget-ns"));
	attempt_argument(argv, xasprintf("%lld", (long long)budget_of(w)));
	attempt_argument(argv, xstrdup("--readings"));
	attempt_argument(argv, list_text(w->todo, w->n));
	heard_begin(&s.heard, w->of, w->todo, w->n);
	end = attempt_listen(&s, argv, attempt_limit(w->p), &status, &failed);
	attempt_free_arguments(argv);
	if (failed.code)
		lose_all(w, failed.msg);
	else
		after_end(w, &s, end, status);
	attempt_release(&s);
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
			(double)attempt_limit(p) * 1e-9);
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
