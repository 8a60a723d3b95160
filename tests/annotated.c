/*
 * annotated: the change points of series in which people, or another tool, marked them.
 *
 * The Turing Change Point Dataset's univariate series without missing values, as far as they lie in
 * ../shared/samples: two scores (annotations.h) of one setting for all of them, beside the
 * published scores of each method's default on the same series. Then series of benchmarks whose
 * changes are known. With the argument "full" (make bench-accuracy) it prints tables; without, it
 * is a test.
 */
#include "changepoint.h"

#include "annotations.h"
#include "buf.h"
#include "order.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

/* ---- the Turing Change Point Dataset ---- */

enum { METHODS = 8, MOST_SERIES = 64, OURS = 2 };
enum kind { REAL, CONTROL, KINDS };

struct score {
	double f1, cover;
};

static struct table {
	char methods[METHODS][16];
	size_t count[KINDS];
	struct score ours[KINDS][OURS]; /* sums over the series */
	double published[KINDS][METHODS];
} table;

static struct changepoint_settings for_trends(size_t n)
{
	struct changepoint_settings s = changepoint_defaults(n);

	s.k = 2.5;
	s.penalty = 6;
	s.penalty_power = 0;
	s.test_power = 0.5;
	s.drifts = true;
	return s;
}

static const struct method {
	const char *name;
	struct changepoint_settings (*settings)(size_t n);
	bool logs; /* where all values have one sign, as perfgate trend takes them */
} ours[OURS] = {
	{"the default, on logarithms", changepoint_defaults, true},
	{"for trends, on plain numbers", for_trends, false},
};

static struct list predict(const struct method *m, const double *x, size_t n)
{
	struct changepoint_settings s = m->settings(n);
	static double y[MOST_POINTS];
	struct list l;
	size_t i;

	for (i = 0; i < n; i++)
		y[i] = m->logs && of_one_sign(x, n) ? log(fabs(x[i])) : x[i];
	l.n = changepoints(y, n, &s, l.v);
	return l;
}

static void score_series(const json_t *doc, json_t *annotators, enum kind kind)
{
	json_t *dimension = json_array_get(json_object_get(doc, "series"), 0);
	static double x[MOST_POINTS];
	size_t n = samples_numbers(json_object_get(dimension, "raw"), -1, x), i;

	for (i = 0; i < OURS; i++) {
		struct list l = predict(&ours[i], x, n);
		table.ours[kind][i].f1 += annotations_f1(annotators, &l);
		table.ours[kind][i].cover += annotations_cover(annotators, &l, n);
	}
	table.count[kind]++;
}

/* A line of the published figures: a series, and the F1 of each method. */
static void add_line(char *line, json_t *annotations)
{
	char *rest = line, *name = strsep(&rest, "\t");
	enum kind kind = strncmp(name, "quality_control", 15) ? REAL : CONTROL;
	_cleanup_(freep) char *file = xasprintf("tcpd/%s.json", name);
	json_t *doc = samples_load(file);
	size_t i;

	if (doc)
		score_series(doc, json_object_get(annotations, name), kind);
	for (i = 0; doc && i < METHODS && rest; i++)
		table.published[kind][i] += strtod(strsep(&rest, "\t\n"), NULL);
	json_decref(doc);
}

static void name_methods(char *line)
{
	char *rest = line;
	size_t i;

	strsep(&rest, "\t");
	for (i = 0; i < METHODS && rest; i++)
		snprintf(table.methods[i], sizeof(table.methods[i]), "%s", strsep(&rest, "\t\n"));
}

static bool score_all(void)
{
	_cleanup_(freep) char *path = samples_path("tcpd/published_default_f1.tsv");
	json_t *annotations = samples_load("tcpd/annotations.json");
	FILE *f = fopen(path, "r");
	char line[256];

	if (f && annotations && fgets(line, sizeof(line), f)) {
		name_methods(line);
		while (fgets(line, sizeof(line), f))
			add_line(line, annotations);
	}
	if (f)
		fclose(f);
	json_decref(annotations);
	return table.count[REAL] && table.count[CONTROL];
}

static double mean(double sum, enum kind kind)
{
	return sum / (double)table.count[kind];
}

static double best_published(void)
{
	double best = 0;
	size_t i;

	for (i = 0; i < METHODS; i++)
		best = fmax(best, mean(table.published[REAL][i], REAL));
	return best;
}

