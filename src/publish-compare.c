/*
 * The data by which any two commits are compared: for each commit a file with the median of each
 * series, as pack_decimal() has it. Series are in the order of the commits that had them first, so
 * that a new series changes no file of an older commit. Values are kept in four bytes each until
 * all series are known.
 */
#include "publish-private.h"

#include "git.h"
#include "pack.h"
#include "figure.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

enum {
	VALUES_MAX = 4 * 1000 * 1000, /* that can be compared */
	COMMITS_MAX = 2000,           /* a file each */
	TABLE_MAX = 4 * 1000 * 1000   /* that are put in order at a time */
};

void publish_limit(struct publishing *p)
{
	const size_t series = trending_count(p->t), n = p->site.n_commits;
	size_t fit = series ? VALUES_MAX / series : n;

	if (fit > COMMITS_MAX)
		fit = COMMITS_MAX;
	p->site.compare_from = (uint32_t)(n > fit ? n - fit : 0);
}

void publish_remember(struct publishing *p, const struct trending_series *x)
{
	_cleanup_(freep) uint32_t *line = xcalloc(x->n + 1, sizeof(*line));
	const size_t series = p->n_rows++;
	struct publish_row *row;
	size_t i, n = 0;

	p->rows = xgrow_to(p->rows, &p->cap_rows, series, sizeof(*p->rows));
	row = &p->rows[series];
	row->first = p->n_codes;
	for (i = 0; i < x->n; i++) {
		const double v = num_double(x->points[i].value);
		const uint32_t commit = x->points[i].commit, code = pack_decimal(v);
		if (commit < p->site.compare_from)
			continue;
		line[n++] = commit;
		p->codes = xgrow(p->codes, p->n_codes, &p->cap_codes, sizeof(*p->codes));
		p->codes[p->n_codes++] = code;
		if (code == PACK_ELSEWHERE) {
			p->odd = xgrow(p->odd, p->n_odd, &p->cap_odd, sizeof(*p->odd));
			p->odd[p->n_odd++] = (struct publish_odd){(uint32_t)series, commit, v};
		}
	}
	row->n = n;
	row->line = intern_add(p->lines, line, n * sizeof(*line));
}

/* ---- the order ---- */

struct place {
	uint32_t first, series;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

static uint32_t *order_series(const struct publishing *p)
{
	_cleanup_(freep) struct place *places = xcalloc(p->n_series + 1, sizeof(*places));
	uint32_t *order = xcalloc(p->n_series + 1, sizeof(*order));
	size_t i;

	for (i = 0; i < p->n_series; i++)
		places[i] = (struct place){p->series[i].first, (uint32_t)i};
	if (p->n_series)
		qsort(places, p->n_series, sizeof(*places), compare_places);
	for (i = 0; i < p->n_series; i++)
		order[i] = places[i].series;
	return order;
}

/* ---- the files ---- */

/* Codes of the commits from first on, a row of n_series for each. */
static void fill(const struct publishing *p, const uint32_t *position, uint32_t *table,
	uint32_t first, uint32_t n)
{
	size_t i, k;

	memset(table, 0, (size_t)n * p->n_series * sizeof(*table));
	for (i = 0; i < p->n_series; i++) {
		const struct publish_row *row = &p->rows[i];
		size_t len;
		const char *line = intern_get(p->lines, row->line, &len);
		for (k = 0; k < row->n; k++) {
			uint32_t commit;
			memcpy(&commit, line + k * sizeof(commit), sizeof(commit));
			if (commit >= first && commit - first < n)
				table[(size_t)(commit - first) * p->n_series + position[i]] =
					p->codes[row->first + k];
		}
	}
}

static int compare_odd(const void *a, const void *b)
{
	const struct publish_odd *x = a, *y = b;

	if (x->commit != y->commit)
		return x->commit < y->commit ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

/* Of several sessions the last one counts, as in the table. */
static void add_odd(struct publishing *p, const uint32_t *position, const uint32_t *codes,
	uint32_t commit, size_t *next)
{
	const char *comma = "";

	for (; *next < p->n_odd && p->odd[*next].commit == commit; ++*next) {
		const struct publish_odd *x = &p->odd[*next];
		const bool again =
			*next + 1 < p->n_odd && x[1].commit == commit && x[1].series == x->series;
		if (again || codes[position[x->series]] != PACK_ELSEWHERE)
			continue;
		buf_addf(&p->page, "%s\"%u\":", comma, (unsigned)position[x->series]);
		figure_real(&p->page, x->value);
		comma = ",";
	}
}

static int write_commit(struct publishing *p, const uint32_t *position, const uint32_t *codes,
	uint32_t commit, size_t *next_odd, struct err *err)
{
	_cleanup_(freep) char *path = xasprintf("data/c/%s.json", p->commits[commit].sha);
	size_t n = p->n_series, i;

	while (n && codes[n - 1] == PACK_NONE)
		n--;
	buf_addstr(&p->page, "{\"v\":\"");
	for (i = 0; i < n; i++)
		pack_code(&p->page, codes[i], PACK_WIDTH_MAX);
	buf_addstr(&p->page, "\",\"x\":{");
	add_odd(p, position, codes, commit, next_odd);
	buf_addstr(&p->page, "}}\n");
	return publish_put(p, path, err);
}

static int write_commits(struct publishing *p, const uint32_t *position, struct err *err)
{
	const size_t fit = TABLE_MAX / (p->n_series ? p->n_series : 1);
	const uint32_t block = fit ? (uint32_t)fit : 1, end = (uint32_t)p->site.n_commits;
	_cleanup_(freep) uint32_t *table = xcalloc((size_t)block * p->n_series + 1, sizeof(*table));
	uint32_t first, i, n;
	size_t odd = 0;

	for (first = p->site.compare_from; first < end; first += n) {
		n = end - first < block ? end - first : block;
		fill(p, position, table, first, n);
		for (i = 0; i < n; i++)
			if (write_commit(p, position, table + (size_t)i * p->n_series, first + i,
				    &odd, err) < 0)
				return -1;
	}
	return 0;
}

int publish_comparison(struct publishing *p, struct err *err)
{
	_cleanup_(freep) uint32_t *order = order_series(p);
	_cleanup_(freep) uint32_t *position = xcalloc(p->n_series + 1, sizeof(*position));
	const struct site_lists l = {.series = p->series,
		.n_series = p->n_series,
		.benchmarks = p->benchmarks,
		.n_benchmarks = p->n_benchmarks};
	size_t i;

	for (i = 0; i < p->n_series; i++)
		position[order[i]] = (uint32_t)i;
	if (p->n_odd)
		qsort(p->odd, p->n_odd, sizeof(*p->odd), compare_odd);
	data_series(&p->page, &l, order);
	if (publish_put(p, "data/series.json", err) < 0)
		return -1;
	return write_commits(p, position, err);
}
