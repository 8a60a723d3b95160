#include "renamed.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

/* A series, and which sides have it. */
struct lone {
	const struct judged *j;
	bool gone, new;
};

/* A benchmark that only one side has, and its values as text. */
struct candidate {
	const char *suite, *benchmark;
	bool gone;
	size_t values;
	struct buf text;
};

struct candidates {
	struct candidate *v;
	size_t n, cap;
};

static int compare_lone(const void *pa, const void *pb)
{
	const struct lone *a = pa, *b = pb;

	return series_key_compare(&a->j->pair->key, &b->j->pair->key);
}

static bool same_benchmark(const struct lone *a, const struct lone *b)
{
	return !strcmp(a->j->pair->key.suite, b->j->pair->key.suite) &&
	       !strcmp(a->j->pair->key.benchmark, b->j->pair->key.benchmark);
}

/* Zeros agree by themselves: they count, but a benchmark of nothing else says nothing. */
static void add_value(struct candidate *c, const struct lone *l)
{
	const struct series_key *k = &l->j->pair->key;
	const struct decimal value = l->gone ? l->j->base_exact : l->j->head_exact;

	buf_add(&c->text, k->metric, strlen(k->metric) + 1);
	buf_add(&c->text, k->unit, strlen(k->unit) + 1);
	buf_add(&c->text, k->variant, strlen(k->variant) + 1);
	decimal_format(&c->text, value);
	buf_addch(&c->text, '\n');
	c->values += decimal_sign(value) != 0;
}

static struct candidate *new_candidate(struct candidates *c, const struct lone *l)
{
	c->v = xgrow(c->v, c->n, &c->cap, sizeof(*c->v));
	c->v[c->n] = (struct candidate){.suite = l->j->pair->key.suite,
		.benchmark = l->j->pair->key.benchmark,
		.gone = l->gone};
	return &c->v[c->n++];
}

/* Benchmarks that both sides have part of are no candidates. */
static void collect(struct candidates *c, const struct lone *v, size_t n)
{
	size_t i, first;

	for (first = 0; first < n; first = i) {
		bool one_sided = true;
		struct candidate *new;
		for (i = first; i < n && same_benchmark(&v[first], &v[i]); i++)
			one_sided &= v[i].gone == v[first].gone && v[i].new == v[first].new;
		if (!one_sided || v[first].gone == v[first].new)
			continue;
		new = new_candidate(c, &v[first]);
		for (size_t k = first; k < i; k++)
			if (v[k].j->decision.judge == JUDGE_EXACT)
				add_value(new, &v[k]);
	}
}

static int compare_values(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;
	int r = strcmp(a->suite, b->suite);

	if (r)
		return r;
	if (a->text.len != b->text.len)
		return a->text.len < b->text.len ? -1 : 1;
	r = memcmp(a->text.p, b->text.p, a->text.len);
	return r ? r : strcmp(a->benchmark, b->benchmark);
}

static bool agree(const struct candidate *a, const struct candidate *b)
{
	return !strcmp(a->suite, b->suite) && a->text.len == b->text.len &&
	       !memcmp(a->text.p, b->text.p, a->text.len);
}

static size_t match(const struct candidates *c, struct renamed *ret)
{
	size_t i, first, n = 0;

	for (first = 0; first < c->n; first = i) {
		const struct candidate *a = &c->v[first], *b = a + 1;
		for (i = first + 1; i < c->n && agree(a, &c->v[i]);)
			i++;
		if (i - first == 2 && a->gone != b->gone && a->values)
			ret[n++] = (struct renamed){a->suite, a->gone ? a->benchmark : b->benchmark,
				a->gone ? b->benchmark : a->benchmark, a->values};
	}
	return n;
}

/* Returns how many series there are; 0 unless something is gone and something new. */
static size_t find_lone(const struct judged *j, size_t n, struct lone *ret)
{
	bool gone = false, new = false;
	size_t i, m = 0;

	for (i = 0; i < n; i++) {
		const struct pair *p = j[i].pair;
		if (p->not_measured || (!p->head.n && !p->base.n))
			continue;
		ret[m] = (struct lone){&j[i], !p->head.n, !p->base.n};
		gone |= ret[m].gone;
		new |= ret[m++].new;
	}
	return gone && new ? m : 0;
}

size_t renamed_find(const struct judged *j, size_t n, struct renamed **ret)
{
	struct lone *lone = xmalloc(n * sizeof(*lone));
	struct candidates c = {0};
	size_t i, m = find_lone(j, n, lone);

	if (m)
		qsort(lone, m, sizeof(*lone), compare_lone);
	collect(&c, lone, m);
	free(lone);
	if (c.n)
		qsort(c.v, c.n, sizeof(*c.v), compare_values);
	*ret = xmalloc(c.n * sizeof(**ret));
	m = match(&c, *ret);
	for (i = 0; i < c.n; i++)
		buf_release(&c.v[i].text);
	free(c.v);
	return m;
}
