/*
 * sampler: a thread that reads the resident memory at an interval.
 *
 * It blocks all signals, allocates nothing while it runs, and is not among the threads that
 * perfgate_threads_settled() counts.
 */
#ifndef PERFGATE_SAMPLER_H
#define PERFGATE_SAMPLER_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

struct perfgate_sampler {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int64_t interval_ns;
	uint64_t peak, last; /* bytes; under the lock while the thread runs */
	int stop;
	pid_t pid; /* whose thread it is: a child of fork() has none */
};

/* Takes the first sample and starts the thread. interval_ms 0 or less: 10. Returns 0 or an errno
 * value; s has to stay where it is until perfgate_sampler_stop(). */
int perfgate_sampler_start(struct perfgate_sampler *s, int interval_ms);

/* Ends the thread and takes the last sample; peak and last hold what there is to know. */
void perfgate_sampler_stop(struct perfgate_sampler *s);

/* Samplers that run in this process. */
int perfgate_samplers(void);

#endif
