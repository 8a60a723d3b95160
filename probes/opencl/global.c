#include "tests.h"

#include "host.h"
#include "kernels.h"
#include "sweep.h"

#include <stdio.h>

#define BYTES ((size_t)512 << 20)
#define FETCHES 16

static const unsigned widths[] = {1, 2, 4, 8, 16};

static uint32_t near_sum(const struct sweep *w, size_t x, size_t y)
{
	uint32_t item = (uint32_t)x, group = (uint32_t)w->range.local[0];

	(void)y;
	return host_sweep(item / group * group * FETCHES + item % group, group, w->width);
}

static uint32_t far_sum(const struct sweep *w, size_t x, size_t y)
{
	(void)y;
	return host_sweep((uint32_t)x, (uint32_t)w->range.global[0], w->width);
}

/* The kernel with its arguments, and how many items it takes. */
static int set_up(struct ocl_device *d, struct sweep *w, const char *name, struct err *err)
{
	char kernel[16];
	cl_int code;

	snprintf(kernel, sizeof(kernel), "%s%u", name, w->width);
	w->kernel = ocl_kernel(d, kernel, err);
	if (!w->kernel)
		return -1;
	w->range.dims = 1;
	w->range.local[0] = ocl_group(d, w->kernel, 256);
	w->range.global[0] = d->data_bytes / (FETCHES * 4 * w->width);
	w->range.global[0] -= w->range.global[0] % w->range.local[0];
	w->bytes = (double)w->range.global[0] * FETCHES * 4 * w->width;
	code = clSetKernelArg(w->kernel, 0, sizeof(d->data), &d->data);
	if (code == CL_SUCCESS)
		code = clSetKernelArg(w->kernel, 1, sizeof(w->out), &w->out);
	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clSetKernelArg", code);
}

/* The faster of the two orders. */
static int pick(struct ocl_device *d, struct sweep *near, struct sweep *far, struct sweep **ret,
	struct err *err)
{
	double near_s, far_s;

	if (set_up(d, near, "near", err) < 0 || set_up(d, far, "far", err) < 0)
		return -1;
	if (sweep_try(d, near, &near_s, err) < 0 || sweep_try(d, far, &far_s, err) < 0)
		return -1;
	*ret = near_s <= far_s ? near : far;
	return 0;
}

static int prepare(struct ocl_device *d, const struct settings *s, unsigned width, cl_mem *ret_out,
	struct err *err)
{
	size_t bytes = ocl_bytes_max(d, s, BYTES);

	bytes -= bytes % (1 << 20);
	if (!bytes)
		return err_set(err, ERR_IO, "there is no room for 1 MiB of data");
	if (ocl_data(d, bytes, err) < 0)
		return -1;
	*ret_out = ocl_buffer(d, CL_MEM_WRITE_ONLY, bytes / FETCHES / width, err);
	return *ret_out ? 0 : -1;
}

static void measure(struct ocl_device *d, const struct ocl_test *t, size_t which,
	const struct settings *s, struct outcome *ret)
{
	_cleanup_(ocl_memp) cl_mem out = NULL;
	struct sweep near = {.width = widths[which], .expected = near_sum};
	struct sweep far = {.width = widths[which], .expected = far_sum}, *faster;
	struct err err = ERR_INIT;

	(void)t;
	if (prepare(d, s, widths[which], &out, &err) == 0) {
		near.out = far.out = out;
		if (pick(d, &near, &far, &faster, &err) == 0)
			sweep_measure(d, faster, s, ret);
	}
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	ocl_kernelp(&near.kernel);
	ocl_kernelp(&far.kernel);
}

static const struct reading floats[] = {{.id = "float"}, {.id = "float2"},
	{.id = "float4", .quick = true}, {.id = "float8"}, {.id = "float16"}};

const struct ocl_test ocl_global = {.readings = floats,
	.n_readings = ARRAY_LEN(floats),
	.source = opencl_global,
	.options = "",
	.measure = measure,
	.test = {.id = "global_memory_bandwidth",
		.title = "Global memory bandwidth",
		.category = "bandwidth",
		.homogeneous = true,
		.axis = "vector width",
		.unit = "bps",
		.description = "reads of 512 MiB at most, in the faster of two orders"}};
