/*
 * The order of the parts is that in which they are painted. Classes: g grid, n noise, s samples, v
 * levels, l line and p points of medians, a accepted, w b o steps for the worse, the better and
 * neither, k a weak one, q what is suspect; text: y and x at the axes.
 */
#include "chart.h"

#include "axis.h"
#include "chart-words.h"
#include "markup.h"
#include "path.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
	HEIGHT = 200,
	POINTS_MAX = 60,  /* more medians are a line without points */
	VERTICES = 340,   /* medians and samples together, */
	SAMPLES_MIN = 40, /* but so many samples at least */
	MARKS_MAX = 12,   /* the newest steps */
	LABEL_GAP = 15,   /* per cent of the width that a label of a step takes */
};

/* Sizes of the band: 95 of 100 points of a level. */
#define BAND 2
/* The least that the axis spans of the greatest value, so that noise and rounding look like it. */
#define LEAST_NOISY .02
#define LEAST_EXACT 1e-7

struct drawing {
	struct buf *b;
	const struct chart *c;
	struct axis axis;
};

static int across(const struct drawing *d, size_t i)
{
	return d->c->n == 1 ? 1 : 2 * (int)i;
}

static int right_end(const struct drawing *d)
{
	return d->c->n == 1 ? 2 : 2 * (int)(d->c->n - 1);
}

static int down(const struct drawing *d, double value)
{
	return axis_y(&d->axis, value);
}

static struct path path_open(const struct drawing *d, const char *class_)
{
	buf_addf(d->b, "<path class=\"%s\" d=\"", class_);
	return (struct path){.b = d->b};
}

static void path_close(struct path *p)
{
	path_end(p);
	buf_addstr(p->b, "\"/>");
}

/* ---- what the axis spans ---- */

/* How far from the medians samples and accepted levels may be. */
static double reach(const struct chart *c, double low, double high)
{
	const double least = fmax(fabs(low), fabs(high)) * LEAST_NOISY;
	const double span = high / 2 - low / 2;

	return fmax(fmin(span, DBL_MAX / 4) * 2, c->trend && c->trend->exact ? 0 : least);
}

static size_t add_near(
	double *all, size_t n, const double *more, size_t n_more, double low, double high)
{
	size_t i;

	for (i = 0; i < n_more; i++)
		if (more[i] >= low && more[i] <= high)
			all[n++] = more[i];
	return n;
}

static size_t count_samples(const struct chart *c)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		n += c->points[i].n;
	return n;
}

static void find_axis(struct drawing *d)
{
	const struct chart *c = d->c;
	_cleanup_(freep) double *all =
		xcalloc(c->n + count_samples(c) + c->n_accepts, sizeof(*all));
	double low = c->points[0].value, high = low, far;
	size_t i, n;

	for (i = n = 0; i < c->n; i++) {
		all[n++] = c->points[i].value;
		low = fmin(low, c->points[i].value);
		high = fmax(high, c->points[i].value);
	}
	far = reach(c, low, high);
	for (i = 0; i < c->n; i++)
		n = add_near(all, n, c->points[i].samples, c->points[i].n, low - far, high + far);
	n = add_near(all, n, c->accepts, c->n_accepts, low - far, high + far);
	axis_init(
		&d->axis, all, n, c->trend && c->trend->exact ? LEAST_EXACT : LEAST_NOISY, HEIGHT);
}

/* ---- axes ---- */

static void add_grid(const struct drawing *d, const struct tick *ticks, size_t n)
{
	struct path p = path_open(d, "g");
	size_t i;

	for (i = 0; i < n; i++) {
		path_move(&p, 0, ticks[i].y);
		path_line(&p, right_end(d), ticks[i].y);
	}
	path_close(&p);
}

static void add_tick_texts(const struct drawing *d, const struct tick *ticks, size_t n)
{
	size_t i;

	buf_addstr(d->b, "<g class=\"y\">");
	for (i = 0; i < n; i++) {
		buf_addf(d->b, "<text y=\"%.3g%%\">", 100. * ticks[i].y / HEIGHT);
		markup_text(d->b, ticks[i].text);
		buf_addstr(d->b, "</text>");
	}
	buf_addstr(d->b, "</g>");
}

static void add_end(const struct drawing *d, const char *class_, const char *x, const char *label)
{
	if (!label || !*label)
		return;
	buf_addf(d->b, "<text class=\"%s\" x=\"%s\" y=\"100%%\">", class_, x);
	markup_text(d->b, label);
	buf_addstr(d->b, "</text>");
}

static void add_ends(const struct drawing *d)
{
	const struct chart *c = d->c;

	if (c->n > 1)
		add_end(d, "x", "0", c->points[0].label);
	add_end(d, "x e", "100%", c->points[c->n - 1].label);
}

