#include "series-pick.h"

#include <stdlib.h>
#include <string.h>

enum { PICKS_MAX = 50, NAMED_MAX = 300 };

void series_pick_init(struct series_pick *p, const char *text)
{
	*p = (struct series_pick){.text = text};
	p->pattern = pattern_new(text, &p->bad);
}

static void clear(struct series_pick *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->v[i].suite);
		free(p->v[i].benchmark);
		free(p->v[i].metric);
		free(p->v[i].name);
	}
	p->n = 0;
}

void series_pick_release(struct series_pick *p)
{
	clear(p);
	free(p->v);
	pattern_free(p->pattern);
	*p = (struct series_pick){0};
}

static bool has(const struct series_pick *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!strcmp(p->v[i].name, name))
			return true;
	return false;
}

int series_pick_add(struct series_pick *p, const char *suite, const char *benchmark,
	const char *metric, struct err *err)
{
	_cleanup_(freep) char *name = xasprintf("%s:%s:%s", suite, benchmark, metric);
	const bool exact = !strcmp(name, p->text);
	int match = exact        ? 1
		    : p->exact   ? 0
		    : p->pattern ? pattern_match(p->pattern, name, strlen(name), err)
				 : 0;

	if (match <= 0)
		return match;
	if (exact && !p->exact)
		clear(p);
	p->exact |= exact;
	if (has(p, name) || p->n == PICKS_MAX)
		return 0;
	p->v = xgrow(p->v, p->n, &p->cap, sizeof(*p->v));
	p->v[p->n++] =
		(struct picked){xstrdup(suite), xstrdup(benchmark), xstrdup(metric), xstrdup(name)};
	return 0;
}

const struct picked *series_pick_one(const struct series_pick *p, struct err *err)
{
	_cleanup_(buf_release) struct buf names = BUF_INIT;
	size_t i;

	if (p->n == 1)
		return p->v;
	if (p->n == 0 && !p->pattern)
		err_set(err, ERR_USAGE, "%s", p->bad.msg);
	if (p->n == 0)
		return NULL;
	for (i = 0; i < p->n && names.len < NAMED_MAX; i++)
		buf_addf(&names, "%s'%.120s'", i ? ", " : "", p->v[i].name);
	err_set(err, ERR_USAGE, "'%.60s' stands for %s%zu series, and has to stand for one: %s%s",
		p->text, p->n == PICKS_MAX ? "at least " : "", p->n, names.p,
		i < p->n ? ", ..." : "");
	return NULL;
}
