#include "figure.h"

#include "layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 8, SIGNIFICANT = 3, SIGNIFICANT_MAX = 17, UNIT_MAX = 10 };

void figure_share(struct buf *b, struct decimal share)
{
	decimal_format(b, decimal_mul(share, (struct decimal){100, 0}));
	buf_addstr(b, " %");
}

void figure_percent(struct buf *b, double share, struct decimal limit, int places)
{
	double percent = fabs(share) * 100, bound = decimal_double(limit) * 100;
	char text[64];

	if (percent == 0) {
		buf_addstr(b, "0 %");
		return;
	}
	for (; percent < 1e6; places++) {
		snprintf(text, sizeof(text), "%.*f", places, percent);
		if (places >= PLACES_MAX || strtod(text, NULL) != bound || percent == bound)
			break;
	}
	if (percent >= 1e6)
		snprintf(text, sizeof(text), "%.3g", percent);
	buf_addf(b, "%s %%", text);
}

void figure_change(struct buf *b, double change, struct decimal limit, int places)
{
	if (change != 0)
		buf_addch(b, change < 0 ? '-' : '+');
	figure_percent(b, change, limit, places);
}

/* A unit and the names of its multiples, from small to large. */
struct ladder {
	const char *unit;
	struct step {
		double size; /* 0: the end */
		const char *name;
	} steps[9];
};

static const struct ladder ladders[] = {
	{"ns", {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}},
	{"us", {{1e-3, "ns"}, {1, "us"}, {1e3, "ms"}, {1e6, "s"}}},
	{"ms", {{1e-6, "ns"}, {1e-3, "us"}, {1, "ms"}, {1e3, "s"}}},
	{"s", {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}},
	{"B", {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"},
		      {1099511627776, "TiB"}}},
	{"B/s", {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}},
	{"FLOPS", {{1, "FLOPS"}, {1e6, "MFLOPS"}, {1e9, "GFLOPS"}, {1e12, "TFLOPS"},
			  {1e15, "PFLOPS"}}},
	{"OPS", {{1, "OPS"}, {1e6, "MOPS"}, {1e9, "GOPS"}, {1e12, "TOPS"}, {1e15, "POPS"}}},
	{"Texel/s", {{1, "Texel/s"}, {1e6, "MTexel/s"}, {1e9, "GTexel/s"}}},
	{"Hz", {{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}}},
};

/* Units that say nothing which the metric's name does not. */
static const char *const silent_units[] = {"count", "ratio", "unknown", ""};

static const struct ladder *find_ladder(const char *unit)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(ladders); i++)
		if (!strcmp(ladders[i].unit, unit))
			return &ladders[i];
	return NULL;
}

static bool is_silent(const char *unit)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(silent_units); i++)
		if (!strcmp(silent_units[i], unit))
			return true;
	return false;
}

/* The largest step that size reaches, else the smallest. */
static const struct step *find_step(const struct ladder *l, double size)
{
	const struct step *s = l->steps;

	while (s + 1 < l->steps + ARRAY_LEN(l->steps) && s[1].size > 0 && size >= s[1].size)
		s++;
	return s;
}

static void add_real(struct buf *b, double value, int significant)
{
	double size = fabs(value);
	int before = size < 1 ? 1 : (int)floor(log10(size)) + 1;

	if (value == 0)
		buf_addch(b, '0');
	else if (size >= 1e15 || size < 1e-4)
		buf_addf(b, "%.*g", significant, value);
	else if (size < 1)
		buf_addf(b, "%.*g", significant, value);
	else
		buf_addf(b, "%.*f", before < significant ? significant - before : 0, value);
}

/* Whether a is to be shown digit by digit: whole or half, and not long. */
static bool is_plain(struct decimal a)
{
	return a.e >= -1 && decimal_cmp(decimal_abs(a), (struct decimal){1, 10}) < 0;
}

static void add_one(struct buf *b, const struct decimal *a, const char *unit,
	const struct step *step, int significant)
{
	double value = decimal_double(*a);

	if (step && (step->size != 1 || !is_plain(*a))) {
		add_real(b, value / step->size, significant);
		buf_addf(b, " %s", step->name);
		return;
	}
	if (is_plain(*a))
		decimal_format(b, *a);
	else
		add_real(b, value, significant);
	if (!is_silent(unit)) {
		_cleanup_(freep) char *escaped = layout_escape(unit);
		buf_addch(b, ' ');
		layout_shorten(b, escaped, UNIT_MAX);
	}
}

static double size_of(const struct decimal *a)
{
	return a ? fabs(decimal_double(*a)) : 0;
}

void figure_pair(struct buf *ret_a, struct buf *ret_b, const struct decimal *a,
	const struct decimal *b, const char *unit)
{
	const struct ladder *l = find_ladder(unit);
	const struct step *step = l ? find_step(l, fmax(size_of(a), size_of(b))) : NULL;
	bool differ = a && b && decimal_cmp(*a, *b) != 0;
	int significant;

	for (significant = SIGNIFICANT; significant <= SIGNIFICANT_MAX; significant += 2) {
		buf_clear(ret_a);
		buf_clear(ret_b);
		if (a)
			add_one(ret_a, a, unit, step, significant);
		if (b)
			add_one(ret_b, b, unit, step, significant);
		if (!differ || strcmp(buf_str(ret_a), buf_str(ret_b)) != 0)
			break;
	}
}
