/* What the script draws the charts of a benchmark from; site/assets/README.md has the form. */
#include "bench-page.h"

#include "figure.h"
#include "json-out.h"
#include "pack.h"
#include "phrase.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_DRAWN = 40 };

/* ---- which commits ---- */

/* The commits of a series as runs of numbers: "[0,300]". */
static void add_line(struct buf *b, const struct bench_series *x)
{
	size_t i, first;

	buf_addch(b, '[');
	for (first = 0; first < x->n; first = i) {
		for (i = first + 1; i < x->n && x->points[i].commit == x->points[i - 1].commit + 1;
			i++)
			;
		buf_addf(b, "%s%u,%zu", first ? "," : "", (unsigned)x->points[first].commit,
			i - first);
	}
	buf_addch(b, ']');
}

/* The lines that differ: numbers of those of each series into ret. */
static void add_lines(struct buf *b, const struct bench *x, size_t *ret)
{
	_cleanup_(freep) char **lines = xcalloc(x->n + 1, sizeof(*lines));
	size_t n = 0, i, k;

	for (i = 0; i < x->n; i++) {
		struct buf line = BUF_INIT;
		add_line(&line, &x->v[i]);
		for (k = 0; k < n && strcmp(lines[k], line.p) != 0; k++)
			;
		ret[i] = k;
		if (k == n)
			lines[n++] = buf_take(&line);
		buf_release(&line);
	}
	for (k = 0; k < n; k++) {
		buf_addf(b, "%s%s", k ? "," : "", lines[k]);
		free(lines[k]);
	}
}

/* ---- the values ---- */

enum which { MEDIAN, LEAST, GREATEST };

static double value_of(const struct bench_point *p, enum which w)
{
	double x = w == MEDIAN || !p->n ? p->value : p->samples[0];
	size_t i;

	for (i = 0; i < p->n && w != MEDIAN; i++)
		x = w == LEAST ? fmin(x, p->samples[i]) : fmax(x, p->samples[i]);
	return x;
}

static void add_packed(
	struct buf *b, const char *key, const double *v, size_t n, const struct pack_range *r)
{
	size_t i;

	json_tight_key(b, key);
	buf_addch(b, '"');
	for (i = 0; i < n; i++)
		pack_code(b, pack_in(r, v[i]), r->width);
	buf_addch(b, '"');
}

static void add_values(struct buf *b, const struct bench_series *x)
{
	static const char *const keys[] = {[MEDIAN] = "y", [LEAST] = "low", [GREATEST] = "high"};
	_cleanup_(freep) double *v = xcalloc(3 * x->n + 1, sizeof(*v));
	struct pack_range r;
	bool single = true;
	size_t i;
	int w;

	for (i = 0; i < x->n; i++)
		single = single && x->points[i].n <= 1;
	for (w = MEDIAN; w <= GREATEST; w++)
		for (i = 0; i < x->n; i++)
			v[(size_t)w * x->n + i] = value_of(&x->points[i], (enum which)w);
	r = pack_range(v, single ? x->n : 3 * x->n);
	json_tight_key(b, "base");
	figure_real(b, r.low);
	json_tight_key(b, "step");
	figure_real(b, r.step);
	buf_addf(b, ",\"width\":%d", r.width);
	for (w = MEDIAN; w <= (single ? MEDIAN : GREATEST); w++)
		add_packed(b, keys[w], v + (size_t)w * x->n, x->n, &r);
}

/* ---- what is drawn over them ---- */

static void add_real(struct buf *b, double x)
{
	if (!phrase_estimate(b, x))
		buf_addstr(b, "null");
}

/* The line of an exact series shows each change by itself. */
static bool is_drawn(const struct trend *t, const struct trend_step *s)
{
	return !t->exact || s->sense != SENSE_NONE;
}

static size_t first_drawn(const struct trend *t)
{
	size_t i, n = 0;

	for (i = t->n_steps; i > 0 && n < STEPS_DRAWN; i--)
		n += is_drawn(t, &t->steps[i - 1]);
	return i;
}

static void add_steps(struct buf *b, const struct bench_series *x)
{
	const struct trend *t = x->trend;
	const char *comma = "";
	size_t i;

	json_tight_key(b, "steps");
	buf_addch(b, '[');
	for (i = first_drawn(t); i < t->n_steps; i++) {
		const struct trend_step *s = &t->steps[i];
		if (!is_drawn(t, s))
			continue;
		buf_addf(b, "%s[%zu,", comma, s->at);
		figure_real(b, s->before);
		buf_addch(b, ',');
		figure_real(b, s->after);
		buf_addch(b, ',');
		add_real(b, s->change);
		buf_addf(b, ",\"%s\",\"%s\"]", trend_strength_name(s->strength),
			trend_sense_name(s->sense));
		comma = ",";
	}
	buf_addch(b, ']');
}

static void add_rest(struct buf *b, const struct bench_series *x)
{
	size_t i;

	json_tight_key(b, "noise");
	add_real(b, x->trend->noise);
	json_tight_key(b, "logarithmic");
	buf_addstr(b, x->of->logarithmic ? "true" : "false");
	json_tight_key(b, "level");
	if (isfinite(x->trend->level))
		figure_real(b, x->trend->level);
	else
		buf_addstr(b, "null");
	buf_addf(b, ",\"from\":%zu,\"accepts\":[", x->trend->from);
	for (i = 0; i < x->n_accepts; i++) {
		buf_addstr(b, i ? "," : "");
		figure_real(b, x->accepts[i]);
	}
	buf_addstr(b, "],\"suspect\":");
	if (x->trend->suspect.is) {
		buf_addf(b, "[%zu,", x->trend->suspect.from);
		add_real(b, x->trend->suspect.change);
		buf_addstr(b, "]}");
	} else {
		buf_addstr(b, "null}");
	}
}

void bench_data(struct buf *b, const struct bench *x)
{
	_cleanup_(freep) size_t *lines = xcalloc(x->n + 1, sizeof(*lines));
	size_t i;

	buf_addch(b, '{');
	json_tight_string(b, "suite", x->suite);
	json_tight_string(b, "benchmark", x->name);
	buf_addstr(b, ",\n\"lines\":[");
	add_lines(b, x, lines);
	buf_addstr(b, "],\n\"series\":[");
	for (i = 0; i < x->n; i++) {
		const struct series_key *k = &x->v[i].of->key;
		buf_addstr(b, i ? ",\n{" : "\n{");
		json_tight_string(b, "metric", k->metric);
		json_tight_string(b, "unit", k->unit);
		json_tight_string(b, "variant", k->variant);
		json_tight_string(b, "runner", k->runner);
		json_tight_string(b, "direction", direction_name(x->v[i].of->direction));
		buf_addf(b, ",\"line\":%zu", lines[i]);
		add_values(b, &x->v[i]);
		add_steps(b, &x->v[i]);
		add_rest(b, &x->v[i]);
	}
	buf_addstr(b, "\n]}\n");
}
