/* What the scripts read; site/assets/README.md has the forms. */
#include "tables.h"

#include "intern.h"
#include "json-out.h"
#include "num.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void data_commits(struct buf *b, const struct site *s)
{
	size_t i;

	buf_addch(b, '{');
	json_tight_string(b, "commit_url", s->commit_url);
	buf_addf(b, ",\"compare_from\":%u,\"commits\":[", (unsigned)s->compare_from);
	for (i = 0; i < s->n_commits; i++) {
		const struct site_commit *c = &s->commits[i];
		buf_addstr(b, i ? ",\n[" : "\n[");
		text_json_str(b, c->sha);
		if (c->at == TIME_UNKNOWN)
			buf_addstr(b, ",null]");
		else
			buf_addf(b, ",%lld]", (long long)(c->at / 1000000000));
	}
	buf_addstr(b, "\n]}\n");
}

static void add_benchmark(struct buf *b, const struct site_benchmark *x)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;

	site_benchmark_path(&path, x->suite, x->name);
	text_json_str(b, x->name);
	buf_addch(b, ',');
	text_json_str(b, path.p);
	buf_addch(b, ']');
}

void data_search(struct buf *b, const struct site_lists *l)
{
	size_t i;

	buf_addch(b, '[');
	for (i = 0; i < l->n_benchmarks; i++) {
		buf_addstr(b, i ? ",\n[" : "\n[");
		text_json_str(b, l->benchmarks[i].suite);
		buf_addch(b, ',');
		add_benchmark(b, &l->benchmarks[i]);
	}
	buf_addstr(b, "\n]\n");
}

/* ---- the series, as numbers of texts that they share ---- */

static uint32_t number(struct intern *in, const char *s)
{
	return intern_add(in, s, strlen(s));
}

static uint32_t number_of_metric(struct intern *in, const struct site_series *x)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	text_json_str(&b, x->key.metric);
	buf_addch(&b, ',');
	text_json_str(&b, x->key.unit);
	buf_addf(&b, ",\"%s\"", direction_name(x->direction));
	return intern_add(in, b.p, b.len);
}

static void add_texts(struct buf *b, const char *key, const struct intern *in)
{
	uint32_t i;

	json_tight_key(b, key);
	buf_addch(b, '[');
	for (i = 0; i < intern_count(in); i++) {
		buf_addstr(b, i ? "," : "");
		text_json_str(b, intern_get(in, i, NULL));
	}
	buf_addch(b, ']');
}

static void add_metrics(struct buf *b, const struct intern *in)
{
	uint32_t i;

	json_tight_key(b, "metrics");
	buf_addch(b, '[');
	for (i = 0; i < intern_count(in); i++)
		buf_addf(b, "%s[%s]", i ? "," : "", intern_get(in, i, NULL));
	buf_addch(b, ']');
}

static void add_noise(struct buf *b, const struct site_series *x)
{
	if (x->exact)
		buf_addch(b, '0');
	else if (x->logarithmic && isfinite(x->noise))
		buf_addf(b, "%.3g", x->noise);
	else
		buf_addstr(b, "null");
}

static void add_benchmarks(struct buf *b, const struct site_lists *l, struct intern *suites)
{
	size_t i;

	json_tight_key(b, "benchmarks");
	buf_addch(b, '[');
	for (i = 0; i < l->n_benchmarks; i++) {
		buf_addf(b, "%s[%u,", i ? ",\n" : "\n",
			(unsigned)number(suites, l->benchmarks[i].suite));
		add_benchmark(b, &l->benchmarks[i]);
	}
	buf_addch(b, ']');
}

void data_series(struct buf *b, const struct site_lists *l, const uint32_t *order)
{
	struct intern *suites = intern_new(), *metrics = intern_new(), *variants = intern_new(),
		      *runners = intern_new();
	_cleanup_(buf_release) struct buf series = BUF_INIT;
	size_t i;

	buf_addch(b, '{');
	add_benchmarks(b, l, suites);
	for (i = 0; i < l->n_series; i++) {
		const struct site_series *x = &l->series[order[i]];
		const uint32_t metric = number_of_metric(metrics, x);
		const uint32_t variant = number(variants, x->key.variant);
		buf_addf(&series, "%s[%u,%u,%u,%u,", i ? ",\n" : "\n", (unsigned)x->benchmark,
			(unsigned)metric, (unsigned)variant,
			(unsigned)number(runners, x->key.runner));
		add_noise(&series, x);
		buf_addch(&series, ']');
	}
	add_texts(b, "suites", suites);
	add_metrics(b, metrics);
	add_texts(b, "variants", variants);
	add_texts(b, "runners", runners);
	buf_addf(b, ",\n\"series\":[%s\n]}\n", buf_str(&series));
	intern_free(suites);
	intern_free(metrics);
	intern_free(variants);
	intern_free(runners);
}