static const double CONTROL_F1 = 0.95;

static const char *verdict(bool good)
{
	return good ? "ok" : "MISSED";
}

static void print_ours(const struct method *m, size_t i)
{
	const struct score *real = &table.ours[REAL][i], *control = &table.ours[CONTROL][i];
	double f1 = mean(real->f1, REAL), control_f1 = mean(control->f1, CONTROL);

	printf("  %-30s %6.3f %6.3f  %7.3f %6.3f  more than %.3f: %s, at least %.2f: %s\n", m->name,
		f1, mean(real->cover, REAL), control_f1, mean(control->cover, CONTROL),
		best_published(), verdict(f1 > best_published()), CONTROL_F1,
		verdict(control_f1 >= CONTROL_F1));
}

static void print_table(void)
{
	size_t i;

	printf("Turing Change Point Dataset: %zu univariate series (without run_log, of two "
	       "dimensions,\nand uk_coal_employ, with missing values), and %zu of quality "
	       "control\n",
		table.count[REAL], table.count[CONTROL]);
	printf("  %-30s %6s %6s  %7s %6s\n", "", "F1", "cover", "control", "cover");
	for (i = 0; i < OURS; i++)
		print_ours(&ours[i], i);
	for (i = 0; i < METHODS; i++)
		printf("  published default of %-9s %6.3f %6s  %7.3f\n", table.methods[i],
			mean(table.published[REAL][i], REAL), "",
			mean(table.published[CONTROL][i], CONTROL));
}

/* ---- series of benchmarks ---- */

static const struct known {
	const char *file, *key; /* none: the document is the array */
	int column;
	bool logs;
	size_t n, changes[4];
} known[] = {
	{"treeherder/runs1.json", "test_runs", 3, true, 1, {111}},
	{"treeherder/runs3.json", "test_runs", 3, true, 2, {24, 98}},
	{"mongodb/long_series.json", NULL, -1, false, 4, {205, 395, 594, 794}},
};

/* How many of the known changes are found within a point. */
static size_t hits(const struct known *k, const struct list *l)
{
	size_t i, j, count = 0;

	for (i = 0; i < k->n; i++)
		for (j = 0; j < l->n; j++)
			if (l->v[j] + 1 >= k->changes[i] && l->v[j] <= k->changes[i] + 1) {
				count++;
				break;
			}
	return count;
}

/* Whether the file is there. */
static bool find_known(const struct known *k, struct list *ret)
{
	const struct method as = {.settings = changepoint_defaults, .logs = k->logs};
	static double x[MOST_POINTS];
	json_t *doc = samples_load(k->file);
	size_t n;

	if (!doc)
		return false;
	n = samples_numbers(k->key ? json_object_get(doc, k->key) : doc, k->column, x);
	*ret = predict(&as, x, n);
	json_decref(doc);
	return true;
}

static void print_known(void)
{
	struct list l;
	size_t i;

	puts("\nSeries of benchmarks");
	for (i = 0; i < ARRAY_LEN(known); i++) {
		const struct known *k = &known[i];
		if (!find_known(k, &l))
			continue;
		printf("  %-30s %zu of %zu within a point, %zu more: %s\n", k->file, hits(k, &l),
			k->n, l.n - hits(k, &l), verdict(hits(k, &l) == k->n && l.n == k->n));
	}
}

static void test_known(void)
{
	struct list l;
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++)
		if (find_known(&known[i], &l))
			OK(hits(&known[i], &l) == known[i].n && l.n == known[i].n, known[i].file);
		else
			printf("ok %d - %s # SKIP no samples\n", ++tap_count, known[i].file);
}

/* ---- all of it ---- */

int main(int argc, char **argv)
{
	bool there = score_all();

	if (argc > 1 && !strcmp(argv[1], "full")) {
		if (there)
			print_table();
		else
			puts("Turing Change Point Dataset: skipped, there are no samples");
		print_known();
		return 0;
	}
	if (there)
		OK(mean(table.ours[CONTROL][1].f1, CONTROL) >= CONTROL_F1,
			"quality control is answered");
	else
		printf("ok %d - quality control # SKIP no samples\n", ++tap_count);
	test_known();
	return tap_done();
}
