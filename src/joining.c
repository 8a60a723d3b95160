#include "joining.h"

#include "intern.h"

#include <stdlib.h>
#include <string.h>

struct joining {
	struct batch *b;
	const struct placing *placings;
	struct intern *keys; /* suite, runner and series; by the same number: */
	struct joined *v;
	size_t cap;
	struct buf key;
};

static struct joined *find(struct joining *j, int run, uint32_t series)
{
	const struct run_head *head = &batch_run(j->b, (size_t)run)->head;
	const struct placing *p = &j->placings[run];
	uint32_t count = intern_count(j->keys), id;
	struct joined *v;

	buf_clear(&j->key);
	buf_add(&j->key, head->suite, strlen(head->suite) + 1);
	buf_add(&j->key, p->runner_key, strlen(p->runner_key) + 1);
	buf_add(&j->key, &series, sizeof(series));
	id = intern_add(j->keys, j->key.p, j->key.len);
	if (id == count) {
		j->v = xgrow(j->v, id, &j->cap, sizeof(*j->v));
		j->v[id] = (struct joined){.suite = head->suite,
			.runner_key = p->runner_key,
			.origin = batch_origin(j->b, series),
			.first = p->sha};
		batch_series(j->b, series, &j->v[id].series);
	}
	v = &j->v[id];
	v->last = p->sha;
	return v;
}

static int add_row(
	void *ctx, int run, uint32_t series, int64_t ordinal, struct num value, struct err *err)
{
	(void)ordinal;
	(void)value;
	(void)err;
	find(ctx, run, series)->points++;
	return 0;
}

int joining_find(struct batch *b, const struct placing *placings, struct naming_map *m,
	struct joined **ret, size_t *n, struct err *err)
{
	struct joining j = {.b = b, .placings = placings, .keys = intern_new()};
	const struct batch_absence *absences;
	size_t i, n_absences = batch_absences(b, &absences);
	int r = batch_each(b, add_row, &j, err);

	for (i = 0; r == 0 && i < n_absences; i++)
		find(&j, absences[i].run, absences[i].series)->absences++;
	*n = intern_count(j.keys);
	for (i = 0; r == 0 && i < *n; i++) {
		struct joined *v = &j.v[i];
		v->known = naming_map_has(m, v->suite, v->series.benchmark, &v->series.metric,
			v->series.variant, v->runner_key);
		if (v->origin && !strcmp(v->origin, v->series.benchmark))
			v->origin = NULL;
	}
	intern_free(j.keys);
	buf_release(&j.key);
	*ret = j.v;
	return r;
}
