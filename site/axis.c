#include "axis.h"

#include "figure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Room above and below, a share of the span; what the least value is at most of the greatest for
 * the axis to begin with 0; the span round a single value. */
#define EDGE .06
#define FAR .4
#define LONE .1

/* Letters of a unit for which there is room beside a tick. */
enum { UNIT_ROOM = 5 };

static void find_ends(struct axis *a, const double *values, size_t n)
{
	size_t i;

	a->scale = 0;
	a->whole = true;
	for (i = 0; i < n; i++) {
		a->scale = fmax(a->scale, fabs(values[i]));
		a->whole = a->whole && values[i] == floor(values[i]);
	}
	if (a->scale == 0)
		a->scale = 1;
	a->low = a->high = values[0] / a->scale;
	for (i = 1; i < n; i++) {
		a->low = fmin(a->low, values[i] / a->scale);
		a->high = fmax(a->high, values[i] / a->scale);
	}
}

void axis_init(struct axis *a, const double *values, size_t n, double least, int height)
{
	double edge;
	bool positive;

	find_ends(a, values, n);
	a->height = height;
	positive = a->low >= 0;
	if (a->low == 0 && a->high == 0)
		a->high = 1;
	if (a->low == a->high)
		least = fmax(least, LONE);
	edge = fmax((a->high - a->low) * EDGE, (least - (a->high - a->low)) / 2);
	if (positive && a->low < FAR * a->high)
		a->low = 0;
	else
		a->low -= edge;
	a->high += edge;
}

bool axis_has(const struct axis *a, double value)
{
	return value / a->scale >= a->low && value / a->scale <= a->high;
}

int axis_y(const struct axis *a, double value)
{
	double share = (a->high - value / a->scale) / (a->high - a->low);

	return (int)lround(fmin(fmax(share, 0), 1) * a->height);
}

/* ---- ticks ---- */

/* How ticks are written. */
struct grid {
	const char *unit;
	const struct unit *step; /* that is shown; NULL: as it is, */
	double times;            /* but so much smaller, */
	char letter;             /* which this says; 0: nothing */
	double round;            /* between two ticks, as shown */
	int significant;         /* digits that tell ticks apart */
};

/* Of 1, 2 and 5 by powers of ten that which gives two to five parts. */
static double round_step(double span)
{
	double rough = span / 4, power = pow(10, floor(log10(rough))), lead = rough / power;

	return power * (lead < 1.2 ? 1 : lead < 2.4 ? 2 : lead < 6 ? 5 : 10);
}

static int exponent(double value)
{
	return (int)floor(log10(value) + 1e-9);
}

/* Long numbers without a ladder of units, by thousands, where few digits are left. */
static void shorten(struct grid *g, double most)
{
	static const char letters[] = " kMGT";
	size_t i;

	g->times = 1;
	if (g->step || most < 1e4 || most >= 1e15 || (g->significant > 4 && most < 1e10))
		return;
	for (i = 0; most / g->times >= 1e3 && letters[i + 1]; i++)
		g->times *= 1e3;
	g->letter = letters[i];
	g->round /= g->times;
}

static double shown(const struct grid *g, double value)
{
	return (g->step ? figure_scaled(value, g->unit, g->step) : value) / g->times;
}

static struct grid grid_of(const struct axis *a, const char *unit)
{
	const double most = fmin(fmax(fabs(a->low), fabs(a->high)) * a->scale, DBL_MAX);
	struct grid g = {.unit = unit, .step = figure_step(unit, most), .times = 1};

	g.round = round_step(fmin((a->high - a->low) * shown(&g, a->scale), DBL_MAX));
	if (a->whole && !g.step)
		g.round = fmax(g.round, 1);
	g.significant = exponent(shown(&g, most)) - exponent(g.round) + 1;
	shorten(&g, most);
	return g;
}

static void add_tick(struct buf *b, const struct grid *g, double value)
{
	const int places = -exponent(g->round);

	if (value == 0) {
		buf_addch(b, '0');
		return;
	}
	if (fabs(value) >= 1e10 || places > 6)
		buf_addf(b, "%.*g", g->significant < 1 ? 1 : g->significant, value);
	else
		buf_addf(b, "%.*f", places > 0 ? places : 0, value);
	if (g->letter)
		buf_addch(b, g->letter);
	if (g->step)
		buf_addf(b, " %s", g->step->name);
	else if (strlen(g->unit) <= UNIT_ROOM)
		figure_unit(b, g->unit);
}

size_t axis_ticks(const struct axis *a, const char *unit, struct tick *ret)
{
	const struct grid g = grid_of(a, unit);
	const double round = g.round / shown(&g, a->scale);
	double k;
	size_t n = 0;

	if (!isfinite(round) || !(round > 0))
		return 0;
	for (k = ceil(fmax(a->low, -DBL_MAX / a->scale) / round - 1e-9); n < AXIS_TICKS; k++, n++) {
		_cleanup_(buf_release) struct buf text = BUF_INIT;
		const double at = k * round;
		if (at > a->high + 1e-9 * (a->high - a->low))
			break;
		add_tick(&text, &g, k * g.round);
		snprintf(ret[n].text, sizeof(ret[n].text), "%s", buf_str(&text));
		ret[n].y = axis_y(a, at * a->scale);
	}
	return n;
}
