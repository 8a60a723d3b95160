/* What the CPU's probe does to memory: each kernel is right, and one that is not is found out. */
#include "branch.h"
#include "cache-bandwidth.h"
#include "circle.h"
#include "crypto.h"
#include "dram.h"
#include "forward.h"
#include "made-up.h"
#include "memory.h"
#include "pool.h"
#include "tap.h"

#include <unistd.h>

#define MIB (INT64_C(1) << 20)

static const struct settings brief = {
	.target_ns = 100000, .repeat = 2, .memory_max = INT64_C(6) << 20};

/* ---- how much memory there is, by made-up files of the kernel ---- */

static void has(int64_t total, int64_t available, const char *what)
{
	struct memory m;

	memory_look(&m, root);
	if (!OK(m.total == total && m.free == available, what))
		printf("# total %lld, free %lld\n", (long long)m.total, (long long)m.free);
}

static void test_look(void)
{
	has(INT64_MAX, INT64_MAX, "a system that tells nothing");
	put("/proc/meminfo", "MemTotal:  8192 kB\nMemFree:   10 kB\nMemAvailable:  6144 kB\n");
	has(8 * MIB, 6 * MIB, "no control group");
	put("/proc/self/cgroup", "0::/\n");
	has(8 * MIB, 6 * MIB, "the root group has no limit");
	put("/proc/self/cgroup", "0::/a/b\n");
	put("/sys/fs/cgroup/a/memory.max", "4194304\n");
	put("/sys/fs/cgroup/a/memory.stat", "anon 1048576\nfile 500\n");
	put("/sys/fs/cgroup/a/b/memory.max", "max\n");
	has(4 * MIB, 3 * MIB, "the limit of the group above");
	put("/sys/fs/cgroup/a/memory.stat", "anon 5000000\n");
	has(4 * MIB, 0, "... used up");
	put("/proc/self/cgroup", "5:devices:/\n4:memory:/elsewhere/c\n0::/\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n");
	put("/sys/fs/cgroup/memory/memory.stat", "rss 7\ntotal_rss 1048576\n");
	has(2 * MIB, 1 * MIB, "version 1, whose path is that of the host");
	put("/proc/self/cgroup", "memory\n4:\n4:memory\n\n");
	put("/proc/meminfo", "MemTotal: much\n");
	has(INT64_MAX, INT64_MAX, "what cannot be understood");
}

static const char *format(int64_t bytes)
{
	static struct buf b;

	buf_clear(&b);
	memory_format(&b, bytes);
	return buf_str(&b);
}

static void test_memory(void)
{
	struct area a = AREA_INIT;
	struct err err = ERR_INIT;

	IS_STR(format(1000), "1000 B", "bytes");
	IS_STR(format(48 * 1024), "48 KiB", "a cache");
	IS_STR(format(64 * MIB), "64 MiB", "a quick set");
	IS_STR(format(4096 * MIB), "4 GiB", "... and a large one");
	OK(memory_set(&(struct settings){.memory_max = 7 * MIB}) == 4 * MIB,
		"a set is a power of two within what is allowed");
	OK(memory_set(&(struct settings){.memory_max = INT64_MAX, .quick = true}) <= 64 * MIB,
		"... and small for haste");
	OK(memory_set(&(struct settings){.memory_max = INT64_MAX}) <= 1024 * MIB,
		"... and no more than a GiB");
	OK(area_take(&a, INT64_C(1) << 60, PAGES_SMALL, &err) < 0 &&
			!strncmp(err.msg, "cannot have 1152921504606846976 bytes: ", 39),
		"what is not there is refused");
	err_clear(&err);
	OK(area_take(&a, 3 * MIB, PAGES_HUGE, &err) == 0 && (uintptr_t)a.p % 4096 == 0 &&
			a.p[0] == 0 && a.p[3 * MIB - 1] == 0,
		"an area");
	area_release(&a);
	area_release(&a);
}

/* ---- streams ---- */

static uint64_t read_short(const void *from, size_t bytes)
{
	return stream_plain.read(from, bytes - STREAM_STEP);
}

static void write_short(float *to, float value, size_t bytes)
{
	stream_plain.write(to, value, bytes - STREAM_STEP);
}

static void write_far(float *to, float value, size_t bytes)
{
	stream_plain.write(to, value, bytes);
	to[bytes / sizeof(*to)] = value;
}

static void copy_short(float *to, const float *from, size_t bytes)
{
	stream_plain.copy(to, from, bytes - STREAM_STEP);
}

static void triad_short(float *to, const float *b, const float *c, size_t bytes)
{
	stream_plain.triad(to, b, c, bytes - STREAM_STEP);
}

static void triad_swapped(float *to, const float *b, const float *c, size_t bytes)
{
	stream_plain.triad(to, c, b, bytes);
}

static uint64_t read_ring_less(const void *from, size_t ring, int64_t steps)
{
	return stream_plain.read_ring(from, ring, steps - 1);
}

static void write_ring_less(float *to, float value, size_t ring, int64_t steps)
{
	stream_plain.write_ring(to, value, ring, steps - 1);
}

