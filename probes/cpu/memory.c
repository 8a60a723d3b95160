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

int64_t memory_set(const struct settings *s)
{
	struct memory m;
	int64_t most = s->quick ? SET_QUICK : SET_MAX, set = 1;

	memory_look(&m, "");
	most = m.total / 4 < most ? m.total / 4 : most;
	most = s->memory_max < most ? s->memory_max : most;
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
