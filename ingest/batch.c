#include "batch.h"

#include "digest.h"
#include "intern.h"
#include "json.h"
#include "sha256.h"
#include "spill.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 96 << 20, RUNS_MAX = 100000, NOTES_MAX = 1000, PROGRESS_EVERY = 16384 };

struct batch {
	struct sink sink;
	char *component;
	struct spill *spill;
	struct intern *names; /* canonical forms; ids are series numbers */
	struct intern
		*reasons; /* "run\0series\0status\0reason": an absence said twice counts once */
	struct batch_run *runs;
	size_t n_runs, cap_runs;
	struct batch_absence *absences;
	size_t n_absences, cap_absences;
	char **notes;
	size_t n_notes, cap_notes;
	struct commit_fact *commits;
	size_t n_commits, cap_commits;
	struct tombstone *tombstones;
	size_t n_tombstones, cap_tombstones;
	uint32_t *order, *rank; /* of series; current while ordered_count == intern_count(names) */
	uint32_t ordered_count;
	struct buf scratch;
	void (*progress)(void *ctx);
	void *progress_ctx;
};

/* ---- names ---- */

static int check_name(const char *what, const char *s, bool may_be_empty, struct err *err)
{
	size_t len = strlen(s);

	if (len == 0 && !may_be_empty)
		return err_set(err, ERR_FORMAT, "an empty %s", what);
	if (len > SINK_NAME_MAX)
		return err_set(err, ERR_FORMAT, "a %s of more than 4 KiB: '%.60s...'", what, s);
	if (!utf8_valid(s, len))
		return err_set(err, ERR_FORMAT, "a %s that is not UTF-8: '%.60s'", what, s);
	return 0;
}

static int64_t add_series(struct sink *s, const char *benchmark, const struct metric *m,
	const char *variant, struct err *err)
{
	struct batch *b = (struct batch *)s;
	_cleanup_(freep) char *prefixed = NULL;

	if (check_name("benchmark name", benchmark, false, err) < 0 ||
		check_name("metric name", m->name, false, err) < 0 ||
		check_name("unit", m->unit, true, err) < 0 ||
		check_name("quantity", m->quantity, true, err) < 0 ||
		check_name("variant", variant, true, err) < 0)
		return -1;
	if (b->component) {
		prefixed = xasprintf("%s/%s", b->component, benchmark);
		benchmark = prefixed;
	}
	buf_clear(&b->scratch);
	digest_canonical(&b->scratch, benchmark, m, variant);
	if (intern_bytes(b->names) > NAMES_MAX)
		return err_set(err, ERR_FORMAT,
			"more than 96 MiB of different names in one document; split it");
	return intern_add(b->names, b->scratch.p, b->scratch.len);
}

void batch_series(const struct batch *b, uint32_t id, struct batch_series *ret)
{
	const char *field[6];
	size_t len, i;
	const char *p = intern_get(b->names, id, &len);

	ret->canonical = p;
	ret->canonical_len = len;
	for (i = 0; i < ARRAY_LEN(field); i++) {
		field[i] = p;
		p += strlen(p) + 1;
	}
	ret->benchmark = field[0];
	ret->metric = (struct metric){.name = field[1], .unit = field[2], .quantity = field[3]};
	direction_parse(field[4], &ret->metric.direction);
	ret->variant = field[5];
}

struct named {
	const char *p;
	size_t len;
	uint32_t id;
};

static int compare_named(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;
	int c = memcmp(a->p, b->p, a->len < b->len ? a->len : b->len);

	return c ? c : a->len < b->len ? -1 : a->len > b->len;
}

static void order_series(struct batch *b)
{
	uint32_t n = intern_count(b->names), i;
	struct named *named;

	if (b->order && b->ordered_count == n)
		return;
	named = xmalloc(n * sizeof(*named));
	for (i = 0; i < n; i++) {
		named[i].id = i;
		named[i].p = intern_get(b->names, i, &named[i].len);
	}
	qsort(named, n, sizeof(*named), compare_named);
	b->order = xrealloc(b->order, n * sizeof(*b->order));
	b->rank = xrealloc(b->rank, n * sizeof(*b->rank));
	for (i = 0; i < n; i++) {
		b->order[i] = named[i].id;
		b->rank[named[i].id] = i;
	}
	b->ordered_count = n;
	free(named);
}

/* ---- the sink ---- */

