/* A flat badge, such as READMEs show. */
#include "lists.h"

#include "markup.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* Of a sans-serif of 11 pixels, widths that no glyph of Verdana or DejaVu Sans exceeds by much. */
enum { PER_COLUMN = 7, MARGIN = 6, LABEL_MAX = 30 };

struct face {
	const char *colour;
	char words[60];
};

static void sum(struct site_suite *ret, const struct site_lists *l)
{
	size_t i, k;

	for (i = 0; i < l->n_suites; i++) {
		for (k = 0; k < STATE_COUNT; k++)
			ret->states[k] += l->suites[i].states[k];
		ret->n_series += l->suites[i].n_series;
	}
}

static struct face face_of(const struct site_suite *x)
{
	struct face f = {.colour = "#2e7d32", .words = "steady"};

	if (!x->n_series) {
		f = (struct face){.colour = "#616161", .words = "no data"};
	} else if (x->states[STATE_WORSE]) {
		f.colour = "#b3261e";
		snprintf(f.words, sizeof(f.words), "%zu regressed", x->states[STATE_WORSE]);
	} else if (x->states[STATE_MISSING]) {
		f.colour = "#8a5a00";
		snprintf(f.words, sizeof(f.words), "%zu missing", x->states[STATE_MISSING]);
	} else if (x->states[STATE_SUSPECT]) {
		f.colour = "#8a5a00";
		snprintf(f.words, sizeof(f.words), "%zu suspect", x->states[STATE_SUSPECT]);
	} else if (x->states[STATE_BETTER]) {
		snprintf(f.words, sizeof(f.words), "%zu improved", x->states[STATE_BETTER]);
	}
	return f;
}

static void add_label(struct buf *b, const struct site_suite *suite)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	size_t n;

	buf_addstr(b, "perf");
	if (!suite)
		return;
	text_escape(&text, suite->name, strlen(suite->name));
	for (n = text.len; text_width(text.p, n) > LABEL_MAX; n--)
		;
	while (n && ((unsigned char)text.p[n] & 0xc0) == 0x80)
		n--;
	buf_addf(b, " %.*s%s", (int)n, text.p, n < text.len ? "…" : "");
}

void badge_words(struct buf *b, const struct site_lists *l, const struct site_suite *suite)
{
	_cleanup_(buf_release) struct buf label = BUF_INIT;
	struct site_suite all = {0};

	sum(&all, l);
	add_label(&label, suite);
	buf_addf(b, "%s: %s", label.p, face_of(suite ? suite : &all).words);
}

static void add_text(struct buf *b, size_t middle, const char *text)
{
	buf_addf(b, "<text x=\"%zu\" y=\"14\">", middle);
	markup_text(b, text);
	buf_addstr(b, "</text>");
}

void badge(struct buf *b, const struct site_lists *l, const struct site_suite *suite)
{
	_cleanup_(buf_release) struct buf label = BUF_INIT, words = BUF_INIT;
	struct site_suite all = {0};
	struct face f;
	size_t left, right;

	sum(&all, l);
	f = face_of(suite ? suite : &all);
	add_label(&label, suite);
	badge_words(&words, l, suite);
	left = PER_COLUMN * text_width(label.p, label.len) + 2 * MARGIN;
	right = PER_COLUMN * strlen(f.words) + 2 * MARGIN;
	buf_addf(b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"20\" role=\"img\" aria-label=\"",
		left + right);
	markup_text(b, words.p);
	buf_addstr(b, "\"><title>");
	markup_text(b, words.p);
	buf_addf(b,
		"</title><rect width=\"%zu\" height=\"20\" fill=\"#444\"/><rect x=\"%zu\" width=\"%zu\" height=\"20\" fill=\"%s\"/>"
		"<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">",
		left, left, right, f.colour);
	add_text(b, left / 2, label.p);
	add_text(b, left + right / 2, f.words);
	buf_addstr(b, "</g></svg>\n");
}
