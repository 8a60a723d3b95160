#include "chart-words.h"

#include "figure.h"
#include "markup.h"
#include "text.h"

#include <math.h>

enum { STEPS_MAX = 5 }; /* that are named, the newest */

static void add_change(struct buf *b, double change)
{
	if (isfinite(change))
		figure_change(b, change, (struct decimal){0, 0}, 1);
	else
		buf_addstr(b, "from 0");
}

void chart_step_label(struct buf *b, const struct trend_step *s)
{
	add_change(b, s->change);
	if (s->strength == STEP_WEAK)
		buf_addstr(b, " weak");
}

/* Two numbers scaled alike; to NULL: one. */
static void add_figures(struct buf *b, const struct chart *c, double from, const double *to)
{
	_cleanup_(buf_release) struct buf low = BUF_INIT, high = BUF_INIT;
	const struct decimal a = decimal_from(num_real(from)),
			     z = decimal_from(num_real(to ? *to : from));

	figure_pair(&low, &high, &a, to ? &z : NULL, c->unit);
	markup_text(b, buf_str(&low));
	if (!to)
		return;
	buf_addstr(b, " to ");
	markup_text(b, buf_str(&high));
}

static void add_range(struct buf *b, const struct chart *c)
{
	double low = c->points[0].value, high = low;
	size_t i;

	for (i = 1; i < c->n; i++) {
		low = fmin(low, c->points[i].value);
		high = fmax(high, c->points[i].value);
	}
	buf_addf(b, "%zu point%s, ", c->n, plural(c->n));
	if (low < high)
		add_figures(b, c, low, &high);
	else
		buf_addstr(b, "all");
	buf_addstr(b, low < high ? "; the newest " : " ");
	add_figures(b, c, c->points[c->n - 1].value, NULL);
	buf_addstr(b, ".");
}

/* Nothing where the point has no name. */
static void add_place(struct buf *b, const char *word, const struct chart *c, size_t at)
{
	if (at >= c->n || !c->points[at].label)
		return;
	buf_addf(b, " %s ", word);
	markup_text(b, c->points[at].label);
}

static void add_step(struct buf *b, const struct chart *c, const struct trend_step *s)
{
	add_change(b, s->change);
	add_place(b, "at", c, s->at);
	buf_addf(b, " (%s%s%s)", trend_strength_name(s->strength),
		s->sense == SENSE_NONE ? "" : ", ",
		s->sense == SENSE_NONE ? "" : trend_sense_name(s->sense));
}

static void add_steps(struct buf *b, const struct chart *c, const struct trend *t)
{
	const size_t first = t->n_steps > STEPS_MAX ? t->n_steps - STEPS_MAX : 0;
	size_t i;

	if (!t->n_steps) {
		buf_addstr(b, " No steps.");
		return;
	}
	buf_addf(b, " %zu step%s%s: ", t->n_steps, plural(t->n_steps), first ? ", the newest" : "");
	for (i = first; i < t->n_steps; i++) {
		add_step(b, c, &t->steps[i]);
		buf_addstr(b, i + 1 < t->n_steps ? "; " : ".");
	}
}

static void add_noise(struct buf *b, const struct chart *c, const struct trend *t)
{
	if (!isfinite(t->level))
		return;
	buf_addstr(b, " Level ");
	add_figures(b, c, t->level, NULL);
	if (t->noise > 0 && t->level != 0) {
		buf_addstr(b, ", noise ");
		figure_rough_percent(b, t->noise);
	}
	buf_addstr(b, ".");
}

static void add_suspect(struct buf *b, const struct chart *c, const struct trend_suspect *s)
{
	if (!s->is)
		return;
	buf_addstr(b, " Suspect");
	add_place(b, "since", c, s->from);
	buf_addstr(b, ": ");
	add_change(b, s->change);
	buf_addstr(b, ".");
}

static void add_accepts(struct buf *b, const struct chart *c)
{
	size_t i;

	for (i = 0; i < c->n_accepts; i++) {
		buf_addstr(b, i ? ", " : " Accepted: ");
		add_figures(b, c, c->accepts[i], NULL);
	}
	if (i)
		buf_addstr(b, ".");
}

void chart_words(struct buf *b, const struct chart *c)
{
	if (!c->n) {
		buf_addstr(b, "No points.");
		return;
	}
	add_range(b, c);
	if (c->trend) {
		add_steps(b, c, c->trend);
		add_noise(b, c, c->trend);
		add_suspect(b, c, &c->trend->suspect);
	}
	add_accepts(b, c);
}
