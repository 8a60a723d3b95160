/* Series and steps as CSV (RFC 4180). */
#include "tables.h"

#include "csv.h"
#include "lists.h"
#include "phrase.h"

#include <math.h>
#include <stdlib.h>

static const char *sha_of(const struct site *s, uint32_t commit)
{
	return commit == SITE_NONE ? "" : s->commits[commit].sha;
}

static void add_key(struct buf *b, const struct site_series *x)
{
	csv_text(b, x->key.suite);
	csv_text(b, x->key.benchmark);
	csv_text(b, x->key.metric);
	csv_text(b, x->key.unit);
	csv_text(b, x->key.variant);
	csv_text(b, x->key.runner);
	csv_text(b, gate_class_name(x->class_));
	csv_text(b, direction_name(x->direction));
}

static void add_step(struct buf *b, const struct site *s, const struct site_step *step)
{
	int i;

	if (step->at == SITE_NONE) {
		for (i = 0; i < 7; i++)
			csv_separator(b);
		return;
	}
	csv_text(b, sha_of(s, step->at));
	csv_real(b, step->before);
	csv_real(b, step->after);
	csv_separator(b);
	phrase_estimate(b, step->change);
	csv_text(b, trend_strength_name(step->strength));
	csv_text(b, trend_sense_name(step->sense));
	csv_text(b, step->machine);
}

void suite_csv(
	struct buf *b, const struct site *s, const struct site_lists *l, const struct site_suite *x)
{
	size_t i;

	buf_addstr(b,
		"state,suite,benchmark,metric,unit,variant,runner,class,direction,points,newest,level,"
		"noise,step,before,after,change,strength,sense,machine\r\n");
	for (i = x->first_series; i < x->first_series + x->n_series; i++) {
		const struct site_series *y = &l->series[i];
		csv_text(b, site_state_name(y->state));
		add_key(b, y);
		csv_count(b, y->n);
		csv_text(b, sha_of(s, y->newest));
		csv_real(b, y->level);
		csv_separator(b);
		phrase_estimate(b, y->exact ? 0 : y->noise);
		add_step(b, s, &y->step);
		buf_addstr(b, "\r\n");
	}
}

void overview_csv(struct buf *b, const struct site *s, const struct site_lists *l)
{
	_cleanup_(freep) struct site_step *steps = NULL;
	const size_t n = recent_steps(s, l, &steps);
	size_t i;

	buf_addstr(b,
		"suite,benchmark,metric,unit,variant,runner,class,direction,step,before,after,change,"
		"strength,sense,machine\r\n");
	for (i = 0; i < n; i++) {
		add_key(b, &l->series[steps[i].series]);
		add_step(b, s, &steps[i]);
		buf_addstr(b, "\r\n");
	}
}
