#include "report-table.h"

#include "explain.h"
#include "layout.h"
#include "report-rows.h"
#include "report-words.h"
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, BENCHMARK_MIN = 24, METRIC_MIN = 16, NAMES_MIN = 16 };

static const struct {
	const char *title;
	bool right;
} columns[COL_COUNT] = {
	[COL_VERDICT] = {"", false},
	[COL_SUITE] = {"suite", false},
	[COL_BENCHMARK] = {"benchmark", false},
	[COL_METRIC] = {"metric", false},
	[COL_BASE] = {"base", true},
	[COL_HEAD] = {"head", true},
	[COL_CHANGE] = {"change", true},
	[COL_INTERVAL] = {"95 % interval", true},
	[COL_EVIDENCE] = {"evidence", false},
	[COL_ALLOWED] = {"allowed", false},
	[COL_N] = {"n", true},
	[COL_DETECTABLE] = {"detectable", true},
};

static const char *const headings[] = {
	[SECTION_OTHER] = "not gating:",
	[SECTION_INFO] = "not judged:",
};

struct table {
	const struct report_style *style;
	struct rows rows;
	size_t width[COL_COUNT]; /* 0: not shown */
};

/* ---- widths ---- */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* What all columns but the two of names take, with the gaps. */
static size_t width_beside_names(const struct table *t)
{
	size_t sum = 0;
	int c;

	for (c = 0; c < COL_COUNT; c++)
		if (c != COL_BENCHMARK && c != COL_METRIC && t->width[c])
			sum += t->width[c] + GAP;
	return sum + GAP;
}

static bool several_suites(const struct table *t)
{
	size_t i;

	for (i = 1; i < t->rows.n; i++)
		if (strcmp(t->rows.v[i].j->pair->key.suite, t->rows.v[0].j->pair->key.suite) != 0)
			return true;
	return false;
}

/* Columns that matter least go first when names get too little room. */
static void fit(struct table *t)
{
	static const enum column least[] = {
		COL_DETECTABLE, COL_N, COL_EVIDENCE, COL_INTERVAL, COL_ALLOWED, COL_SUITE};
	size_t full = t->width[COL_BENCHMARK], full_metric = t->width[COL_METRIC];
	size_t benchmark = smaller(full, BENCHMARK_MIN), metric = smaller(full_metric, METRIC_MIN);
	size_t width = layout_columns(t->style), beside, room, i;

	for (i = 0; i < ARRAY_LEN(least); i++)
		if (width_beside_names(t) + benchmark + metric > width)
			t->width[least[i]] = 0;
	beside = width_beside_names(t);
	room = width > beside + NAMES_MIN ? width - beside : NAMES_MIN;
	if (room < benchmark + metric) {
		metric = smaller(full_metric, room * 2 / 5);
		benchmark = smaller(full, room - metric);
	}
	benchmark = smaller(full, room - metric);
	metric = smaller(full_metric, room - benchmark);
	t->width[COL_BENCHMARK] = benchmark;
	t->width[COL_METRIC] = metric;
}

static void measure(struct table *t)
{
	size_t i;
	int c;

	for (c = 0; c < COL_COUNT; c++) {
		for (i = 0; i < t->rows.n; i++) {
			size_t w = layout_width(t->rows.v[i].cells[c]);
			t->width[c] = w > t->width[c] ? w : t->width[c];
		}
		if (t->width[c] && t->width[c] < layout_width(columns[c].title))
			t->width[c] = layout_width(columns[c].title);
	}
	if (!several_suites(t))
		t->width[COL_SUITE] = 0;
	fit(t);
}

/* ---- lines ---- */

static void trim_right(struct buf *b)
{
	while (b->len && b->p[b->len - 1] == ' ')
		b->len--;
	if (b->p)
		b->p[b->len] = '\0';
}

static void end_line(struct buf *b)
{
	trim_right(b);
	buf_addch(b, '\n');
}

static void add_cell(struct buf *b, const struct table *t, int c, const char *text, const char *sgr)
{
	_cleanup_(buf_release) struct buf cut = BUF_INIT;
	size_t room;

	layout_shorten(&cut, text, t->width[c]);
	room = t->width[c] - smaller(t->width[c], text_width(buf_str(&cut), cut.len));
	if (columns[c].right)
		layout_pad(b, room);
	layout_paint(b, t->style, cut.len ? sgr : NULL, buf_str(&cut));
	if (!columns[c].right)
		layout_pad(b, room);
}

static const char *colour_of(const struct row *row)
{
	if (row->j->verdict == VERDICT_IMPROVED)
		return PAINT_GREEN;
	if (row->j->verdict == VERDICT_NEW)
		return NULL;
	return row->section == SECTION_GATES   ? PAINT_RED
	       : row->section == SECTION_OTHER ? PAINT_YELLOW
					       : PAINT_DIM;
}

