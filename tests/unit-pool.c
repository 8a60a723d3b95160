/* The threads that share a batch: each iteration is done once, and who is away does not count. */
#include "pool.h"
#include "tap.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int64_t total;
static atomic_int seen;

static void count(void *arg, int thread, int64_t iterations)
{
	volatile int64_t spin = 0;
	int64_t i;

	for (i = 0; i < iterations; i++)
		spin++;
	atomic_fetch_add(&total, iterations);
	atomic_fetch_or(&seen, 1 << (thread < 30 ? thread : 30));
	(void)arg;
}

static void runs(int threads, int64_t iterations)
{
	char what[80];
	double seconds;

	snprintf(what, sizeof(what), "%lld iterations on %d thread(s)", (long long)iterations,
		threads);
	atomic_store(&total, 0);
	seconds = pool_run(threads, count, NULL, iterations);
	OK(atomic_load(&total) == iterations && isfinite(seconds) && seconds > 0, what);
}

static void test_runs(void)
{
	int n = pool_threads(), i;

	OK(n >= 1, "there is a CPU");
	for (i = 0; i < 200; i++) {
		atomic_store(&total, 0);
		pool_run(n, count, NULL, i + 1);
		if (atomic_load(&total) != i + 1)
			break;
	}
	OK(i == 200, "short batches lose nothing");
	runs(1, 1);
	runs(1, 1000000);
	runs(n, 1);
	runs(n, 3);
	runs(n, 30000000);
	runs(n + 5, 1000);
	atomic_store(&seen, 0);
	runs(1, 10);
	OK(atomic_load(&seen) == 1, "one thread is the calling one");
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

/* Four iterations a microsecond, from 1,000 ns on. */
static void test_seconds(void)
{
	struct share even[] = {{300, 100, 76000, 101000}, {300, 100, 76000, 101000}};
	struct share away[] = {{700, 100, 176000, 201000}, {0, 100, 1000, 50000000}};
	struct share late[] = {{400, 400, 101000, 201000}, {0, 8, 201500, 203500}};
	struct share last[] = {{0, 0, 0, 0}, {0, 5, 1000, 6000}};

	OK(near(pool_seconds(even, 2, 1000, 101000), 100e-6), "all were ready at once");
	OK(near(pool_seconds(away, 2, 1000, 201000),
		   200e-6 * 900 / (800 + 100 * 200000. / 49999000)),
		"a thread that is away for 50 ms costs what it did not do, and no time");
	OK(near(pool_seconds(late, 2, 1000, 201000), 200e-6 * 808 / 800),
		"a slice that begins when the clock has stopped counts nothing");
	OK(near(pool_seconds(last, 2, 1000, 0), 5e-6), "a short batch takes until the end");
	OK(near(pool_seconds(last, 2, 1000, 1000), 5e-6),
		"nothing done by then: until the end too");
}

static void test_close(void)
{
	int n = pool_threads();

	pool_close();
	OK(pool_threads() == n, "closed, it finds the same CPUs again");
	runs(n, 100000);
	pool_close();
}

int main(void)
{
	test_runs();
	test_seconds();
	test_close();
	return tap_done();
}
