#include "naming-map.h"

#include "digest.h"
#include "intern.h"
#include "pattern.h"
#include "sink.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct map {
	struct pattern *pattern;
	char *suite, *benchmark, *metric;
};

/* What the store has under a key; its strings are the store's. */
struct found {
	const char *benchmark;
	struct metric metric;
	bool benchmarks, metrics; /* there are several that differ */
};

struct index {
	struct intern *keys;
	struct found *v;
	size_t n;
};

struct naming_map {
	struct naming naming;
	struct map *maps;
	size_t n_maps;
	struct buf benchmark, metric, key;
	struct store *store;
	const char *component;
	bool loaded;
	struct intern *series; /* all that the store has */
	struct index qualified, metrics;
};

/* ---- --map ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* The first '=' that a suite and a ':' follow. */
static const char *find_target(const char *text)
{
	const char *p, *q;

	for (p = strchr(text, '='); p; p = strchr(p + 1, '=')) {
		for (q = p + 1; is_word(*q); q++)
			;
		if (q > p + 1 && *q == ':' && strchr(q + 1, ':'))
			return p;
	}
	return NULL;
}

static int parse_map(struct map *m, const char *text, struct err *err)
{
	const char *target = find_target(text), *benchmark, *metric;
	_cleanup_(freep) char *regex = NULL;

	if (!target || target == text)
		return err_set(err, ERR_USAGE,
			"--map '%.200s': expected REGEX=SUITE:BENCHMARK:METRIC", text);
	benchmark = strchr(target, ':') + 1;
	metric = strrchr(benchmark, ':') + 1;
	if (metric == benchmark + 1 || !*metric)
		return err_set(err, ERR_USAGE, "--map '%.200s': an empty name", text);
	regex = xasprintf("\\A(?:%.*s)\\z", (int)(target - text), text);
	m->suite = xstrndup(target + 1, (size_t)(benchmark - target) - 2);
	m->benchmark = xstrndup(benchmark, (size_t)(metric - benchmark) - 1);
	m->metric = xstrdup(metric);
	m->pattern = pattern_new(regex, err);
	if (!m->pattern || pattern_check_replacement(m->pattern, m->benchmark, err) < 0 ||
		pattern_check_replacement(m->pattern, m->metric, err) < 0)
		return err_prefix(err, "--map '%.200s'", text);
	return 0;
}

static int map_name(struct naming *n, const char *name, struct mapped *ret, struct err *err)
{
	struct naming_map *m = (struct naming_map *)n;
	size_t i, len = strlen(name);
	int r = 0;

	for (i = 0; i < m->n_maps && r == 0; i++) {
		const struct map *map = &m->maps[i];
		r = pattern_replace(
			map->pattern, name, len, map->benchmark, SINK_NAME_MAX, &m->benchmark, err);
		if (r > 0)
			r = pattern_replace(map->pattern, name, len, map->metric, SINK_NAME_MAX,
				&m->metric, err);
		if (r > 0)
			*ret = (struct mapped){
				map->suite, buf_str(&m->benchmark), buf_str(&m->metric)};
	}
	return r < 0 ? err_prefix(err, "--map") : r;
}

/* ---- the store's names ---- */

static void index_add(struct index *x, const struct buf *key, const struct store_series *s)
{
	uint32_t id = intern_add(x->keys, key->p, key->len);
	struct found *f;

	x->v = xgrow_to(x->v, &x->n, id, sizeof(*x->v));
	f = &x->v[id];
	if (!f->benchmark)
		*f = (struct found){.benchmark = s->benchmark, .metric = s->metric};
	f->benchmarks |= strcmp(f->benchmark, s->benchmark) != 0;
	f->metrics |= strcmp(f->metric.unit, s->metric.unit) != 0 ||
		      strcmp(f->metric.quantity, s->metric.quantity) != 0 ||
		      f->metric.direction != s->metric.direction;
}

static const struct found *index_find(const struct index *x, const struct buf *key)
{
	uint32_t id = intern_find(x->keys, key->p, key->len);

	return id == INTERN_NONE ? NULL : &x->v[id];
}

static const struct buf *key_of(struct naming_map *m, const char *suite, const char *name)
{
	buf_clear(&m->key);
	buf_add(&m->key, suite, strlen(suite) + 1);
	buf_addstr(&m->key, name);
	return &m->key;
}

