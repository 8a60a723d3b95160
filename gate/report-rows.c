#include "report-rows.h"

#include "explain.h"
#include "figure.h"
#include "layout.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { SUITE_MAX = 12 };

/* ---- which rows ---- */

static enum section section_of(const struct judged *j, const struct report *r)
{
	const bool gates = report_status(r, j) != 0;

	if (j->verdict == VERDICT_INFO)
		return SECTION_INFO;
	if (j->verdict == VERDICT_INCONCLUSIVE && !gates && j->decision.class_ != CLASS_HARD)
		return SECTION_INFO;
	if (j->verdict >= VERDICT_IMPROVED)
		return SECTION_PASS;
	return !r->exit_counts || gates ? SECTION_GATES : SECTION_OTHER;
}

/* How many rows of a verdict are listed unless all are wanted. */
static size_t most_rows(enum verdict v, enum section section)
{
	static const size_t most[VERDICT_COUNT] = {[VERDICT_REGRESSED] = 200,
		[VERDICT_LOST] = 100,
		[VERDICT_MISSING] = 100,
		[VERDICT_INCOMPARABLE] = 20,
		[VERDICT_NO_BASE] = 10,
		[VERDICT_INCONCLUSIVE] = 20,
		[VERDICT_SUSPECT] = 50,
		[VERDICT_INHERITED] = 50,
		[VERDICT_ACCEPTED] = 50,
		[VERDICT_WAIVED] = 50,
		[VERDICT_IMPROVED] = 20,
		[VERDICT_NEW] = 10};

	if (section == SECTION_OTHER && v == VERDICT_MISSING)
		return 10; /* a probe that was asked for less than the one before lacks dozens */
	return section == SECTION_INFO ? 0 : most[v];
}

/* What passes now and was regressed in a session before is not hidden: one can measure until it
 * passes. */
static size_t most_of(const struct judged *j, enum section section)
{
	const bool again = j->differed && j->earlier == VERDICT_REGRESSED;

	return most_rows(again ? VERDICT_REGRESSED : j->verdict, section);
}

/* Whether the rows of this pass include it: first all that was judged or should have been. */
static bool in_pass(enum section pass, enum section section)
{
	return pass == SECTION_PASS ? section <= SECTION_PASS : section == pass;
}

static void add_rows(struct rows *rows, const struct report *r, bool all, size_t most,
	enum section pass, const enum section *sections, size_t left[VERDICT_COUNT])
{
	size_t listed[VERDICT_COUNT] = {0}, i;

	for (i = 0; i < r->n; i++) {
		const struct judged *j = &r->verdicts[i];
		enum section section = sections[i];
		if (j->verdict == VERDICT_NOT_MEASURED || !in_pass(pass, section))
			continue;
		if (rows->n >= most || (!all && listed[j->verdict] >= most_of(j, section))) {
			left[j->verdict]++;
			continue;
		}
		listed[j->verdict]++;
		rows->v = xgrow(rows->v, rows->n, &rows->cap, sizeof(*rows->v));
		rows->v[rows->n++] = (struct row){.j = j, .section = section};
	}
}

/* ---- names ---- */

static int compare_names(const void *pa, const void *pb)
{
	const struct series_key *a = &(*(struct row *const *)pa)->j->pair->key;
	const struct series_key *b = &(*(struct row *const *)pb)->j->pair->key;
	int r = strcmp(a->benchmark, b->benchmark);

	return r ? r : strcmp(a->metric, b->metric);
}

static void tell_apart(struct row *a, struct row *b)
{
	const struct series_key *ka = &a->j->pair->key, *kb = &b->j->pair->key;

	if (strcmp(ka->suite, kb->suite) != 0)
		a->suite = b->suite = true;
	if (strcmp(ka->variant, kb->variant) != 0)
		a->variant = b->variant = true;
	if (strcmp(ka->runner, kb->runner) != 0)
		a->runner = b->runner = true;
	if (strcmp(ka->unit, kb->unit) != 0)
		a->unit = b->unit = true;
}

/* Marks rows that have benchmark and metric in common. */
static void find_namesakes(struct rows *t)
{
	struct row **sorted = xmalloc(t->n * sizeof(*sorted));
	size_t i, first = 0;

	for (i = 0; i < t->n; i++)
		sorted[i] = &t->v[i];
	qsort(sorted, t->n, sizeof(*sorted), compare_names);
	for (i = 1; i < t->n; i++) {
		if (compare_names(&sorted[i - 1], &sorted[i]) != 0)
			first = i;
		else
			tell_apart(sorted[first], sorted[i]);
	}
	free(sorted);
}

