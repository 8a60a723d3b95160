/*
 * perfgate/kpi.h: what a benchmark in C or C++ links to say what it did (libperfgate).
 *
 * A capture brackets a piece of work and tells allocations, memory, threads left behind and time. A
 * result is one row of a document that `perfgate ingest` reads: a ScenarioResult, schema_version 1.
 * Results are recorded while the program runs and written as one file of the process into the
 * folder that the environment variable PERFGATE_OUT names. perfgate_capture(3) is the manual.
 *
 * Figures are those of the whole process: while a capture is open, whatever other threads do
 * counts. Every function may be called by any thread; a capture belongs to one thread at a time.
 *
 * Functions that can fail return 0, or an errno value (EINVAL, ENOMEM, ENOSPC, ...); outputs are
 * untouched then. Nothing here prints, but for a flush at exit that failed (perfgate_record).
 */
#ifndef PERFGATE_KPI_H
#define PERFGATE_KPI_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PERFGATE_API __attribute__((visibility("default")))
#else
#define PERFGATE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- capture ---- */

/* What one capture saw. */
struct perfgate_metrics {
	uint64_t allocs;          /* allocations; 0 where !counted */
	uint64_t bytes;           /* that these asked for; 0 where !counted */
	uint64_t rss_peak_bytes;  /* largest sample of the resident memory; 0: no reading */
	uint64_t rss_final_bytes; /* the last sample */
	int64_t wall_ns;          /* CLOCK_MONOTONIC */
	int threads_left;         /* threads more than before, after settling; at least 0 */
	int counted;              /* 1: libperfgate-alloc was there to count */
};

struct perfgate_capture;

/*
 * Opens a capture into *ret: takes the number of threads and samples the resident memory, now and
 * every interval_ms milliseconds from a thread of its own (0 or less: 10). Neither that thread nor
 * its memory is counted. In a program of several threads it first waits PERFGATE_SETTLE_MS for
 * those that are about to end. Returns 0, or ENOMEM, EAGAIN (no thread).
 */
PERFGATE_API int perfgate_capture_begin(struct perfgate_capture **ret, int interval_ms);

/*
 * Closes and frees the capture: the clock and the counts stop first, then the memory is sampled
 * once more, then threads that are about to end get PERFGATE_SETTLE_MS to do so. ret NULL: nothing
 * is wanted. Returns 0, or EINVAL where c is NULL.
 */
PERFGATE_API int perfgate_capture_end(struct perfgate_capture *c, struct perfgate_metrics *ret);

/* ---- threads ---- */

#define PERFGATE_SETTLE_MS 50

/*
 * The threads of this process, but for the library's own: the least number seen within settle_ms
 * milliseconds (less than 1: 1), at once where it is enough or fewer. 0 where it cannot be had.
 */
PERFGATE_API int perfgate_threads_settled(int settle_ms, int enough);

/* How many threads more than baseline there are once it has settled: those that were started and
 * neither ended nor joined. Never negative; 0 where baseline is 0. */
PERFGATE_API int perfgate_threads_left(int baseline, int settle_ms);

/* ---- allocations ---- */

/*
 * What libperfgate-alloc counted since the program began: successful calls of malloc, calloc,
 * realloc, reallocarray, aligned_alloc, posix_memalign, memalign, valloc and pvalloc, and the bytes
 * that they asked for. C++'s operator new comes by way of malloc. A realloc is one allocation of
 * its new size, wherever the block lies then. Returns 1, or 0 with both set to 0 where that library
 * is neither linked nor preloaded.
 */
PERFGATE_API int perfgate_allocations(uint64_t *ret_allocs, uint64_t *ret_bytes);

/* Keeps the compiler from leaving out what made the memory at p: an allocation that nobody uses
 * does not happen in optimised code. */
static inline void perfgate_keep(const void *p)
{
#if defined(__GNUC__)
	__asm__ volatile("" : : "g"(p) : "memory");
#else
	static const void *volatile kept;

	kept = p;
#endif
}

/* ---- results ---- */

/* One row. Counts may not be beyond 2^63-1, since the reader takes no more. */
struct perfgate_result {
	const char *name;    /* 1 to 4096 bytes; what is not UTF-8 becomes U+FFFD */
	int64_t sample;      /* which measurement of name in this process, from 0 */
	const char *git_sha; /* 40 or 64 hexadecimal digits, or ""; NULL: PERFGATE_SHA, else "" */
	int64_t timestamp;   /* seconds since 1970; 0: now */
	int64_t iterations;  /* operations that were measured together */
	uint64_t allocs_per_op; /* per operation, rounded down */
	uint64_t bytes_per_op;
	int64_t goroutines_end; /* threads left behind */
	int64_t tokens_input;   /* tokens: of the last operation alone */
	int64_t tokens_output;
	int64_t tokens_cache_read;
	double cache_hit_rate;   /* at least 0 */
	uint64_t rss_peak_bytes; /* of the whole capture, as is what follows; 0: no reading */
	uint64_t rss_final_bytes;
	int64_t wall_clock_ns;
};

/*
 * Fills *ret from what a capture of so many iterations saw (iterations less than 1: taken for 1);
 * what a capture does not see is 0. The name is borrowed.
 */
PERFGATE_API void perfgate_result_init(struct perfgate_result *ret, const char *name,
	const struct perfgate_metrics *m, int64_t iterations);

/*
 * Writes the n results, as they are, to path: a JSON array, "[]" of none. The file is written
 * beside its place, synchronised and renamed, so that path holds all of it or what it held before.
 * Returns 0, EINVAL for a result that the reader would refuse (no name, a negative or too large
 * number, one that is NaN or infinite, half a git_sha), or what the system said.
 */
PERFGATE_API int perfgate_write(const char *path, const struct perfgate_result *results, size_t n);

/* ---- the file of this process ---- */

#define PERFGATE_UNSET (-1) /* PERFGATE_OUT names no folder: nothing was written */

/*
 * Keeps a copy of the result for the file of this process; its sample is not used, but counted by
 * name. Returns 0, ENOMEM, or EINVAL as perfgate_write() does. What was not flushed is flushed when
 * the program exits; where that fails, a line on standard error says so.
 */
PERFGATE_API int perfgate_record(const struct perfgate_result *r);

/*
 * Writes all that was recorded so far in this process to its file,
 * PERFGATE_OUT/kpi-PROGRAM-PID-NUMBER.json, as perfgate_write() does. No other process ever writes
 * to that file; a child of fork() begins with no results and has a file of its own. Returns 0,
 * PERFGATE_UNSET, or an errno value. It may be called as often as wanted: what was flushed outlives
 * abort(), _exit(), quick_exit(), exec and signals, what was not does not. The folder is the one
 * that the first call of this or of perfgate_record() finds; a program with more rights than its
 * caller (set-user-ID) has none.
 */
PERFGATE_API int perfgate_flush(void);

/* The file of this process once it was flushed, else NULL. Valid until a fork. */
PERFGATE_API const char *perfgate_file(void);

/*
 * All of it: calls op(arg) once to warm up, then iterations times within a capture, and records the
 * result under name. op must return (no longjmp, no C++ exception). Returns 0, EINVAL for
 * iterations less than 1, or what the steps returned.
 */
PERFGATE_API int perfgate_run(
	const char *name, int64_t iterations, void (*op)(void *arg), void *arg);

#ifdef __cplusplus
}
#endif

#endif
