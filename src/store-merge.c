#include "store-rows.h"

#include <stdlib.h>
#include <string.h>

struct merging {
	struct store *to, *from;
	int64_t run, runner; /* here */
	int64_t *map;        /* series there to here; 0 not looked up */
	int64_t n_map;
	int64_t series, ordinal; /* of the last row */
	struct series_cache cache;
	const struct merge_options *o;
	size_t count[PLACED_PRUNED + 1]; /* by enum placed */
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
		m->map[there] = rows_put_series(m->to, &m->cache, x->suite, x->benchmark,
			&x->metric, x->variant, m->runner, m->run, err);
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
	return db_load(m->to->db, &(struct db_sample){m->run, here, m->ordinal, value}, err);
}

static int merge_absence(
	void *ctx, int64_t series, const char *status, const char *reason, struct err *err)
{
	struct merging *m = ctx;
	int64_t here = series_here(m, series, err);

	return here < 0 ? -1 : rows_put_absence(m->to, m->run, here, status, reason, err);
}

static int merge_commit(void *ctx, const struct commit_fact *c, struct err *err)
{
	return rows_put_commit(((struct merging *)ctx)->to, c, err) < 0 ? -1 : 0;
}

static int merge_tombstone(void *ctx, const struct tombstone *t, struct err *err)
{
	return rows_bury(((struct merging *)ctx)->to, t, err);
}

static int merge_judgement(void *ctx, const struct judgement_fact *j, struct err *err)
{
	return rows_put_judgement(((struct merging *)ctx)->to, j, err);
}

static int merge_run(
	struct merging *m, const struct store_run *r, enum placed *placed, struct err *err)
{
	struct incoming in = {.sha = r->sha,
		.tree_state = r->tree_state,
		.branch = r->branch,
		.session = r->session,
		.runner_key = r->runner_key,
		.runner_label = r->runner_label,
		.suite = r->suite,
		.component = r->component,
		.format = r->format,
		.format_version = r->format_version,
		.tool_version = r->tool_version,
		.started_at = r->started_at,
		.ingested_at = r->ingested_at,
		.digest = r->digest,
		.facts = r->facts,
		.series = r->series,
		.samples = r->samples,
		.absences = r->absences,
		.merging = true};

	if (rows_begin_run(m->to, &in, &m->run, &m->runner, placed, err) < 0)
		return -1;
	if (!m->run)
		return 0;
	m->series = -1;
	if (store_visit_samples(m->from, r->id, merge_sample, m, err) < 0 ||
		db_load_end(m->to->db, err) < 0)
		return -1;
	return store_absences(m->from, r->id, merge_absence, m, err);
}

static void forget(struct merging *m)
{
	series_cache_release(&m->cache);
	free(m->map);
	m->map = NULL;
	m->n_map = 0;
	memset(m->count, 0, sizeof(m->count));
}

static int merge_all(void *ctx, struct err *err)
{
	struct merging *m = ctx;
	struct store_runs runs = {0};
	struct store_info info;
	size_t i;
	int r;

	forget(m);
	r = store_info(m->from, &info, err);
	/* one by one they would cost a message each */
	if (r == 0 && db_reads_ahead(m->from->db))
		r = store_series_load(m->from, err);

	if (r == 0)
		r = rows_check_root(m->to, *info.root ? info.root : NULL, m->o->force, err);
	if (r == 0)
		r = store_commits(m->from, merge_commit, m, err);
	if (r == 0 && !m->o->runs_only)
		r = store_tombstones(m->from, merge_tombstone, m, err);
	if (r == 0 && !m->o->runs_only)
		r = store_judgements_exported(m->from, merge_judgement, m, err);
	if (r == 0)
		r = store_runs_exported(m->from, &runs, err);
	for (i = 0; r == 0 && i < runs.n; i++) {
		enum placed placed = PLACED_STORED;
		if (m->to->stop && m->to->stop(m->to->stop_ctx))
			r = err_set(err, ERR_CANCELLED, "merging: interrupted");
		if (r == 0)
			r = merge_run(m, &runs.v[i], &placed, err);
		store_progress(m->to, (double)(i + 1), (double)runs.n);
		m->count[placed]++;
	}
	store_runs_release(&runs);
	return r;
}

int store_merge(struct store *s, struct store *from, const struct merge_options *o,
	size_t counts[PLACED_PRUNED + 1], struct err *err)
{
	struct merging m = {.to = s, .from = from, .o = o};
	int r;

	if (store_begin_read(from, err) < 0)
		return -1;
	r = rows_transact(s, DB_LOADING, "merging", merge_all, &m, err);
	store_end_read(from);
	memcpy(counts, m.count, sizeof(m.count));
	forget(&m);
	return r;
}
