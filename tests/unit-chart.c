#include "chart.h"

#include "axis.h"
#include "path.h"
#include "tap.h"
#include "xml.h"

#include <float.h>
#include <math.h>

enum { LONG = 300, EACH = 5 };

/* Data of a path, its width in halves. */
static void paths(void)
{
	struct buf b = BUF_INIT;
	struct path p = {.b = &b};

	path_move(&p, 0, 10);
	path_line(&p, 2, 10);
	path_line(&p, 4, 10);
	path_line(&p, 6, 7);
	path_line(&p, 8, 9);
	path_line(&p, 9, 9);
	path_line(&p, 9, 0);
	path_end(&p);
	IS_STR(buf_str(&b), "M0 10h2l1-3 1 2h.5v-9", "a line in relative whole numbers");
	buf_clear(&b);
	p = (struct path){.b = &b};
	path_dot(&p, 3, 5);
	path_dot(&p, 5, 4);
	path_dot(&p, 4, 4);
	path_end(&p);
	IS_STR(buf_str(&b), "M1.5 5h0m1-1h0M2 4h0", "dots");
	buf_clear(&b);
	p = (struct path){.b = &b};
	path_box(&p, 0, 5, 11, 2);
	path_box(&p, 11, 9, 4, 1);
	IS_STR(buf_str(&b), "M0 5h5.5v2h-5.5zM5.5 9h2v1h-2z", "boxes");
	buf_release(&b);
}

static void ticks_are(
	const char *expected, const char *unit, double least, size_t n, const double *x)
{
	struct buf b = BUF_INIT;
	struct tick ticks[AXIS_TICKS];
	struct axis a;
	size_t i;

	axis_init(&a, x, n, least, 200);
	n = axis_ticks(&a, unit, ticks);
	for (i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", ticks[i].text);
	IS_STR(buf_str(&b), expected, expected);
	for (i = 1; i < n; i++)
		if (ticks[i].y >= ticks[i - 1].y)
			OK(false, "the ticks rise");
	buf_release(&b);
}

#define TICKS(expected, unit, least, ...)                                                          \
	ticks_are(expected, unit, least, sizeof((double[]){__VA_ARGS__}) / sizeof(double),         \
		(double[]){__VA_ARGS__})

static void axes(void)
{
	TICKS("10 ms, 11 ms, 12 ms, 13 ms", "s", .02, .0100, .0131);
	TICKS("0, 50 ms, 100 ms, 150 ms", "s", .02, .01, .172);
	TICKS("3.00 MiB, 3.05 MiB, 3.10 MiB", "B", .02, 3145728, 3250000);
	TICKS("0, 10k, 20k, 30k", "count", 0, 33823, 5);
	TICKS("33823, 33824", "count", 0, 33823, 33824);
	TICKS("9.90k req/s, 9.95k req/s, 10.00k req/s, 10.05k req/s", "req/s", .02, 10000.5, 9950);
	TICKS("-1, 0, 1", "points", 0, -1, 1);
	TICKS("0, 1", "count", .02, 0);
	TICKS("0.48, 0.50, 0.52", "ratio", .02, .5);
	TICKS("-1.5e+308, -1e+308, -5e+307, 0, 5e+307, 1e+308", "count", .02, -DBL_MAX, DBL_MAX);
	TICKS("3e-308, 4e-308", "count", .02, DBL_MIN, 2 * DBL_MIN);
	TICKS("1000000000, 1000000050, 1000000100", "count", 0, 1e9, 1e9 + 100);
}

/* ---- whole charts ---- */

static double numbers[LONG * EACH];
static struct chart_point points[LONG];

static double noise(size_t i)
{
	return (double)(i * 7919 % 1009) / 1009 - .5;
}

/* With a step of 12 % after two thirds. */
static size_t make_up(size_t n, double level, double spread)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		const double here = level * (3 * i < 2 * n ? 1 : 1.12);
		for (j = 0; j < EACH; j++)
			numbers[EACH * i + j] = here * (1 + spread * noise(EACH * i + j));
		points[i] = (struct chart_point){here * (1 + spread / 2 * noise(i)),
			numbers + EACH * i, EACH, "1a2b3c4d5e, 2026-11-30"};
	}
	return n;
}

static bool is_sound(const struct buf *b)
{
	return xml_is_well_formed(buf_str(b)) && !strstr(buf_str(b), "nan") &&
	       !strstr(buf_str(b), "inf");
}

static void sound(const struct chart *c, const char *what)
{
	struct buf b = BUF_INIT;

	chart_svg(&b, c);
	if (!OK(is_sound(&b), what))
		printf("# %s\n", buf_str(&b));
	buf_clear(&b);
	chart_spark(&b, c);
	if (c->n)
		OK(is_sound(&b) && b.len <= 320, "... and its small one");
	buf_release(&b);
}

/* x alone, with its trend. */
static void shape(const double *x, size_t n, const char *what)
{
	const struct trend_rule rule = {.direction = DIRECTION_LOWER, .tolerance = .05};
	struct chart c = {.title = what, .unit = "B", .points = points, .n = n};
	struct trend t;
	size_t i;

	for (i = 0; i < n; i++)
		points[i] = (struct chart_point){.value = x[i]};
	trend_of(x, n, &rule, &t);
	c.trend = &t;
	sound(&c, what);
	trend_release(&t);
}

#define SHAPE(what, ...)                                                                           \
	shape((double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double), what)

