/* A suite's page: where its series stand. */
#include "lists.h"

#include "markup.h"
#include "page.h"
#include "phrase.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool one_runner(const struct site_lists *l, const struct site_suite *x)
{
	size_t i;

	for (i = x->first_series + 1; i < x->first_series + x->n_series; i++)
		if (strcmp(l->series[i].key.runner, l->series[i - 1].key.runner) != 0)
			return false;
	return true;
}

static void add_step(struct buf *b, const struct site *s, const struct site_step *step)
{
	_cleanup_(buf_release) struct buf change = BUF_INIT;

	if (step->at == SITE_NONE) {
		buf_addstr(b, "<td class=\"n\"></td><td></td>");
		return;
	}
	phrase_change(&change, step->change);
	page_cell_figure(b, step->change, change.p);
	buf_addf(b, "<td data-v=\"%u\">", (unsigned)step->at);
	page_commit_day(b, s, step->at);
	buf_addstr(b, "</td>");
}

static void add_row(
	struct buf *b, const struct site *s, const struct site_series *x, bool with_runner)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT, metric = BUF_INIT, level = BUF_INIT,
					  noise = BUF_INIT;
	const enum site_state state = x->state;

	page_series_href(&href, "../", &x->key);
	phrase_metric(&metric, &x->key);
	phrase_value(&level, x->level, x->key.unit);
	phrase_noise(&noise, x);
	buf_addf(b, state == STATE_STEADY ? "<tr>" : "<tr class=\"%s\">", site_state_name(state));
	page_cell_link(b, href.p, x->key.benchmark);
	page_cell(b, metric.p);
	page_cell(b, site_state_name(state));
	page_cell_figure(b, x->level, level.p);
	add_step(b, s, &x->step);
	page_cell_figure(b, x->exact ? 0 : x->noise, noise.p);
	if (with_runner)
		page_cell(b, x->key.runner);
	buf_addstr(b, "<td class=\"spark\">");
	if (x->spark)
		buf_addstr(b, x->spark);
	buf_addstr(b, "</td></tr>\n");
}

static void add_table(
	struct buf *b, const struct site *s, const struct site_lists *l, const struct site_suite *x)
{
	static const char *const all[] = {"Benchmark", "Metric", "State", ">Level", ">Change",
		"Last step", ">Noise", "Runner", "-Trend", NULL};
	static const char *const alone[] = {"Benchmark", "Metric", "State", ">Level", ">Change",
		"Last step", ">Noise", "-Trend", NULL};
	const bool with_runner = !one_runner(l, x);
	_cleanup_(freep) size_t *rows = NULL;
	const size_t n = suite_rows(l, x, &rows);
	size_t i;

	page_table(b,
		suite_is_long(x)
			? "Benchmarks, each with the series that has the worst news"
			: "Series: what is worse or accepted may be so for long, what is better or suspect is so within the newest 30 commits",
		with_runner ? all : alone);
	for (i = 0; i < n; i++)
		add_row(b, s, &l->series[rows[i]], with_runner);
	page_table_end(b);
}

static void add_downloads(struct buf *b, const struct site_suite *x)
{
	static const char *const kinds[][2] = {
		{".md", "Markdown"}, {".csv", "CSV"}, {".json", "JSON"}, {".txt", "OpenMetrics"}};
	char name[SLUG_MAX];
	size_t i;

	slug(name, &x->name, 1);
	buf_addstr(b, "<p class=\"downloads\">The same as");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		buf_addf(b, "%s <a href=\"%s%s\">%s</a>", i ? "," : "", name, kinds[i][0],
			kinds[i][1]);
	buf_addf(b, "%s.</p>\n", suite_is_long(x) ? ", but for Markdown with all series" : "");
}

void suite_page(
	struct buf *b, const struct site *s, const struct site_lists *l, const struct site_suite *x)
{
	const struct page p = {.title = x->name, .root = "../", .suite = x->name};
	_cleanup_(buf_release) struct buf path = BUF_INIT, words = BUF_INIT;

	page_begin(b, s, &p);
	site_badge_path(&path, x->name);
	buf_addf(b, "<p class=\"summary\"><img src=\"../%s\" alt=\"", path.p);
	badge_words(&words, l, x);
	markup_text(b, words.p);
	buf_addf(b, "\" height=\"20\"/> %zu series of %zu benchmark%s.</p>\n", x->n_series, x->n,
		plural(x->n));
	add_table(b, s, l, x);
	add_downloads(b, x);
	page_end(b, s, &p);
}
