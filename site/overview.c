/* The first page: what moved, what may have moved, what is gone, what the gate said. */
#include "lists.h"

#include "markup.h"
#include "page.h"
#include "phrase.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 100, GATES_LISTED = 20 };

static void add_series(struct buf *b, const struct site_series *x)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT, name = BUF_INIT;

	page_series_href(&href, "", &x->key);
	phrase_series(&name, &x->key);
	page_cell_link(b, href.p, name.p);
}

static void add_spark(struct buf *b, const struct site_series *x)
{
	buf_addstr(b, "<td class=\"spark\">");
	if (x->spark)
		buf_addstr(b, x->spark);
	buf_addstr(b, "</td>");
}

static void add_more(struct buf *b, size_t n, const char *where)
{
	if (n > LISTED)
		buf_addf(b, "<p>%zu more are on %s.</p>\n", n - LISTED, where);
}

/* ---- what moved ---- */

static void add_step(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_step *step)
{
	const struct site_series *x = &l->series[step->series];
	const bool accepted = x->state == STATE_ACCEPTED && step->sense == SENSE_WORSE;
	_cleanup_(buf_release) struct buf before = BUF_INIT, after = BUF_INIT, change = BUF_INIT,
					  word = BUF_INIT;

	phrase_pair(&before, &after, step->before, step->after, x->key.unit);
	phrase_change(&change, step->change);
	phrase_step(&word, step);
	if (accepted)
		buf_addstr(&word, ", accepted");
	buf_addf(b, "<tr class=\"%s\">", accepted ? "weak" : phrase_step_class(step));
	add_series(b, x);
	page_cell_figure(b, step->change, change.p);
	page_cell(b, word.p);
	buf_addf(b, "<td data-v=\"%u\">", (unsigned)step->at);
	page_commit_day(b, s, step->at);
	buf_addstr(b, "</td>");
	page_cell_figure(b, step->before, before.p);
	page_cell_figure(b, step->after, after.p);
	add_spark(b, x);
	buf_addstr(b, "</tr>\n");
}

static void add_moved(struct buf *b, const struct site *s, const struct site_lists *l)
{
	static const char *const headings[] = {
		"Series", ">Change", "What", "Commit", ">Before", ">After", "-Trend", NULL};
	_cleanup_(buf_release) struct buf caption = BUF_INIT;
	_cleanup_(freep) struct site_step *steps = NULL;
	const size_t n = recent_steps(s, l, &steps);
	size_t i;

	buf_addstr(b, "<h2 id=\"moved\">What moved</h2>\n");
	if (!n) {
		buf_addf(b, "<p>Nothing within the newest %d commits measured.</p>\n", SITE_RECENT);
		return;
	}
	buf_addf(&caption, "Steps within the newest %d commits measured, worst first", SITE_RECENT);
	page_table(b, caption.p, headings);
	for (i = 0; i < n && i < LISTED; i++)
		add_step(b, s, l, &steps[i]);
	page_table_end(b);
	add_more(b, n, "the pages of their benchmarks");
}

/* ---- what may have moved, and what is gone ---- */

static void add_suspect(struct buf *b, const struct site *s, const struct site_series *x)
{
	const struct site_step *d = &x->doubt;
	_cleanup_(buf_release) struct buf before = BUF_INIT, after = BUF_INIT, change = BUF_INIT;

	phrase_pair(&before, &after, d->before, d->after, x->key.unit);
	phrase_change(&change, d->change);
	buf_addstr(b, "<tr class=\"suspect\">");
	add_series(b, x);
	page_cell_figure(b, d->change, change.p);
	page_cell(b, trend_sense_name(d->sense));
	buf_addf(b, "<td data-v=\"%u\">", (unsigned)d->at);
	page_commit_day(b, s, d->at);
	buf_addstr(b, "</td>");
	page_cell_figure(b, d->before, before.p);
	page_cell_figure(b, d->after, after.p);
	add_spark(b, x);
	buf_addstr(b, "</tr>\n");
}

