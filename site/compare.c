/* The page on which two commits are compared: by the script any two, without it the newest two. */
#include "lists.h"

#include "markup.h"
#include "page.h"
#include "phrase.h"
#include "text.h"

void compare_page(struct buf *b, const struct site *s, const struct site_lists *l)
{
	const struct page p = {.title = "Compare", .root = "../"};
	const size_t n = s->n_commits - s->compare_from;

	(void)l;
	page_begin(b, s, &p);
	buf_addstr(b,
		"<section id=\"compare\" data-index=\"data/series.json\" data-commits=\"data/commits.json\">\n"
		"<noscript><p>Comparing any two commits here takes scripts. In the repository, <code>perfgate diff A B</code> shows the "
		"same and judges it; each <a href=\"../index.html#suites\">benchmark's page</a> has its newest medians.</p></noscript>\n"
		"</section>\n");
	buf_addf(b, "<p>%s%zu commit%s measured can be compared.</p>\n",
		s->compare_from ? "The newest " : "", n, plural(n));
	page_end(b, s, &p);
}
