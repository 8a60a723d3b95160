#include "probe-private.h"

#include "ancestry.h"
#include "command.h"
#include "documents.h"
#include "figure.h"
#include "json.h"
#include "machine.h"
#include "measured.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is compared: old is a document or what the store has of a commit. */
struct comparing {
	const struct record *r;
	struct names names;
	struct measurements old, now;
	struct jv *old_facts, *now_facts;
	struct context c; /* of a commit: its strings are the store's */
	bool have_context;
	size_t unasked, better, worse, within;
};

static const char *const suites[] = {"clpeak"};
static const struct narrowing clpeak_only = {.suites = suites, .n_suites = 1};

/* ---- both sides ---- */

static void keep_facts(struct jv **facts, const char *text)
{
	struct err ignored = ERR_INIT;

	if (!*facts && text)
		*facts = jv_load_text("facts", text, strlen(text), &ignored);
}

static int add_batch(struct measurements *m, struct jv **facts, struct batch *b, struct err *err)
{
	_cleanup_(buf_release) struct buf runner = BUF_INIT;

	machine_runner(&runner);
	if (batch_runs(b))
		keep_facts(facts, batch_run(b, 0)->head.facts);
	return measurements_add_batch(m, b, runner.p, &clpeak_only, err);
}

static void report(const struct err *err)
{
	complain("%s", err->msg);
}

static int load_file(struct comparing *x, const char *path, struct err *err)
{
	const struct search search = {.newer_than = TIME_UNKNOWN, .report = report};
	const struct read_options none = {0};
	struct documents docs;
	char *operand = (char *)(uintptr_t)path;
	size_t i;
	int r = documents_find(&docs, &operand, 1, &search, err);

	if (r < 0)
		return -1;
	for (i = 0; r == 0 && i < docs.n; i++) {
		_cleanup_(batch_freep) struct batch *b =
			document_read(&docs.v[i], &none, NULL, BATCH_COMPARE, err);
		r = b ? add_batch(&x->old, &x->old_facts, b, err) : -1;
	}
	if (r == 0 && docs.failed)
		r = err_set(err, ERR_FORMAT, "%s could not be read", path);
	documents_release(&docs);
	return r;
}

/* Those of this machine: other machines' numbers say nothing of a change of it. */
static int load_runs(struct comparing *x, const char *sha, const char *runner, struct err *err)
{
	struct store_runs runs = {0};
	_cleanup_(freep) bool *use = NULL;
	size_t i;
	int r = store_runs_of_commit(x->c.store, sha, &runs, err);

	use = xcalloc(runs.n + 1, sizeof(*use));
	for (i = 0; r == 0 && i < runs.n; i++)
		use[i] =
			!strcmp(runs.v[i].suite, "clpeak") && !strcmp(runs.v[i].runner_key, runner);
	for (i = runs.n; r == 0 && i > 0; i--)
		if (use[i - 1])
			keep_facts(&x->old_facts, runs.v[i - 1].facts);
	if (r == 0)
		r = measurements_add_runs(&x->old, x->c.store, &runs, use, &clpeak_only, err);
	store_runs_release(&runs);
	return r;
}

static int load_revision(struct comparing *x, const struct probe *o, struct err *err)
{
	_cleanup_(buf_release) struct buf runner = BUF_INIT;
	struct git_commit commit;
	int r = context_init(&x->c, o->store, err);

	x->have_context = true;
	if (o->place.runner)
		buf_addstr(&runner, o->place.runner);
	else
		machine_runner(&runner);
	if (r == 0)
		r = context_open_store(&x->c, STORE_READ, err);
	if (r < 0)
		return err_prefix(err, "--compare %.100s, which is no file", o->compare);
	if (r == 0)
		r = resolve_commit(&x->c, o->compare, &commit, err);
	if (r == 0 && !err->code)
		r = err_set(err, ERR_USAGE, "'%.100s' is neither a file nor a commit%s", o->compare,
			context_shallow(&x->c));
	if (r > 0)
		r = load_runs(x, commit.sha, runner.p, err);
	if (r == 0 && !x->old.n)
		r = err_set(err, ERR_USAGE,
			"the store has no probe of %.12s on this runner (%s); perfgate log --suite clpeak shows which there are",
			commit.sha, runner.p);
	return r;
}

static int load_old(struct comparing *x, const struct probe *o, struct err *err)
{
	struct stat st;

	if (stat(o->compare, &st) != 0)
		return load_revision(x, o, err);
	if (load_file(x, o->compare, err) < 0)
		return -1;
	if (!x->old.n)
		return err_set(err, ERR_USAGE, "%s has no readings to compare with", o->compare);
	return 0;
}

static int load_now(struct comparing *x, const struct buf *document, struct err *err)
{
	_cleanup_(batch_freep) struct batch *b = NULL;

	if (probe_read(document, BATCH_COMPARE, &b, err) < 0)
		return -1;
	return add_batch(&x->now, &x->now_facts, b, err);
}

/* ---- a reading ---- */

