#include "trend-cells.h"

#include "figure.h"
#include "sparkline.h"

#include <math.h>
#include <stdlib.h>

static char *level_text(const struct series_key *k, double level)
{
	_cleanup_(buf_release) struct buf other = BUF_INIT;
	const struct decimal d = decimal_from(num_real(level));
	struct buf b = BUF_INIT;

	figure_pair(&b, &other, &d, NULL, k->unit);
	return buf_take(&b);
}

static char *levels_text(const struct series_key *k, double before, double after)
{
	_cleanup_(buf_release) struct buf to = BUF_INIT;
	const struct decimal a = decimal_from(num_real(before)), b = decimal_from(num_real(after));
	struct buf ret = BUF_INIT;

	figure_pair(&ret, &to, &a, &b, k->unit);
	buf_addf(&ret, " -> %s", buf_str(&to));
	return buf_take(&ret);
}

static char *change_text(double change, bool doubtful)
{
	struct buf b = BUF_INIT;

	if (isfinite(change))
		figure_change(&b, change, (struct decimal){0, 0}, 1);
	else
		buf_addstr(&b, "from 0");
	buf_addstr(&b, doubtful ? " ?" : "");
	return buf_take(&b);
}

static char *interval_text(double low, double high)
{
	if (!isfinite(low) || !isfinite(high))
		return xstrdup("");
	return xasprintf("%+.3g..%+.3g %%", 100 * low, 100 * high);
}

static char *noise_text(const struct trending_series *s)
{
	struct buf b = BUF_INIT;

	if (s->trend.exact)
		return xstrdup("exact");
	if (!trend_is_relative(s))
		return level_text(&s->key, s->trend.noise);
	figure_rough_percent(&b, s->trend.noise);
	return buf_take(&b);
}

static char *date_text(const struct trend_view *v, const struct trending_series *s, size_t i)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	time_format(&b, trend_point_time(v, s, i));
	return xasprintf("%.10s", b.p);
}

/* The points of the newest level, or of what may become one. */
static size_t newest_points(const struct trending_series *s)
{
	return s->n - (s->trend.suspect.is ? s->trend.suspect.from : s->trend.from);
}

static char *spark_text(const struct trend_looks *l, const struct trend_seen *x)
{
	const struct trending_series *s = x->s;
	const double scale = trend_is_relative(s) ? fabs(s->trend.level) : 1;
	/* noise takes less than half of the height */
	const struct sparkline how = {.width = l->spark,
		.least = s->trend.exact ? 0 : 12 * s->trend.noise * scale,
		.tail = newest_points(s),
		.unicode = l->unicode};
	const size_t n = s->n - x->from;
	_cleanup_(freep) double *v = xcalloc(n, sizeof(*v));
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = num_double(s->points[x->from + i].value);
	sparkline(&b, &how, v, n);
	return buf_take(&b);
}

/* The change between two points, or at the first. */
static void add_place(struct trend_line *to, const struct trend_view *v,
	const struct trending_series *s, size_t before, size_t after)
{
	to->cells[COLUMN_DATE] = date_text(v, s, after);
	if (s->by_time)
		return; /* whatever was checked out */
	to->cells[COLUMN_COMMIT] = xasprintf("%.7s", trend_point_sha(v, s, after));
	to->cells[COLUMN_RANGE] = xasprintf(
		"%.7s..%.7s", trend_point_sha(v, s, before), trend_point_sha(v, s, after));
}

static void add_step(struct trend_line *to, const struct trend_view *v, const struct trend_seen *x)
{
	const struct trending_series *s = x->s;
	const struct trend_step *step = &s->trend.steps[x->standing.step];
	const bool machine = s->machine && s->machine[x->standing.step];

	add_place(to, v, s, step->earliest - 1, step->last);
	free(to->cells[COLUMN_COMMIT]);
	to->cells[COLUMN_COMMIT] =
		s->by_time ? NULL : xasprintf("%.7s", trend_point_sha(v, s, step->at));
	free(to->cells[COLUMN_DATE]);
	to->cells[COLUMN_DATE] = date_text(v, s, step->at);
	to->cells[COLUMN_LEVELS] = levels_text(&s->key, step->before, step->after);
	to->cells[COLUMN_CHANGE] =
		change_text(step->change, step->strength == STEP_WEAK || machine);
	if (step->strength != STEP_EXACT)
		to->cells[COLUMN_INTERVAL] = interval_text(step->low, step->high);
	to->cells[COLUMN_SURE] =
		xasprintf("%s%s", trend_strength_name(step->strength), machine ? ", machine" : "");
}

static void add_suspect(
	struct trend_line *to, const struct trend_view *v, const struct trending_series *s)
{
	const struct trend_suspect *x = &s->trend.suspect;

	add_place(to, v, s, x->from ? x->from - 1 : 0, x->from);
	to->cells[COLUMN_LEVELS] = levels_text(&s->key, x->before, x->after);
	to->cells[COLUMN_CHANGE] = change_text(x->change, true);
	to->cells[COLUMN_SURE] = xstrdup("suspect");
}

static void add_missing(
	struct trend_line *to, const struct trend_view *v, const struct trending_series *s)
{
	add_place(to, v, s, s->n - 1, s->n - 1);
	free(to->cells[COLUMN_RANGE]);
	to->cells[COLUMN_RANGE] =
		s->by_time ? NULL : xasprintf("%.7s..", trend_point_sha(v, s, s->n - 1));
	to->cells[COLUMN_SURE] = xstrdup("last seen");
}

void trend_fill(struct trend_line *to, const struct trend_view *v, const struct trend_seen *x,
	const struct trend_looks *looks)
{
	const struct trending_series *s = x->s;

	to->cells[COLUMN_STATE] = xstrdup(standing_name(x->standing.kind));
	to->cells[COLUMN_LEVEL] = level_text(&s->key, s->trend.level);
	to->cells[COLUMN_TREND] = spark_text(looks, x);
	to->cells[COLUMN_NOISE] = noise_text(s);
	to->cells[COLUMN_RUNS] = xasprintf("%zu", s->n - x->from);
	if (x->standing.kind == STANDING_MISSING)
		add_missing(to, v, s);
	else if (x->standing.step != SIZE_MAX)
		add_step(to, v, x);
	else if (standing_is_newest(&x->standing))
		add_suspect(to, v, s);
	if (!to->cells[COLUMN_LEVELS])
		to->cells[COLUMN_LEVELS] = xstrdup(to->cells[COLUMN_LEVEL]);
}
