#include "each-series.h"

#include "json-out.h"
#include "measured.h"

#include <string.h>

struct walk {
	struct store *s;
	struct policy *p;
	struct pattern *only;
	struct intern *names;
	int (*row)(void *ctx, const struct series_key *key, const struct store_series *stored,
		struct err *err);
	void *ctx;
};

static int visit(void *ctx, const struct store_series *x, struct err *err)
{
	_cleanup_(buf_release) struct buf present = BUF_INIT;
	struct walk *w = ctx;
	struct series_key key = stored_key(x, store_runner_key(w->s, x->runner_id, err));
	int r;

	if (!key.runner)
		return -1;
	r = policy_rename(w->p, x->suite, x->benchmark, &present, err);
	if (r < 0)
		return -1;
	if (r)
		key.benchmark = intern_get(
			w->names, intern_add(w->names, buf_str(&present), present.len), NULL);
	r = w->only ? pattern_match(w->only, key.benchmark, strlen(key.benchmark), err) : 1;
	return r == 1 ? w->row(w->ctx, &key, x, err) : r;
}

int each_series(struct store *s, struct policy *p, struct pattern *only, struct intern *names,
	int (*row)(void *ctx, const struct series_key *key, const struct store_series *stored,
		struct err *err),
	void *ctx, struct err *err)
{
	struct walk w = {s, p, only, names, row, ctx};

	return store_each_series(s, visit, &w, err);
}

void json_series_key(struct buf *b, const struct series_key *k)
{
	json_string(b, "suite", k->suite);
	json_string(b, "benchmark", k->benchmark);
	json_string(b, "metric", k->metric);
	json_string(b, "unit", k->unit);
	json_string(b, "variant", k->variant);
	json_string(b, "runner", k->runner);
}
