#include "store-private.h"

#include "sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char storing[] = "storing";

/* ---- rows that are found or added ---- */

static int64_t one_id(struct store *s, sqlite3_stmt *st, struct err *err)
{
	int64_t id = -1;
	int r = store_step(s, st, storing, err);

	if (r > 0) {
		id = sqlite3_column_int64(st, 0);
		/* a RETURNING statement has to run to its end */
		r = store_step(s, st, storing, err);
	} else if (r == 0) {
		id = 0;
	}
	return r < 0 ? -1 : id;
}

static int64_t put_commit(struct store *s, const struct commit_fact *c, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_commit_add, err);
	int64_t id;
	int i;

	if (!st)
		return -1;
	bind_text(st, 1, c->sha);
	bind_text(st, 2, c->tree_sha);
	bind_time(st, 3, c->committed_at);
	if (c->n_parents >= 0)
		sqlite3_bind_int(st, 4, c->n_parents);
	id = one_id(s, st, err);
	for (i = 0; id > 0 && i < c->n_parents; i++) {
		st = store_statement(s, sql_commit_parent_add, err);
		if (!st)
			return -1;
		sqlite3_bind_int64(st, 1, id);
		sqlite3_bind_int(st, 2, i);
		bind_text(st, 3, c->parents[i]);
		if (store_step(s, st, storing, err) < 0)
			return -1;
	}
	return id;
}

static int64_t put_commit_sha(struct store *s, const char *sha, struct err *err)
{
	struct commit_fact c = {.sha = sha, .committed_at = TIME_UNKNOWN, .n_parents = -1};

	return put_commit(s, &c, err);
}

static int64_t put_runner(struct store *s, const char *key, const char *label, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_runner_add, err);

	if (!st)
		return -1;
	bind_text(st, 1, key);
	bind_text(st, 2, label ? label : "");
	return one_id(s, st, err);
}

/* Looks for a row by up to five texts and adds it when there is none. */
static int64_t find_or_add(struct store *s, const char *find, const char *add, const char *const *texts, int n,
	struct err *err)
{
	const char *const sql[] = {find, add};
	int64_t id = 0;
	int i, k;

	for (k = 0; k < 2 && id == 0; k++) {
		sqlite3_stmt *st = store_statement(s, sql[k], err);
		if (!st)
			return -1;
		for (i = 0; i < n; i++)
			sqlite3_bind_text(st, i + 1, texts[i], -1, SQLITE_STATIC);
		id = one_id(s, st, err);
	}
	return id;
}

/* Where the last series went: neighbours in sorted order share their benchmark. */
struct series_cache {
	char *suite, *benchmark;
	int64_t benchmark_id;
	struct intern *metrics; /* the metric's fields joined; ids index metric_ids */
	int64_t *metric_ids;
	size_t cap;
};

static void series_cache_release(struct series_cache *c)
{
	free(c->suite);
	free(c->benchmark);
	intern_free(c->metrics);
	free(c->metric_ids);
}

static int64_t cached_benchmark(struct store *s, struct series_cache *c, const char *suite, const char *name,
	struct err *err)
{
	const char *texts[] = {suite, name};

	if (c->benchmark && !strcmp(c->benchmark, name) && !strcmp(c->suite, suite))
		return c->benchmark_id;
	free(c->suite);
	free(c->benchmark);
	c->suite = xstrdup(suite);
	c->benchmark = xstrdup(name);
	c->benchmark_id = find_or_add(s, sql_benchmark_find, sql_benchmark_add, texts, 2, err);
	return c->benchmark_id;
}

static int64_t cached_metric(struct store *s, struct series_cache *c, const char *suite, const struct metric *m,
	struct err *err)
{
	const char *texts[] = {suite, m->name, m->unit, m->quantity, direction_name(m->direction)};
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t known, id;
	size_t i;

	if (!c->metrics)
		c->metrics = intern_new();
	for (i = 0; i < ARRAY_LEN(texts); i++)
		buf_add(&key, texts[i], strlen(texts[i]) + 1);
	known = intern_count(c->metrics);
	id = intern_add(c->metrics, key.p, key.len);
	c->metric_ids = xgrow(c->metric_ids, id, &c->cap, sizeof(*c->metric_ids));
	if (id == known)
		c->metric_ids[id] = find_or_add(s, sql_metric_find, sql_metric_add, texts, 5, err);
	return c->metric_ids[id];
}

