#include "bench-page.h"

#include "chart.h"
#include "markup.h"
#include "num.h"
#include "page.h"
#include "phrase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_SHOWN = 40, STEPS_IDLE = 10, NEWEST_SHOWN = 5 };

/* ---- a series ---- */

static void add_now(struct buf *b, const struct site *s, const struct bench_series *x)
{
	_cleanup_(buf_release) struct buf level = BUF_INIT, noise = BUF_INIT;
	const struct site_series *of = x->of;

	phrase_value(&level, of->level, of->key.unit);
	phrase_noise(&noise, of);
	buf_addstr(b, "<p>Stands at <strong>");
	markup_text(b, level.p);
	buf_addf(b, "</strong>%s%s",
		of->direction == DIRECTION_NONE    ? ""
		: of->direction == DIRECTION_LOWER ? ", lower is better"
						   : ", higher is better",
		of->exact ? "; " : "; noise ");
	markup_text(b, noise.p);
	buf_addf(b, "; %zu point%s", x->n, x->n == 1 ? "" : "s");
	if (of->newest != SITE_NONE && of->newest + 1 < s->n_commits) {
		buf_addstr(b, ", the newest of ");
		page_commit_day(b, s, of->newest);
	}
	buf_addf(b, "; class %s.", gate_class_name(of->class_));
	if (x->trend->autocorrelated)
		buf_addstr(b,
			" Its points follow their neighbours, so that steps are less sure than they look.");
	buf_addstr(b, "</p>\n");
}

static void add_doubts(struct buf *b, const struct site *s, const struct bench_series *x)
{
	_cleanup_(buf_release) struct buf change = BUF_INIT;

	if (x->of->missing)
		buf_addstr(b,
			"<p class=\"missing\">Missing: the newest commit with its suite does not have it.</p>\n");
	if (!x->of->suspect.is)
		return;
	phrase_change(&change, x->of->suspect.change);
	buf_addf(b, "<p class=\"suspect\">Suspect: %s%s since ", change.p,
		x->of->suspect.sense == SENSE_WORSE    ? ", worse,"
		: x->of->suspect.sense == SENSE_BETTER ? ", better,"
						       : "");
	page_commit_day(b, s, x->of->suspect_from);
	buf_addstr(b, ", not confirmed yet.</p>\n");
}

/* The chart names its first and its last point, and those where the newest steps are and where what
 * is suspect begins. */
enum { STEPS_NAMED = 8, LABELS = STEPS_NAMED + 3, LABEL_MAX = 40 };

static void label(char *ret, const struct site *s, uint32_t commit)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;
	const struct site_commit *c = &s->commits[commit];

	if (c->at != TIME_UNKNOWN)
		time_format(&t, c->at);
	snprintf(ret, LABEL_MAX, "%.10s%s%.10s", c->sha, t.len ? ", " : "", buf_str(&t));
}

static void add_labels(const struct site *s, const struct bench_series *x,
	struct chart_point *points, char labels[LABELS][LABEL_MAX])
{
	const size_t n_steps = x->trend->n_steps;
	const struct trend_suspect *suspect = &x->trend->suspect;
	size_t at[LABELS] = {0, x->n - 1, suspect->is ? suspect->from : 0}, n = 3, i;

	for (i = n_steps; i > 0 && n < LABELS; i--)
		at[n++] = x->trend->steps[i - 1].at;
	for (i = 0; i < n; i++) {
		label(labels[i], s, x->points[at[i]].commit);
		points[at[i]].label = labels[i];
	}
}

static void add_chart(struct buf *b, const struct site *s, const struct bench_series *x)
{
	_cleanup_(freep) struct chart_point *points = xcalloc(x->n + 1, sizeof(*points));
	_cleanup_(buf_release) struct buf title = BUF_INIT;
	struct chart c = {.unit = x->of->key.unit,
		.points = points,
		.n = x->n,
		.trend = x->trend,
		.accepts = x->accepts,
		.n_accepts = x->n_accepts};
	char labels[LABELS][LABEL_MAX];
	size_t i;

	phrase_metric(&title, &x->of->key);
	c.title = title.p;
	for (i = 0; i < x->n; i++)
		points[i] = (struct chart_point){.value = x->points[i].value,
			.samples = x->points[i].samples,
			.n = x->points[i].n};
	add_labels(s, x, points, labels);
	chart_svg(b, &c);
}

