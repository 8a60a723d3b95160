#include "batch-private.h"

#include "digest.h"
#include "json.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 96 << 20, RUNS_MAX = 100000, NOTES_MAX = 1000, PROGRESS_EVERY = 16384 };

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
	return keep_facts(k, h->facts, err) < 0 ? -1 : (int)(b->n_runs - 1 - b->first_run);
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
	struct run_head *h = &b->runs[b->first_run + (size_t)run].head;

	if (started_at != TIME_UNKNOWN)
		h->started_at = started_at;
	return keep_facts(h, facts, err);
}

static int add_sample(struct sink *s, int run, int64_t series, struct num value, struct err *err)
{
	struct batch *b = (struct batch *)s;

	if (spill_full(b->spill)) {
		batch_order_series(b);
		if (spill_flush(b->spill, b->rank, b->ordered_count, (uint32_t)b->n_runs, err) < 0)
			return -1;
	}
	spill_add(b->spill, (uint32_t)(b->first_run + (size_t)run), (uint32_t)series, value);
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

	run += (int)b->first_run;

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

/* Told once a series. */
static void add_origin(struct sink *s, int64_t series, const char *name)
{
	struct batch *b = (struct batch *)s;

	if (!b->origins)
		b->origins = intern_new();
	if (intern_bytes(b->origins) > NAMES_MAX)
		return;
	b->origin = xgrow_to(b->origin, &b->n_origin, (size_t)series, sizeof(*b->origin));
	if (!b->origin[series])
		b->origin[series] = 1 + intern_add(b->origins, name, strlen(name));
}

const char *batch_origin(const struct batch *b, uint32_t id)
{
	return id < b->n_origin && b->origin[id] ? intern_get(b->origins, b->origin[id] - 1, NULL)
						 : NULL;
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
		.origin = add_origin,
		.commit = add_commit,
		.tombstone = add_tombstone,
		.judgement = batch_add_judgement,
		.verdict = batch_add_verdict};
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
	batch_free_judgements(b);
	free(b->runs);
	free(b->notes);
	free(b->absences);
	free(b->rank);
	free(b->component);
	spill_free(b->spill);
	intern_free(b->names);
	intern_free(b->reasons);
	intern_free(b->origins);
	free(b->origin);
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

void batch_begin_document(struct batch *b)
{
	b->first_run = b->n_runs;
}

struct sink *batch_sink(struct batch *b)
{
	return &b->sink;
}
