/* Series and steps as JSON, one object a line. */
#include "tables.h"

#include "figure.h"
#include "json-out.h"
#include "lists.h"
#include "phrase.h"

#include <math.h>
#include <stdlib.h>

static void add_real(struct buf *b, const char *key, double value)
{
	json_tight_key(b, key);
	if (isfinite(value))
		figure_real(b, value);
	else
		buf_addstr(b, "null");
}

static void add_estimate(struct buf *b, const char *key, double value)
{
	json_tight_key(b, key);
	if (!phrase_estimate(b, value))
		buf_addstr(b, "null");
}

static void add_commit(struct buf *b, const char *key, const struct site *s, uint32_t commit)
{
	json_tight_string(b, key, commit == SITE_NONE ? NULL : s->commits[commit].sha);
}

static void add_key(struct buf *b, const struct site_series *x)
{
	json_tight_string(b, "benchmark", x->key.benchmark);
	json_tight_string(b, "metric", x->key.metric);
	json_tight_string(b, "unit", x->key.unit);
	json_tight_string(b, "variant", x->key.variant);
	json_tight_string(b, "runner", x->key.runner);
	json_tight_string(b, "class", gate_class_name(x->class_));
	json_tight_string(b, "direction", direction_name(x->direction));
}

static void add_step(struct buf *b, const struct site *s, const struct site_step *step)
{
	add_commit(b, "commit", s, step->at);
	if (step->earliest != step->last) {
		add_commit(b, "earliest", s, step->earliest);
		add_commit(b, "last", s, step->last);
	}
	add_real(b, "before", step->before);
	add_real(b, "after", step->after);
	add_estimate(b, "change", step->change);
	if (step->strength != STEP_EXACT) {
		add_estimate(b, "low", step->low);
		add_estimate(b, "high", step->high);
	}
	json_tight_string(b, "strength", trend_strength_name(step->strength));
	json_tight_string(b, "sense", trend_sense_name(step->sense));
	if (step->machine)
		json_tight_string(b, "machine", step->machine);
}

static void add_suspect(struct buf *b, const struct site *s, const struct site_series *x)
{
	json_tight_key(b, "suspect");
	if (!x->suspect.is) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	add_commit(b, "from", s, x->suspect_from);
	add_real(b, "after", x->suspect.after);
	add_estimate(b, "change", x->suspect.change);
	json_tight_string(b, "sense", trend_sense_name(x->suspect.sense));
	buf_addch(b, '}');
}

static void add_series(struct buf *b, const struct site *s, const struct site_series *x)
{
	buf_addch(b, '{');
	json_tight_string(b, "state", site_state_name(x->state));
	add_key(b, x);
	buf_addf(b, ",\"points\":%zu,\"steps\":%zu,\"exact\":%s", x->n, x->n_steps,
		x->exact ? "true" : "false");
	add_commit(b, "newest", s, x->newest);
	add_real(b, "level", x->level);
	add_estimate(b, "noise", x->noise);
	json_tight_key(b, "step");
	if (x->step.at != SITE_NONE) {
		buf_addch(b, '{');
		add_step(b, s, &x->step);
		buf_addch(b, '}');
	} else {
		buf_addstr(b, "null");
	}
	add_suspect(b, s, x);
	buf_addch(b, '}');
}

void suite_json(
	struct buf *b, const struct site *s, const struct site_lists *l, const struct site_suite *x)
{
	size_t i;

	buf_addstr(b, "{\"version\":1");
	json_tight_string(b, "suite", x->name);
	buf_addstr(b, ",\"series\":[");
	for (i = 0; i < x->n_series; i++) {
		buf_addstr(b, i ? ",\n" : "\n");
		add_series(b, s, &l->series[x->first_series + i]);
	}
	buf_addstr(b, "\n]}\n");
}

void overview_json(struct buf *b, const struct site *s, const struct site_lists *l)
{
	_cleanup_(freep) struct site_step *steps = NULL;
	const size_t n = recent_steps(s, l, &steps);
	size_t i;

	buf_addstr(b, "{\"version\":1");
	add_commit(b, "commit", s, s->n_commits ? (uint32_t)(s->n_commits - 1) : SITE_NONE);
	buf_addstr(b, ",\"moved\":[");
	for (i = 0; i < n; i++) {
		buf_addstr(b, i ? ",\n{" : "\n{");
		json_tight_string(b, "suite", l->series[steps[i].series].key.suite);
		add_key(b, &l->series[steps[i].series]);
		add_step(b, s, &steps[i]);
		buf_addch(b, '}');
	}
	buf_addstr(b, "\n]}\n");
}
