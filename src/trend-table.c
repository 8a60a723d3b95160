/*
 * The trends as a person reads them: a row a series, worst first, in as many columns as fit.
 */
#include "trend-view.h"

#include "command.h"
#include "figure.h"
#include "layout.h"
#include "sparkline.h"
#include "term.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *const headings[COLUMN_COUNT] = {[COLUMN_STATE] = "=STATE",
	[COLUMN_SUITE] = "=SUITE",
	[COLUMN_SERIES] = "SERIES",
	[COLUMN_LEVEL] = ">LEVEL",
	[COLUMN_LEVELS] = ">LEVEL",
	[COLUMN_CHANGE] = ">CHANGE",
	[COLUMN_INTERVAL] = ">95 %",
	[COLUMN_COMMIT] = "=COMMIT",
	[COLUMN_RANGE] = "=COMMITS",
	[COLUMN_DATE] = "=SINCE",
	[COLUMN_SURE] = "=EVIDENCE",
	[COLUMN_TREND] = ">TREND",
	[COLUMN_NOISE] = ">NOISE",
	[COLUMN_RUNS] = ">RUNS"};

/* What is shown where it fits, the first first; and what it takes the place of. */
static const struct {
	enum column column, instead; /* COLUMN_COUNT: of none */
} optional[] = {{COLUMN_SUITE, COLUMN_COUNT}, {COLUMN_RANGE, COLUMN_COMMIT},
	{COLUMN_RUNS, COLUMN_COUNT}, {COLUMN_DATE, COLUMN_COUNT}, {COLUMN_SURE, COLUMN_COUNT},
	{COLUMN_LEVELS, COLUMN_LEVEL}, {COLUMN_NOISE, COLUMN_COUNT},
	{COLUMN_INTERVAL, COLUMN_COUNT}};

enum {
	GAP = 2,
	SERIES_WIDEST = 44, /* that other columns make way for */
	SERIES_LEAST = 30,  /* that the suite makes way for */
	SPARK_NARROWEST = 10,
	SPARK_WIDEST = 40,
	NAMED_MAX = 3 /* series of a note */
};

struct line {
	struct series_key key; /* as long as the trends */
	enum standing_kind kind;
	double size;
	size_t number; /* in the order of series */
	char *cells[COLUMN_COUNT];
};

/* Series that a note tells of. */
struct noted {
	size_t n;
	struct buf names;
};

struct listing {
	struct trend_view *v;
	struct line *lines;
	size_t n, cap;
	size_t counts[STANDING_KINDS], minor, info, seen;
	bool suites, variants, runners; /* of which lines differ */
	struct noted correlated, machine;
	bool weak;
	size_t spark;
	bool unicode;
};

/* ---- cells ---- */

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

static char *spark_text(const struct listing *l, const struct trend_seen *x)
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
static void add_place(struct line *to, const struct trend_view *v, const struct trending_series *s,
	size_t before, size_t after)
{
	to->cells[COLUMN_DATE] = date_text(v, s, after);
	if (s->by_time)
		return; /* whatever was checked out */
	to->cells[COLUMN_COMMIT] = xasprintf("%.7s", trend_point_sha(v, s, after));
	to->cells[COLUMN_RANGE] = xasprintf(
		"%.7s..%.7s", trend_point_sha(v, s, before), trend_point_sha(v, s, after));
}

static void add_step(struct line *to, const struct trend_view *v, const struct trend_seen *x)
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
	struct line *to, const struct trend_view *v, const struct trending_series *s)
{
	const struct trend_suspect *x = &s->trend.suspect;

	add_place(to, v, s, x->from ? x->from - 1 : 0, x->from);
	to->cells[COLUMN_LEVELS] = levels_text(&s->key, s->trend.level, x->after);
	to->cells[COLUMN_CHANGE] = change_text(x->change, true);
	to->cells[COLUMN_SURE] = xstrdup("suspect");
}

static void add_missing(
	struct line *to, const struct trend_view *v, const struct trending_series *s)
{
	add_place(to, v, s, s->n - 1, s->n - 1);
	free(to->cells[COLUMN_RANGE]);
	to->cells[COLUMN_RANGE] =
		s->by_time ? NULL : xasprintf("%.7s..", trend_point_sha(v, s, s->n - 1));
	to->cells[COLUMN_SURE] = xstrdup("last seen");
}

