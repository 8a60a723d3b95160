#include "prune-show.h"

#include "json-out.h"
#include "term.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums ---- */

/* Of a suite on a branch; or of all, with "" for both. */
struct sums {
	const char *suite, *branch;
	int64_t runs, samples; /* that go */
	int64_t oldest_kept;   /* TIME_UNKNOWN: none is kept */
	int64_t all_runs, all_samples;
};

struct all_sums {
	struct sums *v;
	size_t n, cap;
	struct sums total;
};

static int compare_places(const void *pa, const void *pb)
{
	const struct pruned *a = *(const struct pruned *const *)pa,
			    *b = *(const struct pruned *const *)pb;
	int c = strcmp(a->run->suite, b->run->suite);

	return c ? c : strcmp(a->run->branch, b->run->branch);
}

static void add(struct sums *s, const struct pruned *p)
{
	const int64_t time = store_run_time(p->run);

	s->all_runs++;
	s->all_samples += p->run->samples;
	if (prune_goes(p)) {
		s->runs++;
		s->samples += p->run->samples;
	} else if (s->oldest_kept == TIME_UNKNOWN || time < s->oldest_kept) {
		s->oldest_kept = time;
	}
}

static void sum_up(const struct prune_report *r, struct all_sums *ret)
{
	const struct pruned **v = xcalloc(r->n + 1, sizeof(*v));
	size_t i;

	ret->total = (struct sums){"", "", .oldest_kept = TIME_UNKNOWN};
	for (i = 0; i < r->n; i++)
		v[i] = &r->v[i];
	if (r->n)
		qsort(v, r->n, sizeof(*v), compare_places);
	for (i = 0; i < r->n; i++) {
		if (!i || compare_places(&v[i], &v[i - 1])) {
			ret->v = xgrow(ret->v, ret->n, &ret->cap, sizeof(*ret->v));
			ret->v[ret->n++] = (struct sums){
				v[i]->run->suite, v[i]->run->branch, .oldest_kept = TIME_UNKNOWN};
		}
		add(&ret->v[ret->n - 1], v[i]);
		add(&ret->total, v[i]);
	}
	free(v);
}

/* About: runs differ in what comes with their samples. */
static double bytes_of(const struct prune_report *r, int64_t samples)
{
	return r->before.samples
		       ? (double)r->before.bytes * (double)samples / (double)r->before.samples
		       : 0;
}

/* ---- why old runs stay ---- */

static const struct {
	enum prune_stay bit;
	const char *name, *why;
} reasons[] = {{STAYS_REFERENCE, "reference", "the pinned reference"},
	{STAYS_GATE, "gate", "gates of HEAD, branches and the newest commits look at them"},
	{STAYS_LEVEL, "level", "the last good level of a series"},
	{STAYS_NEWEST, "newest", "the newest of their suite and runner"},
	{STAYS_TAG, "tag", "of tagged commits"},
	{STAYS_WORK_TREE, "work-tree", "of the work tree as it is now"},
	{STAYS_THINNED, "thinned", "the ones of their week, or four weeks"},
	{STAYS_SESSION, "session", "measured together with what stays"}};

/* By their first reason. */
static void count_reasons(const struct prune_report *r, int64_t counts[ARRAY_LEN(reasons)])
{
	size_t i, k;

	for (k = 0; k < ARRAY_LEN(reasons); k++)
		counts[k] = 0;
	for (i = 0; i < r->n; i++) {
		for (k = 0; r->v[i].old && k < ARRAY_LEN(reasons); k++) {
			if (r->v[i].stays & (unsigned)reasons[k].bit) {
				counts[k]++;
				break;
			}
		}
	}
}

/* ---- text ---- */

static void add_size(struct buf *b, double bytes)
{
	buf_addf(b, "%.1f MiB", bytes / (1 << 20));
}

static void put_row(struct table *t, const struct prune_report *r, const struct sums *s)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT, size = BUF_INIT;

	if (s->oldest_kept != TIME_UNKNOWN)
		time_format(&time, s->oldest_kept);
	add_size(&size, bytes_of(r, s->samples));
	table_cell(t, "%s", s->suite);
	table_cell(t, "%s", s->branch);
	table_cell(t, "%lld", (long long)s->runs);
	table_cell(t, "%lld", (long long)s->samples);
	table_cell(t, "%s", size.p);
	table_cell(t, "%.10s", time.len ? time.p : "none");
}

