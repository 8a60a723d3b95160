#include "atomics.h"

#include "pool.h"

#include <stdatomic.h>

struct counter {
	_Alignas(64) atomic_llong n;
	_Alignas(64) int64_t expected;
	int threads;
};

static void slice(void *arg, int thread, int64_t iterations)
{
	struct counter *c = arg;

	(void)thread;
	for (; iterations > 0; iterations--)
		atomic_fetch_add_explicit(&c->n, 1, memory_order_relaxed);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct counter *c = arg;

	c->expected += iterations;
	*ret_seconds = pool_run(c->threads, slice, c, iterations);
	if (c->n != c->expected)
		return err_set(err, ERR_FORMAT, "%lld additions made %lld", (long long)c->expected,
			(long long)c->n);
	return 0;
}

static void measure(int threads, const struct settings *s, struct outcome *ret)
{
	struct counter c = {.threads = threads};

	outcome_time(ret, s, batch, &c, 1, 0);
}

static void measure_one(const void *data, const struct settings *s, struct outcome *ret)
{
	(void)data;
	measure(1, s, ret);
}

static void measure_all(const void *data, const struct settings *s, struct outcome *ret)
{
	(void)data;
	if (pool_threads() < 2)
		outcome_refuse(ret, OUTCOME_SKIPPED, "there is one CPU: nothing to contend with");
	else
		measure(pool_threads(), s, ret);
}

static void list(struct plan *plan, const struct settings *s)
{
	(void)s;
	plan_test(plan, &(struct test){.id = "atomics",
				.title = "Atomic fetch-add latency",
				.category = "latency",
				.axis = "contention",
				.unit = "s"});
	plan_reading(
		plan, &(struct reading){.id = "uncontended ST",
			      .description = "an addition by the one thread that uses the line",
			      .measure = measure_one});
	plan_reading(plan,
		&(struct reading){.id = "contended MT",
			.description = "time between two additions when all threads use one line",
			.measure = measure_all});
}

const struct cpu_group cpu_atomics = {.name = "atomics", .list = list};
