#include "one-run.h"

#include "buf.h"

#include <stdlib.h>

struct one_run_held {
	int64_t series;
	struct num value;
	char *reason; /* of an absence, else NULL */
	enum sink_status status;
};

void one_run_release(struct one_run *o)
{
	size_t i;

	for (i = 0; i < o->n_held; i++)
		free(o->held[i].reason);
	free(o->held);
	o->held = NULL;
	o->n_held = o->cap_held = 0;
}

static int hold(struct one_run *o, const struct one_run_held *h, struct err *err)
{
	if (o->n_held == ONE_RUN_HELD) {
		free(h->reason);
		return err_set(err, ERR_FORMAT,
			"more than %u numbers before the head of the document; put that first",
			ONE_RUN_HELD);
	}
	o->held = xgrow(o->held, o->n_held, &o->cap_held, sizeof(*o->held));
	o->held[o->n_held++] = *h;
	return 0;
}

static int open_run(struct one_run *o, struct err *err)
{
	if (o->open)
		return 0;
	o->run = o->sink->run(o->sink, &o->head, err);
	o->open = o->run >= 0;
	return o->open ? 0 : -1;
}

int one_run_sample(struct one_run *o, int64_t series, struct num value, struct err *err)
{
	const struct one_run_held h = {.series = series, .value = value};

	if (series < 0)
		return -1;
	if (o->waiting)
		return hold(o, &h, err);
	return open_run(o, err) < 0 ? -1 : o->sink->sample(o->sink, o->run, series, value, err);
}

int one_run_absence(struct one_run *o, int64_t series, enum sink_status status, const char *reason,
	struct err *err)
{
	if (series < 0)
		return -1;
	if (o->waiting) {
		const struct one_run_held h = {
			.series = series, .reason = xstrdup(reason), .status = status};
		return hold(o, &h, err);
	}
	return open_run(o, err) < 0
		       ? -1
		       : o->sink->absence(o->sink, o->run, series, status, reason, err);
}

int one_run_go(struct one_run *o, struct err *err)
{
	size_t i;
	int r = 0;

	o->waiting = false;
	for (i = 0; r == 0 && i < o->n_held; i++) {
		const struct one_run_held *h = &o->held[i];

		r = h->reason ? one_run_absence(o, h->series, h->status, h->reason, err)
			      : one_run_sample(o, h->series, h->value, err);
	}
	one_run_release(o);
	return r;
}

int one_run_finish(struct one_run *o, int64_t started_at, const char *facts, struct err *err)
{
	if (one_run_go(o, err) < 0)
		return -1;
	return o->open ? o->sink->amend(o->sink, o->run, started_at, facts, err) : 0;
}