static double median_of(const struct measured *m)
{
	return decimal_double(decimal_median(m->newest.values, m->newest.n));
}

/* From the lowest to the highest as a share of the median. */
static double spread_of(const struct measured *m)
{
	double low = INFINITY, high = -INFINITY, v;
	size_t i;

	for (i = 0; i < m->newest.n; i++) {
		v = num_double(m->newest.values[i]);
		low = fmin(low, v);
		high = fmax(high, v);
	}
	v = median_of(m);
	return v > 0 ? (high - low) / v : 0;
}

/* A change that either side's own numbers show among themselves is none. */
static const char *word_for(
	struct comparing *x, const struct measured *old, const struct measured *now, double change)
{
	const enum direction d = now->key.direction;

	if (fabs(change) <= fmax(spread_of(old), spread_of(now))) {
		x->within++;
		return old->newest.n > 1 || now->newest.n > 1 ? "within spread" : "the same";
	}
	if (d == DIRECTION_NONE)
		return "";
	if ((change > 0) == (d == DIRECTION_HIGHER)) {
		x->better++;
		return "better";
	}
	x->worse++;
	return "worse";
}

static const char *after_device(const char *benchmark)
{
	const char *slash = strrchr(benchmark, '/');

	return slash ? slash + 1 : benchmark;
}

static void name_cells(struct table *t, const struct measured *m)
{
	table_cell(t, "%s%s%s", after_device(m->key.benchmark), *m->key.variant ? "@" : "",
		m->key.variant);
	table_cell(t, "%s", m->key.metric);
}

static void both_row(struct comparing *x, struct table *t, const struct measured *old,
	const struct measured *now)
{
	_cleanup_(buf_release) struct buf a = BUF_INIT, b = BUF_INIT;
	const struct decimal was = decimal_median(old->newest.values, old->newest.n),
			     is = decimal_median(now->newest.values, now->newest.n);
	const double before = median_of(old), change = (median_of(now) - before) / before;

	figure_pair(&a, &b, &was, &is, now->key.unit);
	name_cells(t, now);
	table_cell(t, "%s", a.p);
	table_cell(t, "%s", b.p);
	if (before > 0)
		table_cell(t, "%+.1f %%", 100 * change);
	else
		table_cell(t, "-");
	table_cell(t, "%s", before > 0 ? word_for(x, old, now, change) : "");
}

static void value_cell(struct table *t, const struct measured *m)
{
	_cleanup_(buf_release) struct buf a = BUF_INIT, none = BUF_INIT;
	struct decimal value;

	if (m && m->newest.n) {
		value = decimal_median(m->newest.values, m->newest.n);
		figure_pair(&a, &none, &value, NULL, m->key.unit);
	}
	table_cell(t, "%s", a.len ? a.p : "-");
}

/* Where one side has no number, what there is instead. */
static void lone_row(struct table *t, const struct measured *old, const struct measured *now)
{
	const bool had = old && old->newest.n, has = now && now->newest.n;

	name_cells(t, now ? now : old);
	value_cell(t, old);
	value_cell(t, now);
	table_cell(t, "-");
	if (has)
		table_cell(
			t, "new%s%s", old ? ", was " : "", old && old->absence ? old->absence : "");
	else if (had)
		table_cell(t, "gone%s%s", now ? ": " : "", now && now->absence ? now->absence : "");
	else
		table_cell(t, "%s", now && now->absence ? now->absence : "no number");
}

static void compare_one(struct comparing *x, struct table *t, const struct measured *old,
	const struct measured *now)
{
	if (old && now && old->newest.n && now->newest.n)
		both_row(x, t, old, now);
	else if ((old && old->newest.n) || (now && now->newest.n) || !old)
		lone_row(t, old, now);
}

/* ---- all of them ---- */

/* BACKEND/PLATFORM/NAME of a benchmark's name. */
static bool same_device(const struct measured *a, const struct measured *b)
{
	const size_t n = (size_t)(after_device(a->key.benchmark) - a->key.benchmark);

	return n == (size_t)(after_device(b->key.benchmark) - b->key.benchmark) &&
	       !strncmp(a->key.benchmark, b->key.benchmark, n);
}

static bool was_asked(const struct comparing *x, const struct measured *old)
{
	const size_t n = strcspn(old->key.benchmark, "/");
	size_t i;

	if (x->r->narrowed || x->r->cancelled)
		return false;
	for (i = 0; i < x->r->n_back_ends; i++)
		if (strlen(x->r->back_ends[i].name) == n &&
			!strncmp(x->r->back_ends[i].name, old->key.benchmark, n))
			return true;
	return false;
}

struct side_of {
	struct measured *m;
	bool old;
};

/* The readings of a test stand together. */
static int by_test(const void *a, const void *b)
{
	const struct series_key *x = &((const struct side_of *)a)->m->key,
				*y = &((const struct side_of *)b)->m->key;
	int r = strcmp(x->benchmark, y->benchmark);

	r = r ? r : strcmp(x->variant, y->variant);
	return r ? r : series_key_compare(x, y);
}

