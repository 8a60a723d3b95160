/*
 * pool: threads, one bound to each CPU that this process may use, that share the work of a batch by
 * claiming slices of it.
 *
 * With equal shares one thread that the system took off its CPU keeps all others waiting, and the
 * number says how long it was away. Here whoever has time takes the next slice from a counter, the
 * clock stops when the counter has run dry, and what the slices still in flight did by then counts
 * for the part of their time that had passed.
 */
#ifndef POOL_H
#define POOL_H

#include <stdint.h>

/* Does `iterations` of the work; thread is 0 for the calling one, and below pool_threads(). */
typedef void slice_fn(void *arg, int thread, int64_t iterations);

int pool_threads(void); /* CPUs that this process may use; starts no thread */

/*
 * Runs `iterations` in slices on that many threads (1: the calling one, bound to a CPU for the
 * while) and says how many seconds they took: the time that all of them would have needed at the
 * rate that was seen. Threads are started at the first call and wait for the next one.
 */
double pool_run(int threads, slice_fn *slice, void *arg, int64_t iterations);

void pool_close(void);

#endif
