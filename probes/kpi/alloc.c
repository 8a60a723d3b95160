/*
 * libperfgate-alloc: stands before the allocator of the program and counts what succeeds. It is a
 * library of its own, so that only programs which link or preload it pay for it.
 */
#include "alloc-count.h"
#include "alloc-next.h"
#include "counter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Headers of the C library declare some of these, with attributes that differ. */
PERFGATE_API void *malloc(size_t size);
PERFGATE_API void *calloc(size_t n, size_t size);
PERFGATE_API void *realloc(void *p, size_t size);
PERFGATE_API void *reallocarray(void *p, size_t n, size_t size);
PERFGATE_API void free(void *p);
PERFGATE_API void *aligned_alloc(size_t alignment, size_t size);
PERFGATE_API int posix_memalign(void **ret, size_t alignment, size_t size);
PERFGATE_API void *memalign(size_t alignment, size_t size);
PERFGATE_API void *valloc(size_t size);
PERFGATE_API void *pvalloc(size_t size);

void *malloc(size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();

	return perfgate_count(a ? a->malloc(size) : perfgate_arena_get(size), size);
}

void free(void *p)
{
	const struct perfgate_allocator *a = p ? perfgate_alloc_next() : NULL;

	if (a && !perfgate_arena_size(p))
		a->free(p);
}

/*
 * Some C libraries implement the others with malloc, by a call that comes here: hushed, so that
 * one allocation counts once.
 */
#define HUSHED(call)                                                                               \
	do {                                                                                       \
		perfgate_alloc_hush(1);                                                            \
		call;                                                                              \
		perfgate_alloc_hush(-1);                                                           \
	} while (0)

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *calloc(size_t n, size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();
	size_t whole;
	void *p;

	if (__builtin_mul_overflow(n, size, &whole))
		return no_memory();
	if (!a)
		return perfgate_count(perfgate_arena_get(whole), whole);
	HUSHED(p = a->calloc(n, size));
	return perfgate_count(p, whole);
}

/* A block of the arena, which stays there, gets a new place. */
static void *move(void *p, size_t size)
{
	size_t old = perfgate_arena_size(p);
	void *new = malloc(size);

	if (new)
		memcpy(new, p, old < size ? old : size);
	return new;
}

void *realloc(void *p, size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();
	void *new;

	if (!p)
		return malloc(size);
	if (!a || perfgate_arena_size(p))
		return move(p, size);
	HUSHED(new = a->realloc(p, size));
	return perfgate_count(new, size);
}

void *reallocarray(void *p, size_t n, size_t size)
{
	size_t whole;

	return __builtin_mul_overflow(n, size, &whole) ? no_memory() : realloc(p, whole);
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();
	int r;

	if (!a || !a->posix_memalign)
		return ENOMEM;
	HUSHED(r = a->posix_memalign(ret, alignment, size));
	if (!r)
		perfgate_count(*ret, size);
	return r;
}

static void *aligned(void *(*next)(size_t, size_t), size_t alignment, size_t size)
{
	void *p;

	if (!next)
		return no_memory();
	HUSHED(p = next(alignment, size));
	return perfgate_count(p, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();

	return aligned(a ? a->aligned_alloc : NULL, alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();

	return aligned(a ? a->memalign : NULL, alignment, size);
}

static void *paged(void *(*next)(size_t), size_t size)
{
	void *p;

	if (!next)
		return no_memory();
	HUSHED(p = next(size));
	return perfgate_count(p, size);
}

void *valloc(size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();

	return paged(a ? a->valloc : NULL, size);
}

void *pvalloc(size_t size)
{
	const struct perfgate_allocator *a = perfgate_alloc_next();

	return paged(a ? a->pvalloc : NULL, size);
}
