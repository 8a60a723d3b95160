#include "page.h"

#include "markup.h"
#include "num.h"

#include <math.h>
#include <string.h>

/* ---- head and foot ---- */

static void add_head(struct buf *b, const struct site *s, const struct page *p)
{
	buf_addstr(b,
		"<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
		"form-action 'none'\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		"<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	if (p->title) {
		markup_text(b, p->title);
		buf_addstr(b, " · ");
	}
	markup_text(b, s->title);
	buf_addstr(b, "</title>\n");
	if (p->description) {
		buf_addstr(b, "<meta name=\"description\" content=\"");
		markup_text(b, p->description);
		buf_addstr(b, "\"/>\n");
	}
	buf_addf(b,
		"<link rel=\"icon\" href=\"data:,\"/>\n<link rel=\"stylesheet\" href=\"%sassets/site.css\"/>\n"
		"<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Steps\" href=\"%sfeed.xml\"/>\n"
		"<script defer=\"defer\" src=\"%sassets/site.js\"></script>\n",
		p->root, p->root, p->root);
}

static void add_navigation(struct buf *b, const struct site *s, const struct page *p)
{
	buf_addf(b,
		"<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"top\"><a class=\"brand\" href=\"%sindex.html\">",
		p->root);
	markup_text(b, s->title);
	buf_addf(b,
		"</a>\n<nav aria-label=\"Site\"><ul><li><a href=\"%sindex.html\">Overview</a></li> "
		"<li><a href=\"%scompare/index.html\">Compare</a></li> <li><a href=\"%sfeed.xml\">Feed</a></li></ul></nav></header>\n",
		p->root, p->root, p->root);
}

static void add_crumbs(struct buf *b, const struct page *p)
{
	_cleanup_(buf_release) struct buf href = BUF_INIT;

	if (!p->title)
		return;
	buf_addf(b,
		"<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><ol><li><a href=\"%sindex.html\">Overview</a></li> ",
		p->root);
	if (p->suite && strcmp(p->suite, p->title) != 0) {
		buf_addstr(&href, p->root);
		site_suite_path(&href, p->suite, ".html");
		buf_addstr(b, "<li>");
		page_link(b, href.p, p->suite);
		buf_addstr(b, "</li> ");
	}
	buf_addstr(b, "<li aria-current=\"page\">");
	markup_text(b, p->title);
	buf_addstr(b, "</li></ol></nav>\n");
}

void page_begin(struct buf *b, const struct site *s, const struct page *p)
{
	buf_addf(b,
		"<!DOCTYPE html>\n<html lang=\"en\" data-root=\"%s\" data-search=\"data/search.json\"%s>\n<head>\n",
		p->root, p->charts && s->uplot ? " data-uplot=\"assets/\"" : "");
	add_head(b, s, p);
	buf_addstr(b, "</head>\n<body>\n");
	add_navigation(b, s, p);
	add_crumbs(b, p);
	buf_addstr(b, "<main id=\"main\">\n<h1>");
	markup_text(b, p->title ? p->title : s->title);
	buf_addstr(b, "</h1>\n");
}

void page_end(struct buf *b, const struct site *s, const struct page *p)
{
	(void)p;
	buf_addstr(b, "</main>\n<footer><p>");
	if (s->n_commits) {
		buf_addstr(b, "As of commit ");
		page_commit_day(b, s, (uint32_t)(s->n_commits - 1));
	} else {
		buf_addstr(b, "No commit has been measured");
	}
	if (s->newest != TIME_UNKNOWN) {
		buf_addstr(b, "; newest run ");
		page_time(b, s->newest, true);
	}
	buf_addstr(b, ". Made by perfgate " PACKAGE_VERSION ".</p></footer>\n</body>\n</html>\n");
}

/* ---- parts ---- */

static void add_heading(struct buf *b, const char *name)
{
	if (*name == '>')
		buf_addf(b, "<th scope=\"col\" class=\"n\" data-sort=\"number\">%s</th>", name + 1);
	else if (*name == '-')
		buf_addf(b, "<th scope=\"col\">%s</th>", name + 1);
	else
		buf_addf(b, "<th scope=\"col\" data-sort=\"text\">%s</th>", name);
}

void page_table(struct buf *b, const char *caption, const char *const *headings)
{
	buf_addstr(b, "<div class=\"scroll\"><table class=\"rows\"><caption>");
	markup_text(b, caption);
	buf_addstr(b, "</caption>\n<thead><tr>");
	for (; *headings; headings++)
		add_heading(b, *headings);
	buf_addstr(b, "</tr></thead>\n<tbody>\n");
}

void page_table_end(struct buf *b)
{
	buf_addstr(b, "</tbody></table></div>\n");
}

void page_cell(struct buf *b, const char *text)
{
	buf_addstr(b, "<td>");
	markup_text(b, text);
	buf_addstr(b, "</td>");
}

void page_cell_figure(struct buf *b, double sorts_by, const char *text)
{
	buf_addstr(b, "<td class=\"n\"");
	if (isfinite(sorts_by))
		buf_addf(b, " data-v=\"%.6g\"", sorts_by);
	buf_addch(b, '>');
	markup_text(b, text);
	buf_addstr(b, "</td>");
}

void page_link(struct buf *b, const char *href, const char *text)
{
	buf_addstr(b, "<a href=\"");
	markup_text(b, href);
	buf_addstr(b, "\">");
	markup_text(b, text);
	buf_addstr(b, "</a>");
}

void page_cell_link(struct buf *b, const char *href, const char *text)
{
	buf_addstr(b, "<th scope=\"row\">");
	page_link(b, href, text);
	buf_addstr(b, "</th>");
}

static void fill_template(struct buf *b, const char *template, const char *sha)
{
	const char *gap;

	for (; (gap = strstr(template, "{sha}")); template = gap + 5)
		buf_addf(b, "%.*s%s", (int)(gap - template), template, sha);
	buf_addstr(b, template);
}

void page_commit(struct buf *b, const struct site *s, uint32_t commit)
{
	const char *sha = s->commits[commit].sha;
	_cleanup_(buf_release) struct buf href = BUF_INIT;

	if (!s->commit_url) {
		buf_addf(b, "<code>%.10s</code>", sha);
		return;
	}
	fill_template(&href, s->commit_url, sha);
	buf_addstr(b, "<a href=\"");
	markup_text(b, href.p);
	buf_addf(b, "\"><code>%.10s</code></a>", sha);
}

void page_commit_day(struct buf *b, const struct site *s, uint32_t commit)
{
	page_commit(b, s, commit);
	if (s->commits[commit].at == TIME_UNKNOWN)
		return;
	buf_addch(b, ' ');
	page_time(b, s->commits[commit].at, false);
}

void page_time(struct buf *b, int64_t at, bool minute)
{
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	time_format(&t, at);
	if (minute)
		buf_addf(b, "<time datetime=\"%.16sZ\">%.10s %.5s UTC</time>", t.p, t.p, t.p + 11);
	else
		buf_addf(b, "<time>%.10s</time>", t.p);
}

void page_series_href(struct buf *b, const char *root, const struct series_key *k)
{
	buf_addstr(b, root);
	site_benchmark_path(b, k->suite, k->benchmark);
	buf_addch(b, '#');
	site_anchor(b, k);
}
