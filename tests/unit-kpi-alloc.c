/* Allocations counted by libperfgate-alloc, which this program links: exactly, whoever makes them.
 */
#include "perfgate/kpi.h"
#include "tap.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 100000, WAVES = 40 };

static void *volatile kept; /* so that no compiler leaves an allocation out */

static void nothing(void)
{
}

static void by_malloc(void)
{
	kept = malloc(100);
	free(kept);
}

static void by_malloc_of_0(void)
{
	kept = malloc(0);
	free(kept);
}

static void by_calloc(void)
{
	kept = calloc(7, 9);
	free(kept);
}

static void by_realloc(void)
{
	kept = realloc(NULL, 10);
	kept = realloc(kept, 20);
	kept = realloc(kept, 5);
	free(kept);
}

static void by_reallocarray(void)
{
	kept = reallocarray(NULL, 3, 50);
	free(kept);
}

static void by_alignment(void)
{
	void *p = NULL;

	kept = aligned_alloc(64, 128);
	free(kept);
	if (!posix_memalign(&p, 256, 1000))
		free(p);
	kept = memalign(32, 3);
	free(kept);
	kept = valloc(2);
	free(kept);
}

/* Volatile, since compilers know that these cannot work. */
static void by_failing(void)
{
	volatile size_t huge = SIZE_MAX / 2 + 2, two = 2;
	void *p = NULL;

	kept = malloc(huge);
	kept = calloc(huge, two);
	kept = reallocarray(NULL, huge, two);
	kept = aligned_alloc(64, huge);
	if (posix_memalign(&p, 3, 10) == 0)
		abort();
	free(NULL);
}

static void by_strdup(void)
{
	kept = strdup("123456789");
	free(kept);
}

static struct perfgate_metrics capture(void (*op)(void))
{
	struct perfgate_metrics m = {0};
	struct perfgate_capture *c = NULL;

	if (perfgate_capture_begin(&c, 1))
		return m;
	op();
	perfgate_capture_end(c, &m);
	return m;
}

static void record_one(void)
{
	struct perfgate_metrics m = {0};
	struct perfgate_result r;

	perfgate_result_init(&r, "one", &m, 1);
	perfgate_record(&r);
}

static void inner_capture(void)
{
	capture(nothing);
}

static void malloc_in_child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		by_malloc();
		_exit(0);
	}
	waitpid(pid, &status, 0);
}

static const struct {
	const char *what;
	void (*op)(void);
	uint64_t allocs, bytes;
} cases[] = {
	{"nothing", nothing, 0, 0},
	{"malloc", by_malloc, 1, 100},
	{"malloc of no bytes", by_malloc_of_0, 1, 0},
	{"calloc", by_calloc, 1, 63},
	{"realloc, growing and shrinking", by_realloc, 3, 35},
	{"reallocarray", by_reallocarray, 1, 150},
	{"aligned_alloc, posix_memalign, memalign, valloc", by_alignment, 4, 1133},
	{"what fails", by_failing, 0, 0},
	{"strdup, within the C library", by_strdup, 1, 10},
	{"nothing, by a capture within the capture", inner_capture, 0, 0},
	{"nothing, by recording a result", record_one, 0, 0},
	{"nothing, by a child of fork()", malloc_in_child, 0, 0},
};

static void exact(
	const char *what, const struct perfgate_metrics *m, uint64_t allocs, uint64_t bytes)
{
	char name[128];

	snprintf(name, sizeof(name), "counted exactly: %s", what);
	if (!OK(m->allocs == allocs && m->bytes == bytes, name))
		printf("# %llu allocations, %llu bytes\n", (unsigned long long)m->allocs,
			(unsigned long long)m->bytes);
}

static pthread_barrier_t together;

static void *many(void *arg)
{
	size_t i, size = *(size_t *)arg;

	pthread_barrier_wait(&together);
	for (i = 0; i < ROUNDS; i++) {
		void *p = malloc(size), *bigger = p ? realloc(p, size * 2) : NULL;

		free(bigger ? bigger : p);
	}
	return NULL;
}

static void with_threads(void *(*start)(void *))
{
	pthread_t threads[THREADS];
	size_t sizes[THREADS], i;

	for (i = 0; i < THREADS; i++) {
		sizes[i] = i + 1;
		if (pthread_create(&threads[i], NULL, start, &sizes[i]))
			abort();
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void *idle(void *arg)
{
	return arg;
}

static void busy_threads(void)
{
	with_threads(many);
}

static void idle_threads(void)
{
	with_threads(idle);
}

/* More threads, one after the other, than have counters of their own. */
static void waves(void *(*start)(void *))
{
	int i;

	for (i = 0; i < WAVES; i++)
		with_threads(start);
}

static void *few(void *arg)
{
	kept = malloc(*(size_t *)arg);
	return arg;
}

static void idle_waves(void)
{
	waves(idle);
}

static void few_waves(void)
{
	waves(few);
}

/* The threads' own memory is theirs too: what as many idle ones take, whose stacks the C library
 * has kept, is taken off. */
static void beyond_idle(const char *what, void (*busy)(void), void (*idle_ones)(void),
	uint64_t allocs, uint64_t bytes)
{
	struct perfgate_metrics none, m;

	capture(idle_ones);
	none = capture(idle_ones);
	m = capture(busy);
	m.allocs -= none.allocs;
	m.bytes -= none.bytes;
	exact(what, &m, allocs, bytes);
}

static void test_threads(void)
{
	const uint64_t sizes = THREADS * (THREADS + 1) / 2;

	pthread_barrier_init(&together, NULL, THREADS);
	beyond_idle("8 threads at once", busy_threads, idle_threads, 2 * THREADS * ROUNDS,
		3 * sizes * ROUNDS);
	beyond_idle(
		"320 threads, 8 at once", few_waves, idle_waves, WAVES * THREADS, WAVES * sizes);
	beyond_idle("8 threads after these", busy_threads, idle_threads, 2 * THREADS * ROUNDS,
		3 * sizes * ROUNDS);
}

static void test_errno(void)
{
	errno = 77;
	by_malloc();
	by_calloc();
	by_realloc();
	by_alignment();
	OK(errno == 77, "what succeeds leaves errno alone");
	by_failing();
	OK(errno == ENOMEM, "what fails sets it");
}

int main(void)
{
	uint64_t allocs, bytes;
	size_t i;

	if (!perfgate_allocations(&allocs, &bytes)) {
		puts("1..0 # SKIP allocations are not counted in this build");
		return 0;
	}
	unsetenv("PERFGATE_OUT");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct perfgate_metrics m = capture(cases[i].op);

		exact(cases[i].what, &m, cases[i].allocs, cases[i].bytes);
	}
	test_threads();
	test_errno();
	return tap_done();
}
