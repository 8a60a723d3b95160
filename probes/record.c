#include "record.h"

#include "num.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_MAX = 4 << 20, LOG_HARD_MAX = 8 << 20 }; /* bytes */

void record_init(struct record *r, const char *version)
{
	*r = (struct record){.started_at = clock_ns(CLOCK_REALTIME),
		.began = clock_ns(CLOCK_MONOTONIC),
		.version = version};
	machine_host(&r->host);
}

void probed_ready(struct probed *p)
{
	p->chosen = xcalloc(p->plan.n_readings + 1, sizeof(*p->chosen));
	p->outcomes = xcalloc(p->plan.n_readings + 1, sizeof(*p->outcomes));
	p->seconds = xcalloc(p->plan.n_tests + 1, sizeof(*p->seconds));
}

void probed_release(struct probed *p)
{
	plan_release(&p->plan);
	free(p->unavailable);
	free(p->chosen);
	free(p->outcomes);
	free(p->seconds);
}

void record_release(struct record *r)
{
	size_t i;

	for (i = 0; i < r->n_back_ends; i++)
		probed_release(&r->back_ends[i]);
	for (i = 0; i < r->n_log; i++)
		free(r->log[i].message);
	for (i = 0; i < r->n_argv; i++)
		free(r->argv[i]);
	free(r->back_ends);
	free(r->log);
	free(r->argv);
}

void record_argument(struct record *r, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	r->argv = xgrow(r->argv, r->n_argv, &r->cap_argv, sizeof(*r->argv));
	r->argv[r->n_argv++] = buf_take(&b);
}

double record_elapsed(const struct record *r)
{
	return (double)(clock_ns(CLOCK_MONOTONIC) - r->began) * 1e-9;
}

/* ---- the log ---- */

static bool keeps(struct record *r, const char *level, size_t len)
{
	const bool minor = *level == 'i' || *level == 'd';

	if (r->log_bytes + len + sizeof(struct log_entry) <= (minor ? LOG_MAX : LOG_HARD_MAX))
		return true;
	r->log_dropped++;
	return false;
}

static void keep(struct record *r, struct log_entry e)
{
	r->log_bytes += strlen(e.message) + sizeof(e); /* an empty one takes room as well */
	r->log = xgrow(r->log, r->n_log, &r->cap_log, sizeof(*r->log));
	r->log[r->n_log++] = e;
	if (r->heard)
		r->heard(r->ctx, &e);
}

/* A tab is a blank: it is text that a driver aligned. */
static char *clean(struct buf *raw)
{
	struct buf safe = BUF_INIT;
	size_t i, from;

	while (raw->len && strchr(" \t\r\n", raw->p[raw->len - 1]))
		raw->len--;
	for (i = from = 0; i < raw->len; i++) {
		if (raw->p[i] == '\t')
			raw->p[i] = ' ';
		if (raw->p[i] != '\n')
			continue;
		text_escape(&safe, raw->p + from, i - from);
		buf_addch(&safe, '\n');
		from = i + 1;
	}
	text_escape(&safe, buf_str(raw) + from, raw->len - from);
	return buf_take(&safe);
}

void record_log(struct record *r, const char *level, const char *source, struct scope scope,
	const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf raw = BUF_INIT;
	struct log_entry e = {
		.elapsed_s = record_elapsed(r), .level = level, .source = source, .scope = scope};
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	if (!keeps(r, level, raw.len))
		return;
	e.message = clean(&raw);
	keep(r, e);
}

void record_log_end(struct record *r)
{
	if (!r->log_dropped)
		return;
	keep(r, (struct log_entry){.elapsed_s = record_elapsed(r),
			.level = "warning",
			.message = xasprintf(
				"log truncated: %zu debug/info entries dropped after 4 MiB of messages",
				r->log_dropped)});
}

/* ---- numbers ---- */

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double outcome_median(const struct outcome *o)
{
	double v[REPEAT_MAX];
	const size_t n = (size_t)o->n;

	memcpy(v, o->values, n * sizeof(*v));
	qsort(v, n, sizeof(*v), compare_doubles);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

double outcome_spread(const struct outcome *o)
{
	double low = o->values[0], high = low;
	int i;

	for (i = 1; i < o->n; i++) {
		low = o->values[i] < low ? o->values[i] : low;
		high = o->values[i] > high ? o->values[i] : high;
	}
	return (high - low) / outcome_median(o);
}
