#include "cache-bandwidth.h"

#include "caches.h"
#include "memory.h"
#include "pool.h"

#include <stdatomic.h>
#include <string.h>

/* Larger ones say no more of an L3 cache. */
#define RING_MAX (INT64_C(32) << 20)
#define VALUE 7.0f

/* The rings of all threads, one behind the other; to copy, each has one to read behind it. */
struct rings {
	const struct stream_kernels *k;
	enum cache_way way;
	size_t ring;
	int threads;
	struct area area;
	uint64_t sum; /* of any ring */
	atomic_bool wrong;
};

static float *ring_of(const struct rings *r, int thread, int which)
{
	size_t each = r->way == CACHE_COPY ? 2 : 1;

	return (float *)(void *)(r->area.p + ((size_t)thread * each + (size_t)which) * r->ring);
}

static float value_at(size_t i)
{
	return (float)((i + 1) * 0x9e3779b97f4a7c15u >> 44);
}

static void fill(struct rings *r)
{
	size_t floats = r->area.size / sizeof(float), a_ring = r->ring / sizeof(float);
	float *p = ring_of(r, 0, 0);
	uint64_t word;

	for (size_t i = 0; i < floats; i++)
		p[i] = value_at(i % a_ring);
	for (size_t i = 0; i < a_ring; i += 2) {
		memcpy(&word, p + i, sizeof(word));
		r->sum ^= word;
	}
	for (int t = 0; t < r->threads && r->way != CACHE_READ; t++)
		memset(ring_of(r, t, 0), 0, r->ring);
}

/* The ring of each thread that wrote; the others are zeroes still. */
static bool written_well(const struct rings *r)
{
	size_t a_ring = r->ring / sizeof(float);
	bool well = true;

	for (int t = 0; t < r->threads; t++) {
		const float *p = ring_of(r, t, 0);
		bool idle = p[0] == 0;
		for (size_t i = 0; i < a_ring; i++)
			well &= p[i] == (idle ? 0 : r->way == CACHE_WRITE ? VALUE : value_at(i));
	}
	return well;
}

/* Each word is as often in the sum as there are rounds: twice is not at all. */
static void slice(void *arg, int thread, int64_t iterations)
{
	struct rings *r = arg;
	int64_t steps = iterations * (int64_t)(r->ring / STREAM_STEP);

	if (r->way == CACHE_WRITE)
		r->k->write_ring(ring_of(r, thread, 0), VALUE, r->ring, steps);
	else if (r->way == CACHE_COPY)
		r->k->copy_ring(ring_of(r, thread, 0), ring_of(r, thread, 1), r->ring, steps);
	else if (r->k->read_ring(ring_of(r, thread, 0), r->ring, steps) !=
		 (iterations % 2 ? r->sum : 0))
		r->wrong = true;
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct rings *r = arg;

	*ret_seconds = pool_run(r->threads, slice, r, iterations);
	if (r->wrong)
		return err_set(err, ERR_FORMAT, "%s: a cache has a wrong sum", r->k->name);
	return 0;
}

