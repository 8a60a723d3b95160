#include "gpu.h"

#include "images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARP 32

static double wall_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int gpu_use(struct gpu *g, struct err *err)
{
	if (!g->context && CUDA_TRY(retain, (&g->context, g->device), err) < 0) {
		g->context = NULL;
		return -1;
	}
	return CUDA_TRY(set_current, (g->context), err);
}

int gpu_module(struct gpu *g, enum image image, cuda_handle *ret, struct err *err)
{
	if (gpu_use(g, err) < 0)
		return -1;
	if (!g->modules[image] && CUDA_TRY(load, (&g->modules[image], images[image]), err) < 0) {
		g->modules[image] = NULL;
		return -1;
	}
	*ret = g->modules[image];
	return 0;
}

/* As many blocks as run at the same time: one wave, so that no unit waits for a last block. */
static int choose_grid(struct run *r, struct err *err)
{
	int blocks = 0;

	if (CUDA_TRY(occupancy, (&blocks, r->function, (int)r->threads, 0), err) < 0)
		return -1;
	if (blocks < 1 || blocks > 64)
		return err_set(
			err, ERR_IO, "the driver says that %d blocks fit a multiprocessor", blocks);
	r->grid = (unsigned)blocks * (unsigned)r->gpu->units;
	return 0;
}

int run_begin(struct run *r, struct gpu *g, const struct kernel *k, struct err *err)
{
	cuda_handle module;

	*r = (struct run){.gpu = g, .threads = k->threads, .count_a_pass = 1};
	if (gpu_module(g, k->image, &module, err) < 0 ||
		CUDA_TRY(function, (&r->function, module, k->name), err) < 0 ||
		choose_grid(r, err) < 0 || CUDA_TRY(event_create, (&r->start, 0), err) < 0 ||
		CUDA_TRY(event_create, (&r->end, 0), err) < 0 ||
		CUDA_TRY(alloc, (&r->out, (size_t)r->grid * r->threads * 4), err) < 0) {
		run_end(r);
		return -1;
	}
	r->parameters[0] = &r->out;
	return 0;
}

void run_end(struct run *r)
{
	if (r->out)
		cuda.free(r->out);
	if (r->start)
		cuda.event_destroy(r->start);
	if (r->end)
		cuda.event_destroy(r->end);
	r->out = 0;
	r->start = r->end = NULL;
}

static int launch_once(struct run *r, double *ret_seconds, struct err *err)
{
	double begin = wall_seconds();
	float ms = 0;

	if (CUDA_TRY(event_record, (r->start, NULL), err) < 0 ||
		CUDA_TRY(launch,
			(r->function, r->grid, 1, 1, r->threads, 1, 1, 0, NULL, r->parameters,
				NULL),
			err) < 0 ||
		CUDA_TRY(event_record, (r->end, NULL), err) < 0 ||
		CUDA_TRY(event_wait, (r->end), err) < 0 ||
		CUDA_TRY(event_elapsed, (&ms, r->start, r->end), err) < 0)
		return -1;
	r->last_wall = wall_seconds() - begin;
	*ret_seconds = (double)ms * 1e-3;
	return 0;
}

/* Events cannot see more time than passed. Much less, for once, is a host that was busy. */
static bool clocks_agree(double event, double wall)
{
	return isfinite(event) && event >= 0 && event <= wall * 1.02 + 50e-6 &&
	       wall <= event * 1.5 + 20e-3;
}

int run_batch(void *run, int64_t passes, double *ret_seconds, struct err *err)
{
	struct run *r = run;
	int64_t count = passes * r->count_a_pass;
	int i;

	if (count < 1 || count > INT32_MAX)
		return err_set(
			err, ERR_IO, "%lld passes are too many for one launch", (long long)passes);
	r->count = (uint32_t)count;
	for (i = 0; i < 3; i++) {
		if (launch_once(r, ret_seconds, err) < 0)
			return -1;
		if (clocks_agree(*ret_seconds, r->last_wall))
			return 0;
	}
	return err_set(err, ERR_IO, "the device's clock says %g s, the wall clock %g s",
		*ret_seconds, r->last_wall);
}

static int read_warp(struct run *r, uint32_t first, uint32_t words[WARP], struct err *err)
{
	if (CUDA_TRY(to_host, (words, r->out + (uint64_t)first * 4, WARP * 4, NULL), err) < 0)
		return -1;
	return CUDA_TRY(synchronize, (), err);
}

static int compare_warp(struct run *r, uint32_t first, int passes, expect_fn *expect,
	const void *arg, struct err *err)
{
	uint32_t words[WARP] = {0}, expected, i;

	if (read_warp(r, first, words, err) < 0)
		return -1;
	for (i = 0; i < WARP; i++) {
		expected = expect(arg, first + i, passes);
		if (words[i] != expected)
			return err_set(err, ERR_IO,
				"wrong result: thread %u wrote %#x, %#x was expected", first + i,
				words[i], expected);
	}
	return 0;
}

int run_verify(struct run *r, int passes, expect_fn *expect, const void *arg, struct err *err)
{
	double seconds;

	if (run_batch(r, passes, &seconds, err) < 0 ||
		compare_warp(r, 0, passes, expect, arg, err) < 0)
		return -1;
	return compare_warp(r, r->grid * r->threads - WARP, passes, expect, arg, err);
}

/* The best of three, since a clock may still be rising. */
static int best(struct run *r, int64_t passes, double *ret, struct err *err)
{
	double seconds;
	int i;

	*ret = INFINITY;
	for (i = 0; i < 3; i++) {
		if (run_batch(r, passes, &seconds, err) < 0)
			return -1;
		*ret = fmin(*ret, seconds);
	}
	return 0;
}

int run_scales(struct run *r, const struct settings *s, struct err *err)
{
	double once, twice, enough = fmin((double)s->target_ns * 1e-9 / 2, 2e-3);
	int64_t passes = r->count / r->count_a_pass / 2;

	if (passes < 1)
		passes = 1;
	if (best(r, passes, &once, err) < 0 || best(r, passes * 2, &twice, err) < 0)
		return -1;
	if (once >= enough && (twice < once * 1.5 || twice > once * 3))
		return err_set(err, ERR_IO,
			"twice the work took %.2f times as long: not a reading of this work",
			twice / once);
	return 0;
}

static void refuse_excess(struct outcome *o, double limit)
{
	int i;

	for (i = 0; limit > 0 && i < o->n; i++)
		if (o->values[i] > limit)
			outcome_refuse(o, OUTCOME_ERROR,
				"a reading of %.4g is more than the %.4g that the device can do",
				o->values[i], limit);
}

void run_measure(struct run *r, const struct settings *s, struct outcome *o,
	const struct check *check, double amount, double limit)
{
	struct err err = ERR_INIT;

	if (run_verify(r, check->passes, check->expect, check->arg, &err) < 0) {
		outcome_refuse(o, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	outcome_rate(o, s, run_batch, r, amount, INT32_MAX / r->count_a_pass / 2);
	if (o->status == OUTCOME_OK && run_scales(r, s, &err) < 0)
		outcome_refuse(o, OUTCOME_ERROR, "%s", err.msg);
	refuse_excess(o, limit);
}
