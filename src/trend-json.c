/*
 * The trends in JSON: perfgate-formats(7), THE TRENDS AS JSON.
 */
#include "trend-view.h"

#include "each-series.h"
#include "json-out.h"
#include "num.h"

#include <math.h>
#include <stdio.h>

struct writing {
	struct trend_view *v;
	bool any;
};

static void json_time(struct buf *b, const char *key, int64_t at)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	time_format(&t, at);
	json_string(b, key, t.p);
}

/* ---- what steps ---- */

static void json_sha(struct buf *b, const char *key, const struct writing *w,
	const struct trending_series *s, size_t point)
{
	json_string(b, key, trend_point_sha(w->v, s, point));
}

static void json_step(struct buf *b, const struct writing *w, const struct trend_seen *x, size_t i)
{
	const struct trending_series *s = x->s;
	const struct trend_step *step = &s->trend.steps[i];

	buf_addch(b, '{');
	json_sha(b, "commit", w, s, step->at);
	json_time(b, "time", trend_point_time(w->v, s, step->at));
	json_sha(b, "after_commit", w, s, step->earliest - 1);
	json_sha(b, "earliest", w, s, step->earliest);
	json_sha(b, "last", w, s, step->last);
	json_real(b, "before", step->before);
	json_real(b, "after", step->after);
	json_real(b, "change", step->change);
	json_real(b, "low", step->low);
	json_real(b, "high", step->high);
	json_real(b, "p", step->p);
	json_string(b, "evidence", trend_strength_name(step->strength));
	json_string(b, "sense", trend_sense_name(step->sense));
	json_string(b, "machine", s->machine ? s->machine[i] : NULL);
	buf_addch(b, '}');
}

static void json_steps(struct buf *b, const struct writing *w, const struct trend_seen *x)
{
	const struct trend *t = &x->s->trend;
	bool any = false;
	size_t i;

	json_key(b, "steps");
	buf_addch(b, '[');
	for (i = 0; i < t->n_steps; i++) {
		if (t->steps[i].at < x->from)
			continue;
		buf_addstr(b, any ? ",\n   " : "\n   ");
		json_step(b, w, x, i);
		any = true;
	}
	buf_addch(b, ']');
}

static void json_suspect(struct buf *b, const struct writing *w, const struct trend_seen *x)
{
	const struct trend_suspect *s = &x->s->trend.suspect;

	json_key(b, "suspect");
	if (!s->is) {
		buf_addstr(b, "null");
		return;
	}
	buf_addch(b, '{');
	json_sha(b, "commit", w, x->s, s->from);
	json_time(b, "time", trend_point_time(w->v, x->s, s->from));
	json_real(b, "before", s->before);
	json_real(b, "after", s->after);
	json_real(b, "change", s->change);
	json_string(b, "sense", trend_sense_name(s->sense));
	buf_addch(b, '}');
}

/* ---- points ---- */

static void json_point(struct buf *b, const struct writing *w, const struct trend_seen *x, size_t i)
{
	const struct trending_point *p = &x->s->points[i];

	buf_addch(b, '{');
	json_string(b, "commit", w->v->t.commits[p->commit].sha);
	json_string(b, "session", w->v->t.sessions[p->session].name);
	json_time(b, "time", trend_point_time(w->v, x->s, i));
	json_key(b, "value");
	num_format(b, p->value);
	json_int(b, "n", (long long)p->n);
	buf_addch(b, '}');
}

static void json_points(struct buf *b, const struct writing *w, const struct trend_seen *x)
{
	size_t i;

	json_key(b, "points");
	buf_addch(b, '[');
	for (i = x->from; i < x->s->n; i++) {
		buf_addstr(b, i > x->from ? ",\n   " : "\n   ");
		json_point(b, w, x, i);
	}
	buf_addch(b, ']');
}

/* ---- a series ---- */

static void json_judged(struct buf *b, const struct trending_series *s)
{
	json_string(b, "class", gate_class_name(s->decision.class_));
	json_string(b, "judge", judge_name(s->decision.judge));
	json_string(b, "direction", direction_name(s->decision.direction));
	json_key(b, "tolerance");
	decimal_format(b, s->decision.tolerance);
	json_string(b, "order", s->by_time ? "time" : "commit");
}

static void json_noise(struct buf *b, const struct trending_series *s)
{
	const struct trend *t = &s->trend;

	json_bool(b, "exact", t->exact);
	json_real(b, "level", t->level);
	json_real(b, "noise", t->noise);
	json_bool(b, "noise_relative", trend_is_relative(s));
	json_real(b, "autocorrelation", t->autocorrelation);
	json_bool(b, "autocorrelated", t->autocorrelated);
}

static int write_series(void *ctx, const struct trend_seen *x, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct writing *w = ctx;

	(void)err;
	buf_addstr(&b, w->any ? ",\n  {" : "\n  {");
	json_series_key(&b, &x->s->key);
	json_judged(&b, x->s);
	json_string(&b, "state", standing_name(x->standing.kind));
	json_bool(&b, "worse", x->standing.sure);
	json_string(&b, "section", x->standing.section);
	json_bool(&b, "missing", x->s->missing);
	json_noise(&b, x->s);
	json_suspect(&b, w, x);
	json_steps(&b, w, x);
	json_points(&b, w, x);
	buf_addch(&b, '}');
	fputs(b.p, stdout);
	w->any = true;
	return 0;
}

/* ---- all of it ---- */

static void write_heading(const struct trending *t)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	json_string(&b, "schema", "perfgate/trend");
	json_int(&b, "version", 1);
	json_string(&b, "line", t->line);
	json_string(&b, "tip", *t->tip ? t->tip : NULL);
	json_int(&b, "commits", (long long)t->n_commits);
	json_int(&b, "commits_by_time", (long long)t->n_by_time);
	json_int(&b, "commits_elsewhere", (long long)t->n_elsewhere);
	json_key(&b, "series");
	buf_addch(&b, '[');
	fputs(b.p, stdout);
}

int trend_json(struct trend_view *v, struct err *err)
{
	struct writing w = {.v = v};

	write_heading(&v->t);
	if (trend_view_each(v, write_series, &w, err) < 0)
		return -1;
	puts("]}");
	return 0;
}