static size_t count(const struct site_lists *l, enum site_state state)
{
	size_t n = 0, i;

	for (i = 0; i < l->n_series; i++)
		n += l->series[i].state == state;
	return n;
}

static void add_suspects(struct buf *b, const struct site *s, const struct site_lists *l)
{
	static const char *const headings[] = {
		"Series", ">Change", "Sense", "Since", ">Before", ">After", "-Trend", NULL};
	const size_t n = count(l, STATE_SUSPECT);
	size_t i, listed = 0;

	buf_addstr(b, "<h2 id=\"suspect\">Suspect</h2>\n");
	if (!n) {
		buf_addstr(b,
			"<p>Nothing: each step is sure, and the newest points lie where their series stand.</p>\n");
		return;
	}
	page_table(b,
		"Series whose newest points may be the beginning of another level, or whose step is weak or the machine's",
		headings);
	for (i = 0; i < l->n_series && listed < LISTED; i++)
		if (l->series[i].state == STATE_SUSPECT) {
			add_suspect(b, s, &l->series[i]);
			listed++;
		}
	page_table_end(b);
	add_more(b, n, "the pages of their suites");
}

static void add_missing(struct buf *b, const struct site *s, const struct site_series *x)
{
	_cleanup_(buf_release) struct buf level = BUF_INIT;

	phrase_value(&level, x->level, x->key.unit);
	buf_addstr(b, "<tr class=\"missing\">");
	add_series(b, x);
	page_cell(b, x->key.runner);
	buf_addf(b, "<td data-v=\"%u\">", (unsigned)x->newest);
	if (x->newest != SITE_NONE)
		page_commit_day(b, s, x->newest);
	buf_addstr(b, "</td>");
	page_cell_figure(b, x->level, level.p);
	buf_addstr(b, "</tr>\n");
}

struct seen {
	uint32_t newest;
	size_t series;
};

/* What was there lately first: what is long gone is known by now. */
static int compare_seen(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->newest != y->newest)
		return x->newest > y->newest ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

static size_t find_missing(const struct site_lists *l, struct seen **ret)
{
	size_t n = 0, i;

	*ret = xcalloc(l->n_series + 1, sizeof(**ret));
	for (i = 0; i < l->n_series; i++)
		if (l->series[i].state == STATE_MISSING)
			(*ret)[n++] = (struct seen){l->series[i].newest, i};
	if (n)
		qsort(*ret, n, sizeof(**ret), compare_seen);
	return n;
}

static void add_all_missing(struct buf *b, const struct site *s, const struct site_lists *l)
{
	static const char *const headings[] = {"Series", "Runner", "Last seen", ">Level", NULL};
	_cleanup_(freep) struct seen *v = NULL;
	const size_t n = find_missing(l, &v);
	size_t i;

	buf_addstr(b, "<h2 id=\"missing\">Missing</h2>\n");
	if (!n) {
		buf_addstr(b, "<p>Nothing: what was measured before is measured still.</p>\n");
		return;
	}
	page_table(b,
		"Series that the newest run of their suite does not have, the last gone first",
		headings);
	for (i = 0; i < n && i < LISTED; i++)
		add_missing(b, s, &l->series[v[i].series]);
	page_table_end(b);
	add_more(b, n, "the pages of their suites");
}

/* ---- the gate ---- */

static void add_sha(struct buf *b, const char *sha)
{
	_cleanup_(freep) char *cut = xstrndup(sha, 10);

	buf_addstr(b, "<td><code>");
	markup_text(b, cut);
	buf_addstr(b, "</code></td>");
}

