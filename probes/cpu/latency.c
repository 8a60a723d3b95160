#include "latency.h"

#include "caches.h"
#include "circle.h"
#include "pool.h"

#include <string.h>
#include <unistd.h>

enum { CURSORS_MAX = 32, TLB_PAGES = 16384, TLB_PAGES_MIN = 4096 };
#define DRAM_LEAST (INT64_C(256) << 20)

/* level 0 is main memory. */
static const struct place {
	const char *id, *description;
	int level;
	enum circle_order order;
	int cursors; /* walks at once */
	bool pages;  /* a line of each page */
} places[] = {
	{"L1", "half of the L1 cache, at random", 1, CIRCLE_RANDOM, 1, false},
	{"L2", "half of the L2 cache, at random", 2, CIRCLE_RANDOM, 1, false},
	{"L3", "half of the L3 cache, at random; in small pages", 3, CIRCLE_RANDOM, 1, false},
	{"DRAM", "the working set, at random; in small pages", 0, CIRCLE_RANDOM, 1, false},
	{"DRAM linear", "the working set, in the order of its addresses", 0, CIRCLE_LINEAR, 1,
		false},
	{"DRAM x8", "a load when 8 walks go on at once", 0, CIRCLE_RANDOM, 8, false},
	{"DRAM x32", "a load when 32 walks go on at once", 0, CIRCLE_RANDOM, 32, false},
	{"TLB miss", "a line of each of 16384 small pages, in a cache", 0, CIRCLE_RANDOM, 1, true},
};

static int64_t cache_size(int level)
{
	struct caches c = {0};

	caches_find(&c);
	return level == 1 ? c.l1d : level == 2 ? c.l2 : c.l3;
}

/* Four times what the last cache holds, where that much is allowed. */
static int64_t dram_set(const struct settings *s)
{
	int64_t most = memory_set(s), set = DRAM_LEAST;

	while (set < 4 * memory_last_cache() && set < most)
		set *= 2;
	return set < most ? set : most;
}

static int64_t place_bytes(const struct place *p, const struct settings *s)
{
	int64_t half = p->level ? cache_size(p->level) / 2 : dram_set(s);

	return half < memory_set(s) ? half : memory_set(s);
}

/* How many nodes, and how far apart. */
static int64_t nodes(const struct place *p, const struct settings *s, size_t *ret_stride)
{
	int64_t page = sysconf(_SC_PAGESIZE), n = memory_set(s) / (page + 4);

	*ret_stride = p->pages ? (size_t)page : CIRCLE_NODE;
	if (!p->pages)
		return circle_fit(place_bytes(p, s));
	return n < TLB_PAGES ? n : TLB_PAGES;
}

struct walk {
	void **at[CURSORS_MAX];
	int cursors;
};

static void slice(void *arg, int thread, int64_t iterations)
{
	struct walk *w = arg;

	(void)thread;
	if (w->cursors == 1)
		w->at[0] = circle_walk(w->at[0], iterations);
	else
		circle_walk_many(w->at, w->cursors, iterations);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	(void)err;
	*ret_seconds = pool_run(1, slice, arg, iterations);
	return 0;
}

static void walk(const struct place *p, int64_t n, size_t stride, const struct settings *s,
	struct outcome *ret)
{
	_cleanup_(circle_release) struct circle c = CIRCLE_INIT;
	struct walk w = {.cursors = p->cursors};
	struct err err = ERR_INIT;

	if (circle_check_walks(&err) < 0 || circle_build(&c, n, stride, p->order, &err) < 0 ||
		circle_check(&c, w.at, w.cursors, &err) < 0)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	else
		outcome_time(ret, s, batch, &w, w.cursors, 0);
}

static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct place *p = data;
	size_t stride;
	int64_t n = nodes(p, s, &stride);

	if (p->level && cache_size(p->level) == 0)
		outcome_refuse(ret, OUTCOME_UNSUPPORTED,
			"no L%d cache, or none that the system tells of", p->level);
	else if (n < (p->pages ? TLB_PAGES_MIN : CURSORS_MAX))
		outcome_refuse(ret, OUTCOME_SKIPPED, "%lld %s are too few, and more not allowed",
			(long long)n, p->pages ? "pages" : "nodes");
	else
		walk(p, n, stride, s, ret);
}

static const char *label(struct plan *plan, const struct place *p, const struct settings *s)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (p->pages || (p->level && cache_size(p->level) == 0))
		return NULL;
	memory_format(&b, place_bytes(p, s));
	return plan_text(plan, "%s (%s)", p->id, buf_str(&b));
}

static void list(struct plan *plan, const struct settings *s)
{
	_cleanup_(buf_release) struct buf set = BUF_INIT;
	size_t i;

	memory_format(&set, dram_set(s));
	plan_test(plan,
		&(struct test){.id = "memory_latency",
			.variant = plan_text(plan, "%s", buf_str(&set)),
			.title = "Memory latency (pointer-chase)",
			.category = "latency",
			.axis = "memory level",
			.unit = "s",
			.description = plan_text(plan,
				"each load needs what the one before it brought; main memory with a working set of %s",
				buf_str(&set))});
	for (i = 0; i < ARRAY_LEN(places); i++)
		plan_reading(plan, &(struct reading){.id = places[i].id,
					   .label = label(plan, &places[i], s),
					   .description = places[i].description,
					   .quick = !strcmp(places[i].id, "DRAM"),
					   .measure = measure,
					   .data = &places[i]});
}

const struct cpu_group cpu_latency = {.name = "latency", .list = list};