static void fill(const struct listing *l, struct line *to, const struct trend_seen *x)
{
	const struct trending_series *s = x->s;

	to->cells[COLUMN_STATE] = xstrdup(standing_name(x->standing.kind));
	to->cells[COLUMN_LEVEL] = level_text(&s->key, s->trend.level);
	to->cells[COLUMN_TREND] = spark_text(l, x);
	to->cells[COLUMN_NOISE] = noise_text(s);
	to->cells[COLUMN_RUNS] = xasprintf("%zu", s->n - x->from);
	if (x->standing.kind == STANDING_MISSING)
		add_missing(to, l->v, s);
	else if (x->standing.kind == STANDING_SUSPECT && s->trend.suspect.is)
		add_suspect(to, l->v, s);
	else if (x->standing.step != SIZE_MAX)
		add_step(to, l->v, x);
	if (!to->cells[COLUMN_LEVELS])
		to->cells[COLUMN_LEVELS] = xstrdup(to->cells[COLUMN_LEVEL]);
}

/* ---- lines ---- */

static void note_series(struct noted *to, const char *what)
{
	if (to->n++ < NAMED_MAX)
		buf_addf(&to->names, "%s%s", to->n > 1 ? ", " : "", what);
}

static void note_correlated(struct listing *l, const struct trending_series *s)
{
	_cleanup_(freep) char *name =
		xasprintf("%s:%s:%s", s->key.suite, s->key.benchmark, s->key.metric);

	note_series(&l->correlated, name);
}

/* Each probe is named once, as long as there are few. */
static void note_machine(struct listing *l, const char *probe)
{
	if (l->machine.n && strstr(buf_str(&l->machine.names), probe))
		l->machine.n++;
	else
		note_series(&l->machine, probe);
}

/* A counter that changed by what the policy tolerates, or a noisy series that may have: nobody
 * wants to know. */
static bool is_minor(const struct trend_seen *x)
{
	return x->standing.kind == STANDING_MOVED &&
	       x->s->trend.steps[x->standing.step].strength != STEP_CONFIRMED;
}

static bool is_listed(const struct listing *l, const struct trend_seen *x)
{
	if (l->v->all)
		return true;
	return x->standing.kind < STANDING_FEW && x->s->decision.class_ != CLASS_INFO &&
	       !is_minor(x);
}

static int add_line(void *ctx, const struct trend_seen *x, struct err *err)
{
	struct listing *l = ctx;
	const struct trending_series *s = x->s;
	struct line *to;

	(void)err;
	l->seen++;
	if (s->decision.class_ == CLASS_INFO)
		l->info++;
	else
		l->counts[x->standing.kind]++;
	l->minor += s->decision.class_ != CLASS_INFO && is_minor(x);
	if (!is_listed(l, x))
		return 0;
	l->lines = xgrow(l->lines, l->n, &l->cap, sizeof(*l->lines));
	to = &l->lines[l->n];
	*to = (struct line){
		.key = s->key, .kind = x->standing.kind, .size = x->standing.size, .number = l->n};
	fill(l, to, x);
	if (s->trend.autocorrelated && x->standing.step != SIZE_MAX)
		note_correlated(l, s);
	l->weak |= x->standing.step != SIZE_MAX &&
		   s->trend.steps[x->standing.step].strength == STEP_WEAK;
	if (x->standing.step != SIZE_MAX && s->machine && s->machine[x->standing.step])
		note_machine(l, s->machine[x->standing.step]);
	l->suites |= strcmp(s->key.suite, l->lines[0].key.suite) != 0;
	l->variants |= strcmp(s->key.variant, l->lines[0].key.variant) != 0;
	l->runners |= strcmp(s->key.runner, l->lines[0].key.runner) != 0;
	l->n++;
	return 0;
}

/* Worst first. */
static int compare_lines(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void name_line(const struct listing *l, struct line *x)
{
	const struct series_key *k = &x->key;
	struct buf b = BUF_INIT;

	if (l->suites)
		x->cells[COLUMN_SUITE] = xstrdup(k->suite);
	buf_addf(&b, "%s %s", k->benchmark, k->metric);
	if (l->variants && *k->variant)
		buf_addf(&b, " [%s]", k->variant);
	if (l->runners)
		buf_addf(&b, " on %s", k->runner);
	x->cells[COLUMN_SERIES] = buf_take(&b);
}

/* ---- columns ---- */

static size_t cell_width(const char *s)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (s)
		text_escape(&b, s, strlen(s));
	return text_width(buf_str(&b), b.len);
}