static void copy_ring_less(float *to, const float *from, size_t ring, int64_t steps)
{
	stream_plain.copy_ring(to, from, ring, steps - 1);
}

static void finds(const struct stream_kernels *k, const char *message)
{
	struct err err = ERR_INIT;

	OK(stream_check(k, &err) < 0, "a broken kernel");
	if (!OK(strstr(err.msg, message) != NULL, message))
		printf("# %s\n", err.msg);
}

#define BROKEN(member, function, message)                                                          \
	do {                                                                                       \
		struct stream_kernels k = stream_plain;                                            \
		k.member = function;                                                               \
		finds(&k, message);                                                                \
	} while (0)

static void test_stream_checks(void)
{
	BROKEN(read, read_short, "plain C: read has the sum");
	BROKEN(write, write_short, "write went wrong at float 3");
	BROKEN(write, write_far, "write went wrong at float 4096");
	BROKEN(copy, copy_short, "copy went wrong at float 3");
	BROKEN(triad, triad_short, "triad went wrong at float 3");
	BROKEN(triad, triad_swapped, "triad went wrong at float 0");
	BROKEN(write_past, write_short, "write past the caches went wrong at float 3");
	BROKEN(copy_past, copy_short, "copy past the caches went wrong at float 3");
	BROKEN(triad_past, triad_short, "triad past the caches went wrong at float 3");
	BROKEN(read_ring, read_ring_less, "read of a ring has the sum");
	BROKEN(write_ring, write_ring_less, "write of half a ring went wrong at float 1");
	BROKEN(copy_ring, copy_ring_less, "copy of half a ring went wrong at float 1");
}

static void test_streams(void)
{
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; stream_all[i]; i++) {
		const struct stream_kernels *k = stream_all[i];
		if (k->needs != ISA_COUNT && !isa_has(k->needs)) {
			printf("ok %d - %s # SKIP this CPU lacks it\n", ++tap_count, k->name);
			continue;
		}
		OK(stream_check(k, &err) == 0, k->name);
	}
}

/* ---- readings of memory ---- */

static void measured(const struct outcome *o, const char *what)
{
	if (!OK(o->status == OUTCOME_OK && o->n == brief.repeat && o->values[0] > 0, what))
		printf("# %s\n", o->reason);
}

static void refused(const struct outcome *o, const char *reason, const char *what)
{
	OK(o->status == OUTCOME_ERROR, what);
	if (!OK(strstr(o->reason, reason) != NULL, reason))
		printf("# %s\n", o->reason);
}

/* Each right while stream_check() looks, and wrong from the first large piece on. */
static uint64_t read_late(const void *from, size_t bytes)
{
	return stream_plain.read(from, bytes) + (bytes > 65536);
}

static void copy_late(float *to, const float *from, size_t bytes)
{
	stream_plain.copy(to, from, bytes > 65536 ? bytes - STREAM_STEP : bytes);
}

static uint64_t read_ring_late(const void *from, size_t ring, int64_t steps)
{
	return stream_plain.read_ring(from, ring, steps) + (ring > 65536);
}

static void write_ring_late(float *to, float value, size_t ring, int64_t steps)
{
	stream_plain.write_ring(to, ring > 65536 ? value + 1 : value, ring, steps);
}

static void test_dram(void)
{
	static const char *const names[] = {"read", "copy", "triad", "write"};
	struct stream_kernels k = stream_plain;
	int way;

	for (way = 0; way < DRAM_WAYS; way++) {
		struct outcome o = {.status = OUTCOME_OK};
		dram_measure(stream_widest(), (enum dram_way)way, &brief, &o);
		measured(&o, names[way]);
	}
	k.read = read_late;
	k.copy = k.copy_past = copy_late;
	for (way = 0; way <= DRAM_COPY; way++) {
		struct outcome o = {.status = OUTCOME_OK};
		dram_measure(&k, (enum dram_way)way, &brief, &o);
		refused(&o, "wrong values in memory", names[way]);
	}
}

static void test_too_little(void)
{
	struct settings s = brief;
	struct outcome o = {.status = OUTCOME_OK}, p = {.status = OUTCOME_OK};

	s.memory_max = MIB;
	dram_measure(stream_widest(), DRAM_COPY, &s, &o);
	OK(o.status == OUTCOME_SKIPPED, "less than a block of each array is not measured");
	cache_measure(stream_widest(), CACHE_COPY, MIB, 1, &s, &p);
	OK(p.status == OUTCOME_SKIPPED, "no more than is allowed");
}

static void test_caches(void)
{
	static const char *const names[] = {"read", "write", "copy"};
	struct stream_kernels k = stream_plain;
	struct outcome o = {.status = OUTCOME_OK}, p = {.status = OUTCOME_OK};
	int way;

	for (way = 0; way <= CACHE_COPY; way++) {
		struct outcome all = {.status = OUTCOME_OK};
		cache_measure(stream_widest(), (enum cache_way)way, 8192,
			pool_threads() < 4 ? pool_threads() : 4, &brief, &all);
		measured(&all, names[way]);
	}
	k.read_ring = read_ring_late;
	k.write_ring = write_ring_late;
	cache_measure(&k, CACHE_READ, 131072, 1, &brief, &o);
	refused(&o, "a cache has a wrong sum", "a wrong read");
	cache_measure(&k, CACHE_WRITE, 131072, 1, &brief, &p);
	refused(&p, "wrong values in the cache", "a wrong write");
}

