/*
 * The samples of benchstat's own tests (golang.org/x/perf, cmd/benchstat/testdata) and what it
 * prints of them: every median, p and n of its tables is compared to the printed digits. Its p is
 * two-sided: twice the lesser tail.
 */
#include "decimal.h"
#include "evidence.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SERIES = 200, MOST_SAMPLES = 20, MOST_COLUMNS = 3 };

struct samples {
	char file[32], note[64], name[64], unit[16];
	struct num values[MOST_SAMPLES];
	double doubles[MOST_SAMPLES];
	size_t n;
};

static struct samples series[MOST_SERIES];
static size_t n_series;

/* What stands in a column of a table: the series whose name is prefix, the row's name, suffix. */
struct column {
	const char *label, *file, *note, *prefix, *suffix;
};

struct table {
	const char *golden;
	struct column columns[MOST_COLUMNS];
	int rows;
};

/* Benchstat's units are the base units of those in the samples. */
static const struct unit {
	const char *printed, *sampled;
	double factor;
} units[] = {
	{"sec/op", "ns/op", 1e-9},
	{"B/s", "MB/s", 1e6},
	{"text-bytes", "text-bytes", 1},
	{"a-bytes", "a-bytes", 1},
	{"b-bytes", "b-bytes", 1},
	{"c-bytes", "c-bytes", 1},
	{" x ", "x", 1},
	{" y ", "y", 1},
};

static const struct scale {
	const char *suffix;
	double factor;
} scales[] = {{"", 1}, {"n", 1e-9}, {"µ", 1e-6}, {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}};

#define IN_FILE(f)                                                                                 \
	{                                                                                          \
		.label = f, .file = f                                                              \
	}
#define IN_NOTE(f, n)                                                                              \
	{                                                                                          \
		.label = n, .file = f, .note = n                                                   \
	}
#define BY_POLY(p)                                                                                 \
	{                                                                                          \
		p, "crc-new.txt", NULL, "CRC32/poly=" p "/size=", "/align=0-8"                     \
	}

static const struct table tables[] = {
	{"crcIgnore", {IN_FILE("crc-old.txt"), IN_FILE("crc-new.txt")}, 72},
	{"crcOldNew", {IN_FILE("crc-old.txt"), IN_FILE("crc-new.txt")}, 144},
	{"crcSizeVsPoly", {BY_POLY("IEEE"), BY_POLY("Castagnoli"), BY_POLY("Koopman")}, 12},
	{"csvOldNew", {IN_FILE("old.txt"), IN_FILE("new.txt")}, 2},
	{"issue19565", {IN_NOTE("issue19565.txt", "before"), IN_NOTE("issue19565.txt", "after")},
		3},
	{"issue19634", {IN_NOTE("issue19634.txt", "before"), IN_NOTE("issue19634.txt", "after")},
		1},
	{"smallSample", {IN_NOTE("smallSample.txt", "before"), IN_NOTE("smallSample.txt", "after")},
		1},
	{"units", {IN_NOTE("units.txt", "before"), IN_NOTE("units.txt", "after")}, 2},
	{"zero", {IN_NOTE("zero.txt", "before"), IN_NOTE("zero.txt", "after")}, 10},
};

static FILE *open_sample(const char *name, const char *ending)
{
	const char *top = getenv("srcdir");
	_cleanup_(freep) char *path = xasprintf(
		"%s/../shared/samples/gobench/benchstat/%s%s", top ? top : ".", name, ending);

	return fopen(path, "r");
}

static struct samples *find_series(
	const char *file, const char *note, const char *name, const char *unit)
{
	for (struct samples *s = series; s < series + n_series; s++)
		if (!strcmp(s->file, file) && (!note || !strcmp(s->note, note)) &&
			!strcmp(s->name, name) && !strcmp(s->unit, unit))
			return s;
	return NULL;
}

static void add_sample(
	const char *file, const char *note, const char *name, const char *unit, const char *value)
{
	struct samples *s = find_series(file, note, name, unit);
	struct err err = ERR_INIT;

	if (!s && n_series < MOST_SERIES) {
		s = &series[n_series++];
		snprintf(s->file, sizeof(s->file), "%s", file);
		snprintf(s->note, sizeof(s->note), "%s", note);
		snprintf(s->name, sizeof(s->name), "%s", name);
		snprintf(s->unit, sizeof(s->unit), "%s", unit);
	}
	if (!s || s->n == MOST_SAMPLES ||
		num_parse(value, strlen(value), &s->values[s->n], &err) < 0)
		return;
	s->doubles[s->n] = num_double(s->values[s->n]);
	s->n++;
}

/* "BenchmarkNAME ITERATIONS VALUE UNIT VALUE UNIT ..." and "note: ..." */
static void read_line(const char *file, char *line, char *note, size_t size)
{
	char *rest = NULL, *name, *value, *unit;

	if (!strncmp(line, "note: ", 6))
		snprintf(note, size, "%.*s", (int)strcspn(line + 6, "\n"), line + 6);
	name = strtok_r(line, " \t\n", &rest);
	if (!name || strncmp(name, "Benchmark", 9) || !strtok_r(NULL, " \t\n", &rest))
		return;
	while ((value = strtok_r(NULL, " \t\n", &rest)) && (unit = strtok_r(NULL, " \t\n", &rest)))
		add_sample(file, note, name + 9, unit, value);
}

static void read_samples(const char *file)
{
	_cleanup_(fclosep) FILE *f = open_sample(file, "");
	char line[512], note[64] = "";

	while (f && fgets(line, sizeof(line), f))
		read_line(file, line, note, sizeof(note));
}