static int64_t put_series(struct store *s, struct series_cache *c, const char *suite, const char *benchmark,
	const struct metric *m, const char *variant, int64_t runner, int64_t run, struct err *err)
{
	const char *const sql[] = {sql_series_find, sql_series_add};
	int64_t b = cached_benchmark(s, c, suite, benchmark, err);
	int64_t k = b < 0 ? -1 : cached_metric(s, c, suite, m, err), id = 0;
	int i;

	if (k < 0)
		return -1;
	for (i = 0; i < 2 && id == 0; i++) {
		sqlite3_stmt *st = store_statement(s, sql[i], err);
		if (!st)
			return -1;
		sqlite3_bind_int64(st, 1, b);
		sqlite3_bind_int64(st, 2, k);
		sqlite3_bind_text(st, 3, variant, -1, SQLITE_STATIC);
		sqlite3_bind_int64(st, 4, runner);
		if (i == 1)
			sqlite3_bind_int64(st, 5, run);
		id = one_id(s, st, err);
	}
	return id;
}

/*
 * Samples on their way into the table, a statement's worth at a time.
 *
 * While they are loaded, foreign keys are not enforced on this connection: both numbers of each row
 * were looked up or added in the same transaction, and checking them again takes as long as the
 * insertion. `store check` checks them.
 */
enum { BULK = 32 };

struct sample_row {
	int64_t run, series, ordinal;
	struct num value;
};

struct bulk {
	struct store *s;
	struct sample_row rows[BULK];
	int n;
};

static int insert_rows(struct bulk *b, const char *sql, const struct sample_row *rows, int n, struct err *err)
{
	sqlite3_stmt *st = store_statement(b->s, sql, err);
	int i;

	if (!st)
		return -1;
	for (i = 0; i < n; i++) {
		sqlite3_bind_int64(st, 4 * i + 1, rows[i].run);
		sqlite3_bind_int64(st, 4 * i + 2, rows[i].series);
		sqlite3_bind_int64(st, 4 * i + 3, rows[i].ordinal);
		bind_num(st, 4 * i + 4, rows[i].value);
	}
	return store_step(b->s, st, storing, err);
}

static int bulk_add(struct bulk *b, struct sample_row row, struct err *err)
{
	b->rows[b->n++] = row;
	if (b->n < BULK)
		return 0;
	b->n = 0;
	return insert_rows(b, sql_samples_add, b->rows, BULK, err);
}

static int bulk_end(struct bulk *b, struct err *err)
{
	int i, r = 0;

	for (i = 0; r == 0 && i < b->n; i++)
		r = insert_rows(b, sql_sample_add, &b->rows[i], 1, err);
	b->n = 0;
	return r;
}

static int put_absence(struct store *s, int64_t run, int64_t series, const char *status, const char *reason,
	struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_absence_add, err);

	if (!st)
		return -1;
	sqlite3_bind_int64(st, 1, run);
	sqlite3_bind_int64(st, 2, series);
	bind_text(st, 3, status);
	bind_text(st, 4, reason);
	return store_step(s, st, storing, err);
}

/* ---- runs ---- */

/* A run about to be stored, whatever it came from. */
struct incoming {
	const char *sha, *tree_state, *branch, *session;
	const char *runner_key, *runner_label;
	const char *suite, *component, *format, *format_version, *tool_version;
	int64_t started_at, ingested_at;
	const char *digest, *facts;
	int64_t series, samples, absences;
};

static int is_dropped(struct store *s, const struct incoming *r, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_tombstone_find, err);
	int found;

	if (!st)
		return -1;
	bind_text(st, 1, r->sha);
	bind_text(st, 2, r->tree_state);
	bind_text(st, 3, r->runner_key);
	bind_text(st, 4, r->digest);
	found = store_step(s, st, storing, err);
	if (found > 0)
		sqlite3_reset(st);
	return found;
}

static int adopt_run(struct store *s, int64_t id, const struct incoming *r, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_run_adopt, err);

	if (!st)
		return -1;
	sqlite3_bind_int64(st, 1, id);
	sqlite3_bind_int64(st, 2, r->ingested_at);
	bind_text(st, 3, r->session);
	bind_text(st, 4, r->branch);
	bind_text(st, 5, r->facts);
	return store_step(s, st, storing, err);
}

