#include "pool.h"

#include "num.h"
#include "pin.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SLICE_NS = 250000, /* what a slice is to last */
	SHORT_NS = 100000  /* a batch that runs dry before that is over before all are at work */
};

struct worker {
	pthread_t id;
	int number;
	struct cpus cpu;
	struct share share;
};

/* The batch. */
struct job {
	slice_fn *slice;
	void *arg;
	int threads;
	int64_t iterations;
	_Atomic int64_t claimed, begin, dry; /* begin, dry: ns; 0: not yet */
	atomic_int arrived, working;
};

static struct pool {
	struct worker *workers; /* [0] is the calling thread */
	int n, started;         /* n 0: not asked yet */
	bool bound;             /* so is the calling thread */
	struct cpus allowed;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	uint64_t round; /* counts the batches; under the lock, like the job's first four */
	bool closing;
	struct job job;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void find_cpus(void)
{
	size_t cpu;

	pool.workers = xcalloc(CPUS_MAX, sizeof(*pool.workers));
	if (pin_bound(&pool.allowed) == 0)
		for (cpu = 0; cpu < CPUS_MAX; cpu++)
			if (cpus_have(&pool.allowed, cpu))
				cpus_add(&pool.workers[pool.n++].cpu, cpu);
	if (pool.n > 0)
		return;
	pool.n = (int)sysconf(_SC_NPROCESSORS_ONLN);
	pool.n = pool.n < 1 ? 1 : pool.n > CPUS_MAX ? CPUS_MAX : pool.n;
}

int pool_threads(void)
{
	if (pool.n == 0)
		find_cpus();
	return pool.n;
}

/* Small ones first and last: who starts and who ends late then matters little. */
static int64_t claim(struct job *j, int64_t wanted, int64_t *ret)
{
	int64_t left = j->iterations - atomic_load_explicit(&j->claimed, memory_order_relaxed);
	int64_t most = left / (2 * j->threads), from;

	*ret = wanted < most ? wanted : most > 1 ? most : 1;
	from = atomic_fetch_add_explicit(&j->claimed, *ret, memory_order_relaxed);
	if (*ret > j->iterations - from)
		*ret = j->iterations - from;
	return *ret;
}

static int64_t next_size(int64_t n, int64_t ns)
{
	if (ns < SLICE_NS / 4)
		return n * 4;
	n = (int64_t)((double)n * SLICE_NS / (double)ns);
	return n > 1 ? n : 1;
}

static void work(struct job *j, struct worker *w)
{
	int64_t size = 1, none = 0, n;
	struct share s = {0};

	while (claim(j, size, &n) > 0) {
		s.done += s.last;
		s.last = n;
		s.last_begin = clock_ns(CLOCK_MONOTONIC);
		j->slice(j->arg, w->number, n);
		s.last_end = clock_ns(CLOCK_MONOTONIC);
		size = next_size(n, s.last_end - s.last_begin);
	}
	atomic_compare_exchange_strong(&j->dry, &none, clock_ns(CLOCK_MONOTONIC));
	w->share = s;
	atomic_fetch_sub(&j->working, 1);
}

/* Nobody begins before all are there, so that waking up is no part of the time. */
static void meet(struct job *j)
{
	int64_t none = 0;

	atomic_fetch_add(&j->arrived, 1);
	while (atomic_load(&j->arrived) < j->threads)
		sched_yield();
	atomic_compare_exchange_strong(&j->begin, &none, clock_ns(CLOCK_MONOTONIC));
}

static void *live(void *arg)
{
	struct worker *w = arg;
	uint64_t seen = 0;

	pin_self(&w->cpu);
	pthread_mutex_lock(&pool.lock);
	while (!pool.closing) {
		if (pool.round == seen || w->number >= pool.job.threads) {
			pthread_cond_wait(&pool.wake, &pool.lock);
			continue;
		}
		seen = pool.round;
		pthread_mutex_unlock(&pool.lock);
		meet(&pool.job);
		work(&pool.job, w);
		pthread_mutex_lock(&pool.lock);
	}
	pthread_mutex_unlock(&pool.lock);
	return NULL;
}

/* Those that the system refuses to start are not waited for. */
static int start(int threads)
{
	struct worker *w;

	if (!pool.bound)
		pin_self(&pool.workers[0].cpu);
	pool.bound = true;
	if (pool.started == 0)
		pool.started = 1;
	for (; pool.started < threads; pool.started++) {
		w = &pool.workers[pool.started];
		w->number = pool.started;
		if (pthread_create(&w->id, NULL, live, w) != 0)
			return pool.started;
	}
	return threads;
}

static double ns_to_s(int64_t ns)
{
	return (double)ns * 1e-9;
}

/* The part of the last slice that was done when the clock stopped. */
static double last_part(const struct share *s, int64_t dry)
{
	if (dry >= s->last_end)
		return 1;
	if (dry <= s->last_begin)
		return 0;
	return (double)(dry - s->last_begin) / (double)(s->last_end - s->last_begin);
}

double pool_seconds(const struct share *shares, int n, int64_t begin, int64_t dry)
{
	double done = 0, all = 0;
	int64_t end = begin;
	int i;

	for (i = 0; i < n; i++) {
		done += (double)shares[i].done +
			(double)shares[i].last * last_part(&shares[i], dry);
		all += (double)shares[i].done + (double)shares[i].last;
		if (shares[i].last_end > end)
			end = shares[i].last_end;
	}
	if (dry == 0 || done <= 0)
		return ns_to_s(end - begin);
	return ns_to_s(dry - begin) * all / done;
}

static double run_one(slice_fn *slice, void *arg, int64_t iterations)
{
	int64_t begin = clock_ns(CLOCK_MONOTONIC);

	slice(arg, 0, iterations);
	return ns_to_s(clock_ns(CLOCK_MONOTONIC) - begin);
}

static void announce(int threads, slice_fn *slice, void *arg, int64_t iterations)
{
	struct job *j = &pool.job;

	pthread_mutex_lock(&pool.lock);
	j->slice = slice;
	j->arg = arg;
	j->threads = threads;
	j->iterations = iterations;
	atomic_store(&j->claimed, 0);
	atomic_store(&j->begin, 0);
	atomic_store(&j->dry, 0);
	atomic_store(&j->arrived, 0);
	atomic_store(&j->working, threads);
	pool.round++;
	pthread_cond_broadcast(&pool.wake);
	pthread_mutex_unlock(&pool.lock);
}

static double run_many(int threads)
{
	_cleanup_(freep) struct share *shares = xcalloc((size_t)threads, sizeof(*shares));
	struct job *j = &pool.job;
	int64_t begin, dry;
	int i;

	meet(j);
	work(j, &pool.workers[0]);
	while (atomic_load(&j->working) > 0)
		sched_yield();
	for (i = 0; i < threads; i++)
		shares[i] = pool.workers[i].share;
	begin = atomic_load(&j->begin);
	dry = atomic_load(&j->dry);
	return pool_seconds(shares, threads, begin, dry - begin < SHORT_NS ? 0 : dry);
}

double pool_run(int threads, slice_fn *slice, void *arg, int64_t iterations)
{
	if (threads > pool_threads())
		threads = pool_threads();
	threads = start(threads);
	if (threads == 1)
		return run_one(slice, arg, iterations);
	announce(threads, slice, arg, iterations);
	return run_many(threads);
}

void pool_close(void)
{
	int i;

	pthread_mutex_lock(&pool.lock);
	pool.closing = true;
	pthread_cond_broadcast(&pool.wake);
	pthread_mutex_unlock(&pool.lock);
	for (i = 1; i < pool.started; i++)
		pthread_join(pool.workers[i].id, NULL);
	if (pool.bound)
		pin_self(&pool.allowed);
	free(pool.workers);
	pool.workers = NULL;
	pool.n = pool.started = 0;
	pool.bound = pool.closing = false;
	pool.round = 0;
}