static void add_gate(struct buf *b, const struct site_gate *g)
{
	static const char *const words[] = {"passed", "failed", "could not tell", "not judged"};
	const bool known =
		g->exit_status >= 0 && g->exit_status < (int)(sizeof(words) / sizeof(*words));

	buf_addf(b, "<tr class=\"%s\"><th scope=\"row\">",
		g->exit_status == 1   ? "worse"
		: g->exit_status == 0 ? "steady"
				      : "suspect");
	page_time(b, g->at, true);
	buf_addstr(b, "</th>");
	page_cell(b, known ? words[g->exit_status] : "failed");
	page_cell(b, g->counts);
	add_sha(b, g->head);
	add_sha(b, g->base);
	buf_addstr(b, "</tr>\n");
}

static void add_gates(struct buf *b, const struct site_lists *l)
{
	static const char *const headings[] = {"When", "Gate", "Series", "Head", "Base", NULL};
	size_t i;

	if (!l->n_gates)
		return;
	buf_addstr(b, "<h2 id=\"gates\">Recorded gates</h2>\n");
	page_table(b, "What the gate said, newest first", headings);
	for (i = 0; i < l->n_gates && i < GATES_LISTED; i++)
		add_gate(b, &l->gates[i]);
	page_table_end(b);
}

/* ---- the suites ---- */

static void add_count(struct buf *b, size_t n)
{
	buf_addf(b, "<td class=\"n\">%zu</td>", n);
}

static void add_suite(struct buf *b, const struct site_suite *x)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT;

	site_suite_path(&href, x->name, ".html");
	buf_addf(b, x->states[STATE_WORSE] ? "<tr class=\"worse\">" : "<tr>");
	page_cell_link(b, href.p, x->name);
	add_count(b, x->n);
	add_count(b, x->n_series);
	add_count(b, x->states[STATE_WORSE]);
	add_count(b, x->states[STATE_BETTER]);
	add_count(b, x->states[STATE_SUSPECT]);
	add_count(b, x->states[STATE_MISSING]);
	buf_addstr(b, "</tr>\n");
}

static void add_suites(struct buf *b, const struct site_lists *l)
{
	static const char *const headings[] = {"Suite", ">Benchmarks", ">Series", ">Worse",
		">Better", ">Suspect", ">Missing", NULL};
	size_t i;

	buf_addstr(b, "<h2 id=\"suites\">Suites</h2>\n");
	page_table(b, "The suites, and how many of their series are news", headings);
	for (i = 0; i < l->n_suites; i++)
		add_suite(b, &l->suites[i]);
	page_table_end(b);
}

static void add_summary(struct buf *b, const struct site *s, const struct site_lists *l)
{
	_cleanup_(buf_release) struct buf words = BUF_INIT;

	badge_words(&words, l, NULL);
	buf_addstr(b, "<p class=\"summary\"><img src=\"badge/all.svg\" alt=\"");
	markup_text(b, words.p);
	buf_addf(b,
		"\" height=\"20\"/> %zu series of %zu benchmark%s in %zu suite%s, %zu commit%s measured.</p>\n",
		l->n_series, l->n_benchmarks, plural(l->n_benchmarks), l->n_suites,
		plural(l->n_suites), s->n_commits, plural(s->n_commits));
}

void overview_page(struct buf *b, const struct site *s, const struct site_lists *l)
{
	const struct page p = {
		.root = "", .description = "What moved in the benchmarks, and where they stand"};

	page_begin(b, s, &p);
	add_summary(b, s, l);
	add_moved(b, s, l);
	add_suspects(b, s, l);
	add_all_missing(b, s, l);
	add_gates(b, l);
	add_suites(b, l);
	buf_addstr(b,
		"<p class=\"downloads\">What moved, as <a href=\"overview.md\">Markdown</a>, <a href=\"overview.csv\">CSV</a>, "
		"<a href=\"overview.json\">JSON</a>, <a href=\"metrics.txt\">OpenMetrics</a>, <a href=\"feed.xml\">Atom</a>.</p>\n");
	page_end(b, s, &p);
}
