/*
 * The trends as CSV: a line for each step, and one for each series without.
 */
#include "trend-view.h"

#include "csv.h"
#include "num.h"

#include <math.h>
#include <stdio.h>

static const char names[] =
	"state,suite,benchmark,metric,unit,variant,runner,class,judge,direction,points,level,noise,"
	"exact,autocorrelated,commit,time,after_commit,earliest,last,before,after,change,low,high,p,"
	"evidence,sense,machine,section\r\n";

static const char *yes(bool b)
{
	return b ? "yes" : "no";
}

static void add_series(struct buf *b, const struct trend_seen *x)
{
	const struct trending_series *s = x->s;

	csv_text(b, standing_name(x->standing.kind));
	csv_series(b, &s->key, &s->decision);
	csv_count(b, s->n - x->from);
	csv_real(b, s->trend.level);
	csv_real(b, s->trend.noise);
	csv_text(b, yes(s->trend.exact));
	csv_text(b, yes(s->trend.autocorrelated));
}

static void add_time(struct buf *b, int64_t at)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	time_format(&t, at);
	csv_text(b, t.p);
}

static void add_change(struct buf *b, double before, double after, double change)
{
	csv_real(b, before);
	csv_real(b, after);
	csv_real(b, change);
}

static void add_step(
	struct buf *b, const struct trend_view *v, const struct trend_seen *x, size_t i)
{
	const struct trending_series *s = x->s;
	const struct trend_step *step = &s->trend.steps[i];

	add_series(b, x);
	csv_text(b, trend_point_sha(v, s, step->at));
	add_time(b, trend_point_time(v, s, step->at));
	csv_text(b, trend_point_sha(v, s, step->earliest - 1));
	csv_text(b, trend_point_sha(v, s, step->earliest));
	csv_text(b, trend_point_sha(v, s, step->last));
	add_change(b, step->before, step->after, step->change);
	csv_real(b, step->low);
	csv_real(b, step->high);
	csv_real(b, step->p);
	csv_text(b, trend_strength_name(step->strength));
	csv_text(b, trend_sense_name(step->sense));
	csv_text(b, s->machine ? s->machine[i] : NULL);
	csv_text(b, i == x->standing.step ? x->standing.section : NULL);
	buf_addstr(b, "\r\n");
}

static void add_suspect(struct buf *b, const struct trend_view *v, const struct trend_seen *x)
{
	const struct trending_series *s = x->s;
	const struct trend_suspect *suspect = &s->trend.suspect;

	add_series(b, x);
	csv_text(b, trend_point_sha(v, s, suspect->from));
	add_time(b, trend_point_time(v, s, suspect->from));
	csv_text(b, suspect->from ? trend_point_sha(v, s, suspect->from - 1) : NULL);
	csv_text(b, NULL);
	csv_text(b, NULL);
	add_change(b, suspect->before, suspect->after, suspect->change);
	csv_text(b, NULL);
	csv_text(b, NULL);
	csv_text(b, NULL);
	csv_text(b, "suspect");
	csv_text(b, trend_sense_name(suspect->sense));
	csv_text(b, NULL);
	csv_text(b, NULL);
	buf_addstr(b, "\r\n");
}

static void add_plain(struct buf *b, const struct trend_seen *x)
{
	size_t i;

	add_series(b, x);
	for (i = 0; i < 15; i++)
		csv_text(b, NULL);
	buf_addstr(b, "\r\n");
}

static int write_series(void *ctx, const struct trend_seen *x, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const struct trend *t = &x->s->trend;
	size_t i;

	(void)err;
	for (i = 0; i < t->n_steps; i++)
		if (t->steps[i].at >= x->from)
			add_step(&b, ctx, x, i);
	if (t->suspect.is)
		add_suspect(&b, ctx, x);
	if (!b.len)
		add_plain(&b, x);
	fputs(b.p, stdout);
	return 0;
}

int trend_csv(struct trend_view *v, struct err *err)
{
	fputs(names, stdout);
	return trend_view_each(v, write_series, v, err);
}
