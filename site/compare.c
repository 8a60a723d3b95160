/* The page on which two commits are compared: any two by the script, and the newest two without it;
 * it takes these off once it shows its own. */
#include "lists.h"

#include "page.h"
#include "phrase.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

enum { COMPARED = 100 };

struct compared {
	size_t series;
	double change; /* NAN: from 0 */
};

static double size_of(const struct compared *x)
{
	return isnan(x->change) ? INFINITY : fabs(x->change);
}

static int compare_sizes(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;

	if (size_of(x) != size_of(y))
		return size_of(x) > size_of(y) ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

/* Those that the newest two commits both have and that differ, the largest change first. */
static size_t find_changes(const struct site_lists *l, struct compared **ret)
{
	size_t n = 0, i;

	*ret = xcalloc(l->n_series + 1, sizeof(**ret));
	for (i = 0; i < l->n_series; i++) {
		const double to = l->series[i].at_newest[0], from = l->series[i].at_newest[1];
		if (isnan(from) || isnan(to) || from == to)
			continue;
		(*ret)[n++] = (struct compared){i, from == 0 ? NAN : (to - from) / fabs(from)};
	}
	if (n)
		qsort(*ret, n, sizeof(**ret), compare_sizes);
	return n;
}

static void add_row(struct buf *b, const struct site_series *x, double by)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT, name = BUF_INIT, from = BUF_INIT,
					  to = BUF_INIT, change = BUF_INIT, noise = BUF_INIT;

	page_series_href(&href, "../", &x->key);
	phrase_series(&name, &x->key);
	phrase_pair(&from, &to, x->at_newest[1], x->at_newest[0], x->key.unit);
	phrase_change(&change, by);
	phrase_noise(&noise, x);
	buf_addstr(b, "<tr>");
	page_cell_link(b, href.p, name.p);
	page_cell_figure(b, x->at_newest[1], from.p);
	page_cell_figure(b, x->at_newest[0], to.p);
	page_cell_figure(b, by, change.p);
	page_cell_figure(b, x->exact ? 0 : x->noise, noise.p);
	buf_addstr(b, "</tr>\n");
}

static void add_newest(struct buf *b, const struct site *s, const struct site_lists *l)
{
	static const char *const headings[] = {
		"Series", ">Before", ">Newest", ">Change", ">Noise", NULL};
	_cleanup_(freep) struct compared *v = NULL;
	size_t n, i;

	if (s->n_commits < 2)
		return;
	n = find_changes(l, &v);
	buf_addstr(b, "<section id=\"newest\">\n<h2>The newest two</h2>\n<p>Commit ");
	page_commit_day(b, s, (uint32_t)(s->n_commits - 1));
	buf_addstr(b, " against ");
	page_commit_day(b, s, (uint32_t)(s->n_commits - 2));
	buf_addf(b, ": %zu series differ%s. What lies within the noise is no change.</p>\n", n,
		n == 1 ? "s" : "");
	if (n)
		page_table(b, "Medians of both, the largest change first", headings);
	for (i = 0; i < n && i < COMPARED; i++)
		add_row(b, &l->series[v[i].series], v[i].change);
	if (n)
		page_table_end(b);
	if (n > COMPARED)
		buf_addf(b, "<p>%zu more are not listed.</p>\n", n - COMPARED);
	buf_addstr(b, "</section>\n");
}

void compare_page(struct buf *b, const struct site *s, const struct site_lists *l)
{
	const struct page p = {.title = "Compare", .root = "../"};
	const size_t n = s->n_commits - s->compare_from;

	page_begin(b, s, &p);
	buf_addstr(b,
		"<section id=\"compare\" data-index=\"data/series.json\" data-commits=\"data/commits.json\">\n"
		"<noscript><p>Comparing any two commits here takes scripts; in the repository, <code>perfgate diff A B</code> shows the "
		"same and judges it.</p></noscript>\n");
	add_newest(b, s, l);
	buf_addf(b, "</section>\n<p>%s%zu commit%s measured can be compared.</p>\n",
		s->compare_from ? "The newest " : "", n, plural(n));
	page_end(b, s, &p);
}
