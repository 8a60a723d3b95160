#include "memory.h"

#include "caches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 };
#define SET_MAX (INT64_C(1) << 30)
#define SET_QUICK (INT64_C(64) << 20)

/* The number behind key in a file of the kernel, its first one when key is "". -1: none. */
static int64_t number_in(const char *root, const char *path, const char *key)
{
	_cleanup_(freep) char *full = xasprintf("%s%s", root, path);
	_cleanup_(fclosep) FILE *f = fopen(full, "re");
	char line[256], *end;
	int64_t n;

	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		n = strtoll(line + strlen(key), &end, 10);
		return end == line + strlen(key) || n < 0 ? -1 : n;
	}
	return -1;
}

static int64_t at_most(int64_t n, int64_t limit)
{
	return limit >= 0 && limit < n ? limit : n;
}

/* The two kinds of control groups: the name of the controller in /proc/self/cgroup and the files.
 */
static const struct group_kind {
	const char *controller, *folder, *limit, *used;
} group_kinds[] = {{"", "/sys/fs/cgroup", "memory.max", "anon "},
	{"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss "}};

static void look_at_group(
	struct memory *m, const char *root, const struct group_kind *k, const char *group)
{
	_cleanup_(freep) char *limit_file = xasprintf("%s%s/%s", k->folder, group, k->limit);
	_cleanup_(freep) char *stat = xasprintf("%s%s/memory.stat", k->folder, group);
	int64_t limit = number_in(root, limit_file, ""), used = number_in(root, stat, k->used);

	if (limit < 0)
		return;
	m->total = at_most(m->total, limit);
	if (used >= 0)
		m->free = at_most(m->free, used < limit ? limit - used : 0);
}

/* A line of /proc/self/cgroup: NUMBER:CONTROLLER:PATH. The limits of all groups above hold too. */
static void look_at_groups(struct memory *m, const char *root, char *line)
{
	char *controller = strchr(line, ':'),
	     *path = controller ? strchr(controller + 1, ':') : NULL;
	size_t i;

	if (!path)
		return;
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	for (i = 0; i < ARRAY_LEN(group_kinds); i++) {
		if (strcmp(controller + 1, group_kinds[i].controller))
			continue;
		for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
			*end = '\0';
			look_at_group(m, root, &group_kinds[i], path);
		}
	}
}

static int64_t kib(int64_t n)
{
	return n < 0 || n > INT64_MAX / 1024 ? -1 : n * 1024;
}

void memory_look(struct memory *ret, const char *root)
{
	_cleanup_(freep) char *full = xasprintf("%s/proc/self/cgroup", root);
	_cleanup_(fclosep) FILE *f = fopen(full, "re");
	char line[4096];

	ret->total = at_most(INT64_MAX, kib(number_in(root, "/proc/meminfo", "MemTotal:")));
	ret->free = at_most(INT64_MAX, kib(number_in(root, "/proc/meminfo", "MemAvailable:")));
	while (f && fgets(line, sizeof(line), f))
		look_at_groups(ret, root, line);
}

int64_t memory_set(const struct settings *s)
{
	struct memory m;
	int64_t most = s->quick ? SET_QUICK : SET_MAX, set = 1;

	memory_look(&m, "");
	most = at_most(at_most(most, m.total / 4), s->memory_max);
	while (set <= most / 2)
		set *= 2;
	return set;
}

int64_t memory_last_cache(void)
{
	struct caches c = {0};

	caches_find(&c);
	return c.l3 ? c.l3 : c.l2 ? c.l2 : c.l1d;
}

void memory_format(struct buf *b, int64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	size_t u = 0;

	while (u + 1 < ARRAY_LEN(units) && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		u++;
	}
	buf_addf(b, "%lld %s", (long long)bytes, units[u]);
}

int area_take(struct area *a, int64_t bytes, enum pages pages, struct err *err)
{
	struct memory m;
	size_t size = (size_t)bytes + HUGE;
	void *p;

	memory_look(&m, "");
	if (bytes > m.free - m.free / 8)
		return err_set(err, ERR_IO, "cannot have %lld bytes: only %lld are free",
			(long long)bytes, (long long)m.free);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return err_set(err, ERR_IO, "cannot have %lld bytes: %s", (long long)bytes,
			strerror(errno));
	*a = (struct area){.mapped = p, .mapped_size = size, .size = (size_t)bytes};
	a->p = (char *)(((uintptr_t)p + HUGE - 1) & ~((uintptr_t)HUGE - 1));
	/* A system without large pages refuses, and has none to avoid. */
	madvise(p, size, pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return 0;
}

void area_release(struct area *a)
{
	if (a->mapped)
		munmap(a->mapped, a->mapped_size);
	*a = (struct area)AREA_INIT;
}