static void shapes(void)
{
	shape(NULL, 0, "no points");
	SHAPE("one point", 5);
	SHAPE("one zero", 0);
	SHAPE("all equal", 7, 7, 7, 7);
	SHAPE("zeroes", 0, 0, 0);
	SHAPE("negative", -5, -6, -5.5);
	SHAPE("of both signs", -5, 6, 0);
	SHAPE("huge", DBL_MAX, -DBL_MAX, DBL_MAX);
	SHAPE("tiny", DBL_MIN / 4, 0, DBL_MIN / 2);
	SHAPE("far apart", 1e-300, 1e300);
	SHAPE("an exact step", 1, 1, 1, 1, 2, 2, 2, 2);
}

static size_t count(const struct buf *b, const char *what)
{
	const char *p = buf_str(b);
	size_t n = 0;

	while ((p = strstr(p, what))) {
		p += strlen(what);
		n++;
	}
	return n;
}

static void complete(void)
{
	static const double accepts[] = {1.2, 1e9};
	struct trend_step steps[2] = {
		{.at = 100, .before = 1, .after = 1.05, .change = .05, .strength = STEP_WEAK},
		{.at = 200,
			.before = 1.05,
			.after = 1.12,
			.change = .07,
			.strength = STEP_CONFIRMED,
			.sense = SENSE_WORSE}};
	struct trend t = {.steps = steps,
		.n_steps = 2,
		.from = 200,
		.level = 1.12,
		.noise = .01,
		.suspect = {.is = true,
			.from = 297,
			.after = 1.2,
			.change = .071,
			.sense = SENSE_WORSE}};
	struct chart c = {.title = "time",
		.unit = "s",
		.points = points,
		.trend = &t,
		.accepts = accepts,
		.n_accepts = 2,
		.n = make_up(LONG, 1, .02)};
	struct buf b = BUF_INIT;

	chart_svg(&b, &c);
	OK(is_sound(&b), "a chart with everything is well-formed");
	OK(b.len < 2800, "300 points of five samples take less than 2,800 bytes");
	printf("# %zu bytes\n", b.len);
	OK(count(&b, "class=\"w\"") == 2 && count(&b, "class=\"o k\"") == 1, "steps are marked");
	OK(strstr(buf_str(&b), ">+5.0 % weak<") && strstr(buf_str(&b), ">+7.0 %<"),
		"... and labelled");
	OK(count(&b, "class=\"a\"") == 1, "a level accepted far off is not drawn");
	OK(strstr(buf_str(&b), "2 steps: +5.0 % at 1a2b3c4d5e, 2026-11-30 (weak); +7.0 %") &&
			strstr(buf_str(&b),
				"(confirmed, worse). Level 1.12 s, noise 1 %. Suspect since") &&
			strstr(buf_str(&b), "Accepted: 1.2 s, 1000000000 s."),
		"... and described");
	OK(count(&b, "class=\"q\"") == 1 && count(&b, ">suspect<") == 1,
		"what is suspect is marked");
	OK(count(&b, "class=\"n\"") == 1, "the noise has its band");
	buf_release(&b);
}

/* An exact series that goes up and down by no more than its tolerance at each point. */
static void restless(void)
{
	double x[LONG];
	const struct trend_rule rule = {
		.exact = true, .direction = DIRECTION_LOWER, .tolerance = .05};
	struct chart c = {.title = "", .unit = "B", .points = points, .n = LONG};
	struct buf b = BUF_INIT;
	struct trend t;
	size_t i;

	for (i = 0; i < LONG; i++) {
		x[i] = 1000 + i % 2 + (i >= 100 ? 200 : 0);
		points[i] = (struct chart_point){.value = x[i]};
	}
	trend_of(x, LONG, &rule, &t);
	c.trend = &t;
	chart_svg(&b, &c);
	OK(t.n_steps == LONG - 1 && count(&b, "<path class=\"w\"") == 1 && count(&b, "\"o\"") == 0,
		"of changes at every point the one that matters is marked");
	trend_release(&t);
	buf_release(&b);
}

static void hostile(void)
{
	struct chart c = {.title = "\"><script>alert(1)</script>\x1b[31m\xe2\x80\xae",
		.unit = "<b>&",
		.points = points,
		.n = 2};
	struct buf b = BUF_INIT;

	make_up(2, 1, .1);
	points[0].label = "<img src=x onerror=alert(1)>";
	points[1].label = "'\"&<>";
	chart_svg(&b, &c);
	OK(is_sound(&b) && !strstr(buf_str(&b), "<script") && !strstr(buf_str(&b), "<img") &&
			!strstr(buf_str(&b), "<b>") && !strstr(buf_str(&b), "\xe2\x80\xae"),
		"hostile text stays text");
	buf_release(&b);
}

static void equal_twice(void)
{
	struct chart c = {.title = "", .unit = "s", .points = points, .n = make_up(50, 3, .1)};
	struct buf a = BUF_INIT, b = BUF_INIT;

	chart_svg(&a, &c);
	chart_svg(&b, &c);
	IS_STR(buf_str(&a), buf_str(&b), "the same series gives the same bytes");
	buf_release(&a);
	buf_release(&b);
}

/* Is the check worth something? */
static void checker(void)
{
	OK(xml_is_well_formed("<a b=\"1\"><c/>x &amp; y</a>"), "well-formed");
	OK(!xml_is_well_formed("<a><b></a></b>") && !xml_is_well_formed("<a b=1/>") &&
			!xml_is_well_formed("<a>&</a>") && !xml_is_well_formed("<a>") &&
			!xml_is_well_formed("<a/><b/>") && !xml_is_well_formed("<a b=\"<\"/>"),
		"not well-formed");
}

int main(void)
{
	checker();
	paths();
	axes();
	shapes();
	complete();
	restless();
	hostile();
	equal_twice();
	return tap_done();
}
