/*
 * Which columns fit.
 */
#include "trend-cells.h"

#include "layout.h"
#include "term.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const char *const headings[COLUMN_COUNT] = {[COLUMN_STATE] = "=STATE",
	[COLUMN_SUITE] = "=SUITE",
	[COLUMN_SERIES] = "SERIES",
	[COLUMN_LEVEL] = ">LEVEL",
	[COLUMN_LEVELS] = ">LEVEL",
	[COLUMN_CHANGE] = ">CHANGE",
	[COLUMN_INTERVAL] = ">95 %",
	[COLUMN_COMMIT] = "=COMMIT",
	[COLUMN_RANGE] = "=COMMITS",
	[COLUMN_DATE] = "=SINCE",
	[COLUMN_SURE] = "=EVIDENCE",
	[COLUMN_TREND] = ">TREND",
	[COLUMN_NOISE] = ">NOISE",
	[COLUMN_RUNS] = ">RUNS"};

/* What is shown where it fits, the first first; and what it takes the place of. */
static const struct {
	enum column column, instead; /* COLUMN_COUNT: of none */
} optional[] = {{COLUMN_SUITE, COLUMN_COUNT}, {COLUMN_RANGE, COLUMN_COMMIT},
	{COLUMN_RUNS, COLUMN_COUNT}, {COLUMN_DATE, COLUMN_COUNT}, {COLUMN_SURE, COLUMN_COUNT},
	{COLUMN_LEVELS, COLUMN_LEVEL}, {COLUMN_NOISE, COLUMN_COUNT},
	{COLUMN_INTERVAL, COLUMN_COUNT}};

enum {
	GAP = 2,
	SERIES_WIDEST = 44, /* that other columns make way for */
	SERIES_LEAST = 30   /* that the suite makes way for */
};

static size_t cell_width(const char *s)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (s)
		text_escape(&b, s, strlen(s));
	return text_width(buf_str(&b), b.len);
}

static size_t column_width(const struct trend_line *v, size_t n, enum column c)
{
	const char *heading = headings[c];
	size_t width = cell_width(heading + (*heading == '>' || *heading == '=')), i;

	for (i = 0; i < n; i++) {
		const size_t w = cell_width(v[i].cells[c]);
		width = w > width ? w : width;
	}
	return c == COLUMN_SERIES && width > SERIES_WIDEST ? SERIES_WIDEST : width;
}

/* Whether a column has anything to say. */
static bool has_any(const struct trend_line *v, size_t n, enum column c)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i].cells[c] && *v[i].cells[c])
			return true;
	return false;
}

/* How much narrower the names of series may become. */
static long spare(long width)
{
	return width > SERIES_LEAST + GAP ? width - SERIES_LEAST - GAP : 0;
}

static void choose_columns(const struct trend_line *v, size_t n, bool shown[COLUMN_COUNT])
{
	const bool fit = term_fits(stdout);
	const long width = term_width(stdout);
	long used = 0, widths[COLUMN_COUNT];
	size_t c, i;

	for (c = 0; c < COLUMN_COUNT; c++) {
		widths[c] = (long)column_width(v, n, (enum column)c) + GAP;
		shown[c] = has_any(v, n, (enum column)c);
	}
	for (i = 0; i < ARRAY_LEN(optional); i++)
		shown[optional[i].column] = false;
	for (c = 0; c < COLUMN_COUNT; c++)
		used += shown[c] ? widths[c] : 0;
	for (i = 0; i < ARRAY_LEN(optional); i++) {
		const enum column new = optional[i].column, old = optional[i].instead;
		const long more = widths[new] - (old != COLUMN_COUNT ? widths[old] : 0);
		const long less = new == COLUMN_SUITE ? spare(widths[COLUMN_SERIES]) : 0;
		if (!has_any(v, n, new) || (fit && used + more - less - GAP > width))
			continue;
		used += more;
		shown[new] = true;
		if (old != COLUMN_COUNT)
			shown[old] = false;
	}
}

static const char *paint_of(enum standing_kind k)
{
	static const char *const paints[STANDING_KINDS] = {[STANDING_WORSE] = PAINT_RED,
		[STANDING_SUSPECT] = PAINT_YELLOW,
		[STANDING_MISSING] = PAINT_YELLOW,
		[STANDING_BETTER] = PAINT_GREEN};

	return paints[k];
}

void trend_write_lines(const struct trend_line *v, size_t n)
{
	struct table *t = table_new(NULL);
	bool shown[COLUMN_COUNT];
	size_t i, c;

	choose_columns(v, n, shown);
	for (c = 0; c < COLUMN_COUNT; c++)
		if (shown[c])
			table_heading(t, headings[c]);
	for (i = 0; i < n; i++) {
		for (c = 0; c < COLUMN_COUNT; c++)
			if (shown[c])
				table_cell(t, "%s", v[i].cells[c] ? v[i].cells[c] : "");
		table_paint(t, paint_of(v[i].kind));
	}
	table_write(t, stdout);
}