/* The colour of the whole row where it is dim, else of the verdict and the change. */
static const char *cell_colour(const struct row *row, int c)
{
	const char *sgr = colour_of(row);

	if (sgr && !strcmp(sgr, PAINT_DIM))
		return sgr;
	return c == COL_VERDICT || c == COL_CHANGE ? sgr : NULL;
}

/* row NULL: the titles. Returns the columns that were filled. */
static size_t add_cells(struct buf *b, const struct table *t, const struct row *row)
{
	size_t width = 0;
	int c;

	for (c = 0; c < COL_COUNT; c++) {
		if (!t->width[c])
			continue;
		if (width) {
			layout_pad(b, GAP);
			width += GAP;
		}
		add_cell(b, t, c, row ? row->cells[c] : columns[c].title,
			row ? cell_colour(row, c) : PAINT_DIM);
		width += t->width[c];
	}
	return width;
}

/* What the columns show of a proof, and the reason can leave out. */
static unsigned shown(const struct table *t)
{
	return (t->width[COL_INTERVAL] ? EXPLAIN_INTERVAL : 0u) |
	       (t->width[COL_EVIDENCE] ? EXPLAIN_EVIDENCE : 0u) |
	       (t->width[COL_N] ? EXPLAIN_SAMPLES : 0u) |
	       (t->width[COL_ALLOWED] ? EXPLAIN_ALLOWED : 0u) |
	       (t->width[COL_DETECTABLE] ? EXPLAIN_DETECTABLE : 0u);
}

/* Whether a series without a proof has something to say that its numbers leave open. */
static bool needs_clause(const struct table *t, const struct judged *j)
{
	switch (j->verdict) {
	case VERDICT_LOST:
	case VERDICT_INCOMPARABLE:
	case VERDICT_NO_BASE:
	case VERDICT_INCONCLUSIVE:
	case VERDICT_SUSPECT:
		return true;
	case VERDICT_REGRESSED:
	case VERDICT_INHERITED:
	case VERDICT_ACCEPTED:
	case VERDICT_WAIVED:
		if (!t->width[COL_ALLOWED])
			return true;
		break;
	case VERDICT_MISSING:
		return j->decision.class_ == CLASS_HARD && j->decision.missing != MISSING_ERROR;
	case VERDICT_INFO:
		return j->decision.class_ != CLASS_INFO;
	default:
		break;
	}
	return j->unstable || j->pair->base.runner || j->pair->head.runner;
}

static bool needs_reason(const struct table *t, const struct judged *j)
{
	return j->proof || j->crept || j->culprit || j->section || j->differed || j->environment ||
	       needs_clause(t, j);
}

static bool has_reason(const struct judged *j, unsigned leave_out, const char *reason)
{
	_cleanup_(freep) char *own = words_reason(j, leave_out);

	return !strcmp(own, reason);
}

/* Beside the row where there is room, else below it, in as many lines as it takes. A reason that
 * the next row has too stands below the last of them. */
static void add_reason(struct buf *b, const struct table *t, size_t row, size_t width, size_t *run)
{
	const struct judged *j = t->rows.v[row].j,
			    *next = row + 1 < t->rows.n ? t->rows.v[row + 1].j : NULL;
	_cleanup_(freep) char *reason = words_reason(j, shown(t));
	size_t indent = t->width[COL_VERDICT] + GAP;

	if (!*reason) {
		end_line(b);
		return;
	}
	if (width + GAP + layout_width(reason) <= layout_columns(t->style)) {
		layout_pad(b, GAP);
		indent = width + GAP;
		*run = 0;
	} else {
		end_line(b);
		++*run;
		if (next && next->verdict == j->verdict && has_reason(next, shown(t), reason))
			return;
		layout_pad(b, indent);
	}
	if (*run > 1) {
		char *all = xasprintf("these %zu: %s", *run, reason);
		free(reason);
		reason = all;
	}
	*run = 0;
	layout_wrap(b, t->style, PAINT_DIM, reason, indent, indent);
}

static void add_row(struct buf *b, const struct table *t, size_t row, size_t *run)
{
	size_t width = add_cells(b, t, &t->rows.v[row]);

	if (needs_reason(t, t->rows.v[row].j)) {
		add_reason(b, t, row, width, run);
	} else {
		end_line(b);
	}
}

void report_table(struct buf *b, const struct report *r, const struct report_style *style,
	size_t ret_left[VERDICT_COUNT])
{
	struct table t = {.style = style};
	enum section section = SECTION_GATES;
	size_t i, run = 0;

	report_rows(&t.rows, r, style, SIZE_MAX, ret_left);
	if (t.rows.n) {
		measure(&t);
		add_cells(b, &t, NULL);
		end_line(b);
	}
	for (i = 0; i < t.rows.n; i++) {
		enum section now = t.rows.v[i].section;
		if (now != section && headings[now])
			layout_wrap(b, style, PAINT_DIM, headings[now], 0, 0);
		section = now;
		add_row(b, &t, i, &run);
	}
	report_rows_release(&t.rows);
}
