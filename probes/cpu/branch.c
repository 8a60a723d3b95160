#include "branch.h"

#include "buf.h"
#include "pool.h"

#include <stdlib.h>

/* So many that no predictor learns the order of random ones. */
enum { BYTES = 1 << 18 };

/* An end to the search for a difference where there is none, as in an emulator. */
enum { PASSES_MAX = 256 };

/* The empty asm keeps the compiler from turning the branch into a move or a sum. */
int64_t branch_count(const uint8_t *bytes, size_t n)
{
	int64_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (bytes[i] < 128) {
			__asm__ volatile("" : "+r"(count));
			count++;
		}
	return count;
}

enum order { PREDICTED, RANDOM, PENALTY };

struct bytes {
	uint8_t *random, *sorted;
	int64_t low; /* bytes below 128, by adding bits up */
	enum order order;
	bool wrong;
};

static void bytes_init(struct bytes *b)
{
	uint64_t state = 1;

	b->random = xmalloc(BYTES);
	b->sorted = xmalloc(BYTES);
	for (int i = 0; i < BYTES; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
		b->random[i] = (uint8_t)(state >> 56);
		b->low += !(b->random[i] >> 7);
	}
	for (int i = 0; i < BYTES; i++)
		b->sorted[i] = i < b->low ? 0 : 255;
}

static void bytes_release(struct bytes *b)
{
	free(b->random);
	free(b->sorted);
}

struct pass {
	struct bytes *b;
	const uint8_t *bytes;
};

static void slice(void *arg, int thread, int64_t iterations)
{
	const struct pass *p = arg;

	(void)thread;
	for (; iterations > 0; iterations--)
		if (branch_count(p->bytes, BYTES) != p->b->low)
			p->b->wrong = true;
}

static double seconds(struct bytes *b, const uint8_t *bytes, int64_t iterations)
{
	return pool_run(1, slice, &(struct pass){b, bytes}, iterations);
}

/* Of several turns, since one in which the system took the CPU away would be most of the
 * difference. */
static void least_seconds(struct bytes *b, int64_t iterations, double *random, double *sorted)
{
	double s;

	for (int turn = 0; turn < 3; turn++) {
		s = seconds(b, b->random, iterations);
		*random = turn && *random < s ? *random : s;
		s = seconds(b, b->sorted, iterations);
		*sorted = turn && *sorted < s ? *sorted : s;
	}
}

/* For the penalty both in turn, and the difference. */
static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct bytes *b = arg;
	double random = 0, sorted = 0;

	if (b->order == PENALTY) {
		least_seconds(b, iterations, &random, &sorted);
		*ret_seconds = random - sorted;
	} else {
		*ret_seconds = seconds(b, b->order == RANDOM ? b->random : b->sorted, iterations);
	}
	if (b->wrong)
		return err_set(err, ERR_FORMAT, "the branches were counted wrongly");
	return 0;
}

static const enum order orders[] = {PREDICTED, RANDOM, PENALTY};

/* A random branch is guessed wrongly every other time. */
static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	struct bytes b = {.order = *(const enum order *)data};
	double steps = b.order == PENALTY ? BYTES * 0.5 : BYTES;

	bytes_init(&b);
	outcome_time(ret, s, batch, &b, steps, PASSES_MAX);
	bytes_release(&b);
}

static void list(struct plan *plan, const struct settings *s)
{
	(void)s;
	plan_test(plan, &(struct test){.id = "branch_mispredict",
				.title = "Branch mispredict penalty",
				.category = "latency",
				.unit = "s"});
	plan_reading(plan, &(struct reading){.id = "predicted",
				   .description = "a branch that goes the way of the one before it",
				   .measure = measure,
				   .data = &orders[PREDICTED]});
	plan_reading(plan, &(struct reading){.id = "random",
				   .description = "a branch that goes either way as often",
				   .measure = measure,
				   .data = &orders[RANDOM]});
	plan_reading(plan,
		&(struct reading){.id = "penalty",
			.description =
				"a wrong guess: twice the difference of the two, measured in turn",
			.measure = measure,
			.data = &orders[PENALTY]});
}

const struct cpu_group cpu_branch = {.name = "branch", .list = list};
