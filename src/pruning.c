#include "pruning.h"

#include "intern.h"

#include <stdlib.h>
#include <string.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

enum { WEEK = 7, FOUR_WEEKS = 28, YEAR = 365, YEARS_MAX = 200 };

static const char probe[] = "clpeak";

/* ---- the rule ---- */

int prune_rule_parse(const char *keep, struct prune_rule *ret, struct err *err)
{
	static const struct {
		const char *name;
		int64_t days;
	} units[] = {{"d", 1}, {"w", WEEK}, {"y", YEAR}};
	const size_t digits = strspn(keep, "0123456789");
	int64_t n = 0;
	size_t i;

	if (digits && digits < 10)
		n = strtol(keep, NULL, 10);
	if (n > 0 && !keep[digits]) {
		ret->newest = n;
		return 0;
	}
	for (i = 0; n > 0 && i < ARRAY_LEN(units); i++) {
		if (strcmp(keep + digits, units[i].name) != 0 ||
			n > YEARS_MAX * YEAR / units[i].days)
			continue;
		ret->older_ns = n * units[i].days * DAY_NS;
		return 0;
	}
	return err_set(err, ERR_USAGE,
		"--keep %.40s: expected how long (90d, 26w, 2y) or how many commits (200)", keep);
}

/* ---- what belongs together ---- */

/* A run on its way: numbers in place of names. */
struct item {
	struct pruned *p;
	int64_t time;
	uint32_t line;   /* of its suite, component, runner and branch */
	uint32_t commit; /* of line and commit */
	int64_t bucket;
	int64_t late; /* the bucket of a commit that was measured long after it was made */
};

static uint32_t number_of(struct intern *names, const char *const *parts, size_t n)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		buf_add(&b, parts[i], strlen(parts[i]) + 1);
	return intern_add(names, b.p, b.len);
}

/* Runs of changed work trees are a line of their own. */
static void fill(struct item *items, struct pruned *v, size_t n, struct intern *names)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct store_run *r = v[i].run;
		const char *const parts[] = {strcmp(r->tree_state, "clean") ? "dirty" : "clean",
			r->suite, r->component, r->runner_key, v[i].branch, r->sha};
		items[i] = (struct item){.p = &v[i],
			.time = store_run_time(r),
			.line = number_of(names, parts, ARRAY_LEN(parts) - 1),
			.commit = number_of(names, parts, ARRAY_LEN(parts))};
	}
}

/* ---- what is old ---- */

static int compare_newest(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->commit > b->commit) - (a->commit < b->commit);
}

static void sort(struct item *items, size_t n, int (*compare)(const void *, const void *))
{
	if (n)
		qsort(items, n, sizeof(*items), compare);
}

/* A commit stands where it was measured last. */
static void mark_by_number(struct item *items, size_t n, uint32_t names, int64_t newest)
{
	_cleanup_(freep) int64_t *rank = xcalloc(names, sizeof(*rank));
	int64_t commits = 0;
	size_t i;

	sort(items, n, compare_newest);
	for (i = 0; i < n; i++) {
		if (!i || items[i].line != items[i - 1].line)
			commits = 0;
		if (!rank[items[i].commit])
			rank[items[i].commit] = ++commits;
		items[i].p->old = rank[items[i].commit] > newest;
	}
}

static void mark_by_age(struct item *items, size_t n, const struct prune_rule *rule)
{
	size_t i;

	for (i = 0; i < n; i++)
		items[i].p->old = items[i].time < rule->now - rule->older_ns;
}

/* ---- what stays of it ---- */

static int64_t bucket_of(int64_t time, int64_t now)
{
	const int64_t days = time > now - YEAR * DAY_NS ? WEEK : FOUR_WEEKS;
	const int64_t day = time / DAY_NS - (time < 0);

	/* weeks and four weeks are told apart by their sign */
	return days == WEEK ? day / days : -1 - day / days;
}

static int compare_buckets(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	if (a->late != b->late)
		return a->late < b->late ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->commit > b->commit) - (a->commit < b->commit);
}

/* A past that was measured at once goes by its own weeks; 0: measured when it was made. */
static int64_t late_bucket(const struct item *x, int64_t now)
{
	const int64_t at = x->p->run->committed_at;

	return at == TIME_UNKNOWN || at > x->time - FOUR_WEEKS * DAY_NS ? 0 : bucket_of(at, now);
}

static bool same_bucket(const struct item *a, const struct item *b)
{
	return a->line == b->line && a->bucket == b->bucket && a->late == b->late;
}

/* The first commit of each stretch of time: the next call finds it there again. */
static void mark_thinned(struct item *items, size_t n, int64_t now)
{
	uint32_t first = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		items[i].bucket = bucket_of(items[i].time, now);
		items[i].late = late_bucket(&items[i], now);
	}
	sort(items, n, compare_buckets);
	for (i = 0; i < n; i++) {
		if (!i || !same_bucket(&items[i], &items[i - 1]))
			first = items[i].commit;
		if (items[i].p->old && items[i].commit == first)
			items[i].p->stays |= STAYS_THINNED;
	}
}

static bool stays(const struct pruned *p)
{
	return !p->old || p->stays;
}

static uint32_t find_or_add(struct intern *in, bool add, const char *a, const char *b)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;

	buf_add(&key, a, strlen(a) + 1);
	buf_addstr(&key, b);
	return add ? intern_add(in, key.p, key.len) : intern_find(in, key.p, key.len);
}

/* One pass over runs that stay, and one over those that would not. */
static void mark_together(struct pruned *v, size_t n, bool probes)
{
	struct intern *whole = intern_new();
	size_t i;

	for (i = 0; i < n; i++)
		if (stays(&v[i]))
			find_or_add(whole, true, v[i].run->session, probes ? "" : v[i].run->sha);
	for (i = 0; i < n; i++) {
		const struct store_run *r = v[i].run;
		if (stays(&v[i]) || (probes && (strcmp(r->suite, probe) != 0 || !*r->session)))
			continue;
		if (find_or_add(whole, false, r->session, probes ? "" : r->sha) != INTERN_NONE)
			v[i].stays |= STAYS_SESSION;
	}
	intern_free(whole);
}

void prune_decide(struct pruned *v, size_t n, const struct prune_rule *rule)
{
	_cleanup_(freep) struct item *items = xcalloc(n + 1, sizeof(*items));
	struct intern *names = intern_new();

	fill(items, v, n, names);
	if (rule->newest)
		mark_by_number(items, n, intern_count(names), rule->newest);
	else
		mark_by_age(items, n, rule);
	if (rule->thin)
		mark_thinned(items, n, rule->now);
	mark_together(v, n, false);
	mark_together(v, n, true);
	intern_free(names);
}