void cache_measure(const struct stream_kernels *k, enum cache_way way, int64_t ring, int threads,
	const struct settings *s, struct outcome *ret)
{
	struct rings r = {.k = k, .way = way, .ring = (size_t)ring, .threads = threads};
	int64_t bytes = ring * threads * (way == CACHE_COPY ? 2 : 1);
	struct err err = ERR_INIT;

	if (bytes > s->memory_max) {
		outcome_refuse(ret, OUTCOME_SKIPPED, "%lld bytes are more than is allowed",
			(long long)bytes);
		return;
	}
	if (stream_check(k, &err) < 0 || area_take(&r.area, bytes, PAGES_HUGE, &err) < 0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	fill(&r);
	outcome_rate(ret, s, batch, &r, (double)(way == CACHE_COPY ? 2 * ring : ring), 0);
	if (way != CACHE_READ && !written_well(&r))
		outcome_refuse(ret, OUTCOME_ERROR, "%s: wrong values in the cache", k->name);
	area_release(&r.area);
}

/* ---- the groups' readings ---- */

static const struct spot {
	const char *id, *what;
	enum cache_way way;
	int level;
	bool all;
} reads[] =
	{
		{"L1 ST", "one thread reads half of its L1 cache", CACHE_READ, 1, false},
		{"L1 MT", "each thread reads half of its L1 cache", CACHE_READ, 1, true},
		{"L2 ST", "one thread reads half of its L2 cache", CACHE_READ, 2, false},
		{"L2 MT", "each thread reads half of its L2 cache", CACHE_READ, 2, true},
		{"L3 ST", "one thread reads half of the L3 cache, or 32 MiB", CACHE_READ, 3, false},
		{"L3 MT", "all threads share half of the L3 cache, or 32 MiB each", CACHE_READ, 3,
			true},
},
  writes[] = {
	  {"write ST", "one thread writes a quarter of its L1 cache", CACHE_WRITE, 1, false},
	  {"write MT", "each thread writes a quarter of its L1 cache", CACHE_WRITE, 1, true},
	  {"copy ST", "one thread copies a quarter of its L1 cache; two bytes counted for each",
		  CACHE_COPY, 1, false},
	  {"copy MT", "each thread copies a quarter of its L1 cache; two bytes counted for each",
		  CACHE_COPY, 1, true},
};

static int64_t at_most(int64_t n, int64_t limit)
{
	return n < limit ? n : limit;
}

static int64_t at_least(int64_t n, int64_t limit)
{
	return n > limit ? n : limit;
}

/*
 * Bytes of a thread's ring: a power of two, so at most what is wanted; 0: no such cache. A part of
 * the L3 cache that the L2 cache holds would not be measured there.
 */
static int64_t ring_size(const struct spot *spot)
{
	struct caches c = {0};
	int64_t wanted, size = STREAM_STEP;

	caches_find(&c);
	wanted = spot->level == 1 ? c.l1d : spot->level == 2 ? c.l2 : c.l3;
	wanted /= spot->way == CACHE_READ ? 2 : 4;
	if (spot->level == 3 && spot->all && wanted)
		wanted = at_least(wanted / pool_threads(), 2 * c.l2);
	wanted = at_most(wanted, RING_MAX);
	while (size * 2 <= wanted)
		size *= 2;
	return wanted >= STREAM_STEP ? size : 0;
}

static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct spot *spot = data;
	int64_t ring = ring_size(spot);

	if (ring == 0)
		outcome_refuse(ret, OUTCOME_UNSUPPORTED,
			"no L%d cache, or none that the system tells of", spot->level);
	else
		cache_measure(
			stream_widest(), spot->way, ring, spot->all ? pool_threads() : 1, s, ret);
}

static void list_spots(struct plan *plan, const struct spot *spots, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		_cleanup_(buf_release) struct buf ring = BUF_INIT;
		memory_format(&ring, ring_size(&spots[i]));
		plan_reading(plan, &(struct reading){.id = spots[i].id,
					   .description = plan_text(
						   plan, "%s: %s", spots[i].what, buf_str(&ring)),
					   .measure = measure,
					   .data = &spots[i]});
	}
}

static void list(struct plan *plan, const struct settings *s)
{
	(void)s;
	plan_test(plan,
		&(struct test){.id = "cache_bandwidth",
			.title = "Cache bandwidth (read)",
			.category = "bandwidth",
			.axis = "cache level",
			.unit = "bps",
			.description = plan_text(plan, "vectors of %s", stream_widest()->name)});
	list_spots(plan, reads, ARRAY_LEN(reads));
	plan_test(plan,
		&(struct test){.id = "l1_write_bandwidth",
			.title = "L1 bandwidth (write / copy)",
			.category = "bandwidth",
			.axis = "operation",
			.unit = "bps",
			.description = plan_text(plan, "vectors of %s", stream_widest()->name)});
	list_spots(plan, writes, ARRAY_LEN(writes));
}

const struct cpu_group cpu_cache = {.name = "cache", .list = list};