/* ---- levels ---- */

static size_t levels_of(const struct trend *t)
{
	return t && !t->exact ? t->n_steps + 1 : 0;
}

static double level_at(const struct trend *t, size_t i)
{
	return i < t->n_steps ? t->steps[i].before : t->level;
}

/* From half a point before its first to half a point after its last. */
static int level_left(const struct drawing *d, size_t i)
{
	return i ? across(d, d->c->trend->steps[i - 1].at) - 1 : 0;
}

static int level_right(const struct drawing *d, size_t i)
{
	const struct trend *t = d->c->trend;

	return i < t->n_steps ? across(d, t->steps[i].at) - 1 : right_end(d);
}

/* trend_of() takes logarithms where all values have one sign; the noise is then a share. */
static bool has_one_sign(const struct chart *c)
{
	size_t i, above = 0, below = 0;

	for (i = 0; i < c->n; i++) {
		above += c->points[i].value > 0;
		below += c->points[i].value < 0;
	}
	return above == c->n || below == c->n;
}

static void add_noise(const struct drawing *d)
{
	const struct trend *t = d->c->trend;
	const bool share = has_one_sign(d->c);
	struct path p;
	size_t i;

	if (!levels_of(t) || !(t->noise > 0))
		return;
	p = path_open(d, "n");
	for (i = 0; i < levels_of(t); i++) {
		const double level = level_at(t, i), left = level_left(d, i);
		const double band = BAND * t->noise * (share ? fabs(level) : 1);
		const int top = down(d, level + band), bottom = down(d, level - band);
		path_box(&p, (int)left, top, level_right(d, i) - (int)left, bottom - top);
	}
	path_close(&p);
}

static void add_levels(const struct drawing *d)
{
	const struct trend *t = d->c->trend;
	struct path p;
	size_t i;

	if (!levels_of(t))
		return;
	p = path_open(d, "v");
	for (i = 0; i < levels_of(t); i++) {
		path_move(&p, level_left(d, i), down(d, level_at(t, i)));
		path_line(&p, level_right(d, i), down(d, level_at(t, i)));
	}
	path_close(&p);
}

static void add_accepts(const struct drawing *d)
{
	struct path p = {.b = NULL};
	size_t i;

	for (i = 0; i < d->c->n_accepts; i++) {
		if (!axis_has(&d->axis, d->c->accepts[i]))
			continue;
		if (!p.b)
			p = path_open(d, "a");
		path_move(&p, 0, down(d, d->c->accepts[i]));
		path_line(&p, right_end(d), down(d, d->c->accepts[i]));
	}
	if (p.b)
		path_close(&p);
}

/* ---- points ---- */

static bool is_seen(const struct drawing *d, const struct chart_point *p, size_t i)
{
	return axis_has(&d->axis, p->samples[i]) && down(d, p->samples[i]) != down(d, p->value);
}

static size_t count_seen(const struct drawing *d)
{
	size_t i, j, n = 0;

	for (i = 0; i < d->c->n; i++)
		for (j = 0; j < d->c->points[i].n; j++)
			n += is_seen(d, &d->c->points[i], j);
	return n;
}

/* Of each point another sample comes first, lest all that remain be the first of their session. */
static void add_samples(const struct drawing *d)
{
	const size_t room = d->c->n + SAMPLES_MIN < VERTICES ? VERTICES - d->c->n : SAMPLES_MIN;
	const size_t of = count_seen(d), keep = of < room ? of : room;
	size_t i, j, n = 0;
	struct path path;

	if (!of)
		return;
	path = path_open(d, "s");
	for (i = 0; i < d->c->n; i++)
		for (j = 0; j < d->c->points[i].n; j++) {
			const struct chart_point *p = &d->c->points[i];
			const size_t k = (i + j) % p->n;
			if (!is_seen(d, p, k))
				continue;
			if (n * keep / of != (n + 1) * keep / of)
				path_dot(&path, across(d, i), down(d, p->samples[k]));
			n++;
		}
	path_close(&path);
}

static void add_line(const struct drawing *d)
{
	struct path p;
	size_t i;

	if (d->c->n < 2)
		return;
	p = path_open(d, "l");
	path_move(&p, 0, down(d, d->c->points[0].value));
	for (i = 1; i < d->c->n; i++)
		path_line(&p, across(d, i), down(d, d->c->points[i].value));
	path_close(&p);
}