static const struct buf *series_key(struct naming_map *m, const char *suite, const char *benchmark,
	const struct metric *metric, const char *variant, const char *runner_key)
{
	buf_clear(&m->key);
	buf_add(&m->key, suite, strlen(suite) + 1);
	buf_add(&m->key, runner_key, strlen(runner_key) + 1);
	digest_canonical(&m->key, benchmark, metric, variant);
	return &m->key;
}

/* A name of Go behind its package: what follows the first dot before "Benchmark". */
static const char *unqualified(const char *benchmark)
{
	const char *dot = strstr(benchmark, ".Benchmark");

	return dot ? dot + 1 : NULL;
}

/* The name without "COMPONENT/"; NULL: it is of another component. */
static const char *of_component(const struct naming_map *m, const char *benchmark)
{
	size_t n = m->component ? strlen(m->component) : 0;

	if (!n)
		return benchmark;
	return !strncmp(benchmark, m->component, n) && benchmark[n] == '/' ? benchmark + n + 1
									   : NULL;
}

static int load_series(void *ctx, const struct store_series *s, struct err *err)
{
	struct naming_map *m = ctx;
	struct store_series own = *s;
	const char *runner = store_runner_key(m->store, s->runner_id, err), *bare;
	const struct buf *key;

	if (!runner)
		return -1;
	key = series_key(m, s->suite, s->benchmark, &s->metric, s->variant, runner);
	intern_add(m->series, key->p, key->len);
	index_add(&m->metrics, key_of(m, s->suite, s->metric.name), s);
	own.benchmark = of_component(m, s->benchmark);
	bare = own.benchmark ? unqualified(own.benchmark) : NULL;
	if (bare)
		index_add(&m->qualified, key_of(m, s->suite, bare), &own);
	return 0;
}

int naming_map_load(struct naming_map *m, struct err *err)
{
	if (m->loaded || !m->store)
		return 0;
	m->loaded = true;
	return store_each_series(m->store, load_series, m, err);
}

static const char *qualified(struct naming *n, const char *suite, const char *name)
{
	struct naming_map *m = (struct naming_map *)n;
	const struct found *f = index_find(&m->qualified, key_of(m, suite, name));

	return f && !f->benchmarks ? f->benchmark : NULL;
}

static const struct metric *known_metric(struct naming *n, const char *suite, const char *name)
{
	struct naming_map *m = (struct naming_map *)n;
	const struct found *f = index_find(&m->metrics, key_of(m, suite, name));

	return f && !f->metrics ? &f->metric : NULL;
}

bool naming_map_has(struct naming_map *m, const char *suite, const char *benchmark,
	const struct metric *metric, const char *variant, const char *runner_key)
{
	const struct buf *key = series_key(m, suite, benchmark, metric, variant, runner_key);

	return intern_find(m->series, key->p, key->len) != INTERN_NONE;
}

/* ---- life ---- */

struct naming_map *naming_map_new(const char *const *maps, size_t n, struct store *store,
	const char *component, struct err *err)
{
	struct naming_map *m = xcalloc(1, sizeof(*m));

	m->naming = (struct naming){map_name, qualified, known_metric};
	m->store = store;
	m->component = component;
	m->series = intern_new();
	m->qualified.keys = intern_new();
	m->metrics.keys = intern_new();
	m->maps = xcalloc(n, sizeof(*m->maps));
	for (; m->n_maps < n; m->n_maps++) {
		if (parse_map(&m->maps[m->n_maps], maps[m->n_maps], err) == 0)
			continue;
		m->n_maps++;
		naming_map_free(m);
		return NULL;
	}
	return m;
}

void naming_map_free(struct naming_map *m)
{
	size_t i;

	if (!m)
		return;
	for (i = 0; i < m->n_maps; i++) {
		pattern_free(m->maps[i].pattern);
		free(m->maps[i].suite);
		free(m->maps[i].benchmark);
		free(m->maps[i].metric);
	}
	free(m->maps);
	intern_free(m->series);
	intern_free(m->qualified.keys);
	intern_free(m->metrics.keys);
	free(m->qualified.v);
	free(m->metrics.v);
	buf_release(&m->benchmark);
	buf_release(&m->metric);
	buf_release(&m->key);
	free(m);
}

struct naming *naming_map_naming(struct naming_map *m)
{
	return &m->naming;
}