static void add_series(
	struct buf *b, const struct site *s, const struct bench *x, size_t i, const char *data)
{
	const struct series_key *k = &x->v[i].of->key;
	_cleanup_(buf_release) struct buf id = BUF_INIT, name = BUF_INIT;

	site_anchor(&id, k);
	phrase_metric(&name, k);
	buf_addf(b, "<section class=\"series\" id=\"%s\">\n<h2>", id.p);
	markup_text(b, name.p);
	buf_addstr(b, " <small>");
	markup_text(b, k->runner);
	buf_addstr(b, "</small></h2>\n");
	add_doubts(b, s, &x->v[i]);
	add_now(b, s, &x->v[i]);
	if (x->v[i].n) {
		buf_addf(b, "<figure class=\"plot\" data-src=\"../%s\" data-series=\"%zu\">", data,
			i);
		add_chart(b, s, &x->v[i]);
		buf_addstr(b, "</figure>\n");
	}
	buf_addstr(b, "</section>\n");
}

/* ---- the steps ---- */

struct shown {
	const struct site_step *step;
	const struct site_series *of;
};

/* Newest first; of one commit in the order of series. */
static int compare_shown(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	if (x->step->at != y->step->at)
		return x->step->at > y->step->at ? -1 : 1;
	return x->step->series < y->step->series ? -1 : x->step->series > y->step->series;
}

/* Those of some sense; where there are none, the others. */
static size_t collect(const struct bench *x, bool of_sense, struct shown **ret)
{
	size_t n = 0, cap = 0, i, k;

	*ret = NULL;
	for (i = 0; i < x->n; i++)
		for (k = 0; k < x->v[i].trend->n_steps; k++) {
			const struct site_step *step = &x->v[i].steps[k];
			if ((step->sense != SENSE_NONE) != of_sense)
				continue;
			*ret = xgrow(*ret, n, &cap, sizeof(**ret));
			(*ret)[n++] = (struct shown){step, x->v[i].of};
		}
	if (n)
		qsort(*ret, n, sizeof(**ret), compare_shown);
	return n;
}

static void add_step(struct buf *b, const struct site *s, const struct shown *x)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT, name = BUF_INIT, before = BUF_INIT,
					  after = BUF_INIT, change = BUF_INIT, word = BUF_INIT;
	const struct site_step *step = x->step;
	const char *class_ = phrase_step_class(step);

	buf_addch(&href, '#');
	site_anchor(&href, &x->of->key);
	phrase_metric(&name, &x->of->key);
	phrase_pair(&before, &after, step->before, step->after, x->of->key.unit);
	phrase_change(&change, step->change);
	phrase_step(&word, step);
	buf_addf(b, *class_ ? "<tr class=\"%s\">" : "<tr>", class_);
	page_cell_link(b, href.p, name.p);
	page_cell_figure(b, step->change, change.p);
	page_cell(b, word.p);
	buf_addf(b, "<td data-v=\"%u\">", (unsigned)step->at);
	page_commit_day(b, s, step->at);
	if (step->earliest != step->last) {
		buf_addstr(b, " (");
		page_commit(b, s, step->earliest);
		buf_addstr(b, " to ");
		page_commit(b, s, step->last);
		buf_addch(b, ')');
	}
	buf_addstr(b, "</td>");
	page_cell_figure(b, step->before, before.p);
	page_cell_figure(b, step->after, after.p);
	buf_addstr(b, "</tr>\n");
}

static void add_steps(struct buf *b, const struct site *s, const struct bench *x)
{
	static const char *const headings[] = {
		"Series", ">Change", "What", "Commit", ">Before", ">After", NULL};
	_cleanup_(freep) struct shown *v = NULL, *idle = NULL;
	const size_t n = collect(x, true, &v), n_idle = collect(x, false, &idle);
	const size_t of_v = n < STEPS_SHOWN ? n : STEPS_SHOWN;
	const size_t of_idle = n ? 0 : n_idle < STEPS_IDLE ? n_idle : STEPS_IDLE;
	size_t i;

	buf_addstr(b, "<h2 id=\"steps\">Steps</h2>\n");
	if (!n && !n_idle) {
		buf_addstr(b, "<p>None: every series has stayed at one level.</p>\n");
		return;
	}
	page_table(b, "Where a series went to another level, newest first", headings);
	for (i = 0; i < of_v; i++)
		add_step(b, s, &v[i]);
	for (i = 0; i < of_idle; i++)
		add_step(b, s, &idle[i]);
	page_table_end(b);
	if (n > of_v)
		buf_addf(b, "<p>%zu older ones are not listed.</p>\n", n - of_v);
	if (n_idle > of_idle)
		buf_addf(b,
			"<p>%zu %swithin the tolerance, or of no direction, are not listed.</p>\n",
			n_idle - of_idle, of_idle ? "more " : "");
}

