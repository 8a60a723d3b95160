#include "dram.h"

#include "memory.h"
#include "pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20, FLOATS = BLOCK / sizeof(float), ARRAYS_MAX = 3 };

/* A thread's own blocks of each array. */
struct part {
	_Alignas(64) atomic_llong next; /* the first that nobody has claimed in this round */
	int64_t first, n, at;
};

struct set {
	const struct stream_kernels *k;
	const struct way *way;
	struct area area;
	int64_t blocks; /* of each array */
	bool past;      /* the caches are too small: store past them */
	uint64_t *sums; /* of each block that is read */
	struct part *parts;
	int threads;
	atomic_bool wrong;
};

typedef void block_fn(struct set *set, int64_t block);

static block_fn read_block, copy_block, triad_block, write_block;

static const struct way {
	const char *id, *description;
	int arrays; /* the first is written, unless there is one alone to read */
	int bytes;  /* counted for each byte of an array */
	bool writes;
	float b, c, value; /* what is written: b of the second array, c of the third, and value */
	block_fn *block;
} ways[DRAM_WAYS] = {
	[DRAM_READ] = {"read", "every byte once", 1, 1, .block = read_block},
	[DRAM_COPY] = {"copy", "a = b; two bytes counted for each", 2, 2, true, .b = 1,
		.block = copy_block},
	[DRAM_TRIAD] = {"triad", "a = b + 1.5 c; three bytes counted for each", 3, 3, true, .b = 1,
		.c = STREAM_FACTOR, .block = triad_block},
	[DRAM_WRITE] = {"write", "every byte once", 1, 1, true, .value = 7, .block = write_block},
};

static float *block_of(const struct set *set, int array, int64_t block)
{
	return (float *)(void *)(set->area.p + (array * set->blocks + block) * BLOCK);
}

static void read_block(struct set *set, int64_t block)
{
	if (set->k->read(block_of(set, 0, block), BLOCK) != set->sums[block])
		set->wrong = true;
}

static void copy_block(struct set *set, int64_t block)
{
	(set->past ? set->k->copy_past : set->k->copy)(
		block_of(set, 0, block), block_of(set, 1, block), BLOCK);
}

static void triad_block(struct set *set, int64_t block)
{
	(set->past ? set->k->triad_past : set->k->triad)(
		block_of(set, 0, block), block_of(set, 1, block), block_of(set, 2, block), BLOCK);
}

static void write_block(struct set *set, int64_t block)
{
	(set->past ? set->k->write_past : set->k->write)(
		block_of(set, 0, block), set->way->value, BLOCK);
}

/* ---- each block once ---- */

/* Whole numbers of 20 bits, so that b + 1.5 c is exact however it is rounded. */
static float value_at(int array, int64_t block, int64_t i)
{
	uint64_t at = (uint64_t)((array * INT64_C(0x100000) + block) * FLOATS + i);

	return (float)((at + 1) * 0x9e3779b97f4a7c15u >> 44);
}

static void fill_array(struct set *set, int array, int64_t block)
{
	float *p = block_of(set, array, block);

	for (int64_t i = 0; i < FLOATS; i++)
		p[i] = value_at(array, block, i);
}

static void fill_block(struct set *set, int64_t block)
{
	uint64_t sum = 0, word;
	int array;

	if (set->way->writes)
		memset(block_of(set, 0, block), 0, BLOCK);
	for (array = set->way->writes; array < set->way->arrays; array++)
		fill_array(set, array, block);
	for (int64_t i = 0; !set->way->writes && i < FLOATS; i += 2) {
		memcpy(&word, block_of(set, 0, block) + i, sizeof(word));
		sum ^= word;
	}
	set->sums[block] = sum;
}

static void check_block(struct set *set, int64_t block)
{
	const struct way *w = set->way;
	const float *p = block_of(set, 0, block);
	bool right = true;

	for (int64_t i = 0; i < FLOATS; i++)
		right &= p[i] ==
			 w->b * value_at(1, block, i) + w->c * value_at(2, block, i) + w->value;
	if (!right)
		set->wrong = true;
}

/* The next block of the thread's part, else of one that lags behind; -1: all are done. */
static int64_t claim(struct set *set, int thread)
{
	int64_t block;
	int i;

	for (i = 0; i < set->threads; i++) {
		struct part *p = &set->parts[(thread + i) % set->threads];
		if (p->next < p->n && (block = atomic_fetch_add(&p->next, 1)) < p->n)
			return p->first + block;
	}
	return -1;
}

struct once {
	struct set *set;
	block_fn *block;
};

static void once_slice(void *arg, int thread, int64_t iterations)
{
	const struct once *o = arg;
	int64_t block;

	while (iterations-- > 0 && (block = claim(o->set, thread)) >= 0)
		o->block(o->set, block);
}

