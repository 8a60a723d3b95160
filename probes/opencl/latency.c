#include "tests.h"

#include "kernels.h"
#include "num.h"

#define LAUNCHES_MAX 100000

struct launches {
	struct ocl_device *d;
	cl_kernel kernel;
	cl_mem out;
	bool dispatch; /* QUEUED to START, by the driver; else enqueue and finish, by the wall */
	uint32_t count;
};

static int launch(struct launches *l, double *ret_seconds, struct err *err)
{
	_cleanup_(ocl_eventp) cl_event event = NULL;
	const size_t one = 1;
	int64_t before = clock_ns(CLOCK_MONOTONIC), ns, wall_ns;
	cl_int code = clEnqueueNDRangeKernel(
		l->d->queue, l->kernel, 1, NULL, &one, &one, 0, NULL, l->dispatch ? &event : NULL);

	if (code != CL_SUCCESS)
		return ocl_fail(err, "clEnqueueNDRangeKernel", code);
	code = clFinish(l->d->queue);
	if (code != CL_SUCCESS)
		return ocl_fail(err, "clFinish", code);
	ns = wall_ns = clock_ns(CLOCK_MONOTONIC) - before;
	l->count++;
	if (l->dispatch && ocl_event_ns(event, CL_PROFILING_COMMAND_QUEUED, event,
				   CL_PROFILING_COMMAND_START, &ns, err) < 0)
		return -1;
	if (ns <= 0 || ns > wall_ns + wall_ns / 100 + 10000)
		return err_set(err, ERR_FORMAT,
			"the driver's event times cannot be true: %lld ns from queued to started, "
			"in a launch of %lld ns",
			(long long)ns, (long long)wall_ns);
	*ret_seconds = (double)ns * 1e-9;
	return 0;
}

static int batch(void *arg, int64_t n, double *ret_seconds, struct err *err)
{
	struct launches *l = arg;
	double seconds = 0;
	uint32_t got = 0;

	*ret_seconds = 0;
	while (n-- > 0) {
		if (launch(l, &seconds, err) < 0)
			return -1;
		*ret_seconds += seconds;
	}
	if (ocl_read(l->d, l->out, 0, &got, sizeof(got), err) < 0)
		return -1;
	if (got != l->count)
		return err_set(err, ERR_FORMAT, "wrong result: %u launches, of which %u ran",
			l->count, got);
	return 0;
}

static int set_up(struct launches *l, struct err *err)
{
	const uint32_t none = 0;
	cl_int code;

	l->kernel = ocl_kernel(l->d, "count", err);
	if (!l->kernel)
		return -1;
	l->out = ocl_buffer(l->d, CL_MEM_READ_WRITE, sizeof(none), err);
	if (!l->out || ocl_write(l->d, l->out, 0, &none, sizeof(none), err) < 0)
		return -1;
	code = clSetKernelArg(l->kernel, 0, sizeof(l->out), &l->out);
	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clSetKernelArg", code);
}

static void measure(struct ocl_device *d, const struct ocl_test *t, size_t which,
	const struct settings *s, struct outcome *ret)
{
	struct launches l = {.d = d, .dispatch = which == 0};
	struct err err = ERR_INIT;
	double warm;

	(void)t;
	if (set_up(&l, &err) == 0 && batch(&l, 2, &warm, &err) == 0)
		outcome_time(ret, s, batch, &l, 1, LAUNCHES_MAX);
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	ocl_memp(&l.out);
	ocl_kernelp(&l.kernel);
}

static const struct reading latencies[] = {
	{.id = "dispatch", .description = "from queued to started, by the driver's profiling"},
	{.id = "roundtrip", .description = "enqueue and finish, by the wall clock", .quick = true},
};

const struct ocl_test ocl_latency = {.readings = latencies,
	.n_readings = ARRAY_LEN(latencies),
	.source = opencl_count,
	.options = "",
	.measure = measure,
	.test = {.id = "kernel_launch_latency",
		.title = "Kernel launch latency",
		.category = "latency",
		.unit = "s",
		.description =
			"one work-item that does next to nothing, one launch after the other"}};