/* ---- cells ---- */

static char *escaped_cell(const char *s, size_t width)
{
	_cleanup_(freep) char *whole = layout_escape(s);
	struct buf b = BUF_INIT;

	layout_shorten(&b, whole, width);
	return buf_take(&b);
}

static char *benchmark_cell(const struct row *row)
{
	const struct series_key *k = &row->j->pair->key;
	struct buf b = BUF_INIT;

	if (row->suite) {
		text_escape(&b, k->suite, strlen(k->suite));
		buf_addstr(&b, ": ");
	}
	text_escape(&b, k->benchmark, strlen(k->benchmark));
	if (row->variant && *k->variant) {
		buf_addstr(&b, " [");
		text_escape(&b, k->variant, strlen(k->variant));
		buf_addch(&b, ']');
	}
	if (row->runner) {
		buf_addstr(&b, " @");
		text_escape(&b, k->runner, strlen(k->runner));
	}
	return buf_take(&b);
}

static char *metric_cell(const struct row *row)
{
	const struct series_key *k = &row->j->pair->key;
	struct buf b = BUF_INIT;

	text_escape(&b, k->metric, strlen(k->metric));
	if (row->unit) {
		buf_addstr(&b, " (");
		text_escape(&b, k->unit, strlen(k->unit));
		buf_addch(&b, ')');
	}
	return buf_take(&b);
}

static char *change_cell(const struct judged *j)
{
	struct buf b = BUF_INIT;

	if (!j->pair->head.n || !j->pair->base.n)
		buf_addch(&b, '-');
	else if (j->has_change)
		figure_change(&b, j->change, j->tolerance, 1);
	else
		buf_addstr(&b, decimal_cmp(j->head_exact, j->base_exact) ? "from 0" : "0 %");
	return buf_take(&b);
}

static char *cell_of(void (*add)(struct buf *, const struct judged *), const struct judged *j)
{
	struct buf b = BUF_INIT;

	add(&b, j);
	return buf_take(&b);
}

static char *n_cell(const struct pair *p)
{
	if (p->base.n == p->head.n)
		return xasprintf("%zu", p->head.n);
	return xasprintf("%zu, %zu", p->base.n, p->head.n);
}

static void fill_row(struct row *row)
{
	_cleanup_(buf_release) struct buf head = BUF_INIT, base = BUF_INIT;
	const struct judged *j = row->j;
	const struct pair *p = j->pair;

	figure_pair(&base, &head, p->base.n ? &j->base_exact : NULL,
		p->head.n ? &j->head_exact : NULL, p->key.unit);
	row->cells[COL_VERDICT] = xstrdup(verdict_name(j->verdict));
	row->cells[COL_SUITE] = escaped_cell(p->key.suite, SUITE_MAX);
	row->cells[COL_BENCHMARK] = benchmark_cell(row);
	row->cells[COL_METRIC] = metric_cell(row);
	row->cells[COL_BASE] = xstrdup(base.len ? base.p : "-");
	row->cells[COL_HEAD] = xstrdup(head.len ? head.p : "-");
	row->cells[COL_CHANGE] = change_cell(j);
	row->cells[COL_INTERVAL] = cell_of(explain_interval, j);
	row->cells[COL_EVIDENCE] = cell_of(explain_evidence, j);
	row->cells[COL_ALLOWED] =
		j->decision.class_ == CLASS_INFO ? xstrdup("") : cell_of(explain_allowed, j);
	row->cells[COL_N] = n_cell(p);
	row->cells[COL_DETECTABLE] = cell_of(explain_detectable, j);
}

void report_rows(struct rows *ret, const struct report *r, const struct report_style *style,
	size_t most, size_t ret_left[VERDICT_COUNT])
{
	static const enum section passes[] = {SECTION_PASS, SECTION_INFO};
	enum section *sections = xmalloc(r->n * sizeof(*sections));
	size_t i;

	for (i = 0; i < r->n; i++)
		sections[i] = section_of(&r->verdicts[i], r);
	memset(ret_left, 0, VERDICT_COUNT * sizeof(*ret_left));
	for (i = 0; i < ARRAY_LEN(passes); i++)
		add_rows(ret, r, style->all, most, passes[i], sections, ret_left);
	free(sections);
	find_namesakes(ret);
	for (i = 0; i < ret->n; i++)
		fill_row(&ret->v[i]);
}

void report_rows_release(struct rows *rows)
{
	size_t i;
	int c;

	for (i = 0; i < rows->n; i++)
		for (c = 0; c < COL_COUNT; c++)
			free(rows->v[i].cells[c]);
	free(rows->v);
}
