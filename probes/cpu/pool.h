/*
 * pool: threads, one bound to each CPU that this process may use, that share the work of a batch by
 * claiming slices of it.
 *
 * With equal shares one thread that the system took off its CPU keeps all others waiting, and the
 * number says how long it was away. Here whoever has time takes the next slice from a counter, the
 * clock stops when the counter has run dry, and what the slices still in flight did by then counts
 * for the part of their time that had passed.
 *
 * Where the system cannot bind threads there is one for each CPU, and the system places them.
 */
#ifndef POOL_H
#define POOL_H

#include <stdint.h>

/* Does `iterations` (at least 1) of the work; thread is 0 for the calling one, and below
 * pool_threads(). */
typedef void slice_fn(void *arg, int thread, int64_t iterations);

int pool_threads(void); /* CPUs that this process may use; starts no thread */

/*
 * Runs `iterations` on that many threads and says how many seconds they took: the time that all of
 * them would have needed at the rate that was seen. One thread is the calling one, which does all
 * in one slice; more claim slices of about 0.25 ms. Threads are started at the first call and wait
 * for the next one. The calling thread stays bound to the first CPU until pool_close().
 */
double pool_run(int threads, slice_fn *slice, void *arg, int64_t iterations);

void pool_close(void);

/* ---- for pool.c and its test ---- */

/* What a thread did: whole slices, and the last one, which may still have run when the clock
 * stopped. In iterations and ns. */
struct share {
	int64_t done, last, last_begin, last_end;
};

/* What pool_run() returns. The counter had run dry at `dry`; 0: the batch was too short to tell,
 * and took until the last one was ready. */
double pool_seconds(const struct share *shares, int n, int64_t begin, int64_t dry);

#endif
