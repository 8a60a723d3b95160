#include "series-log.h"

#include "command.h"
#include "decimal.h"
#include "each-series.h"
#include "figure.h"
#include "json-out.h"
#include "json.h"
#include "layout.h"
#include "term.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MOST = 100, SHOWN_MAX = 60 /* bytes of a fact */ };

/* ---- facts ---- */

enum fact { FACT_DRIVER, FACT_OS, FACT_KERNEL, FACT_MICROCODE, FACT_BIOS, FACT_TOOL, FACT_COUNT };

/* Where it is in a run's facts: an object's member, or one of the outermost object. */
static const struct {
	const char *name, *object, *member;
} places[FACT_COUNT] = {
	[FACT_DRIVER] = {"driver", "drivers", NULL /* the device's */},
	[FACT_OS] = {"os version", NULL, "os_version"},
	[FACT_KERNEL] = {"kernel", "machine", "kernel"},
	[FACT_MICROCODE] = {"microcode", "machine", "microcode"},
	[FACT_BIOS] = {"firmware", "machine", "bios"},
	[FACT_TOOL] = {"tool", NULL, NULL /* a column of the run's */},
};

struct change {
	enum fact fact;
	const char *from, *to;
};

/* ---- points ---- */

struct point {
	const struct store_run *first;
	int64_t at;
	struct num *values;
	size_t n, cap;
	const char *facts[FACT_COUNT]; /* NULL: not known */
	struct decimal median;
	double change; /* of the median against the point before; NAN */
	struct change changes[FACT_COUNT];
	size_t n_changes;
};

struct chosen {
	struct series_key key;
	struct store_series stored;
};

struct logging {
	struct context *c;
	const struct series_log *o;
	struct pattern *pattern; /* NULL: the name is none */
	struct intern *texts;
	struct chosen *v;
	size_t n, cap;
	bool exact;             /* one of them is called just so */
	struct store_runs runs; /* of a suite */
	const char *suite;      /* which */
	struct intern *keys;    /* what makes a point; numbers are positions in points */
	struct point *points;
	size_t n_points, cap_points;
};

/* ---- which series ---- */

static int choose(
	void *ctx, const struct series_key *key, const struct store_series *stored, struct err *err)
{
	struct logging *l = ctx;
	_cleanup_(freep) char *name =
		xasprintf("%s:%s:%s", key->suite, key->benchmark, key->metric);
	const bool exact = !strcmp(name, l->o->series);
	int match = exact        ? 1
		    : l->exact   ? 0
		    : l->pattern ? pattern_match(l->pattern, name, strlen(name), err)
				 : 0;

	if (match <= 0 || (l->o->suite && strcmp(l->o->suite, key->suite) != 0))
		return match < 0 ? -1 : 0;
	if (exact && !l->exact)
		l->n = 0;
	l->exact |= exact;
	if (l->n == SERIES_MOST)
		return err_set(err, ERR_USAGE,
			"'%.60s' stands for more than %d series: name fewer, as SUITE:BENCHMARK:METRIC",
			l->o->series, SERIES_MOST);
	l->v = xgrow(l->v, l->n, &l->cap, sizeof(*l->v));
	l->v[l->n++] = (struct chosen){*key, *stored};
	return 0;
}

static int compare_chosen(const void *a, const void *b)
{
	return series_key_compare(
		&((const struct chosen *)a)->key, &((const struct chosen *)b)->key);
}

static int choose_all(struct logging *l, struct err *err)
{
	struct err bad = ERR_INIT;
	int r;

	l->pattern = pattern_new(l->o->series, &bad);
	r = each_series(l->c->store, l->c->policy, NULL, l->texts, choose, l, err);
	if (r < 0)
		return -1;
	if (!l->n)
		return l->pattern
			       ? err_set(err, ERR_USAGE,
					 "no series is called, or matches, '%.100s'; a series is SUITE:BENCHMARK:METRIC",
					 l->o->series)
			       : err_set(err, ERR_USAGE, "%s", bad.msg);
	qsort(l->v, l->n, sizeof(*l->v), compare_chosen);
	return 0;
}

