/*
 * alloc-next: the allocator that libperfgate-alloc stands before: the next one in the order in
 * which the dynamic linker looks names up.
 *
 * It is looked up at the first call, and looking it up may allocate: what is asked for meanwhile,
 * by whatever thread, comes from a small arena whose blocks are never given back.
 */
#ifndef PERFGATE_ALLOC_NEXT_H
#define PERFGATE_ALLOC_NEXT_H

#include <stddef.h>

struct perfgate_allocator {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
};

/* NULL while it is being looked up: take what perfgate_arena_ gives. A member that the allocator
 * below lacks is NULL. */
const struct perfgate_allocator *perfgate_alloc_next(void);

/* Zeroed memory, aligned for any type; NULL, with errno ENOMEM, when there is no more. */
void *perfgate_arena_get(size_t size);
/* The bytes of a block of the arena; 0 where p is none. */
size_t perfgate_arena_size(const void *p);

#endif