static const char *keep(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

/* Facts are kept as compact JSON, so that exporting and reading back changes no byte. */
static int keep_facts(struct run_head *h, const char *facts, struct err *err)
{
	struct buf text = BUF_INIT;
	struct jv *v;

	if (!facts)
		return 0;
	v = jv_load_text("facts", facts, strlen(facts), err);
	if (!v)
		return -1;
	jv_dump(&text, v);
	jv_free(v);
	free((char *)(uintptr_t)h->facts);
	h->facts = buf_take(&text);
	return 0;
}

static int add_run(struct sink *s, const struct run_head *h, struct err *err)
{
	struct batch *b = (struct batch *)s;
	struct run_head *k;

	if (b->n_runs == RUNS_MAX)
		return err_set(err, ERR_FORMAT, "more than 100000 runs in one document");
	b->runs = xgrow(b->runs, b->n_runs, &b->cap_runs, sizeof(*b->runs));
	b->runs[b->n_runs] = (struct batch_run){.head = *h};
	k = &b->runs[b->n_runs].head;
	k->suite = keep(h->suite);
	k->format = keep(h->format);
	k->format_version = keep(h->format_version);
	k->tool_version = keep(h->tool_version);
	k->sha = keep(h->sha);
	k->runner_key = keep(h->runner_key);
	k->runner_label = keep(h->runner_label);
	k->facts = NULL;
	k->digest = keep(h->digest);
	k->tree_state = keep(h->tree_state);
	k->branch = keep(h->branch);
	k->session = keep(h->session);
	k->component = h->history ? keep(h->component) : keep(b->component);
	b->n_runs++;
	return keep_facts(k, h->facts, err) < 0 ? -1 : (int)b->n_runs - 1;
}

static void release_run(struct batch_run *r)
{
	const char *owned[] = {r->head.suite, r->head.format, r->head.format_version,
		r->head.tool_version, r->head.sha, r->head.runner_key, r->head.runner_label,
		r->head.facts, r->head.tree_state, r->head.branch, r->head.session,
		r->head.component, r->head.digest};
	size_t i;

	for (i = 0; i < ARRAY_LEN(owned); i++)
		free((char *)(uintptr_t)owned[i]);
}

static int amend_run(
	struct sink *s, int run, int64_t started_at, const char *facts, struct err *err)
{
	struct batch *b = (struct batch *)s;
	struct run_head *h = &b->runs[run].head;

	if (started_at != TIME_UNKNOWN)
		h->started_at = started_at;
	return keep_facts(h, facts, err);
}

static int add_sample(struct sink *s, int run, int64_t series, struct num value, struct err *err)
{
	struct batch *b = (struct batch *)s;

	if (spill_full(b->spill)) {
		order_series(b);
		if (spill_flush(b->spill, b->rank, b->ordered_count, (uint32_t)b->n_runs, err) < 0)
			return -1;
	}
	spill_add(b->spill, (uint32_t)run, (uint32_t)series, value);
	if (b->progress && spill_count(b->spill) % PROGRESS_EVERY == 0)
		b->progress(b->progress_ctx);
	return 0;
}

static int add_absence(struct sink *s, int run, int64_t series, enum sink_status status,
	const char *reason, struct err *err)
{
	struct batch *b = (struct batch *)s;
	uint32_t known = intern_count(b->reasons), id;
	size_t len;

	if (check_name("reason", reason, true, err) < 0)
		return -1;
	buf_clear(&b->scratch);
	buf_addf(&b->scratch, "%d %lld %d %s", run, (long long)series, (int)status, reason);
	id = intern_add(b->reasons, b->scratch.p, b->scratch.len);
	if (id != known)
		return 0;
	if (intern_bytes(b->reasons) > NAMES_MAX)
		return err_set(
			err, ERR_FORMAT, "more than 96 MiB of reasons in one document; split it");
	b->absences = xgrow(b->absences, b->n_absences, &b->cap_absences, sizeof(*b->absences));
	b->absences[b->n_absences++] = (struct batch_absence){run, (uint32_t)series, status,
		intern_get(b->reasons, id, &len) + b->scratch.len - strlen(reason)};
	return 0;
}

static void add_note(struct sink *s, const char *fmt, ...)
{
	struct batch *b = (struct batch *)s;
	struct buf text = BUF_INIT;
	va_list ap;

	if (b->n_notes == NOTES_MAX)
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	b->notes = xgrow(b->notes, b->n_notes, &b->cap_notes, sizeof(*b->notes));
	b->notes[b->n_notes++] = buf_take(&text);
}

static int add_commit(struct sink *s, const struct commit_fact *c, struct err *err)
{
	struct batch *b = (struct batch *)s;
	struct commit_fact *k;
	const char **parents;
	int i;

	(void)err;
	b->commits = xgrow(b->commits, b->n_commits, &b->cap_commits, sizeof(*b->commits));
	k = &b->commits[b->n_commits++];
	*k = *c;
	k->sha = xstrdup(c->sha);
	k->tree_sha = keep(c->tree_sha);
	parents = xcalloc(c->n_parents > 0 ? (size_t)c->n_parents : 1, sizeof(*parents));
	for (i = 0; i < c->n_parents; i++)
		parents[i] = xstrdup(c->parents[i]);
	k->parents = parents;
	return 0;
}

static int add_tombstone(struct sink *s, const struct tombstone *t, struct err *err)
{
	struct batch *b = (struct batch *)s;
	struct tombstone *k;

	(void)err;
	b->tombstones =
		xgrow(b->tombstones, b->n_tombstones, &b->cap_tombstones, sizeof(*b->tombstones));
	k = &b->tombstones[b->n_tombstones++];
	*k = (struct tombstone){.sha = xstrdup(t->sha),
		.tree_state = xstrdup(t->tree_state),
		.runner_key = xstrdup(t->runner_key),
		.digest = xstrdup(t->digest),
		.dropped_at = t->dropped_at};
	return 0;
}

/* ---- life ---- */

struct batch *batch_new(const char *component)
{
	struct batch *b = xcalloc(1, sizeof(*b));

	b->sink = (struct sink){.run = add_run,
		.amend = amend_run,
		.series = add_series,
		.sample = add_sample,
		.absence = add_absence,
		.note = add_note,
		.commit = add_commit,
		.tombstone = add_tombstone};
	b->component = component && *component ? xstrdup(component) : NULL;
	b->spill = spill_new();
	b->names = intern_new();
	b->reasons = intern_new();
	return b;
}

static void free_string(const char *s)
{
	free((char *)(uintptr_t)s);
}

static void free_history(struct batch *b)
{
	size_t i;
	int p;

	for (i = 0; i < b->n_commits; i++) {
		free_string(b->commits[i].sha);
		free_string(b->commits[i].tree_sha);
		for (p = 0; p < b->commits[i].n_parents; p++)
			free_string(b->commits[i].parents[p]);
		free((void *)(uintptr_t)b->commits[i].parents);
	}
	for (i = 0; i < b->n_tombstones; i++) {
		free_string(b->tombstones[i].sha);
		free_string(b->tombstones[i].tree_state);
		free_string(b->tombstones[i].runner_key);
		free_string(b->tombstones[i].digest);
	}
	free(b->commits);
	free(b->tombstones);
}

void batch_free(struct batch *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < b->n_runs; i++)
		release_run(&b->runs[i]);
	for (i = 0; i < b->n_notes; i++)
		free(b->notes[i]);
	free_history(b);
	free(b->runs);
	free(b->notes);
	free(b->absences);
	free(b->order);
	free(b->rank);
	free(b->component);
	spill_free(b->spill);
	intern_free(b->names);
	intern_free(b->reasons);
	buf_release(&b->scratch);
	free(b);
}