static int64_t find_run(struct store *s, int64_t commit, int64_t runner, const struct incoming *r, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_run_find, err);

	if (!st)
		return -1;
	sqlite3_bind_int64(st, 1, commit);
	bind_text(st, 2, r->tree_state);
	sqlite3_bind_int64(st, 3, runner);
	bind_text(st, 4, r->digest);
	return one_id(s, st, err);
}

static int64_t insert_run(struct store *s, int64_t commit, int64_t runner, const struct incoming *r, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_run_add, err);

	if (!st)
		return -1;
	sqlite3_bind_int64(st, 1, commit);
	bind_text(st, 2, r->tree_state);
	bind_text(st, 3, r->branch);
	bind_text(st, 4, r->session);
	sqlite3_bind_int64(st, 5, runner);
	bind_text(st, 6, r->suite);
	bind_text(st, 7, r->component);
	bind_text(st, 8, r->format);
	bind_text(st, 9, r->format_version);
	bind_text(st, 10, r->tool_version);
	bind_time(st, 11, r->started_at);
	sqlite3_bind_int64(st, 12, r->ingested_at);
	bind_text(st, 13, r->digest);
	sqlite3_bind_int64(st, 14, r->series);
	sqlite3_bind_int64(st, 15, r->samples);
	sqlite3_bind_int64(st, 16, r->absences);
	bind_text(st, 17, r->facts);
	return one_id(s, st, err);
}

/* Begins a run: *run > 0 and PLACED_STORED when its samples are wanted. */
static int begin_run(struct store *s, const struct incoming *r, int64_t *run, int64_t *runner, enum placed *placed,
	struct err *err)
{
	int dropped = is_dropped(s, r, err);
	int64_t commit;

	*run = 0;
	*placed = PLACED_DROPPED;
	if (dropped)
		return dropped < 0 ? -1 : 0;
	commit = put_commit_sha(s, r->sha, err);
	*runner = commit < 0 ? -1 : put_runner(s, r->runner_key, r->runner_label, err);
	if (*runner < 0)
		return -1;
	*run = find_run(s, commit, *runner, r, err);
	if (*run < 0)
		return -1;
	if (*run > 0) {
		int64_t known = *run;
		*run = 0;
		*placed = PLACED_ALREADY;
		return adopt_run(s, known, r, err);
	}
	*placed = PLACED_STORED;
	*run = insert_run(s, commit, *runner, r, err);
	return *run < 0 ? -1 : 0;
}

/* ---- a batch ---- */

struct adding {
	struct store *s;
	struct batch *b;
	int64_t *run_ids, *runner_ids; /* per run of the batch; 0 = not wanted */
	int mapped_run;                /* whose suite and runner the map is for; -1 none */
	int64_t *map;                  /* batch series to store series; 0 not looked up */
	struct series_cache cache;
	struct bulk bulk;
};

static void map_for_run(struct adding *a, int run)
{
	if (a->mapped_run == run)
		return;
	if (a->mapped_run < 0 || a->runner_ids[run] != a->runner_ids[a->mapped_run] ||
		strcmp(batch_run(a->b, (size_t)run)->head.suite, batch_run(a->b, (size_t)a->mapped_run)->head.suite))
		memset(a->map, 0, batch_series_count(a->b) * sizeof(*a->map));
	a->mapped_run = run;
}

static int64_t mapped_series(struct adding *a, int run, uint32_t series, struct err *err)
{
	struct batch_series names;

	map_for_run(a, run);
	if (a->map[series] == 0) {
		batch_series(a->b, series, &names);
		a->map[series] = put_series(a->s, &a->cache, batch_run(a->b, (size_t)run)->head.suite, names.benchmark,
			&names.metric, names.variant, a->runner_ids[run], a->run_ids[run], err);
	}
	return a->map[series];
}

static int add_row(void *ctx, int run, uint32_t series, int64_t ordinal, struct num value, struct err *err)
{
	struct adding *a = ctx;
	int64_t id;

	if (!a->run_ids[run])
		return 0;
	id = mapped_series(a, run, series, err);
	if (id < 0)
		return -1;
	return bulk_add(&a->bulk, (struct sample_row){a->run_ids[run], id, ordinal, value}, err);
}