static size_t column_width(const struct listing *l, enum column c)
{
	const char *heading = headings[c];
	size_t width = cell_width(heading + (*heading == '>' || *heading == '=')), i;

	for (i = 0; i < l->n; i++) {
		const size_t w = cell_width(l->lines[i].cells[c]);
		width = w > width ? w : width;
	}
	return c == COLUMN_SERIES && width > SERIES_WIDEST ? SERIES_WIDEST : width;
}

/* Whether a column has anything to say. */
static bool has_any(const struct listing *l, enum column c)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->lines[i].cells[c] && *l->lines[i].cells[c])
			return true;
	return false;
}

/* How much narrower the names of series may become. */
static long spare(long width)
{
	return width > SERIES_LEAST + GAP ? width - SERIES_LEAST - GAP : 0;
}

static void choose_columns(const struct listing *l, bool shown[COLUMN_COUNT])
{
	const bool fit = term_fits(stdout);
	const long width = term_width(stdout);
	long used = 0, widths[COLUMN_COUNT];
	size_t c, i;

	for (c = 0; c < COLUMN_COUNT; c++) {
		widths[c] = (long)column_width(l, (enum column)c) + GAP;
		shown[c] = has_any(l, (enum column)c);
	}
	for (i = 0; i < ARRAY_LEN(optional); i++)
		shown[optional[i].column] = false;
	for (c = 0; c < COLUMN_COUNT; c++)
		used += shown[c] ? widths[c] : 0;
	for (i = 0; i < ARRAY_LEN(optional); i++) {
		const enum column new = optional[i].column, old = optional[i].instead;
		const long more = widths[new] - (old != COLUMN_COUNT ? widths[old] : 0);
		const long less = new == COLUMN_SUITE ? spare(widths[COLUMN_SERIES]) : 0;
		if (!has_any(l, new) || (fit && used + more - less - GAP > width))
			continue;
		used += more;
		shown[new] = true;
		if (old != COLUMN_COUNT)
			shown[old] = false;
	}
}

static const char *paint_of(enum standing_kind k)
{
	static const char *const paints[STANDING_KINDS] = {[STANDING_WORSE] = PAINT_RED,
		[STANDING_SUSPECT] = PAINT_YELLOW,
		[STANDING_MISSING] = PAINT_YELLOW,
		[STANDING_BETTER] = PAINT_GREEN};

	return paints[k];
}

static void write_table(struct listing *l)
{
	struct table *t = table_new(NULL);
	bool shown[COLUMN_COUNT];
	size_t i, c;

	choose_columns(l, shown);
	for (c = 0; c < COLUMN_COUNT; c++)
		if (shown[c])
			table_heading(t, headings[c]);
	for (i = 0; i < l->n; i++) {
		for (c = 0; c < COLUMN_COUNT; c++)
			if (shown[c])
				table_cell(
					t, "%s", l->lines[i].cells[c] ? l->lines[i].cells[c] : "");
		table_paint(t, paint_of(l->lines[i].kind));
	}
	table_write(t, stdout);
}

/* ---- the words around it ---- */