static void do_once(struct set *set, block_fn *block)
{
	int i;

	for (i = 0; i < set->threads; i++)
		set->parts[i].next = 0;
	pool_run(set->threads, once_slice, &(struct once){set, block}, set->blocks);
}

/* ---- round and round ---- */

static void slice(void *arg, int thread, int64_t iterations)
{
	struct set *set = arg;
	struct part *p = &set->parts[thread];

	for (; iterations > 0; iterations--, p->at = (p->at + 1) % p->n)
		set->way->block(set, p->first + p->at);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct set *set = arg;

	*ret_seconds = pool_run(set->threads, slice, set, iterations);
	if (set->wrong)
		return err_set(
			err, ERR_FORMAT, "%s: a block of memory has a wrong sum", set->k->name);
	return 0;
}

static int set_init(struct set *set, const struct settings *s, struct err *err)
{
	int64_t bytes = memory_set(s);
	int i;

	set->threads = pool_threads();
	set->blocks = bytes / BLOCK / set->way->arrays;
	if (set->blocks < set->threads)
		set->threads = (int)set->blocks;
	if (area_take(&set->area, set->blocks * set->way->arrays * BLOCK, PAGES_HUGE, err) < 0)
		return -1;
	set->past = bytes > memory_last_cache();
	set->sums = xcalloc((size_t)set->blocks, sizeof(*set->sums));
	set->parts = aligned_alloc(64, (size_t)set->threads * sizeof(*set->parts));
	if (!set->parts)
		return err_set(err, ERR_IO, "cannot have memory for the threads");
	for (i = 0; i < set->threads; i++) {
		int64_t from = set->blocks * i / set->threads,
			to = set->blocks * (i + 1) / set->threads;
		set->parts[i] = (struct part){.first = from, .n = to - from};
	}
	return 0;
}

static void set_release(struct set *set)
{
	area_release(&set->area);
	free(set->sums);
	free(set->parts);
}

static int prepare(struct set *set, const struct settings *s, struct err *err)
{
	if (stream_check(set->k, err) < 0 || set_init(set, s, err) < 0)
		return -1;
	do_once(set, fill_block);
	do_once(set, set->way->block);
	if (set->way->writes)
		do_once(set, check_block);
	if (set->wrong)
		return err_set(err, ERR_FORMAT, "%s: %s left wrong values in memory", set->k->name,
			set->way->id);
	return 0;
}

void dram_measure(const struct stream_kernels *k, enum dram_way way, const struct settings *s,
	struct outcome *ret)
{
	_cleanup_(set_release) struct set set = {.k = k, .way = &ways[way]};
	struct err err = ERR_INIT;

	if (memory_set(s) / BLOCK < ways[way].arrays)
		outcome_refuse(ret, OUTCOME_SKIPPED, "%lld bytes are too few, and more not allowed",
			(long long)memory_set(s));
	else if (prepare(&set, s, &err) < 0)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	else
		outcome_rate(ret, s, batch, &set, BLOCK * set.way->bytes, 0);
}

/* ---- the group ---- */

static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct way *way = data;

	dram_measure(stream_widest(), (enum dram_way)(way - ways), s, ret);
}

/* Says whether it is main memory that is measured, or a cache as large as the working set. */
static const char *describe(struct plan *plan, const char *set, int64_t bytes)
{
	_cleanup_(buf_release) struct buf cache = BUF_INIT;

	if (memory_last_cache() <= 0)
		return plan_text(plan, "a working set of %s in all", set);
	memory_format(&cache, memory_last_cache());
	if (bytes < 2 * memory_last_cache())
		return plan_text(plan,
			"a working set of %s in all, which a last-level cache of %s holds in large part: this is not main memory alone",
			set, buf_str(&cache));
	return plan_text(plan, "a working set of %s in all, beside a last-level cache of %s", set,
		buf_str(&cache));
}

static void list(struct plan *plan, const struct settings *s)
{
	_cleanup_(buf_release) struct buf set = BUF_INIT;
	int64_t bytes = memory_set(s);
	int i;

	memory_format(&set, bytes);
	plan_test(plan, &(struct test){.id = "global_memory_bandwidth",
				.variant = plan_text(plan, "%s", buf_str(&set)),
				.title = "Global memory bandwidth",
				.category = "bandwidth",
				.axis = "operation",
				.unit = "bps",
				.description = describe(plan, buf_str(&set), bytes)});
	for (i = 0; i < DRAM_WAYS; i++)
		plan_reading(plan, &(struct reading){.id = ways[i].id,
					   .description = ways[i].description,
					   .quick = i == DRAM_READ,
					   .measure = measure,
					   .data = &ways[i]});
}

const struct cpu_group cpu_dram = {.name = "dram", .list = list};