void batch_freep(struct batch **b)
{
	batch_free(*b);
}

void batch_on_progress(struct batch *b, void (*progress)(void *ctx), void *ctx)
{
	b->progress = progress;
	b->progress_ctx = ctx;
}

struct sink *batch_sink(struct batch *b)
{
	return &b->sink;
}

/* ---- order and digests ---- */

static int compare_absences(
	const struct batch_absence *a, const struct batch_absence *b, const uint32_t *rank)
{
	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	if (a->series != b->series)
		return rank[a->series] < rank[b->series] ? -1 : 1;
	if (a->status != b->status)
		return strcmp(sink_status_name(a->status), sink_status_name(b->status));
	return strcmp(a->reason, b->reason);
}

/* Merge sort: qsort has no argument for the ranks, and qsort_r differs between systems. */
static void sort_absences(
	struct batch_absence *a, struct batch_absence *tmp, size_t n, const uint32_t *rank)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort_absences(a, tmp, half, rank);
	sort_absences(a + half, tmp, n - half, rank);
	while (i < half && j < n)
		tmp[k++] = compare_absences(&a[i], &a[j], rank) <= 0 ? a[i++] : a[j++];
	while (i < half)
		tmp[k++] = a[i++];
	while (j < n)
		tmp[k++] = a[j++];
	memcpy(a, tmp, n * sizeof(*a));
}

struct digesting {
	struct batch *b;
	struct sha256 *h;
	int run;
	uint32_t series;
	size_t absence; /* the next one to digest */
};

