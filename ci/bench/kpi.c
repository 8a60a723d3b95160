/*
 * What libperfgate costs: prints the nanoseconds of a capture, of starting and joining a thread,
 * and of a malloc with its free, by one thread and by two at once. Best of ten rounds.
 */
#include <perfgate/kpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CAPTURES = 50, BLOCKS = 200000, ROUNDS = 10 };

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *allocate(void *arg)
{
	int i;

	for (i = 0; i < BLOCKS; i++) {
		void *p = malloc(64);

		perfgate_keep(p);
		free(p);
	}
	return arg;
}

static void *idle(void *arg)
{
	return arg;
}

static void captures(void)
{
	struct perfgate_capture *c;
	struct perfgate_metrics m;
	int i;

	for (i = 0; i < CAPTURES; i++) {
		if (perfgate_capture_begin(&c, 0) == 0)
			perfgate_capture_end(c, &m);
	}
}

static void thread_starts(void)
{
	pthread_t t;
	int i;

	for (i = 0; i < CAPTURES; i++) {
		if (pthread_create(&t, NULL, idle, NULL) == 0)
			pthread_join(t, NULL);
	}
}

static void by_one(void)
{
	allocate(NULL);
}

static void by_two(void)
{
	pthread_t t;
	int failed = pthread_create(&t, NULL, allocate, NULL);

	allocate(NULL);
	if (!failed)
		pthread_join(t, NULL);
}

static double best(void (*op)(void), int times)
{
	double least = 1e18;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		double began = now_ns(), took;

		op();
		took = (now_ns() - began) / times;
		least = took < least ? took : least;
	}
	return least;
}

int main(void)
{
	printf("%.1f %.1f %.2f %.2f\n", best(captures, CAPTURES), best(thread_starts, CAPTURES),
		best(by_one, BLOCKS), best(by_two, BLOCKS));
	return 0;
}