static void print_sums(const struct prune_report *r, const struct all_sums *sums)
{
	struct table *t =
		table_new("SUITE", "BRANCH", ">RUNS", ">SAMPLES", ">ABOUT", "=OLDEST KEPT", NULL);
	size_t i;

	for (i = 0; i < sums->n; i++)
		if (sums->v[i].runs)
			put_row(t, r, &sums->v[i]);
	table_write(t, stdout);
}

static void print_reasons(const struct prune_report *r)
{
	int64_t counts[ARRAY_LEN(reasons)];
	size_t k;

	count_reasons(r, counts);
	for (k = 0; k < ARRAY_LEN(reasons); k++)
		if (counts[k])
			printf("kept though old: %lld run%s, %s\n", (long long)counts[k],
				plural((size_t)counts[k]), reasons[k].why);
}

static void print_end(const struct prune_report *r, const struct sums *total)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addf(&b, "%s %lld of %lld runs, %lld of %lld samples",
		r->applied ? "pruned" : "would prune", (long long)total->runs,
		(long long)total->all_runs, (long long)total->samples,
		(long long)total->all_samples);
	if (!r->applied) {
		buf_addstr(&b, ", about ");
		add_size(&b, bytes_of(r, total->samples));
		buf_addstr(&b, "; --apply does it");
	} else if (!r->returns) {
		buf_addstr(&b, "; the server's autovacuum makes their room free for others");
	} else {
		buf_addstr(&b, "; the file went from ");
		add_size(&b, (double)r->before.bytes);
		buf_addstr(&b, " to ");
		add_size(&b, (double)r->after.bytes);
	}
	puts(b.p);
}

void prune_show(const struct prune_report *r)
{
	struct all_sums sums = {0};

	sum_up(r, &sums);
	if (sums.total.runs)
		print_sums(r, &sums);
	print_reasons(r);
	if (sums.total.runs)
		print_end(r, &sums.total);
	else
		puts("nothing to prune");
	free(sums.v);
}

/* ---- JSON ---- */

static void add_sums(struct buf *b, const struct prune_report *r, const struct sums *s)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT;

	if (s->oldest_kept != TIME_UNKNOWN)
		time_format(&time, s->oldest_kept);
	json_int(b, "runs", (long long)s->runs);
	json_int(b, "samples", (long long)s->samples);
	json_int(b, "bytes", (long long)bytes_of(r, s->samples));
	json_int(b, "all_runs", (long long)s->all_runs);
	json_int(b, "all_samples", (long long)s->all_samples);
	json_string(b, "oldest_kept", time.len ? time.p : NULL);
}

static void add_suites(struct buf *b, const struct prune_report *r, const struct all_sums *sums)
{
	size_t i;

	json_key(b, "suites");
	buf_addch(b, '[');
	for (i = 0; i < sums->n; i++) {
		buf_addstr(b, i ? ",\n  {" : "\n  {");
		json_string(b, "suite", sums->v[i].suite);
		json_string(b, "branch", sums->v[i].branch);
		add_sums(b, r, &sums->v[i]);
		buf_addch(b, '}');
	}
	buf_addch(b, ']');
}

static void add_reasons(struct buf *b, const struct prune_report *r)
{
	int64_t counts[ARRAY_LEN(reasons)];
	size_t k;

	count_reasons(r, counts);
	json_key(b, "kept");
	buf_addch(b, '{');
	for (k = 0; k < ARRAY_LEN(reasons); k++)
		json_int(b, reasons[k].name, (long long)counts[k]);
	buf_addch(b, '}');
}

void prune_show_json(const struct prune_report *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct all_sums sums = {0};

	sum_up(r, &sums);
	buf_addch(&b, '{');
	json_bool(&b, "applied", r->applied);
	json_bool(&b, "everywhere", r->everywhere);
	json_string(&b, "keep", r->keep);
	json_bool(&b, "thin", r->thin);
	add_sums(&b, r, &sums.total);
	json_int(&b, "store_bytes", (long long)r->before.bytes);
	json_key(&b, "store_bytes_after");
	if (r->applied)
		buf_addf(&b, "%lld", (long long)r->after.bytes);
	else
		buf_addstr(&b, "null");
	add_reasons(&b, r);
	add_suites(&b, r, &sums);
	buf_addch(&b, '}');
	puts(b.p);
	free(sums.v);
}
