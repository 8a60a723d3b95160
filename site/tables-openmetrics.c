/* Levels and counts in the text format of OpenMetrics 1.0. */
#include "tables.h"

#include "lists.h"
#include "openmetrics.h"
#include "phrase.h"

#include <math.h>

typedef double value_of(const struct site_series *x);

static double level_of(const struct site_series *x)
{
	return x->n ? x->level : NAN;
}

static double noise_of(const struct site_series *x)
{
	return x->n && !x->exact && x->logarithmic ? x->noise : NAN;
}

static double step_of(const struct site_series *x)
{
	return x->step.at != SITE_NONE && x->step.sense != SENSE_NONE ? x->step.change : NAN;
}

static void add_family(struct buf *b, const char *name, const struct site_lists *l,
	const struct site_suite *x, value_of *value, bool rough)
{
	size_t i;

	for (i = x->first_series; i < x->first_series + x->n_series; i++) {
		const double v = value(&l->series[i]);
		if (isnan(v))
			continue;
		buf_addf(b, "%s{", name);
		openmetrics_series(b, &l->series[i].key);
		buf_addstr(b, "} ");
		if (rough)
			phrase_estimate(b, v);
		else
			openmetrics_real(b, v);
		buf_addch(b, '\n');
	}
}

void suite_openmetrics(
	struct buf *b, const struct site *s, const struct site_lists *l, const struct site_suite *x)
{
	(void)s;
	openmetrics_family(b, "perfgate_level", "gauge", NULL,
		"Median of the present level, in the unit that the label names.");
	add_family(b, "perfgate_level", l, x, level_of, false);
	openmetrics_family(b, "perfgate_noise_ratio", "gauge", "ratio",
		"Robust standard deviation of a point round its level; an exact series has none.");
	add_family(b, "perfgate_noise_ratio", l, x, noise_of, true);
	openmetrics_family(b, "perfgate_step_ratio", "gauge", "ratio",
		"Change at the last step for the worse or the better, (after - before) / |before|.");
	add_family(b, "perfgate_step_ratio", l, x, step_of, true);
	buf_addstr(b, "# EOF\n");
}

static void add_count(struct buf *b, const struct site_suite *x, const char *state, size_t n)
{
	buf_addstr(b, "perfgate_series{");
	openmetrics_label(b, "suite", x->name);
	openmetrics_label(b, "state", state);
	buf_addf(b, "} %zu\n", n);
}

void overview_openmetrics(struct buf *b, const struct site *s, const struct site_lists *l)
{
	size_t i, k;

	openmetrics_family(b, "perfgate_commits", "gauge", NULL, "Commits measured.");
	buf_addf(b, "perfgate_commits %zu\n", s->n_commits);
	openmetrics_family(b, "perfgate_series", "gauge", NULL, "Series of each suite, by state.");
	for (i = 0; i < l->n_suites; i++) {
		const struct site_suite *x = &l->suites[i];
		for (k = 0; k < STATE_COUNT; k++)
			add_count(b, x, site_state_name((enum site_state)k), x->states[k]);
	}
	buf_addstr(b, "# EOF\n");
}
