#include "store-rows.h"

#include <stdlib.h>
#include <string.h>

struct adding {
	struct store *s;
	struct batch *b;
	int64_t *run_ids, *runner_ids; /* per run of the batch; 0 = not wanted */
	int mapped_run;                /* whose suite and runner the map is for; -1 none */
	int64_t *map;                  /* batch series to store series; 0 not looked up */
	struct series_cache cache;
	size_t rows;

	const struct placing *placings;
	const struct commit_fact *commits;
	size_t n_commits;
	const char *root;
	bool force;
	enum placed *ret;
};

static void map_for_run(struct adding *a, int run)
{
	if (a->mapped_run == run)
		return;
	if (a->mapped_run < 0 || a->runner_ids[run] != a->runner_ids[a->mapped_run] ||
		strcmp(batch_run(a->b, (size_t)run)->head.suite,
			batch_run(a->b, (size_t)a->mapped_run)->head.suite))
		memset(a->map, 0, batch_series_count(a->b) * sizeof(*a->map));
	a->mapped_run = run;
}

static int64_t mapped_series(struct adding *a, int run, uint32_t series, struct err *err)
{
	struct batch_series names;

	map_for_run(a, run);
	if (a->map[series] == 0) {
		batch_series(a->b, series, &names);
		a->map[series] = rows_put_series(a->s, &a->cache,
			batch_run(a->b, (size_t)run)->head.suite, names.benchmark, &names.metric,
			names.variant, a->runner_ids[run], a->run_ids[run], err);
	}
	return a->map[series];
}

static int add_row(
	void *ctx, int run, uint32_t series, int64_t ordinal, struct num value, struct err *err)
{
	struct adding *a = ctx;
	int64_t id;

	if (++a->rows % 65536 == 0)
		store_progress(a->s, (double)a->rows, (double)batch_samples(a->b));
	if (!a->run_ids[run])
		return 0;
	id = mapped_series(a, run, series, err);
	if (id < 0)
		return -1;
	return db_load(a->s->db, &(struct db_sample){a->run_ids[run], id, ordinal, value}, err);
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
		if (id < 0 || rows_put_absence(a->s, a->run_ids[v[i].run], id,
				      sink_status_name(v[i].status), v[i].reason, err) < 0)
			return -1;
	}
	return 0;
}

static int add_runs(struct adding *a, struct err *err)
{
	size_t i;

	for (i = 0; i < batch_runs(a->b); i++) {
		const struct batch_run *r = batch_run(a->b, i);
		const struct run_head *h = &r->head;
		const struct placing *p = &a->placings[i];
		struct incoming in = {.sha = p->sha,
			.tree_state = p->tree_state,
			.branch = p->branch ? p->branch : "",
			.session = p->session ? p->session : "",
			.runner_key = p->runner_key,
			.runner_label = p->runner_label ? p->runner_label : "",
			.suite = h->suite,
			.component = h->component ? h->component : "",
			.format = h->format,
			.format_version = h->format_version ? h->format_version : "",
			.tool_version = h->tool_version ? h->tool_version : "",
			.started_at = h->started_at,
			.ingested_at = p->ingested_at,
			.digest = r->digest,
			.facts = p->facts   ? p->facts
				 : h->facts ? h->facts
					    : "{}",
			.merging = h->history,
			.series = (int64_t)r->series,
			.samples = (int64_t)r->samples,
			.absences = (int64_t)r->absences};

		if (rows_begin_run(a->s, &in, &a->run_ids[i], &a->runner_ids[i], &a->ret[i], err) <
			0)
			return -1;
	}
	return 0;
}

static int add_judgements(struct adding *a, struct err *err)
{
	const struct judgement_fact *v;
	size_t n = batch_judgements(a->b, &v), i;

	for (i = 0; i < n; i++)
		if (rows_put_judgement(a->s, &v[i], err) < 0)
			return -1;
	return 0;
}

static int add_all(void *ctx, struct err *err)
{
	struct adding *a = ctx;
	const struct commit_fact *more;
	const struct tombstone *tombs;
	size_t n_more = batch_commits(a->b, &more), n_tombs = batch_tombstones(a->b, &tombs), i;

	series_cache_release(&a->cache);
	a->mapped_run = -1;
	a->rows = 0;
	if (rows_check_root(a->s, a->root, a->force, err) < 0)
		return -1;
	for (i = 0; i < a->n_commits; i++)
		if (rows_put_commit(a->s, &a->commits[i], err) < 0)
			return -1;
	for (i = 0; i < n_more; i++)
		if (rows_put_commit(a->s, &more[i], err) < 0)
			return -1;
	for (i = 0; i < n_tombs; i++)
		if (rows_bury(a->s, &tombs[i], err) < 0)
			return -1;
	if (add_judgements(a, err) < 0 || add_runs(a, err) < 0)
		return -1;
	if (batch_each(a->b, add_row, a, err) < 0 || db_load_end(a->s->db, err) < 0)
		return -1;
	return add_absences(a, err);
}

int store_add(struct store *s, struct batch *b, const struct placing *placings,
	const struct commit_fact *commits, size_t n_commits, const char *root, bool force,
	enum placed *ret, struct err *err)
{
	size_t runs = batch_runs(b);
	struct adding a = {.s = s,
		.b = b,
		.placings = placings,
		.commits = commits,
		.n_commits = n_commits,
		.root = root,
		.force = force,
		.ret = ret};
	int r;

	a.run_ids = xcalloc(runs, sizeof(*a.run_ids));
	a.runner_ids = xcalloc(runs, sizeof(*a.runner_ids));
	a.map = xcalloc(batch_series_count(b), sizeof(*a.map));
	r = rows_transact(s, DB_LOADING, "storing", add_all, &a, err);
	series_cache_release(&a.cache);
	free(a.run_ids);
	free(a.runner_ids);
	free(a.map);
	return r;
}
