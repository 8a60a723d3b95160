/* The rows of pages in GitHub's and GitLab's markdown. */
#include "tables.h"

#include "lists.h"
#include "markdown.h"
#include "num.h"
#include "phrase.h"

#include <stdlib.h>
#include <string.h>

static void add_code(struct buf *b, const char *s)
{
	buf_addch(b, ' ');
	markdown_raw_code(b, s);
	buf_addstr(b, " |");
}

static void add_cell(struct buf *b, const char *s)
{
	buf_addch(b, ' ');
	if (!strcmp(s, "–"))
		buf_addstr(b, s);
	else
		markdown_cell(b, s);
	buf_addstr(b, " |");
}

static void add_commit(struct buf *b, const struct site *s, uint32_t commit)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	if (commit == SITE_NONE) {
		buf_addstr(b, " |");
		return;
	}
	buf_addf(b, " %.10s", s->commits[commit].sha);
	if (s->commits[commit].at != TIME_UNKNOWN) {
		time_format(&t, s->commits[commit].at);
		buf_addf(b, " %.10s", t.p);
	}
	buf_addstr(b, " |");
}

static void add_change(struct buf *b, const struct site_step *step)
{
	_cleanup_(buf_release) struct buf change = BUF_INIT;

	if (step->at != SITE_NONE)
		phrase_change(&change, step->change);
	add_cell(b, buf_str(&change));
}

static void add_row(struct buf *b, const struct site *s, const struct site_series *x)
{
	_cleanup_(buf_release) struct buf metric = BUF_INIT, level = BUF_INIT, noise = BUF_INIT;

	phrase_metric(&metric, &x->key);
	phrase_value(&level, x->level, x->key.unit);
	phrase_noise(&noise, x);
	buf_addch(b, '|');
	add_code(b, x->key.benchmark);
	add_code(b, metric.p);
	add_code(b, x->key.runner);
	add_cell(b, level.p);
	add_cell(b, noise.p);
	add_commit(b, s, x->step.at);
	add_change(b, &x->step);
	buf_addf(b, " %s |\n", site_state_name(x->state));
}

void suite_markdown(
	struct buf *b, const struct site *s, const struct site_lists *l, const struct site_suite *x)
{
	_cleanup_(freep) size_t *rows = NULL;
	const size_t n = suite_rows(l, x, &rows);
	size_t i;

	buf_addstr(b, "# ");
	markdown_raw_code(b, x->name);
	buf_addstr(b,
		"\n\n| benchmark | metric | runner | level | noise | last step | change | state |\n"
		"|---|---|---|--:|--:|---|--:|---|\n");
	for (i = 0; i < n; i++)
		add_row(b, s, &l->series[rows[i]]);
}

static void add_step(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_step *step)
{
	const struct site_series *x = &l->series[step->series];
	_cleanup_(buf_release) struct buf metric = BUF_INIT, before = BUF_INIT, after = BUF_INIT;

	phrase_metric(&metric, &x->key);
	phrase_pair(&before, &after, step->before, step->after, x->key.unit);
	buf_addch(b, '|');
	add_code(b, x->key.suite);
	add_code(b, x->key.benchmark);
	add_code(b, metric.p);
	add_commit(b, s, step->at);
	add_cell(b, before.p);
	add_cell(b, after.p);
	add_change(b, step);
	buf_addf(b, " %s%s%s |\n", trend_sense_name(step->sense),
		step->strength == STEP_WEAK ? ", weak" : "", step->machine ? ", machine" : "");
}

void overview_markdown(struct buf *b, const struct site *s, const struct site_lists *l)
{
	_cleanup_(freep) struct site_step *steps = NULL;
	const size_t n = recent_steps(s, l, &steps);
	size_t i;

	buf_addstr(b, "# What moved\n\n");
	if (!n) {
		buf_addf(b, "Nothing within the newest %d commits measured.\n", SITE_RECENT);
		return;
	}
	buf_addstr(b, "| suite | benchmark | metric | commit | before | after | change | sense |\n"
		      "|---|---|---|---|--:|--:|--:|---|\n");
	for (i = 0; i < n; i++)
		add_step(b, s, l, &steps[i]);
}
