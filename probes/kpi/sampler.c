#include "sampler.h"

#include "counter.h"
#include "self.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* A child of fork() inherits the count but not the threads: owner says whose count it is. */
static _Atomic int running;
static _Atomic pid_t owner;

static void count_running(int by)
{
	if (owner != getpid()) {
		running = 0;
		owner = getpid();
	}
	running += by;
}

int perfgate_samplers(void)
{
	return owner == getpid() ? running : 0;
}

static void sample(struct perfgate_sampler *s)
{
	s->last = perfgate_self_rss();
	if (s->last > s->peak)
		s->peak = s->last;
}

static struct timespec as_timespec(int64_t ns)
{
	struct timespec t = {
		.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	return t;
}

static void *sampling(void *arg)
{
	struct perfgate_sampler *s = arg;
	int64_t next = perfgate_self_clock() + s->interval_ns;

	perfgate_hush(1);
	pthread_mutex_lock(&s->lock);
	while (!s->stop) {
		struct timespec until = as_timespec(next);

		if (pthread_cond_timedwait(&s->wake, &s->lock, &until) != ETIMEDOUT)
			continue;
		sample(s);
		next = perfgate_self_clock() + s->interval_ns;
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int init_wake(pthread_cond_t *wake)
{
	pthread_condattr_t attr;
	int r = pthread_condattr_init(&attr);

	if (r)
		return r;
	r = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (!r)
		r = pthread_cond_init(wake, &attr);
	pthread_condattr_destroy(&attr);
	return r;
}

/* A handler of the program's is not to run in a thread that it does not know of. */
static int start_quiet(struct perfgate_sampler *s)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	perfgate_hush(1);
	r = pthread_create(&s->thread, NULL, sampling, s);
	perfgate_hush(-1);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

int perfgate_sampler_start(struct perfgate_sampler *s, int interval_ms)
{
	int r = init_wake(&s->wake);

	if (r)
		return r;
	pthread_mutex_init(&s->lock, NULL);
	s->interval_ns = (int64_t)(interval_ms > 0 ? interval_ms : 10) * 1000000;
	s->peak = s->last = 0;
	s->stop = 0;
	s->pid = getpid();
	sample(s);
	r = start_quiet(s);
	if (!r) {
		count_running(1);
		return 0;
	}
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	return r;
}

static void end_thread(struct perfgate_sampler *s)
{
	count_running(-1);
	pthread_mutex_lock(&s->lock);
	s->stop = 1;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	perfgate_hush(1);
	pthread_join(s->thread, NULL);
	perfgate_hush(-1);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
}

void perfgate_sampler_stop(struct perfgate_sampler *s)
{
	if (s->pid == getpid())
		end_thread(s);
	sample(s);
}
