#include "gpu.h"

#include "kernels/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define MIB (INT64_C(1) << 20)
#define TRANSFER_MAX (512 * MIB) /* as clpeak has it */

struct transfer {
	struct gpu *gpu;
	bool to_host;
	uint32_t *host; /* pinned */
	cuda_address device;
	size_t bytes;
	cuda_handle start, end;
};

static int64_t transfer_bytes(const struct gpu *g, const struct settings *s)
{
	int64_t most = s->memory_max < g->memory_bytes / 4 ? s->memory_max : g->memory_bytes / 4;

	most = most < TRANSFER_MAX ? most : TRANSFER_MAX;
	return most >= MIB ? most / MIB * MIB : most / 4096 * 4096;
}

static int copy(struct transfer *t, bool to_host, struct err *err)
{
	if (to_host)
		return CUDA_TRY(to_host, (t->host, t->device, t->bytes, NULL), err);
	return CUDA_TRY(to_device, (t->device, t->host, t->bytes, NULL), err);
}

static int batch(void *arg, int64_t n, double *ret_seconds, struct err *err)
{
	struct transfer *t = arg;
	float ms = 0;

	if (CUDA_TRY(event_record, (t->start, NULL), err) < 0)
		return -1;
	for (; n > 0; n--)
		if (copy(t, t->to_host, err) < 0)
			return -1;
	if (CUDA_TRY(event_record, (t->end, NULL), err) < 0 ||
		CUDA_TRY(event_wait, (t->end), err) < 0 ||
		CUDA_TRY(event_elapsed, (&ms, t->start, t->end), err) < 0)
		return -1;
	*ret_seconds = (double)ms * 1e-3;
	return 0;
}

static int begin(struct transfer *t, struct err *err)
{
	void *host = NULL;
	size_t i;

	if (gpu_use(t->gpu, err) < 0 || CUDA_TRY(alloc_host, (&host, t->bytes), err) < 0)
		return -1;
	t->host = host;
	for (i = 0; i < t->bytes / 4; i++)
		t->host[i] = pattern_word((uint32_t)i);
	if (CUDA_TRY(alloc, (&t->device, t->bytes), err) < 0 ||
		CUDA_TRY(event_create, (&t->start, 0), err) < 0)
		return -1;
	return CUDA_TRY(event_create, (&t->end, 0), err);
}

static void end(struct transfer *t)
{
	if (t->end)
		cuda.event_destroy(t->end);
	if (t->start)
		cuda.event_destroy(t->start);
	if (t->device)
		cuda.free(t->device);
	if (t->host)
		cuda.free_host(t->host);
}

/* There and back again: the same words arrive. */
static int verify(struct transfer *t, struct err *err)
{
	size_t i, n = t->bytes / 4;

	if (copy(t, false, err) < 0 || CUDA_TRY(synchronize, (), err) < 0)
		return -1;
	for (i = 0; i < n; i++)
		t->host[i] = 0;
	if (copy(t, true, err) < 0 || CUDA_TRY(synchronize, (), err) < 0)
		return -1;
	for (i = 0; i < n; i++)
		if (t->host[i] != pattern_word((uint32_t)i))
			return err_set(err, ERR_IO, "wrong result: word %zu came back as %#x", i,
				t->host[i]);
	return 0;
}

static void measure_transfer(
	const struct gpu *g, bool to_host, const struct settings *s, struct outcome *ret)
{
	struct transfer t = {
		.gpu = (struct gpu *)g, .to_host = to_host, .bytes = (size_t)transfer_bytes(g, s)};
	struct err err = ERR_INIT;

	if (begin(&t, &err) == 0 && verify(&t, &err) == 0)
		outcome_rate(ret, s, batch, &t, (double)t.bytes, 0);
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	end(&t);
}

static void measure_h2d(const void *data, const struct settings *s, struct outcome *ret)
{
	measure_transfer(data, false, s, ret);
}

static void measure_d2h(const void *data, const struct settings *s, struct outcome *ret)
{
	measure_transfer(data, true, s, ret);
}

static double wall_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int roundtrips(void *arg, int64_t n, double *ret_seconds, struct err *err)
{
	cuda_handle empty = arg;
	double begin_s = wall_seconds();

	for (; n > 0; n--)
		if (CUDA_TRY(launch, (empty, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), err) < 0 ||
			CUDA_TRY(synchronize, (), err) < 0)
			return -1;
	*ret_seconds = wall_seconds() - begin_s;
	return 0;
}

static void measure_roundtrip(const void *data, const struct settings *s, struct outcome *ret)
{
	struct gpu *g = (struct gpu *)data;
	struct err err = ERR_INIT;
	cuda_handle module, empty;

	if (gpu_module(g, IMAGE_ARITH, &module, &err) < 0 ||
		CUDA_TRY(function, (&empty, module, "empty"), &err) < 0)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	else
		outcome_time(ret, s, roundtrips, empty, 1, 0);
}

static void measure_dispatch(const void *data, const struct settings *s, struct outcome *ret)
{
	(void)data;
	(void)s;
	outcome_refuse(ret, OUTCOME_UNSUPPORTED, "not measurable through the driver API");
}

static void list(struct plan *plan, struct gpu *g, const struct settings *s)
{
	plan_test(plan, &(struct test){.id = "transfer_bandwidth",
				.variant = plan_text(
					plan, "%lld MiB", (long long)(transfer_bytes(g, s) / MIB)),
				.title = "Transfer bandwidth",
				.category = "bandwidth",
				.axis = "direction",
				.unit = "bps"});
	plan_reading(
		plan, &(struct reading){.id = "h2d_pinned", .measure = measure_h2d, .data = g});
	plan_reading(
		plan, &(struct reading){.id = "d2h_pinned", .measure = measure_d2h, .data = g});
	plan_test(plan, &(struct test){.id = "kernel_launch_latency",
				.title = "Kernel launch latency",
				.category = "latency",
				.unit = "s"});
	plan_reading(
		plan, &(struct reading){.id = "dispatch", .measure = measure_dispatch, .data = g});
	plan_reading(plan,
		&(struct reading){
			.id = "roundtrip", .quick = true, .measure = measure_roundtrip, .data = g});
}

const struct group group_transfer = {.list = list};