static int add_absences(struct adding *a, struct err *err)
{
	const struct batch_absence *v;
	size_t n = batch_absences(a->b, &v), i;

	for (i = 0; i < n; i++) {
		int64_t id;
		if (!a->run_ids[v[i].run])
			continue;
		id = mapped_series(a, v[i].run, v[i].series, err);
		if (id < 0 || put_absence(a->s, a->run_ids[v[i].run], id, sink_status_name(v[i].status), v[i].reason, err) < 0)
			return -1;
	}
	return 0;
}

static int add_runs(struct adding *a, const struct placing *placings, enum placed *ret, struct err *err)
{
	size_t i;

	for (i = 0; i < batch_runs(a->b); i++) {
		const struct batch_run *r = batch_run(a->b, i);
		const struct run_head *h = &r->head;
		const struct placing *p = &placings[i];
		struct incoming in = {.sha = p->sha, .tree_state = p->tree_state, .branch = p->branch ? p->branch : "",
			.session = p->session ? p->session : "", .runner_key = p->runner_key,
			.runner_label = p->runner_label ? p->runner_label : "", .suite = h->suite,
			.component = h->component ? h->component : "", .format = h->format,
			.format_version = h->format_version ? h->format_version : "",
			.tool_version = h->tool_version ? h->tool_version : "", .started_at = h->started_at,
			.ingested_at = p->ingested_at, .digest = r->digest,
			.facts = p->facts ? p->facts : h->facts ? h->facts : "{}", .series = (int64_t)r->series,
			.samples = (int64_t)r->samples, .absences = (int64_t)r->absences};

		if (begin_run(a->s, &in, &a->run_ids[i], &a->runner_ids[i], &ret[i], err) < 0)
			return -1;
	}
	return 0;
}

static int check_root(struct store *s, const char *root, bool force, struct err *err)
{
	sqlite3_stmt *st;
	char known[65] = "";
	int r;

	if (!root)
		return 0;
	st = store_statement(s, sql_property_get, err);
	if (!st)
		return -1;
	bind_text(st, 1, "root");
	r = store_step(s, st, storing, err);
	if (r > 0) {
		snprintf(known, sizeof(known), "%s", column_text(st, 0));
		sqlite3_reset(st);
	}
	if (r < 0)
		return -1;
	if (!*known) {
		st = store_statement(s, sql_property_set, err);
		if (!st)
			return -1;
		bind_text(st, 1, "root");
		bind_text(st, 2, root);
		return store_step(s, st, storing, err);
	}
	if (strcmp(known, root) && !force)
		return err_set(err, ERR_STORE, "%s: holds another repository (its first commit is %.12s, this one's %.12s); name a store of its own with --store, or --force",
			s->path, known, root);
	return 0;
}

static int bury(struct store *s, const struct tombstone *t, struct err *err);

static int add_all(struct adding *a, const struct placing *placings, const struct commit_fact *commits, size_t n,
	const char *root, bool force, enum placed *ret, struct err *err)
{
	const struct commit_fact *more;
	const struct tombstone *tombs;
	size_t n_more = batch_commits(a->b, &more), n_tombs = batch_tombstones(a->b, &tombs), i;

	if (check_root(a->s, root, force, err) < 0)
		return -1;
	for (i = 0; i < n; i++)
		if (put_commit(a->s, &commits[i], err) < 0)
			return -1;
	for (i = 0; i < n_more; i++)
		if (put_commit(a->s, &more[i], err) < 0)
			return -1;
	for (i = 0; i < n_tombs; i++)
		if (bury(a->s, &tombs[i], err) < 0)
			return -1;
	if (add_runs(a, placings, ret, err) < 0)
		return -1;
	if (batch_each(a->b, add_row, a, err) < 0 || bulk_end(&a->bulk, err) < 0)
		return -1;
	return add_absences(a, err);
}

static int begin(struct store *s, const char *doing, struct err *err)
{
	return store_exec(s, sql_begin, doing, err);
}

static int begin_loading(struct store *s, const char *doing, struct err *err)
{
	return store_exec(s, sql_foreign_keys_off, doing, err) < 0 ? -1 : begin(s, doing, err);
}

