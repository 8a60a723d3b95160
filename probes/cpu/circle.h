/*
 * circle: nodes in memory that each hold the address of the next one, in a single circle, so that
 * no load can begin before the one before it has ended.
 *
 * At random the order is a cyclic permutation by Sattolo's algorithm (Information Processing
 * Letters 22, 1986), the same on every call.
 */
#ifndef CIRCLE_H
#define CIRCLE_H

#include "memory.h"

#define CIRCLE_NODE 64 /* bytes: a cache line of most CPUs */

enum circle_order { CIRCLE_RANDOM, CIRCLE_LINEAR };

struct circle {
	struct area area;
	int64_t n;
	size_t stride; /* bytes from a node to the next one in memory */
};

#define CIRCLE_INIT                                                                                \
	{                                                                                          \
		.n = 0                                                                             \
	}

/* How many nodes, with what it takes to order them, fit into that many bytes. */
int64_t circle_fit(int64_t bytes);

/* n nodes, from 2 to UINT32_MAX, in small pages, stride (a multiple of CIRCLE_NODE) apart. Within
 * it a node lies at one of its lines, so that not all share a set of the cache. */
int circle_build(
	struct circle *c, int64_t n, size_t stride, enum circle_order order, struct err *err);
void circle_release(struct circle *c);

void **circle_node(const struct circle *c, int64_t i);

/* Whether it is one circle of all nodes; fills k <= 64 of them that are about equally far apart.
 * Walks along many parts of the circle at once, since one after the other takes minutes. */
int circle_check(const struct circle *c, void **ret_starts[], int k, struct err *err);

/* Goes that many steps: from one node, or from each of k. What is measured. */
void **circle_walk(void **from, int64_t steps);
void circle_walk_many(void **at[], int k, int64_t steps);

/* Whether both do that: on a small circle, against counting. */
int circle_check_walks(struct err *err);

#endif