/* ---- facts of a run ---- */

static const char *text_of(struct logging *l, const struct jv *o, const char *key)
{
	const struct jv *v = o && jv_kind(o) == JV_OBJECT ? jv_get(o, key) : NULL;
	const char *s = v && jv_kind(v) == JV_STRING ? jv_string(v, NULL) : NULL;

	return s && *s ? intern_get(l->texts, intern_add(l->texts, s, strlen(s)), NULL) : NULL;
}

/* The device is the benchmark's name up to the test, behind the component. */
static char *device_of(const struct store_series *s, const struct store_run *r)
{
	const char *name = s->benchmark, *test;
	const size_t n = strlen(r->component);

	if (n && !strncmp(name, r->component, n) && name[n] == '/')
		name += n + 1;
	test = strrchr(name, '/');
	return xstrndup(name, test ? (size_t)(test - name) : 0);
}

/* What a later run of the session says holds. */
static void take_facts(
	struct logging *l, const struct store_series *s, const struct store_run *r, struct point *p)
{
	_cleanup_(freep) char *device = device_of(s, r);
	struct err ignored = ERR_INIT;
	struct jv *facts = jv_load_text("facts", r->facts, strlen(r->facts), &ignored);
	const char *text;
	size_t i;

	for (i = 0; i < FACT_TOOL; i++) {
		const struct jv *o = facts;
		if (facts && jv_kind(facts) == JV_OBJECT && places[i].object)
			o = jv_get(facts, places[i].object);
		text = text_of(l, o, places[i].member ? places[i].member : device);
		p->facts[i] = text ? text : p->facts[i];
	}
	if (*r->tool_version)
		p->facts[FACT_TOOL] = r->tool_version;
	jv_free(facts);
}

/* ---- points of a series ---- */

static struct point *point_of(struct logging *l, const struct store_run *r)
{
	const bool by_session = !strcmp(r->suite, "clpeak");
	_cleanup_(freep) char *key = xasprintf(
		"%s\n%s %s", r->session, by_session ? "" : r->sha, by_session ? "" : r->tree_state);
	const uint32_t at = intern_add(l->keys, key, strlen(key));

	if (at < l->n_points)
		return &l->points[at];
	l->points = xgrow(l->points, l->n_points, &l->cap_points, sizeof(*l->points));
	l->points[l->n_points] = (struct point){.first = r, .at = store_run_time(r), .change = NAN};
	return &l->points[l->n_points++];
}

static int add_value(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct point *p = ctx;

	(void)series;
	(void)err;
	p->values = xgrow(p->values, p->n, &p->cap, sizeof(*p->values));
	p->values[p->n++] = value;
	return 0;
}