/* ---- circles ---- */

static bool is_circle(const struct circle *c, void **starts[], int k)
{
	struct err err = ERR_INIT;

	return circle_check(c, starts, k, &err) == 0;
}

/* Exchanging what two nodes of a circle point to makes two circles of it. */
static void exchange(void **a, void **b)
{
	void *p = *a;

	*a = *b;
	*b = p;
}

static void test_circle(int64_t n, size_t stride, enum circle_order order, const char *what)
{
	struct circle c;
	struct err err = ERR_INIT;
	void **at[8], **a, **b;

	if (!OK(circle_build(&c, n, stride, order, &err) == 0 && is_circle(&c, at, 1), what))
		return;
	a = circle_node(&c, n / 2);
	b = circle_walk(a, n / 3);
	exchange(a, b);
	OK(!is_circle(&c, at, 1), "... two circles");
	exchange(a, b);
	OK(is_circle(&c, at, 8) && circle_walk(at[3], n) == at[3], "... and one again");
	b = *a;
	*a = (void *)a;
	OK(!is_circle(&c, at, 1), "... a node that points to itself");
	*a = (void *)circle_walk((void **)(void *)b, n / 2);
	OK(!is_circle(&c, at, 1), "... a short cut");
	circle_release(&c);
}

static void test_circles(void)
{
	struct err err = ERR_INIT;
	struct circle c;
	void **at[32];
	int i, j, same = 0;

	OK(circle_check_walks(&err) == 0, "a walk visits each node once");
	test_circle(100, CIRCLE_NODE, CIRCLE_RANDOM, "a short circle");
	test_circle(100000, CIRCLE_NODE, CIRCLE_RANDOM, "one with more nodes than marks");
	test_circle(9999, CIRCLE_NODE, CIRCLE_LINEAR, "one in order");
	test_circle(500, 4096, CIRCLE_RANDOM, "one of a node a page");
	OK(circle_fit(1024 * MIB) * (CIRCLE_NODE + 4) <= 1024 * MIB, "nodes and their order fit");
	if (circle_build(&c, 50000, CIRCLE_NODE, CIRCLE_RANDOM, &err) < 0 || !is_circle(&c, at, 32))
		return;
	for (i = 0; i < 32; i++)
		for (j = 0; j < i; j++)
			same += at[i] == at[j];
	OK(same == 0, "walks begin apart");
	circle_release(&c);
}

/* ---- the rest ---- */

static void no_aes(uint8_t *data, size_t bytes, const uint8_t keys[AES_KEYS][16])
{
	(void)data, (void)bytes, (void)keys;
}

static void no_sha(
	uint32_t state[SHA_MESSAGES][8], const uint8_t *const data[SHA_MESSAGES], size_t blocks)
{
	(void)state, (void)data, (void)blocks;
}

static void no_crc(
	uint32_t state[CRC_MESSAGES], const uint8_t *const data[CRC_MESSAGES], size_t bytes)
{
	(void)state, (void)data, (void)bytes;
}

static void refuses(const struct crypto_kernel *k, const char *message)
{
	struct err err = ERR_INIT;

	OK(crypto_check(k, &err) < 0 && !strcmp(err.msg, message), message);
}

static void test_crypto(void)
{
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; crypto_all[i]; i++) {
		if (!isa_has(crypto_all[i]->needs))
			printf("ok %d - %s # SKIP this CPU lacks it\n", ++tap_count,
				crypto_all[i]->name);
		else
			OK(crypto_check(crypto_all[i], &err) == 0, crypto_all[i]->name);
	}
	refuses(&(struct crypto_kernel){.name = "none", .aes = no_aes},
		"none encrypts block 0 wrongly");
	refuses(&(struct crypto_kernel){.name = "none", .sha256 = no_sha},
		"none has a wrong digest");
	refuses(&(struct crypto_kernel){.name = "none", .crc32c = no_crc},
		"none has the check value 00000000, not e3069283");
}

static void test_steps(void)
{
	const uint8_t bytes[] = {0, 127, 128, 255, 5, 200};
	uint64_t n = 40;

	OK(branch_count(bytes, sizeof(bytes)) == 3, "a branch for each byte");
	forward_add(&n, 2);
	OK(n == 42, "a number in memory");
}

int main(void)
{
	if (!mkdtemp(root))
		return 99;
	test_look();
	clear();
	OK(rmdir(root) == 0, "nothing is left");
	test_memory();
	test_stream_checks();
	test_streams();
	test_dram();
	test_too_little();
	test_caches();
	test_circles();
	test_crypto();
	test_steps();
	pool_close();
	return tap_done();
}