/* What is there now, and what only was. */
static size_t unite(struct comparing *x, struct side_of *all)
{
	size_t i, n = 0;

	for (i = 0; i < x->now.n; i++)
		all[n++] = (struct side_of){&x->now.v[i], false};
	for (i = 0; i < x->old.n; i++) {
		if (measurements_any(&x->now, &x->old.v[i]))
			continue;
		if (was_asked(x, &x->old.v[i]))
			all[n++] = (struct side_of){&x->old.v[i], true};
		else
			x->unasked++;
	}
	qsort(all, n, sizeof(*all), by_test);
	return n;
}

static struct table *begin_device(const struct measured *m, bool first)
{
	const char *name = m->key.benchmark;
	const int n = (int)(after_device(name) - name);

	fputs(first ? "" : "\n", stdout);
	print_line("%.*s", n > 0 ? n - 1 : n, name);
	return table_new("test", "reading", ">before", ">now", ">change", "", NULL);
}

static void print_rows(struct comparing *x, struct side_of *all, size_t n)
{
	struct table *t = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		struct measured *m = all[i].m;

		if (i == 0 || !same_device(all[i - 1].m, m)) {
			if (t)
				table_write(t, stdout);
			t = begin_device(m, i == 0);
		}
		if (all[i].old)
			compare_one(x, t, m, NULL);
		else
			compare_one(x, t, measurements_any(&x->old, m), m);
	}
	if (t)
		table_write(t, stdout);
}

/* ---- what was not the same ---- */

static void fact_text(struct buf *b, const struct jv *facts, const char *key)
{
	const struct jv *v = facts ? jv_get(facts, key) : NULL;

	if (v && jv_kind(v) == JV_STRING)
		buf_addstr(b, jv_string(v, NULL));
	else if (v)
		jv_dump(b, v);
}

static void compare_fact(
	const struct jv *old, const struct jv *now, const char *key, const char *what)
{
	_cleanup_(buf_release) struct buf a = BUF_INIT, b = BUF_INIT;

	fact_text(&a, old, key);
	fact_text(&b, now, key);
	if (strcmp(buf_str(&a), buf_str(&b)) != 0)
		print_line("note: %s%s: %s before, %s now", what, *what ? key : "",
			a.len ? a.p : "none", b.len ? b.p : "none");
}

static void compare_drivers(const struct jv *old, const struct jv *now)
{
	const struct jv *a = old ? jv_get(old, "drivers") : NULL,
			*b = now ? jv_get(now, "drivers") : NULL;
	const void *it;

	for (it = b ? jv_first(b) : NULL; it; it = jv_next(b, it)) {
		_cleanup_(freep) char *what = xasprintf("driver of %s", jv_member_key(it));
		_cleanup_(buf_release) struct buf was = BUF_INIT, is = BUF_INIT;

		fact_text(&was, a, jv_member_key(it));
		fact_text(&is, b, jv_member_key(it));
		if (was.len && strcmp(was.p, buf_str(&is)) != 0)
			print_line("note: %s: %s before, %s now", what, was.p, is.p);
	}
}

static void print_end(struct comparing *x)
{
	static const char *const facts[][2] = {{"os_version", "the system's "},
		{"target_time_us", "measured otherwise: "},
		{"target_time_us_cpu", "measured otherwise: "}, {"cancelled", "the run was "}};
	size_t i;

	putchar('\n');
	compare_drivers(x->old_facts, x->now_facts);
	for (i = 0; i < ARRAY_LEN(facts); i++)
		compare_fact(x->old_facts, x->now_facts, facts[i][0], facts[i][1]);
	if (x->unasked)
		print_line("note: %zu reading%s from before %s not asked for now", x->unasked,
			plural(x->unasked), x->unasked == 1 ? "is" : "are");
	print_line("%zu better, %zu worse, %zu within the spread", x->better, x->worse, x->within);
}

/* ---- from before to after the measuring ---- */

struct comparing *comparing_open(const struct probe *o, struct err *err)
{
	struct comparing *x = xcalloc(1, sizeof(*x));

	names_init(&x->names);
	measurements_init(&x->old, &x->names);
	measurements_init(&x->now, &x->names);
	if (load_old(x, o, err) == 0)
		return x;
	comparing_close(x);
	return NULL;
}

int comparing_show(
	struct comparing *x, const struct record *r, const struct buf *document, struct err *err)
{
	_cleanup_(freep) struct side_of *all = NULL;

	x->r = r;
	if (load_now(x, document, err) < 0)
		return -1;
	all = xcalloc(x->old.n + x->now.n + 1, sizeof(*all));
	print_rows(x, all, unite(x, all));
	print_end(x);
	return 0;
}

void comparing_close(struct comparing *x)
{
	if (!x)
		return;
	measurements_release(&x->old);
	measurements_release(&x->now);
	names_release(&x->names);
	if (x->have_context)
		context_release(&x->c);
	jv_free(x->old_facts);
	jv_free(x->now_facts);
	free(x);
}
