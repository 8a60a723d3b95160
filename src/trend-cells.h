/*
 * trend-cells: a series as a row of a table. Only the files of the table include it.
 */
#ifndef TREND_CELLS_H
#define TREND_CELLS_H

#include "trend-view.h"

enum column {
	COLUMN_STATE,
	COLUMN_SUITE,
	COLUMN_SERIES,
	COLUMN_LEVEL,
	COLUMN_LEVELS, /* in its place: the level before, too */
	COLUMN_CHANGE,
	COLUMN_INTERVAL,
	COLUMN_COMMIT,
	COLUMN_RANGE, /* in its place: from the last of the old level */
	COLUMN_DATE,
	COLUMN_SURE,
	COLUMN_TREND,
	COLUMN_NOISE,
	COLUMN_RUNS,
	COLUMN_COUNT
};

/* What a list has of a series. */
struct trend_line {
	struct series_key key; /* as long as the trends */
	enum standing_kind kind;
	double size;
	size_t number;             /* in the order of series */
	char *cells[COLUMN_COUNT]; /* NULL: nothing */
};

struct trend_looks {
	size_t spark; /* the width of a sparkline */
	bool unicode;
};

/* Fills all cells but those that name the series. */
void trend_fill(struct trend_line *to, const struct trend_view *v, const struct trend_seen *x,
	const struct trend_looks *looks);

/* Writes them, as many columns as fit. */
void trend_write_lines(const struct trend_line *v, size_t n);

#endif