static int finish(struct store *s, int r, struct err *err)
{
	if (r == 0)
		r = store_exec(s, sql_commit, storing, err);
	if (r < 0)
		sqlite3_exec(s->db, sql_rollback, NULL, NULL, NULL);
	sqlite3_exec(s->db, sql_foreign_keys_on, NULL, NULL, NULL);
	return r;
}

int store_add(struct store *s, struct batch *b, const struct placing *placings, const struct commit_fact *commits,
	size_t n_commits, const char *root, bool force, enum placed *ret, struct err *err)
{
	size_t runs = batch_runs(b);
	struct adding a = {.s = s, .b = b, .mapped_run = -1, .bulk = {.s = s}};
	int r;

	if (begin_loading(s, storing, err) < 0)
		return -1;
	a.run_ids = xcalloc(runs, sizeof(*a.run_ids));
	a.runner_ids = xcalloc(runs, sizeof(*a.runner_ids));
	a.map = xcalloc(batch_series_count(b), sizeof(*a.map));
	r = finish(s, add_all(&a, placings, commits, n_commits, root, force, ret, err), err);
	series_cache_release(&a.cache);
	free(a.run_ids);
	free(a.runner_ids);
	free(a.map);
	return r;
}

/* ---- dropping ---- */

static int run_by_id(struct store *s, const char *sql, int64_t id, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql, err);

	if (!st)
		return -1;
	sqlite3_bind_int64(st, 1, id);
	return store_step(s, st, "dropping", err);
}

static int delete_run(struct store *s, int64_t id, struct err *err)
{
	if (run_by_id(s, sql_run_drop_samples, id, err) < 0 || run_by_id(s, sql_run_drop_absences, id, err) < 0)
		return -1;
	return run_by_id(s, sql_run_drop, id, err);
}

static int bind_tombstone(sqlite3_stmt *st, const struct tombstone *t)
{
	if (!st)
		return -1;
	bind_text(st, 1, t->sha);
	bind_text(st, 2, t->tree_state);
	bind_text(st, 3, t->runner_key);
	bind_text(st, 4, t->digest);
	return 0;
}

/* Records a tombstone and deletes the run that it is for, if it is here. */
static int bury(struct store *s, const struct tombstone *t, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_tombstone_add, err);
	int64_t id;

	if (bind_tombstone(st, t) < 0)
		return -1;
	sqlite3_bind_int64(st, 5, t->dropped_at == TIME_UNKNOWN ? 0 : t->dropped_at);
	if (store_step(s, st, "dropping", err) < 0)
		return -1;
	st = store_statement(s, sql_run_of_tombstone, err);
	if (bind_tombstone(st, t) < 0)
		return -1;
	id = one_id(s, st, err);
	return id > 0 ? delete_run(s, id, err) : id < 0 ? -1 : 0;
}

static int drop_one(struct store *s, const struct store_run *r, int64_t dropped_at, struct err *err)
{
	struct tombstone t = {.sha = r->sha, .tree_state = r->tree_state, .runner_key = r->runner_key,
		.digest = r->digest, .dropped_at = dropped_at};

	return bury(s, &t, err);
}

int store_drop(struct store *s, const struct store_run *runs, size_t n, int64_t dropped_at, struct err *err)
{
	size_t i;
	int r = 0;

	if (begin(s, "dropping", err) < 0)
		return -1;
	for (i = 0; r == 0 && i < n; i++)
		r = drop_one(s, &runs[i], dropped_at, err);
	if (finish(s, r, err) < 0)
		return -1;
	return store_exec(s, sql_incremental_vacuum, "giving space back", err);
}

int store_undrop(struct store *s, const char *prefix, struct err *err)
{
	sqlite3_stmt *st = store_statement(s, sql_tombstone_remove, err);

	if (!st)
		return -1;
	bind_text(st, 1, prefix);
	return store_step(s, st, "forgetting a drop", err) < 0 ? -1 : sqlite3_changes(s->db);
}

/* ---- merging ---- */

struct merging {
	struct store *to, *from;
	int64_t run, runner; /* here */
	int64_t *map;        /* series there to here; 0 not looked up */
	int64_t n_map;
	int64_t series, ordinal; /* of the last row */
	struct series_cache cache;
	struct bulk bulk;
};

