#include "tests.h"

#include "host.h"
#include "kernels.h"
#include "sweep.h"

#include <stdlib.h>

#define TEXEL 16 /* bytes */
#define SIDE_MAX 4096
#define FETCHES 16

static uint32_t column_sum(const struct sweep *w, size_t x, size_t y)
{
	uint32_t columns = (uint32_t)w->range.global[0];

	return host_sweep((uint32_t)(y * FETCHES) * columns + (uint32_t)x, columns, w->width);
}

/* Texels of a side: a power of two that the device takes. */
static size_t side(const struct ocl_device *d, const struct settings *s)
{
	size_t n = SIDE_MAX;
	size_t bytes = ocl_bytes_max(d, s, ocl_is_cpu(d) ? 64u << 20 : 256u << 20);

	while (n > 64 && (n > d->image_width || n > d->image_height || n * n * TEXEL > bytes))
		n /= 2;
	return n;
}

static cl_mem make_image(struct ocl_device *d, size_t n, struct err *err)
{
	_cleanup_(freep) uint32_t *words = xmalloc(n * n * TEXEL);
	const cl_image_format format = {CL_RGBA, CL_FLOAT};
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = n, .image_height = n};
	cl_int code = CL_SUCCESS;
	cl_mem m;

	host_fill(words, 0, n * n * TEXEL / sizeof(*words));
	m = clCreateImage(
		d->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, words, &code);
	if (!m)
		ocl_fail(err, "clCreateImage", code);
	return m;
}

static int set_up(struct ocl_device *d, struct sweep *w, size_t n, cl_mem image, struct err *err)
{
	cl_int code;
	size_t group;

	w->kernel = ocl_kernel(d, "texels", err);
	if (!w->kernel)
		return -1;
	w->out = ocl_buffer(d, CL_MEM_WRITE_ONLY, n * n / FETCHES * 4, err);
	if (!w->out)
		return -1;
	group = ocl_group(d, w->kernel, 64);
	w->range = (struct ocl_range){.dims = 2, .global = {n, n / FETCHES}, .local = {group, 1}};
	code = clSetKernelArg(w->kernel, 0, sizeof(image), &image);
	if (code == CL_SUCCESS)
		code = clSetKernelArg(w->kernel, 1, sizeof(w->out), &w->out);
	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clSetKernelArg", code);
}

static void measure(struct ocl_device *d, const struct ocl_test *t, size_t which,
	const struct settings *s, struct outcome *ret)
{
	_cleanup_(ocl_memp) cl_mem image = NULL;
	size_t n = side(d, s);
	struct sweep w = {
		.expected = column_sum, .width = 4, .bytes = (double)n * (double)n * TEXEL};
	struct err err = ERR_INIT;
	double warm;

	(void)t;
	(void)which;
	image = make_image(d, n, &err);
	if (image && set_up(d, &w, n, image, &err) == 0 && sweep_try(d, &w, &warm, &err) == 0)
		sweep_measure(d, &w, s, ret);
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	ocl_memp(&w.out);
	ocl_kernelp(&w.kernel);
}

static const char *lacks(const struct ocl_device *d)
{
	return d->images ? NULL : "the device has no images";
}

static const struct reading float4[] = {{.id = "float4"}};

const struct ocl_test ocl_image = {.readings = float4,
	.n_readings = ARRAY_LEN(float4),
	.lacks = lacks,
	.source = opencl_image,
	.options = "",
	.measure = measure,
	.test = {.id = "image_memory_bandwidth",
		.title = "Image memory bandwidth",
		.category = "bandwidth",
		.homogeneous = true,
		.unit = "bps",
		.description = "each texel of an image of four floats read once"}};
