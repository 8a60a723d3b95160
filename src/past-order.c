#include "past-order.h"

#include "intern.h"

#include <stdlib.h>
#include <string.h>

static const char suite[] = "clpeak";

bool past_is_by_time(const struct series_key *k)
{
	return !strcmp(k->suite, suite);
}

static void note_run(struct session_times *t, const struct store_run *r)
{
	const uint32_t n = intern_count(t->names);
	const uint32_t at = intern_add(t->names, r->session, strlen(r->session));
	const int64_t time = store_run_time(r);

	if (at == n) {
		t->at = xgrow(t->at, n, &t->cap, sizeof(*t->at));
		t->at[n] = time;
	} else if (time < t->at[at]) {
		t->at[at] = time;
	}
}

static void fill(struct session_times *t, const struct line *l)
{
	size_t i, k;

	t->names = intern_new();
	for (i = 0; i < l->n; i++)
		for (k = 0; k < l->v[i].runs.n; k++)
			if (!strcmp(l->v[i].runs.v[k].suite, suite))
				note_run(t, &l->v[i].runs.v[k]);
}

void session_times_release(struct session_times *t)
{
	intern_free(t->names);
	free(t->at);
	*t = (struct session_times){0};
}

struct timed {
	struct observation o;
	uint32_t session;
	int64_t at;
	size_t pos;
};

static int compare(const void *pa, const void *pb)
{
	const struct timed *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	return a->pos < b->pos ? -1 : a->pos > b->pos;
}

size_t past_by_time(struct session_times *t, const struct line *l, struct observation *v, size_t n)
{
	struct timed *all = xcalloc(n, sizeof(*all));
	size_t i, left = 0;

	if (!t->names)
		fill(t, l);
	for (i = 0; i < n; i++) {
		all[i] = (struct timed){.o = v[i], .pos = i};
		all[i].session = intern_find(t->names, v[i].session, strlen(v[i].session));
		all[i].at = all[i].session == INTERN_NONE ? 0 : t->at[all[i].session];
	}
	if (n)
		qsort(all, n, sizeof(*all), compare);
	for (i = 0; i < n; i++)
		if (i + 1 == n || all[i].session != all[i + 1].session)
			v[left++] = all[i].o;
	free(all);
	return left;
}
