#include "figure.h"

#include "layout.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 8, SIGNIFICANT = 3, SIGNIFICANT_MAX = 17, UNIT_MAX = 10 };

void figure_real(struct buf *b, double value)
{
	num_format(b, value == 0 ? num_int(0) : num_real(value));
}

void figure_share(struct buf *b, struct decimal share)
{
	decimal_format(b, decimal_mul(share, (struct decimal){100, 0}));
	buf_addstr(b, " %");
}

void figure_rough_percent(struct buf *b, double share)
{
	double percent = 100 * share, step;

	if (!isfinite(percent) || percent > 1e6) {
		buf_addstr(b, "more than itself");
		return;
	}
	if (percent > 0) {
		step = pow(10, floor(log10(percent)) - 1);
		percent = round(percent / step) * step;
	}
	buf_addf(b, "%.6g %%", percent);
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

/* Units that say nothing which the metric's name does not. */
static const char *const silent_units[] = {"count", "ratio", "unknown", ""};

static bool is_silent(const char *unit)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(silent_units); i++)
		if (!strcmp(silent_units[i], unit))
			return true;
	return false;
}

/* The largest unit of own's dimension that size, in own, reaches; else the smallest. NULL: own is
 * printed as it is. */
static const struct unit *find_step(const struct unit *own, double size)
{
	const double smallest = size * (own ? decimal_double(own->size) : 0);
	const struct unit *u, *step = NULL;

	for (u = units; own && own->ladder && u < units + units_count; u++)
		if (u->ladder && u->dimension == own->dimension &&
			(!step || smallest >= decimal_double(u->size)))
			step = u;
	/* beyond what any unit is made for its own name says it best */
	return step && smallest / decimal_double(step->size) >= 1e15 ? NULL : step;
}

/* scaled: in a multiple of the unit, all of whose digits count. */
static void add_real(struct buf *b, double value, int significant, bool scaled)
{
	double size = fabs(value);
	int before = size < 1 ? 1 : (int)floor(log10(size)) + 1;

	if (value == 0)
		buf_addch(b, '0');
	else if (size >= 1e15 || size < 1e-4)
		buf_addf(b, "%.*g", significant, value);
	else if (size < 1)
		buf_addf(b, scaled ? "%#.*g" : "%.*g", significant, value);
	else
		buf_addf(b, "%.*f", before < significant ? significant - before : 0, value);
}

/* Whether a is to be shown digit by digit: whole or half, and not long. */
static bool is_plain(struct decimal a)
{
	return a.e >= -1 && decimal_cmp(decimal_abs(a), (struct decimal){1, 10}) < 0;
}

/* value, in own, in step; each way the quotient of their sizes is a whole number. */
static double scaled(double value, const struct unit *own, const struct unit *step)
{
	double from = decimal_double(own->size), to = decimal_double(step->size);

	return to >= from ? value / (to / from) : value * (from / to);
}

const struct unit *figure_step(const char *unit, double size)
{
	return find_step(unit_find(unit), size);
}

double figure_scaled(double value, const char *unit, const struct unit *step)
{
	return scaled(value, unit_find(unit), step);
}

void figure_unit(struct buf *b, const char *unit)
{
	_cleanup_(freep) char *escaped = layout_escape(unit);

	if (is_silent(unit))
		return;
	buf_addch(b, ' ');
	layout_shorten(b, escaped, UNIT_MAX);
}

/* A number and its scale: own is the unit it is in, step the one to show it in. */
struct scale {
	const char *unit;
	const struct unit *own, *step; /* NULL: as it is */
};

static void add_one(struct buf *b, const struct decimal *a, struct scale s, int significant)
{
	double value = decimal_double(*a);

	if (s.step && (s.step != s.own || !is_plain(*a))) {
		add_real(b, scaled(value, s.own, s.step), significant, true);
		buf_addf(b, " %s", s.step->name);
		return;
	}
	if (is_plain(*a))
		decimal_format(b, *a);
	else
		add_real(b, value, significant, false);
	figure_unit(b, s.unit);
}

static double size_of(const struct decimal *a)
{
	return a ? fabs(decimal_double(*a)) : 0;
}

void figure_pair(struct buf *ret_a, struct buf *ret_b, const struct decimal *a,
	const struct decimal *b, const char *unit)
{
	const struct unit *own = unit_find(unit);
	const struct scale s = {unit, own, find_step(own, fmax(size_of(a), size_of(b)))};
	bool differ = a && b && decimal_cmp(*a, *b) != 0;
	int significant;

	for (significant = SIGNIFICANT; significant <= SIGNIFICANT_MAX; significant += 2) {
		buf_clear(ret_a);
		buf_clear(ret_b);
		if (a)
			add_one(ret_a, a, s, significant);
		if (b)
			add_one(ret_b, b, s, significant);
		if (!differ || strcmp(buf_str(ret_a), buf_str(ret_b)) != 0)
			break;
	}
}
