#include "forward.h"

#include "pool.h"

/* The empty asm keeps load, addition and store apart, and each in its turn. */
void forward_add(uint64_t *slot, int64_t n)
{
	volatile uint64_t *p = slot;

	for (; n > 0; n--) {
		uint64_t value = *p;
		__asm__ volatile("" : "+r"(value));
		*p = value + 1;
	}
}

struct number {
	_Alignas(64) uint64_t n;
	uint64_t expected;
};

static void slice(void *arg, int thread, int64_t iterations)
{
	struct number *number = arg;

	(void)thread;
	forward_add(&number->n, iterations);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct number *number = arg;

	number->expected += (uint64_t)iterations;
	*ret_seconds = pool_run(1, slice, number, iterations);
	if (number->n != number->expected)
		return err_set(err, ERR_FORMAT, "a load did not see the store before it");
	return 0;
}

static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	struct number number = {.n = 0};

	(void)data;
	outcome_time(ret, s, batch, &number, 1, 0);
}

static void list(struct plan *plan, const struct settings *s)
{
	(void)s;
	plan_test(plan, &(struct test){.id = "store_forward",
				.title = "Store-to-load forwarding",
				.category = "latency",
				.homogeneous = true,
				.unit = "s"});
	plan_reading(
		plan, &(struct reading){.id = "st->ld ST",
			      .description = "a store, the load of what it stored, and an addition",
			      .measure = measure});
}

const struct cpu_group cpu_forward = {.name = "forward", .list = list};