/* Where there are many, the last one alone. */
static void add_points(const struct drawing *d)
{
	struct path p = path_open(d, "p");
	size_t i;

	for (i = d->c->n > POINTS_MAX ? d->c->n - 1 : 0; i < d->c->n; i++)
		path_dot(&p, across(d, i), down(d, d->c->points[i].value));
	path_close(&p);
}

/* ---- steps ---- */

/* Each change of an exact series is a step; those that matter are marked, as in bench_data(). */
static bool is_marked(const struct trend *t, size_t i)
{
	return !t->exact || t->steps[i].sense != SENSE_NONE;
}

static size_t first_mark(const struct trend *t)
{
	size_t i, n = 0;

	for (i = t->n_steps; i > 0 && n < MARKS_MAX; i--)
		n += is_marked(t, i - 1);
	return i;
}

static void add_upright(struct path *p, int x)
{
	path_move(p, x, 0);
	path_line(p, x, HEIGHT);
}

static void add_marks(const struct drawing *d, enum trend_sense sense, bool weak)
{
	static const char *const classes[][2] = {[SENSE_NONE] = {"o", "o k"},
		[SENSE_WORSE] = {"w", "w k"},
		[SENSE_BETTER] = {"b", "b k"}};
	const struct trend *t = d->c->trend;
	struct path p = {.b = NULL};
	size_t i;

	for (i = first_mark(t); i < t->n_steps; i++) {
		if (t->steps[i].sense != sense || (t->steps[i].strength == STEP_WEAK) != weak ||
			!is_marked(t, i))
			continue;
		if (!p.b)
			p = path_open(d, classes[sense][weak]);
		add_upright(&p, across(d, t->steps[i].at) - 1);
	}
	if (p.b)
		path_close(&p);
}

static void add_all_marks(const struct drawing *d)
{
	const struct trend *t = d->c->trend;
	enum trend_sense sense;

	for (sense = SENSE_NONE; t && sense <= SENSE_BETTER; sense++) {
		add_marks(d, sense, false);
		add_marks(d, sense, true);
	}
	if (t && t->suspect.is) {
		struct path p = path_open(d, "q");
		add_upright(&p, across(d, t->suspect.from) - 1);
		path_close(&p);
	}
}

/* Appends the label where there is room to the left of the one before; *left is where that began.
 */
static void add_label(
	const struct drawing *d, size_t at, char class_, const char *text, double *left)
{
	const double x = 100. * (across(d, at) - 1) / right_end(d);
	const bool last = x > 100 - LABEL_GAP / 2, first = x < LABEL_GAP / 2;

	if (x > *left - LABEL_GAP)
		return;
	*left = x;
	buf_addf(d->b, "<text class=\"%c%s\" x=\"%.3g%%\">", class_,
		last    ? " e"
		: first ? " f"
			: "",
		x);
	markup_text(d->b, text);
	buf_addstr(d->b, "</text>");
}

static void add_labels(const struct drawing *d)
{
	static const char classes[] = {
		[SENSE_NONE] = 'o', [SENSE_WORSE] = 'w', [SENSE_BETTER] = 'b'};
	const struct trend *t = d->c->trend;
	double left = 100 + LABEL_GAP;
	size_t i;

	if (t && t->suspect.is)
		add_label(d, t->suspect.from, 'q', "suspect", &left);
	for (i = t ? t->n_steps : 0; t && i-- > first_mark(t);) {
		_cleanup_(buf_release) struct buf text = BUF_INIT;
		if (!is_marked(t, i))
			continue;
		chart_step_label(&text, &t->steps[i]);
		add_label(d, t->steps[i].at, classes[t->steps[i].sense], buf_str(&text), &left);
	}
}

static void add_inner(const struct drawing *d)
{
	buf_addf(d->b, "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">", right_end(d) / 2,
		HEIGHT);
}

void chart_svg(struct buf *b, const struct chart *c)
{
	struct drawing d = {.b = b, .c = c};
	struct tick ticks[AXIS_TICKS];
	size_t n;

	buf_addstr(b, "<svg class=\"chart\" role=\"img\" width=\"100%\" height=\"240\"><title>");
	markup_text(b, c->title);
	buf_addstr(b, "</title><desc>");
	chart_words(b, c);
	buf_addstr(b, "</desc>");
	if (c->n) {
		find_axis(&d);
		n = axis_ticks(&d.axis, c->unit, ticks);
		add_inner(&d);
		add_grid(&d, ticks, n);
		add_noise(&d);
		add_samples(&d);
		add_levels(&d);
		add_line(&d);
		add_points(&d);
		add_accepts(&d);
		add_all_marks(&d);
		buf_addstr(b, "</svg>");
		add_tick_texts(&d, ticks, n);
		add_labels(&d);
		add_ends(&d);
	}
	buf_addstr(b, "</svg>");
}
