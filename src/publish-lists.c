/* The pages and files that tell of more than one benchmark. */
#include "publish-private.h"

#include "tables.h"

#include <stdlib.h>
#include <string.h>

/* ---- what they are made of ---- */

static void count_states(struct publishing *p, struct site_suite *x)
{
	size_t i;

	for (i = x->first_series; i < x->first_series + x->n_series; i++)
		x->states[p->series[i].state]++;
}

/* Newest first, of one commit worst first. */
static int compare_steps(const void *a, const void *b)
{
	const struct site_step *x = a, *y = b;

	if (x->at != y->at)
		return x->at > y->at ? -1 : 1;
	return site_compare_worst(a, b);
}

static struct site_lists make_lists(struct publishing *p)
{
	size_t i;

	for (i = 0; i < p->n_suites; i++)
		count_states(p, &p->suites[i]);
	if (p->n_steps)
		qsort(p->steps, p->n_steps, sizeof(*p->steps), compare_steps);
	return (struct site_lists){.series = p->series,
		.n_series = p->n_series,
		.benchmarks = p->benchmarks,
		.n_benchmarks = p->n_benchmarks,
		.suites = p->suites,
		.n_suites = p->n_suites,
		.steps = p->steps,
		.n_steps = p->n_steps,
		.gates = p->gates,
		.n_gates = p->n_gates};
}

/* ---- files ---- */

static const struct {
	const char *path;
	void (*write)(struct buf *b, const struct site *s, const struct site_lists *l);
} whole[] = {
	{"index.html", overview_page},
	{"overview.md", overview_markdown},
	{"overview.csv", overview_csv},
	{"overview.json", overview_json},
	{"metrics.txt", overview_openmetrics},
	{"feed.xml", feed},
	{"compare/index.html", compare_page},
};

static const struct {
	const char *ending;
	void (*write)(struct buf *b, const struct site *s, const struct site_lists *l,
		const struct site_suite *x);
} of_suite[] = {
	{".html", suite_page},
	{".md", suite_markdown},
	{".csv", suite_csv},
	{".json", suite_json},
	{".txt", suite_openmetrics},
};

static int write_suite(struct publishing *p, const struct site_lists *l, const struct site_suite *x,
	struct err *err)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;
	size_t i;

	for (i = 0; i < ARRAY_LEN(of_suite); i++) {
		buf_clear(&path);
		site_suite_path(&path, x->name, of_suite[i].ending);
		of_suite[i].write(&p->page, &p->site, l, x);
		if (publish_put(p, path.p, err) < 0)
			return -1;
	}
	buf_clear(&path);
	site_badge_path(&path, x->name);
	badge(&p->page, l, x);
	return publish_put(p, path.p, err);
}

static int write_data(struct publishing *p, const struct site_lists *l, struct err *err)
{
	data_commits(&p->page, &p->site);
	if (publish_put(p, "data/commits.json", err) < 0)
		return -1;
	data_search(&p->page, l);
	return publish_put(p, "data/search.json", err);
}

int publish_lists(struct publishing *p, struct err *err)
{
	const struct site_lists l = make_lists(p);
	size_t i;

	for (i = 0; i < ARRAY_LEN(whole); i++) {
		whole[i].write(&p->page, &p->site, &l);
		if (publish_put(p, whole[i].path, err) < 0)
			return -1;
	}
	badge(&p->page, &l, NULL);
	if (publish_put(p, "badge/all.svg", err) < 0)
		return -1;
	for (i = 0; i < l.n_suites; i++)
		if (write_suite(p, &l, &l.suites[i], err) < 0)
			return -1;
	return write_data(p, &l, err);
}
