#include "outcome.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void outcome_refuse(struct outcome *o, enum outcome_status status, const char *fmt, ...)
{
	va_list ap;

	if (o->status != OUTCOME_OK)
		return;
	o->status = status;
	va_start(ap, fmt);
	vsnprintf(o->reason, sizeof(o->reason), fmt, ap);
	va_end(ap);
}

void outcome_add(struct outcome *o, double value)
{
	if (!isfinite(value) || value <= 0)
		outcome_refuse(o, OUTCOME_ERROR, "a reading of %g cannot be true", value);
	else if (o->n < REPEAT_MAX)
		o->values[o->n++] = value;
}

/*
 * How many iterations last for the target. Counts up until a batch is long enough to tell, since a
 * first short one says little: a tenth of the target, and at least 1 ms.
 */
static int64_t calibrate(
	const struct settings *s, batch_fn *batch, void *arg, int64_t max, struct err *err)
{
	double target = (double)s->target_ns * 1e-9, enough = fmax(target / 10, 1e-3), seconds;
	int64_t n = 1;

	for (;;) {
		if (batch(arg, n, &seconds, err) < 0)
			return -1;
		if (seconds >= enough || (max > 0 && n >= max))
			break;
		n *= seconds > enough / 16 ? 2 : 8;
		if (max > 0 && n > max)
			n = max;
	}
	if (seconds > 0)
		n = (int64_t)fmax(1, (double)n * target / seconds);
	return max > 0 && n > max ? max : n;
}

/* Fills seconds of an iteration, one a batch. */
static int run_batches(struct outcome *o, const struct settings *s, batch_fn *batch, void *arg,
	int64_t max, double *ret)
{
	struct err err = ERR_INIT;
	int64_t n = calibrate(s, batch, arg, max, &err);
	double seconds;
	int i;

	for (i = 0; n > 0 && i < s->repeat; i++) {
		if (batch(arg, n, &seconds, &err) < 0)
			n = -1;
		else
			ret[i] = seconds / (double)n;
	}
	if (n > 0)
		return i;
	outcome_refuse(o, OUTCOME_ERROR, "%s", err.msg);
	return 0;
}

void outcome_rate(struct outcome *o, const struct settings *s, batch_fn *batch, void *arg,
	double amount, int64_t max)
{
	double seconds[REPEAT_MAX];
	int i, n = run_batches(o, s, batch, arg, max, seconds);

	for (i = 0; i < n; i++)
		outcome_add(o, amount / seconds[i]);
}

void outcome_time(struct outcome *o, const struct settings *s, batch_fn *batch, void *arg,
	double amount, int64_t max)
{
	double seconds[REPEAT_MAX];
	int i, n = run_batches(o, s, batch, arg, max, seconds);

	for (i = 0; i < n; i++)
		outcome_add(o, seconds[i] / amount);
}