static int by_time(const void *pa, const void *pb)
{
	const struct store_run *a = pa, *b = pb;
	const int64_t ta = store_run_time(a), tb = store_run_time(b);

	if (ta != tb)
		return ta < tb ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int load_runs(struct logging *l, const char *suite, struct err *err)
{
	if (l->suite && !strcmp(l->suite, suite))
		return 0;
	store_runs_release(&l->runs);
	l->suite = suite;
	if (store_runs_of_suite(l->c->store, suite, &l->runs, err) < 0)
		return -1;
	if (l->runs.n)
		qsort(l->runs.v, l->runs.n, sizeof(*l->runs.v), by_time);
	return 0;
}

static int load_run(
	struct logging *l, const struct store_series *s, const struct store_run *r, struct err *err)
{
	struct point read = {0}, *p;
	size_t i;
	int found = store_samples_of(l->c->store, r->id, s->id, add_value, &read, err);

	if (found > 0) {
		p = point_of(l, r);
		for (i = 0; i < read.n; i++)
			add_value(p, 0, read.values[i], err);
		take_facts(l, s, r, p);
	}
	free(read.values);
	return found < 0 ? -1 : 0;
}

static void forget_points(struct logging *l)
{
	size_t i;

	for (i = 0; i < l->n_points; i++)
		free(l->points[i].values);
	l->n_points = 0;
	intern_free(l->keys);
	l->keys = NULL;
}

static int load_points(struct logging *l, const struct store_series *s, struct err *err)
{
	size_t i;

	forget_points(l);
	l->keys = intern_new();
	if (load_runs(l, s->suite, err) < 0)
		return -1;
	for (i = 0; i < l->runs.n; i++) {
		const struct store_run *r = &l->runs.v[i];
		if (r->runner_id != s->runner_id || r->id < s->first_run ||
			(l->o->commit && strcmp(l->o->commit, r->sha) != 0))
			continue;
		if (load_run(l, s, r, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- from one point to the next ---- */

/* On Linux the version of the system is the kernel's: once is enough. */
static bool is_said(const struct point *p, size_t fact)
{
	size_t i;

	for (i = 0; i < p->n_changes; i++)
		if (fact == FACT_KERNEL && p->changes[i].fact == FACT_OS &&
			!strcmp(p->changes[i].to, p->facts[fact]))
			return true;
	return false;
}

/* A point that does not know a fact leaves it as it was. */
static void compare_facts(struct point *p, const char **known)
{
	size_t i;

	for (i = 0; i < FACT_COUNT; i++) {
		if (!p->facts[i])
			continue;
		if (known[i] && strcmp(known[i], p->facts[i]) != 0 && !is_said(p, i))
			p->changes[p->n_changes++] =
				(struct change){(enum fact)i, known[i], p->facts[i]};
		known[i] = p->facts[i];
	}
}

static void compare_points(struct logging *l)
{
	const char *known[FACT_COUNT] = {NULL};
	double before = NAN, now;
	size_t i;

	for (i = 0; i < l->n_points; i++) {
		struct point *p = &l->points[i];
		p->median = decimal_median(p->values, p->n);
		now = decimal_double(p->median);
		p->change = before != 0 ? (now - before) / fabs(before) : NAN;
		before = now;
		compare_facts(p, known);
	}
}

/* ---- text ---- */

static void add_fact(struct buf *b, const char *text)
{
	size_t n = strnlen(text, SHOWN_MAX);

	while (n && text[n] && ((unsigned char)text[n] & 0xC0) == 0x80)
		n--;
	buf_add(b, text, n);
	buf_addstr(b, text[n] ? ".." : "");
}

static void add_changes(struct buf *b, const struct point *p)
{
	size_t i;

	for (i = 0; i < p->n_changes; i++) {
		buf_addf(b, "%s%s ", i ? ", " : "", places[p->changes[i].fact].name);
		add_fact(b, p->changes[i].from);
		buf_addstr(b, " -> ");
		add_fact(b, p->changes[i].to);
	}
}

static void add_row(struct table *t, const struct series_key *k, const struct point *p)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT, median = BUF_INIT, other = BUF_INIT,
					  change = BUF_INIT;

	time_format(&time, p->at);
	figure_pair(&median, &other, &p->median, NULL, k->unit);
	if (isfinite(p->change))
		figure_change(&change, p->change, (struct decimal){0, 0}, 1);
	table_cell(t, "%.10s %.5s", time.p, time.p + 11);
	table_cell(t, "%.10s%s", p->first->sha, strcmp(p->first->tree_state, "clean") ? "+" : "");
	table_cell(t, "%zu", p->n);
	table_cell(t, "%s", buf_str(&median));
	table_cell(t, "%s", buf_str(&change));
}

/* Between the point and the one before it, which stands below. */
static void print_changes(const struct point *p)
{
	enum { INDENT = 18 /* below the commit */ };
	const struct report_style style = {.width = term_fits(stdout) ? term_width(stdout) : 1000};
	_cleanup_(buf_release) struct buf raw = BUF_INIT, safe = BUF_INIT, b = BUF_INIT;

	if (!p->n_changes)
		return;
	add_changes(&raw, p);
	text_escape(&safe, buf_str(&raw), raw.len);
	layout_pad(&b, INDENT);
	layout_wrap(&b, &style, NULL, buf_str(&safe), INDENT, INDENT);
	fputs(buf_str(&b), stdout);
}

/* Newest first. */
static size_t oldest_shown(const struct logging *l)
{
	const size_t limit = l->o->limit ? (size_t)l->o->limit : SIZE_MAX;

	return l->n_points > limit ? l->n_points - limit : 0;
}

/* The rows of a table, a line each below the headings; the caller frees *ret. */
static int rows_of(const struct logging *l, const struct series_key *k, char **ret, struct err *err)
{
	struct table *t;
	size_t len, i;
	FILE *f = open_memstream(ret, &len);

	if (!f)
		return err_set(err, ERR_IO, "%s", strerror(errno));
	t = table_new("=WHEN (UTC)", "=COMMIT", ">N", ">MEDIAN", ">CHANGE", NULL);
	for (i = l->n_points; i-- > oldest_shown(l);)
		add_row(t, k, &l->points[i]);
	table_write(t, f);
	return fclose(f) ? err_set(err, ERR_IO, "%s", strerror(errno)) : 0;
}

static int print_text(const struct logging *l, const struct series_key *k, struct err *err)
{
	_cleanup_(freep) char *rows = NULL;
	size_t i = l->n_points;
	char *rest;

	if (rows_of(l, k, &rows, err) < 0)
		return -1;
	rest = rows;
	print_line("%s:%s:%s%s%s%s, on %s", k->suite, k->benchmark, k->metric,
		*k->variant ? " [" : "", k->variant, *k->variant ? "]" : "", k->runner);
	puts(strsep(&rest, "\n"));
	while (i-- > oldest_shown(l)) {
		puts(strsep(&rest, "\n"));
		print_changes(&l->points[i]);
	}
	return 0;
}

/* ---- JSON ---- */

static void json_changes(struct buf *b, const struct point *p)
{
	size_t i;

	json_key(b, "changed");
	buf_addch(b, '[');
	for (i = 0; i < p->n_changes; i++) {
		buf_addstr(b, i ? ", {" : "{");
		json_string(b, "fact", places[p->changes[i].fact].name);
		json_string(b, "from", p->changes[i].from);
		json_string(b, "to", p->changes[i].to);
		buf_addch(b, '}');
	}
	buf_addch(b, ']');
}

static void json_point(struct buf *b, const struct point *p)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT;

	time_format(&time, p->at);
	buf_addch(b, '{');
	json_string(b, "time", time.p);
	json_string(b, "commit", p->first->sha);
	json_string(b, "tree_state", p->first->tree_state);
	json_string(b, "session", p->first->session);
	json_int(b, "n", (long long)p->n);
	json_key(b, "median");
	decimal_format(b, p->median);
	json_real(b, "change", p->change);
	json_changes(b, p);
	buf_addch(b, '}');
}

static void print_json(const struct logging *l, const struct series_key *k, bool first)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	buf_addstr(&b, first ? " {" : ",\n {");
	json_series_key(&b, k);
	json_key(&b, "points");
	buf_addch(&b, '[');
	for (i = l->n_points; i-- > oldest_shown(l);) {
		buf_addstr(&b, i + 1 < l->n_points ? ",\n  " : "\n  ");
		json_point(&b, &l->points[i]);
	}
	printf("%s]}", b.p);
}

/* ---- all of them ---- */

static int print_all(struct logging *l, struct err *err)
{
	size_t i;

	if (l->o->json)
		puts("[");
	for (i = 0; i < l->n; i++) {
		if (load_points(l, &l->v[i].stored, err) < 0)
			return -1;
		compare_points(l);
		if (l->o->json) {
			print_json(l, &l->v[i].key, i == 0);
			continue;
		}
		if (i)
			puts("");
		if (print_text(l, &l->v[i].key, err) < 0)
			return -1;
	}
	if (l->o->json)
		puts("\n]");
	return 0;
}

int series_log(struct context *c, const struct series_log *o, struct err *err)
{
	struct logging l = {.c = c, .o = o, .texts = intern_new()};
	int r = choose_all(&l, err);

	if (r == 0)
		r = print_all(&l, err);
	forget_points(&l);
	store_runs_release(&l.runs);
	pattern_free(l.pattern);
	intern_free(l.texts);
	free(l.points);
	free(l.v);
	return r;
}
