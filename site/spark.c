#include "chart.h"

#include "axis.h"
#include "path.h"

#include <stdlib.h>

enum { HEIGHT = 20, WIDTH = 40 };
/* Of the greatest value, so that noise looks like it. */
#define LEAST .1

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of neighbours stands for them; a step stays where it is. */
static void fold(const struct chart *c, double *ret, size_t n)
{
	_cleanup_(freep) double *part = xcalloc(c->n / n + 1, sizeof(*part));
	size_t i, j;

	for (i = 0; i < n; i++) {
		const size_t from = i * c->n / n, to = (i + 1) * c->n / n;
		for (j = from; j < to; j++)
			part[j - from] = c->points[j].value;
		qsort(part, to - from, sizeof(*part), compare);
		ret[i] = part[(to - from) / 2];
	}
}

void chart_spark(struct buf *b, const struct chart *c)
{
	const size_t n = c->n < WIDTH ? c->n : WIDTH;
	const bool exact = c->trend && c->trend->exact;
	double values[WIDTH];
	struct path p = {.b = b};
	struct axis axis;
	size_t i;

	if (!n)
		return;
	fold(c, values, n);
	axis_init(&axis, values, n, exact ? 0 : LEAST, HEIGHT);
	buf_addf(b,
		"<svg class=\"spark\" viewBox=\"0 0 %zu %d\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"",
		n > 1 ? n - 1 : 1, HEIGHT);
	path_move(&p, 0, axis_y(&axis, values[0]));
	for (i = 1; i < n; i++)
		path_line(&p, 2 * (int)i, axis_y(&axis, values[i]));
	if (n == 1)
		path_line(&p, 2, axis_y(&axis, values[0]));
	path_end(&p);
	buf_addstr(b, "\"/></svg>");
}