static void end_run(struct digesting *d)
{
	struct batch *b = d->b;

	for (; d->absence < b->n_absences && b->absences[d->absence].run == d->run; d->absence++) {
		const struct batch_absence *a = &b->absences[d->absence];
		size_t len;
		const char *p = intern_get(b->names, a->series, &len);
		digest_absence(d->h, p, len, a->status, a->reason);
		b->runs[d->run].absences++;
	}
	sha256_end(d->h, b->runs[d->run].digest);
	d->h = NULL;
}

/* Ends the runs before run and begins it; runs without samples get their digests too. */
static void advance_to(struct digesting *d, int run)
{
	while (d->run < run) {
		if (d->h)
			end_run(d);
		d->run++;
		if (d->run < (int)d->b->n_runs)
			d->h = digest_new(&d->b->runs[d->run].head);
		d->series = INTERN_NONE;
	}
}

static int digest_row(
	void *ctx, int run, uint32_t series, int64_t ordinal, struct num value, struct err *err)
{
	struct digesting *d = ctx;

	(void)ordinal;
	(void)err;
	advance_to(d, run);
	if (series != d->series) {
		size_t len;
		const char *p = intern_get(d->b->names, series, &len);
		digest_series(d->h, p, len);
		d->series = series;
		d->b->runs[run].series++;
	}
	digest_value(d->h, value);
	d->b->runs[run].samples++;
	return 0;
}

static int check_digests(const struct batch *b, struct err *err)
{
	size_t i;

	for (i = 0; i < b->n_runs; i++)
		if (b->runs[i].head.digest && strcmp(b->runs[i].head.digest, b->runs[i].digest))
			return err_set(err, ERR_FORMAT,
				"run %zu says its digest is %.64s, but its content has %s: it was changed or cut",
				i + 1, b->runs[i].head.digest, b->runs[i].digest);
	return 0;
}

int batch_finish(struct batch *b, struct err *err)
{
	struct digesting d = {.b = b, .run = -1, .series = INTERN_NONE};
	struct batch_absence *tmp = xcalloc(b->n_absences, sizeof(*tmp));

	order_series(b);
	sort_absences(b->absences, tmp, b->n_absences, b->rank);
	free(tmp);
	if (batch_each(b, digest_row, &d, err) < 0) {
		char unused[65];
		if (d.h)
			sha256_end(d.h, unused);
		return -1;
	}
	advance_to(&d, (int)b->n_runs);
	return check_digests(b, err);
}

/* ---- handing out ---- */

struct counting {
	int (*row)(void *ctx, int run, uint32_t series, int64_t ordinal, struct num value,
		struct err *err);
	void *ctx;
	uint32_t run, series;
	int64_t ordinal;
};

static int count_row(void *ctx, uint32_t run, uint32_t series, struct num value, struct err *err)
{
	struct counting *c = ctx;

	if (run != c->run || series != c->series) {
		c->run = run;
		c->series = series;
		c->ordinal = 0;
	}
	return c->row(c->ctx, (int)run, series, c->ordinal++, value, err);
}

int batch_each(struct batch *b,
	int (*row)(void *ctx, int run, uint32_t series, int64_t ordinal, struct num value,
		struct err *err),
	void *ctx, struct err *err)
{
	struct counting c = {.row = row, .ctx = ctx, .run = INTERN_NONE, .series = INTERN_NONE};

	order_series(b);
	return spill_each(
		b->spill, b->rank, b->ordered_count, (uint32_t)b->n_runs, count_row, &c, err);
}

size_t batch_runs(const struct batch *b)
{
	return b->n_runs;
}

struct batch_run *batch_run(struct batch *b, size_t i)
{
	return &b->runs[i];
}

uint32_t batch_series_count(const struct batch *b)
{
	return intern_count(b->names);
}

const uint32_t *batch_order(const struct batch *b)
{
	return b->order;
}

size_t batch_absences(const struct batch *b, const struct batch_absence **ret)
{
	*ret = b->absences;
	return b->n_absences;
}

size_t batch_notes(const struct batch *b, char *const **ret)
{
	*ret = b->notes;
	return b->n_notes;
}

size_t batch_samples(const struct batch *b)
{
	return spill_count(b->spill);
}

size_t batch_commits(const struct batch *b, const struct commit_fact **ret)
{
	*ret = b->commits;
	return b->n_commits;
}

size_t batch_tombstones(const struct batch *b, const struct tombstone **ret)
{
	*ret = b->tombstones;
	return b->n_tombstones;
}