static void say(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A paragraph. */
static void say(const char *fmt, ...)
{
	const struct report_style style = {.width = term_fits(stdout) ? term_width(stdout) : 1000};
	_cleanup_(buf_release) struct buf raw = BUF_INIT, safe = BUF_INIT, b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	text_escape(&safe, buf_str(&raw), raw.len);
	layout_wrap(&b, &style, NULL, buf_str(&safe), 0, 2);
	fputs(buf_str(&b), stdout);
}

/* Whether more than a tip is known of it. */
static bool has_line(const struct trending *t)
{
	return t->line && (t->n_commits - t->n_by_time > 1 || t->n_commits == 1);
}

static void say_others(const struct trending *t)
{
	if (t->n_elsewhere)
		say("%zu commit%s with runs %s on other branches and left out", t->n_elsewhere,
			plural(t->n_elsewhere), t->n_elsewhere == 1 ? "is" : "are");
	if (t->n_by_time && has_line(t))
		say("%zu commit%s %s place on the line known and stand%s by time", t->n_by_time,
			plural(t->n_by_time), t->n_by_time == 1 ? "has no" : "have no",
			t->n_by_time == 1 ? "s" : "");
}

static void say_line(const struct trending *t)
{
	_cleanup_(buf_release) struct buf first = BUF_INIT, last = BUF_INIT, line = BUF_INIT;

	if (!t->n_commits) {
		say("there is no clean run%s%s yet", t->line ? " on the line of " : "",
			t->line ? t->line : "");
		return;
	}
	time_format(&first, t->commits[0].at);
	time_format(&last, t->commits[t->n_commits - 1].at);
	if (has_line(t) && git_is_sha(t->line))
		buf_addf(&line, "%.7s", t->tip);
	else if (has_line(t))
		buf_addf(&line, "%s (%.7s)", t->line, t->tip);
	say("%s: %zu commit%s with runs, %.10s to %.10s", has_line(t) ? buf_str(&line) : "by time",
		t->n_commits, plural(t->n_commits), first.p, last.p);
}

static void add_count(struct buf *b, size_t n, const char *what)
{
	if (n)
		buf_addf(b, "%s%zu %s", b->len ? ", " : "", n, what);
}

static void say_counts(const struct listing *l)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t k;

	for (k = 0; k < STANDING_KINDS; k++)
		if (k != STANDING_FEW)
			add_count(&b, l->counts[k], standing_name((enum standing_kind)k));
	if (l->counts[STANDING_FEW])
		buf_addf(&b, "%s%zu with fewer than %d points", b.len ? ", " : "",
			l->counts[STANDING_FEW], STANDING_POINTS_NEEDED);
	add_count(&b, l->info, "that nobody judges (info)");
	say("%zu series%s%s", l->seen, b.len ? ": " : "", buf_str(&b));
	if (l->minor && !l->v->all)
		say("%zu that moved within the tolerance %s listed by --all", l->minor,
			l->minor == 1 ? "is" : "are");
}

static const char *more(const struct noted *n)
{
	return n->n > NAMED_MAX ? ", ..." : "";
}

static bool has_kind(const struct listing *l, enum standing_kind k)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->lines[i].kind == k)
			return true;
	return false;
}

static void say_notes(const struct listing *l)
{
	if (has_kind(l, STANDING_SUSPECT))
		say("suspect: the newest points may be the beginning of another level; the next runs will tell");
	if (has_kind(l, STANDING_MISSING))
		say("missing: what is gone for good can be retired, in a section [retire] of perfgate.conf");
	if (l->weak)
		say("weak, with a question mark: a second method does not find the step");
	if (l->machine.n)
		say("the machine's: a probe of the same runner stepped with %zu of these: %s%s",
			l->machine.n, buf_str(&l->machine.names), more(&l->machine));
	if (l->correlated.n)
		say("autocorrelated, so that steps are less sure than they look: %zu of these: %s%s",
			l->correlated.n, buf_str(&l->correlated.names), more(&l->correlated));
}

static void print(struct listing *l)
{
	size_t i;

	say_line(&l->v->t);
	say_others(&l->v->t);
	for (i = 0; i < l->n; i++)
		name_line(l, &l->lines[i]);
	if (l->n) {
		qsort(l->lines, l->n, sizeof(*l->lines), compare_lines);
		puts("");
		write_table(l);
		puts("");
	}
	say_counts(l);
	say_notes(l);
}

static void release(struct listing *l)
{
	size_t i, c;

	for (i = 0; i < l->n; i++)
		for (c = 0; c < COLUMN_COUNT; c++)
			free(l->lines[i].cells[c]);
	free(l->lines);
	buf_release(&l->correlated.names);
	buf_release(&l->machine.names);
}

int trend_table(struct trend_view *v, struct err *err)
{
	const int width = term_fits(stdout) ? term_width(stdout) / 8 : 20;
	struct listing l = {.v = v,
		.spark = width < SPARK_NARROWEST ? SPARK_NARROWEST
			 : width > SPARK_WIDEST  ? SPARK_WIDEST
						 : (size_t)width,
		.unicode = sparkline_unicode()};
	int r = trend_view_each(v, add_line, &l, err);

	progress_end(v->progress);
	v->progress = NULL;
	if (r == 0)
		print(&l);
	release(&l);
	return r;
}