/* ---- the newest points ---- */

/* The newest commits of any series, newest first. */
static size_t newest_commits(const struct bench *x, uint32_t ret[NEWEST_SHOWN])
{
	size_t n = 0, i, k, at;

	for (i = 0; i < x->n; i++)
		for (k = x->v[i].n; k > 0 && x->v[i].n - k < 4 * NEWEST_SHOWN; k--) {
			const uint32_t c = x->v[i].points[k - 1].commit;
			for (at = 0; at < n && ret[at] > c; at++)
				;
			if (at == NEWEST_SHOWN || (at < n && ret[at] == c))
				continue;
			n += n < NEWEST_SHOWN;
			memmove(ret + at + 1, ret + at, (n - at - 1) * sizeof(*ret));
			ret[at] = c;
		}
	return n;
}

/* The value at a commit, of its newest session; NAN none. */
static double value_at(const struct bench_series *x, uint32_t commit)
{
	size_t i;

	for (i = x->n; i > 0 && x->n - i < 4 * NEWEST_SHOWN; i--)
		if (x->points[i - 1].commit == commit)
			return x->points[i - 1].value;
	return NAN;
}

static void add_newest_row(
	struct buf *b, const struct bench_series *x, const uint32_t *commits, size_t n)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT, name = BUF_INIT;
	size_t i;

	buf_addch(&href, '#');
	site_anchor(&href, &x->of->key);
	phrase_metric(&name, &x->of->key);
	buf_addstr(b, "<tr>");
	page_cell_link(b, href.p, name.p);
	for (i = 0; i < n; i++) {
		_cleanup_(buf_release) struct buf text = BUF_INIT;
		phrase_value(&text, value_at(x, commits[i]), x->of->key.unit);
		buf_addstr(b, "<td class=\"n\">");
		markup_text(b, text.p);
		buf_addstr(b, "</td>");
	}
	buf_addstr(b, "</tr>\n");
}

static void add_newest(struct buf *b, const struct site *s, const struct bench *x)
{
	uint32_t commits[NEWEST_SHOWN];
	const size_t n = newest_commits(x, commits);
	size_t i;

	if (!n)
		return;
	buf_addstr(b,
		"<h2 id=\"newest\">Newest medians</h2>\n<div class=\"scroll\"><table>"
		"<caption>Medians of the newest commits</caption>\n<thead><tr><th scope=\"col\">Series</th>");
	for (i = 0; i < n; i++) {
		buf_addstr(b, "<th scope=\"col\" class=\"n\">");
		page_commit(b, s, commits[i]);
		buf_addstr(b, "</th>");
	}
	buf_addstr(b, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < x->n; i++)
		add_newest_row(b, &x->v[i], commits, n);
	page_table_end(b);
}

/* ---- the page ---- */

void bench_page(struct buf *b, const struct site *s, const struct bench *x)
{
	const struct page p = {.title = x->name, .root = "../", .suite = x->suite, .charts = true};
	_cleanup_(buf_release) struct buf data = BUF_INIT;
	size_t i;

	site_data_path(&data, x->suite, x->name);
	page_begin(b, s, &p);
	for (i = 0; i < x->n; i++)
		add_series(b, s, x, i, data.p);
	buf_addstr(b,
		"<p class=\"quiet\">In charts the thin line goes through the medians, dots or a shade are samples, the strong line is "
		"a level and the band round it where 95 of 100 of its points lie; uprights are steps (dashed: weak), dashes "
		"across a level that is accepted.</p>\n");
	add_steps(b, s, x);
	add_newest(b, s, x);
	page_end(b, s, &p);
}
