#include "csv.h"

#include "figure.h"
#include "text.h"

#include <math.h>
#include <string.h>

void csv_separator(struct buf *b)
{
	if (b->len && b->p[b->len - 1] != '\n')
		buf_addch(b, ',');
}

static void add_quoted(struct buf *b, const char *s)
{
	buf_addch(b, '"');
	for (; *s; s++) {
		if (*s == '"')
			buf_addch(b, '"');
		buf_addch(b, *s);
	}
	buf_addch(b, '"');
}

void csv_text(struct buf *b, const char *s)
{
	_cleanup_(buf_release) struct buf cell = BUF_INIT;

	csv_separator(b);
	if (!s || !*s)
		return;
	if (strchr("=+-@\t\r", *s))
		buf_addch(&cell, '\'');
	text_escape(&cell, s, strlen(s));
	if (strpbrk(cell.p, ",\"\r\n;'"))
		add_quoted(b, cell.p);
	else
		buf_addstr(b, cell.p);
}

void csv_count(struct buf *b, size_t n)
{
	csv_separator(b);
	buf_addf(b, "%zu", n);
}

void csv_real(struct buf *b, double value)
{
	csv_separator(b);
	if (isfinite(value))
		figure_real(b, value);
}

void csv_series(struct buf *b, const struct series_key *k, const struct decision *d)
{
	csv_text(b, k->suite);
	csv_text(b, k->benchmark);
	csv_text(b, k->metric);
	csv_text(b, k->unit);
	csv_text(b, k->variant);
	csv_text(b, k->runner);
	csv_text(b, gate_class_name(d->class_));
	csv_text(b, judge_name(d->judge));
	csv_text(b, direction_name(d->direction));
}