/* The text "46.55n" against the median of the samples: half a unit of its last digit away at most.
 * Of two that are just so far (15014.5 ns, 2144.5 ns) benchstat prints now the one, now the other.
 */
static bool prints_median(const char *text, const struct samples *s, const struct unit *unit)
{
	double median = decimal_double(decimal_median(s->values, s->n)) * unit->factor;
	double printed = strtod(text, NULL), step;
	const char *end = text + strspn(text, "0123456789."), *point = strchr(text, '.');

	if (strstr(text, "e-")) /* of CSV: all digits of a double */
		return fabs(median - printed) <= 1e-15 * printed;
	for (size_t i = 0; i < ARRAY_LEN(scales); i++)
		if (!strcmp(end, scales[i].suffix))
			median /= scales[i].factor;
	step = point ? pow(10, -(double)(end - point - 1)) : 1;
	return fabs(median - printed) <= step / 2 + 1e-12 * printed;
}

static bool prints_p(const char *text, const struct samples *head, const struct samples *base)
{
	struct evidence e;
	char got[16];

	evidence_compare(head->doubles, head->n, base->doubles, base->n, &e);
	snprintf(got, sizeof(got), "%.3f", fmin(1, 2 * fmin(e.p_up, e.p_down)));
	return !strcmp(got, text);
}

/* A row's tokens, one after another, with what they have to agree with. */
struct row {
	const struct samples *cells[MOST_COLUMNS];
	size_t n_cells, medians, tests;
	const struct unit *unit;
	char p[16]; /* of the test that is being read; "" for none */
	bool good;
};

static void see_n(struct row *r, size_t n)
{
	const struct samples *base = r->cells[0], *head = r->cells[++r->tests];

	if (!head || head->n != n || base->n != n || (*r->p && !prints_p(r->p, head, base)))
		r->good = false;
	*r->p = '\0';
}

static void see_token(struct row *r, const char *token, const char *next)
{
	const char *bare = token + (*token == '(');

	if (!strncmp(bare, "p=", 2))
		snprintf(r->p, sizeof(r->p), "%s", bare + 2);
	else if (!strncmp(bare, "n=", 2))
		see_n(r, strtoul(bare + 2, NULL, 10));
	else if ((next && !strcmp(next, "±")) || strstr(token, "e-06"))
		r->good = r->good && r->medians < r->n_cells &&
			  prints_median(token, r->cells[r->medians], r->unit),
		r->medians++;
}

static bool compare_row(
	const struct table *t, const bool *shown, const struct unit *unit, char *line)
{
	struct row r = {.unit = unit, .good = true};
	char *rest = NULL, *name = strtok_r(line, " ,\n", &rest), *token, *next;

	for (size_t i = 0; i < MOST_COLUMNS && t->columns[i].label; i++) {
		const struct column *c = &t->columns[i];
		char full[128];

		snprintf(full, sizeof(full), "%s%s%s", c->prefix ? c->prefix : "", name,
			c->suffix ? c->suffix : "");
		r.cells[r.n_cells] = find_series(c->file, c->note, full, unit->sampled);
		if (shown[i] && r.cells[r.n_cells])
			r.n_cells++;
	}
	for (token = strtok_r(NULL, " ,\n", &rest); token; token = next) {
		next = strtok_r(NULL, " ,\n", &rest);
		see_token(&r, token, next);
	}
	return r.good && r.medians == r.n_cells && r.medians > 0;
}

/* The lines above a table name its columns and their unit. */
static bool see_header(
	const struct table *t, const char *line, bool *shown, const struct unit **unit)
{
	bool labels = false;

	if (!strstr(line, "│") && *line != ',')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (strstr(line, units[i].printed))
			*unit = &units[i];
	for (size_t i = 0; i < MOST_COLUMNS && t->columns[i].label; i++)
		labels = labels || strstr(line, t->columns[i].label);
	for (size_t i = 0; labels && i < MOST_COLUMNS && t->columns[i].label; i++)
		shown[i] = strstr(line, t->columns[i].label);
	return true;
}

static int compare_table(const struct table *t, FILE *f)
{
	bool shown[MOST_COLUMNS] = {false};
	const struct unit *unit = NULL;
	char line[512], copy[512];
	int rows = 0;

	while (fgets(line, sizeof(line), f)) {
		if (see_header(t, line, shown, &unit) || !unit || !strncmp(line, "geomean", 7) ||
			(!strstr(line, "±") && !strstr(line, "e-06")))
			continue;
		memcpy(copy, line, sizeof(copy));
		if (compare_row(t, shown, unit, copy))
			rows++;
		else
			printf("# differs: %s", line);
	}
	return rows;
}

static void test_table(const struct table *t)
{
	_cleanup_(fclosep) FILE *f = open_sample(t->golden, ".stdout");
	_cleanup_(freep) char *what = xasprintf("%s: %d rows", t->golden, t->rows);
	int rows = f ? compare_table(t, f) : 0;

	if (!OK(rows == t->rows, what))
		printf("# agree: %d\n", rows);
}

int main(void)
{
	static const char *const files[] = {"crc-old.txt", "crc-new.txt", "old.txt", "new.txt",
		"issue19565.txt", "issue19634.txt", "smallSample.txt", "units.txt", "zero.txt"};
	_cleanup_(fclosep) FILE *there = open_sample(files[0], "");

	if (!there) {
		puts("1..0 # SKIP there is no folder ../shared/samples/gobench");
		return 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		read_samples(files[i]);
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		test_table(&tables[i]);
	return tap_done();
}
