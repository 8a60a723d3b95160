#include "sparkline.h"

#include "order.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEIGHTS = 8, LOWEST_BLOCK = 0x2581 };

bool sparkline_unicode(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL, *set;
	size_t i;

	for (i = 0; i < ARRAY_LEN(names) && (!locale || !*locale); i++)
		locale = getenv(names[i]);
	set = locale ? strchr(locale, '.') : NULL;
	return set && (!strncasecmp(set, ".UTF-8", 6) || !strncasecmp(set, ".UTF8", 5));
}

static void add_height(struct buf *b, unsigned height, bool unicode)
{
	if (unicode)
		utf8_encode(b, LOWEST_BLOCK + height);
	else
		buf_addch(b, "_.-:=+*#"[height]);
}

static double median(const double *v, size_t n)
{
	_cleanup_(freep) double *room = xmalloc(n * sizeof(*room));

	memcpy(room, v, n * sizeof(*room));
	return order_and_median(room, n);
}

/* The medians of columns equal parts. */
static void reduce(const double *v, size_t n, double *ret, size_t columns)
{
	size_t i;

	for (i = 0; i < columns; i++) {
		const size_t from = i * n / columns, end = (i + 1) * n / columns;
		ret[i] = median(v + from, end - from);
	}
}

void sparkline(struct buf *b, const struct sparkline *how, const double *v, size_t n)
{
	const size_t columns = n < how->width ? n : how->width;
	const bool apart = how->tail && how->tail < n && columns > 1 &&
			   how->tail * columns < n; /* less than a part */
	_cleanup_(freep) double *m = xcalloc(columns + 1, sizeof(*m));
	double low = INFINITY, high = -INFINITY, middle, span;
	size_t i;

	reduce(v, n - (apart ? how->tail : 0), m, columns - apart);
	if (apart)
		m[columns - 1] = median(v + n - how->tail, how->tail);
	for (i = 0; i < columns; i++) {
		low = fmin(low, m[i]);
		high = fmax(high, m[i]);
	}
	middle = low / 2 + high / 2;
	span = fmax(high - low, how->least);
	for (i = 0; i < columns; i++) {
		const double at = span > 0 && isfinite(span) ? (m[i] - middle) / span + .5 : 0;
		add_height(
			b, (unsigned)fmin(HEIGHTS - 1, fmax(0, floor(at * HEIGHTS))), how->unicode);
	}
}
