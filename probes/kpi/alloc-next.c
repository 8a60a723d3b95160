#include "alloc-next.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARENA_BYTES = 64 << 10, ALIGN = 16 };
enum { UNKNOWN, LOOKING, KNOWN };

static struct perfgate_allocator next;
static _Atomic int state = UNKNOWN;
static _Alignas(ALIGN) unsigned char arena[ARENA_BYTES];
static _Atomic size_t arena_used;

/* Before each block stands its size. */
void *perfgate_arena_get(size_t size)
{
	size_t whole = 0, at = ARENA_BYTES;

	size = size ? size : 1;
	if (size <= ARENA_BYTES - ALIGN) {
		whole = (size + ALIGN - 1) / ALIGN * ALIGN + ALIGN;
		at = atomic_fetch_add(&arena_used, whole);
	}
	if (at > ARENA_BYTES - whole || !whole) {
		errno = ENOMEM;
		return NULL;
	}
	memcpy(arena + at, &size, sizeof(size));
	return arena + at + ALIGN;
}

size_t perfgate_arena_size(const void *p)
{
	uintptr_t at = (uintptr_t)p, begin = (uintptr_t)arena;
	size_t size;

	if (at < begin + ALIGN || at >= begin + ARENA_BYTES)
		return 0;
	memcpy(&size, arena + (at - begin) - ALIGN, sizeof(size));
	return size;
}

/* ISO C has no conversion from an object's address to a function's. */
static void find(void *member, const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	memcpy(member, &p, sizeof(p));
}

static void look_up(void)
{
	static const char lost[] = "perfgate: libperfgate-alloc finds no allocator behind it; "
				   "it does not work in a program linked with -static\n";

	find(&next.malloc, "malloc");
	find(&next.calloc, "calloc");
	find(&next.realloc, "realloc");
	find(&next.free, "free");
	find(&next.aligned_alloc, "aligned_alloc");
	find(&next.posix_memalign, "posix_memalign");
	find(&next.memalign, "memalign");
	find(&next.valloc, "valloc");
	find(&next.pvalloc, "pvalloc");
	if (next.malloc && next.calloc && next.realloc && next.free)
		return;
	if (write(STDERR_FILENO, lost, sizeof(lost) - 1) < 0)
		errno = 0;
	abort();
}

const struct perfgate_allocator *perfgate_alloc_next(void)
{
	int was = atomic_load_explicit(&state, memory_order_acquire);

	if (was == KNOWN)
		return &next;
	was = UNKNOWN;
	if (!atomic_compare_exchange_strong(&state, &was, LOOKING))
		return was == KNOWN ? &next : NULL;
	look_up();
	atomic_store_explicit(&state, KNOWN, memory_order_release);
	return &next;
}
