#include "plain-stream.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static struct plain {
	char *mapped;
	long bytes;
	int threads;
	enum plain_way way;
	pthread_barrier_t gate;
} plain;

static volatile uint64_t sink;

static void read_loop(const uint64_t *restrict a, long n)
{
	uint64_t sum = 0;

	for (long i = 0; i < n; i++)
		sum ^= a[i];
	sink = sum;
}

static void copy_loop(double *restrict a, const double *restrict b, long n)
{
	for (long i = 0; i < n; i++)
		a[i] = b[i];
	__asm__ volatile("" : : "r"(a) : "memory");
}

static void triad_loop(
	double *restrict a, const double *restrict b, const double *restrict c, long n)
{
	for (long i = 0; i < n; i++)
		a[i] = b[i] + 1.5 * c[i];
	__asm__ volatile("" : : "r"(a) : "memory");
}

/* A thread's share of each array. */
static void share(int thread)
{
	int arrays = (int)plain.way + 1;
	long all = plain.bytes / 8 / arrays, n = all / plain.threads / 8 * 8;
	double *a = (double *)(void *)plain.mapped + thread * n;

	if (plain.way == PLAIN_READ)
		read_loop((uint64_t *)(void *)a, n);
	else if (plain.way == PLAIN_COPY)
		copy_loop(a, a + all, n);
	else
		triad_loop(a, a + all, a + 2 * all, n);
}

static void *work(void *arg)
{
	int thread = (int)(intptr_t)arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(thread, &set);
	sched_setaffinity(0, sizeof(set), &set);
	pthread_barrier_wait(&plain.gate);
	share(thread);
	pthread_barrier_wait(&plain.gate);
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int plain_begin(long bytes, int threads)
{
	plain.bytes = bytes;
	plain.threads = threads;
	plain.mapped = mmap(
		NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (plain.mapped == MAP_FAILED)
		return -1;
	madvise(plain.mapped, (size_t)bytes, MADV_HUGEPAGE);
	for (long i = 0; i < bytes; i += 8)
		*(double *)(void *)(plain.mapped + i) = (double)i;
	return 0;
}

double plain_round(enum plain_way way)
{
	pthread_t threads[256];
	double begin;
	int i;

	plain.way = way;
	pthread_barrier_init(&plain.gate, NULL, (unsigned)plain.threads + 1);
	for (i = 0; i < plain.threads; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
	pthread_barrier_wait(&plain.gate);
	begin = now();
	pthread_barrier_wait(&plain.gate);
	begin = now() - begin;
	for (i = 0; i < plain.threads; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&plain.gate);
	return (double)plain.bytes / begin;
}

void plain_end(void)
{
	munmap(plain.mapped, (size_t)plain.bytes);
}