static int64_t series_here(struct merging *m, int64_t there, struct err *err)
{
	const struct store_series *x;

	if (there < 1 || there >= m->n_map) {
		int64_t n = there + 1024;
		if (!store_series(m->from, there, err))
			return -1;
		m->map = xrealloc(m->map, (size_t)n * sizeof(*m->map));
		memset(m->map + m->n_map, 0, (size_t)(n - m->n_map) * sizeof(*m->map));
		m->n_map = n;
	}
	if (m->map[there] == 0) {
		x = store_series(m->from, there, err);
		if (!x)
			return -1;
		m->map[there] = put_series(m->to, &m->cache, x->suite, x->benchmark, &x->metric, x->variant, m->runner, m->run,
			err);
	}
	return m->map[there];
}

static int merge_sample(void *ctx, int64_t series, struct num value, struct err *err)
{
	struct merging *m = ctx;
	int64_t here = series_here(m, series, err);

	m->ordinal = series == m->series ? m->ordinal + 1 : 0;
	m->series = series;
	if (here < 0)
		return -1;
	return bulk_add(&m->bulk, (struct sample_row){m->run, here, m->ordinal, value}, err);
}

static int merge_absence(void *ctx, int64_t series, const char *status, const char *reason, struct err *err)
{
	struct merging *m = ctx;
	int64_t here = series_here(m, series, err);

	return here < 0 ? -1 : put_absence(m->to, m->run, here, status, reason, err);
}

static int merge_commit(void *ctx, const struct commit_fact *c, struct err *err)
{
	return put_commit(((struct merging *)ctx)->to, c, err) < 0 ? -1 : 0;
}

static int merge_tombstone(void *ctx, const struct tombstone *t, struct err *err)
{
	return bury(((struct merging *)ctx)->to, t, err);
}

static int merge_run(struct merging *m, const struct store_run *r, enum placed *placed, struct err *err)
{
	struct incoming in = {.sha = r->sha, .tree_state = r->tree_state, .branch = r->branch, .session = r->session,
		.runner_key = r->runner_key, .runner_label = r->runner_label, .suite = r->suite, .component = r->component,
		.format = r->format, .format_version = r->format_version, .tool_version = r->tool_version,
		.started_at = r->started_at, .ingested_at = r->ingested_at, .digest = r->digest, .facts = r->facts,
		.series = r->series, .samples = r->samples, .absences = r->absences};

	if (begin_run(m->to, &in, &m->run, &m->runner, placed, err) < 0)
		return -1;
	if (!m->run)
		return 0;
	m->series = -1;
	if (store_samples(m->from, r->id, merge_sample, m, err) < 0 || bulk_end(&m->bulk, err) < 0)
		return -1;
	return store_absences(m->from, r->id, merge_absence, m, err);
}

static int merge_all(struct merging *m, bool force, size_t count[3], struct err *err)
{
	struct store_runs runs = {0};
	struct store_info info;
	size_t i;
	int r = store_info(m->from, &info, err);

	if (r == 0)
		r = check_root(m->to, *info.root ? info.root : NULL, force, err);
	if (r == 0)
		r = store_commits(m->from, merge_commit, m, err);
	if (r == 0)
		r = store_tombstones(m->from, merge_tombstone, m, err);
	if (r == 0)
		r = store_runs_exported(m->from, &runs, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		enum placed placed;
		r = merge_run(m, &runs.v[i], &placed, err);
		count[placed]++;
	}
	store_runs_release(&runs);
	return r;
}

int store_merge(struct store *s, struct store *from, bool force, size_t *added, size_t *already, size_t *dropped,
	struct err *err)
{
	struct merging m = {.to = s, .from = from, .bulk = {.s = s}};
	size_t count[3] = {0};
	int r;

	if (store_begin_read(from, err) < 0)
		return -1;
	r = begin_loading(s, "merging", err);
	if (r == 0)
		r = finish(s, merge_all(&m, force, count, err), err);
	store_end_read(from);
	series_cache_release(&m.cache);
	free(m.map);
	*added = count[PLACED_STORED];
	*already = count[PLACED_ALREADY];
	*dropped = count[PLACED_DROPPED];
	return r;
}
