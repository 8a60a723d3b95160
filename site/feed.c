/* The steps as a feed (RFC 4287), for those who want to be told. Ids are made of what a step is,
 * and times are those of commits, so that the same step is the same entry for ever. */
#include "lists.h"

#include "markup.h"
#include "num.h"
#include "page.h"
#include "phrase.h"

static void add_element(struct buf *b, const char *name, const char *text)
{
	buf_addf(b, "<%s>", name);
	markup_text(b, text);
	buf_addf(b, "</%s>\n", name);
}

/* A commit whose time is not known is as old as time. */
static void add_time(struct buf *b, const struct site *s, uint32_t commit)
{
	int64_t at = commit == SITE_NONE ? TIME_UNKNOWN : s->commits[commit].at;
	_cleanup_(buf_release) struct buf t = BUF_INIT;

	time_format(&t, at == TIME_UNKNOWN ? 0 : at);
	add_element(b, "updated", t.p);
}

static void add_link(struct buf *b, const struct site *s, const char *rel, const char *path)
{
	buf_addf(b, "<link rel=\"%s\" href=\"", rel);
	if (s->url)
		markup_text(b, s->url);
	markup_text(b, path);
	buf_addstr(b, "\"/>\n");
}

static void add_title(struct buf *b, const struct site_step *step, const struct site_series *x)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	phrase_series(&text, &x->key);
	buf_addstr(&text, ": ");
	phrase_change(&text, step->change);
	buf_addf(&text, ", %s", trend_sense_name(step->sense));
	add_element(b, "title", text.p);
}

static void add_summary(struct buf *b, const struct site *s, const struct site_step *step,
	const struct site_series *x)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT, before = BUF_INIT, after = BUF_INIT;

	phrase_pair(&before, &after, step->before, step->after, x->key.unit);
	buf_addf(&text, "From %s to %s at commit %.10s on %s; ", before.p, after.p,
		s->commits[step->at].sha, x->key.runner);
	phrase_step(&text, step);
	buf_addch(&text, '.');
	add_element(b, "summary", text.p);
}

static void add_entry(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_step *step)
{
	const struct site_series *x = &l->series[step->series];
	const struct series_key *k = &x->key;
	const char *const names[] = {"step", k->suite, k->benchmark, k->metric, k->unit,
		k->quantity, k->variant, k->runner, s->commits[step->at].sha};
	_cleanup_(buf_release) struct buf path = BUF_INIT;

	buf_addstr(b, "<entry>\n<id>");
	slug_urn(b, names, sizeof(names) / sizeof(names[0]));
	buf_addstr(b, "</id>\n");
	add_title(b, step, x);
	add_time(b, s, step->at);
	page_series_href(&path, "", k);
	add_link(b, s, "alternate", path.p);
	add_summary(b, s, step, x);
	buf_addf(b, "<category term=\"%s\"/>\n</entry>\n", trend_sense_name(step->sense));
}

void feed(struct buf *b, const struct site *s, const struct site_lists *l)
{
	const char *const names[] = {"feed", s->root, s->title};
	const size_t n = l->n_steps < FEED_MAX ? l->n_steps : FEED_MAX;
	size_t i;

	buf_addstr(b,
		"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>");
	slug_urn(b, names, sizeof(names) / sizeof(names[0]));
	buf_addstr(b, "</id>\n");
	add_element(b, "title", s->title);
	buf_addstr(b, "<author><name>perfgate</name></author>\n<generator>perfgate</generator>\n");
	add_time(b, s, s->n_commits ? (uint32_t)(s->n_commits - 1) : SITE_NONE);
	add_link(b, s, "self", "feed.xml");
	add_link(b, s, "alternate", "index.html");
	for (i = 0; i < n; i++)
		add_entry(b, s, l, &l->steps[i]);
	buf_addstr(b, "</feed>\n");
}
