/*
 * gpu: the devices, and what the readings share: a context each, the modules of its kernels, and
 * running a kernel against the clock.
 *
 * A batch is one launch; the device's own events time it, and the wall clock must agree. What a
 * kernel wrote is compared with a reference on the host before anything is timed, and a batch of
 * twice the passes must take about twice as long.
 */
#ifndef GPU_H
#define GPU_H

#include "back-end.h"
#include "driver.h"

enum image { IMAGE_ARITH, IMAGE_TENSOR, IMAGE_TENSOR_FP8, IMAGE_WGMMA, IMAGE_MEMORY, IMAGES };

struct gpu {
	int device, ordinal;
	int cc; /* compute capability: 75, 80, ... */
	int units, clock_khz;
	int64_t l2_bytes, memory_bytes;
	double memory_peak; /* bytes a second by clock and bus; 0: not known */
	cuda_handle context, modules[IMAGES];
};

/* A kernel to run. Its parameters are `out` and what parameters() adds; see launch_... in gpu.c. */
#define PARAMETERS_MAX 8
struct kernel {
	enum image image;
	const char *name;
	unsigned threads; /* of a block */
};

struct run {
	struct gpu *gpu;
	cuda_handle function, start, end;
	unsigned grid, threads;
	cuda_address out;      /* a word for each thread */
	uint32_t count;        /* what the kernel loops over; a parameter points to it */
	uint32_t count_a_pass; /* count of one iteration; 1 unless set */
	void *parameters[PARAMETERS_MAX];
	double last_wall;
};

/* The context of g, current; made at its first use. */
int gpu_use(struct gpu *g, struct err *err);

/* The module of an image, loaded at its first use. */
int gpu_module(struct gpu *g, enum image image, cuda_handle *ret, struct err *err);

/* Gets everything for a kernel; parameters[0] is out, the caller adds the others. */
int run_begin(struct run *r, struct gpu *g, const struct kernel *k, struct err *err);
void run_end(struct run *r);

/* A launch of `passes`, waited for; ret_seconds by the device's clock (batch_fn of outcome.h). */
int run_batch(void *run, int64_t passes, double *ret_seconds, struct err *err);

/* The word that a thread wrote, by a reference; thread counts over the whole grid. */
typedef uint32_t expect_fn(const void *arg, uint32_t thread, int passes);

/* Launches `passes` and compares what the first and the last warp wrote. */
int run_verify(struct run *r, int passes, expect_fn *expect, const void *arg, struct err *err);

/* Reads `passes` against twice as many: -1 where the time does not grow with them. */
int run_scales(struct run *r, const struct settings *s, struct err *err);

/* All of the above after run_begin(): verifies, times, and refuses what cannot be true. amount is
 * the work of a pass, limit the most a second that this device can do (0: not known). */
struct check {
	expect_fn *expect;
	const void *arg;
	int passes;
};
void run_measure(struct run *r, const struct settings *s, struct outcome *o,
	const struct check *check, double amount, double limit);

/* Groups of tests; each adds its own for the last device of the plan. */
struct group {
	void (*list)(struct plan *plan, struct gpu *g, const struct settings *s);
};
extern const struct group group_arith, group_tensor, group_memory, group_transfer;

/* Kept until the end of the program, for the data of readings. */
void *gpu_keep(const void *data, size_t size);

#endif
